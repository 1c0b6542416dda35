"""BEIR's folders, with and without excluded documents."""

from pathlib import Path

import pytest
from tests.benchmark_files import write_jsonl, write_native

from esens.errors import InputError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets import read_dataset


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    queries = [{"_id": name, "text": f"query {name}", "metadata": {"url": ""}} for name in ("1", "2", "3")]
    write_native(folder, *queries)
    _qrels(folder / "qrels" / "test.tsv", "2\ta\t2", "2\tb\t0", "1\tc\t-1")
    _qrels(folder / "qrels" / "dev.tsv", "3\ta\t1")
    return folder


def _qrels(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["query-id\tcorpus-id\tscore", *lines]) + "\n")


def test_beir_leaves_out_queries_without_a_judgement_and_says_so(beir: Path) -> None:
    found = read_dataset(beir)
    assert found.queries == (Query("1", "query 1"), Query("2", "query 2", {"a": 2}))
    assert found.notes == ("1 queries without a judgement in 'test' are left out",)
    assert read_dataset(beir, split="dev").queries == (Query("3", "query 3", {"a": 1}),)
    with pytest.raises(InputError, match=r"train\.tsv: No such file; the splits of this folder are: dev, test"):
        read_dataset(beir, split="train")


@pytest.mark.parametrize("name", ["test.excluded.tsv", "test_excluded.tsv", "excluded.test.tsv", "excluded.tsv"])
def test_beir_with_a_second_file_of_excluded_documents(beir: Path, name: str) -> None:
    _qrels(beir / "qrels" / name, "2\tc\t1", "2\tb\t0")
    assert read_dataset(beir).queries[1].excluded == ("c",)


def test_a_file_of_all_splits_does_not_say_which_queries_count(beir: Path) -> None:
    _qrels(beir / "qrels" / "excluded.tsv", "2\tc\t1", "3\tc\t1")
    assert [query.id for query in read_dataset(beir).queries] == ["1", "2"]
    found = read_dataset(beir, excluded=beir / "qrels" / "excluded.tsv")
    assert [query.id for query in found.queries] == ["1", "2", "3"]


def test_the_excluded_documents_can_be_named_and_in_trec_form(beir: Path, tmp_path: Path) -> None:
    (tmp_path / "not.qrels").write_text("1 0 a 1\n")
    assert read_dataset(beir, excluded=tmp_path / "not.qrels").queries[0].excluded == ("a",)
    with pytest.raises(InputError, match="No such file"):
        read_dataset(beir, excluded=tmp_path / "nothing")


@pytest.mark.parametrize(
    ("file", "lines", "problem"),
    [
        ("test.tsv", ["2\tnowhere\t1"], "line 2: judges document 'nowhere', which the corpus does not hold"),
        ("test.tsv", ["9\ta\t1"], r"line 2: judges query '9', which queries\.jsonl does not hold"),
        ("test.tsv", ["2\ta\t1", "2\ta\t1"], "line 3: document 'a' of query '2' stands on line 2 already"),
        ("test.tsv", ["2\ta\thigh"], "line 2: the grade must be a whole number, got 'high'"),
        ("test.tsv", ["2\ta"], "line 2: needs 3 columns"),
        ("test.tsv", [], "holds no judgements"),
        ("excluded.tsv", ["2\ta\t1"], "line 2: query '2' excludes document 'a', which answers it"),
        ("excluded.tsv", ["2\tc\t0"], "excludes nothing"),
    ],
)
def test_a_bad_judgement_is_named_with_its_line(beir: Path, file: str, lines: list[str], problem: str) -> None:
    _qrels(beir / "qrels" / file, *lines)
    with pytest.raises(InputError, match=problem) as raised:
        read_dataset(beir)
    assert raised.value.path == str(beir / "qrels" / file)


def test_beir_wants_its_header_and_judgements_in_one_place(beir: Path) -> None:
    (beir / "qrels" / "test.tsv").write_text("2\ta\t1\n")
    with pytest.raises(InputError, match="line 1: the header is missing"):
        read_dataset(beir)
    write_jsonl(beir / "queries.jsonl", [{"_id": "2", "text": "x", "target": "a"}])
    with pytest.raises(InputError, match="line 1: has a judgement under 'target', and the folder has qrels"):
        read_dataset(beir)
