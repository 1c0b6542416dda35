"""Benchmarks in the forms in which they are published, plain and gzipped; and folders that nobody understands."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark_files import CORPUS, write_excluir, write_jsonl, write_native

from esens.cli.main import main
from esens.errors import ArgumentError, InputError
from esens.evaluate.datasets import read_dataset
from esens.evaluate.experiment import Experiment
from esens.types import Decomposition

QUERIES: list[dict[str, Any]] = [{"_id": "q1", "text": "one"}, {"_id": "q2", "text": "two, not one"}]
HEADER = "query-id\tcorpus-id\tscore\n"
TSV = f"{HEADER}q1\ta\t1\nq2\tb\t2\n"
ROWS = [
    {"query-id": "q1", "corpus-id": "a", "score": 1},
    {"query-id": "q2", "corpus-id": "b", "score": 2.0},
]
JUDGED = [{"a": 1}, {"b": 2}]


def _pack(folder: Path) -> None:
    """Gzip every file of a folder."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        with gzip.open(f"{path}.gz", "wb") as file:
            file.write(path.read_bytes())
        path.unlink()


def _folder(folder: Path, judgements: str) -> Path:
    write_jsonl(folder / "corpus.jsonl", CORPUS)
    write_jsonl(folder / "queries.jsonl", QUERIES)
    (folder / judgements).parent.mkdir(exist_ok=True)
    if judgements.endswith(".jsonl"):
        write_jsonl(folder / judgements, ROWS)
    else:
        (folder / judgements).write_text(TSV)
    return folder


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize(
    "judgements",
    ["test.tsv", "test.jsonl", "qrels.jsonl", "qrels.tsv", "qrels/test.tsv", "qrels/test.jsonl"],
)
def test_judgements_are_found_where_they_are_published(judgements: str, packed: bool, tmp_path: Path) -> None:
    """NegConstraint has ``test.tsv`` at the root, LIMIT ``qrels.jsonl``, mteb's sets ``qrels/test.jsonl``."""
    folder = _folder(tmp_path / "set", judgements)
    if packed:
        _pack(folder)
    dataset = read_dataset(folder)
    assert [dict(query.relevant) for query in dataset.queries] == JUDGED
    assert len(dataset.corpus) == len(CORPUS)
    assert dataset.notes == ()


@pytest.mark.parametrize("excluded", ["excluded.tsv", "qrels/test.excluded.jsonl", "test.excluded.tsv"])
def test_exclusions_are_found_beside_them(excluded: str, tmp_path: Path) -> None:
    folder = _folder(tmp_path / "set", "test.tsv")
    (folder / excluded).parent.mkdir(exist_ok=True)
    if excluded.endswith(".jsonl"):
        write_jsonl(folder / excluded, [{"query-id": "q2", "corpus-id": "a", "score": 1}])
    else:
        (folder / excluded).write_text(f"{HEADER}q2\ta\t1\n")
    assert [query.excluded for query in read_dataset(folder).queries] == [(), ("a",)]


def test_other_splits_and_judgements_without_splits(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "set", "qrels.jsonl")
    with pytest.raises(InputError, match=r"the splits of this folder are: none; qrels\.jsonl has no splits"):
        read_dataset(folder, split="dev")
    (folder / "dev.tsv").write_text(f"{HEADER}q1\tc\t1\n")
    dev = read_dataset(folder, split="dev")
    assert [dict(query.relevant) for query in dev.queries] == [{"c": 1}]
    assert dev.notes == ("1 queries without a judgement in 'dev' are left out",)
    with pytest.raises(InputError, match="the splits of this folder are: dev"):
        read_dataset(folder, split="train")


def test_what_mteb_ranks_for_each_query_is_not_read_and_the_notes_say_so(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "set", "qrels.jsonl")
    write_jsonl(folder / "top_ranked.jsonl", [{"query-id": "q1", "corpus-ids": ["a", "b"]}])
    assert read_dataset(folder).notes == (
        "top_ranked.jsonl is not read: every document is ranked for every query",
    )


@pytest.mark.parametrize(
    "row",
    [
        {"query-id": "q1", "corpus-id": "a"},
        {"query-id": "q1", "score": 1},
        {"query-id": "q1", "corpus-id": "a", "score": 0.5},
        {"query-id": "q1", "corpus-id": "a", "score": True},
    ],
)
def test_a_judgement_that_is_none_is_named_with_its_line(row: dict[str, Any], tmp_path: Path) -> None:
    folder = _folder(tmp_path / "set", "qrels.jsonl")
    write_jsonl(folder / "qrels.jsonl", [ROWS[0] | {"corpus-id": "b"}, row])
    with pytest.raises(InputError, match=r"qrels.jsonl, line 2: needs the fields query-id, corpus-id, score"):
        read_dataset(folder)


def test_excluir_and_native_folders_may_be_gzipped(tmp_path: Path) -> None:
    row = {"ExcluQ": "drinks other than tea", "index": [0, 1]}
    excluir = write_excluir(tmp_path / "excluir", ["Oolong\nA tea.", "Mead\nA drink."], row)
    native = write_native(tmp_path / "native", {"text": "x", "target": "a", "trap": "b"})
    before = [read_dataset(folder).hash for folder in (excluir, native)]
    for folder in (excluir, native):
        _pack(folder)
    assert [read_dataset(folder).hash for folder in (excluir, native)] == before


QUEST = [
    {
        "query": "mammals of Asia outside Japan",
        "docs": ["Dhole", "Saola"],
        "original_query": "<mark>Mammals of Asia</mark> that are not <mark>Mammals of Japan</mark>",
        "metadata": {"template": "_ that are not _"},
    },
    {
        "query": "birds that swim and fly",
        "docs": ["Duck"],
        "original_query": "<mark>Swimming birds</mark> that are also <mark>Flying birds</mark>",
    },
    {
        "query": "swimming and flying birds but no ducks",
        "docs": ["Saola"],
        "original_query": "<mark>Swimmers</mark> that are also <mark>Flyers</mark> but not <mark>Ducks</mark>",
    },
]
ENTITIES = [{"title": name, "text": f"A text on {name}."} for name in ("Dhole", "Saola", "Duck", "Tanuki")]


def _quest(folder: Path, *splits: str) -> Path:
    write_jsonl(folder / "documents.jsonl", ENTITIES)
    for split in splits:
        write_jsonl(folder / f"{split}.jsonl", QUEST)
    return folder


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_quest(packed: bool, tmp_path: Path) -> None:
    folder = _quest(tmp_path / "quest", "train", "val", "test")
    if packed:
        _pack(folder)
    dataset = read_dataset(folder)
    assert [list(query.relevant) for query in dataset.queries] == [["Dhole", "Saola"], ["Duck"], ["Saola"]]
    assert [document.id for document in dataset.corpus] == ["Dhole", "Saola", "Duck", "Tanuki"]
    assert [query.recorded["oracle"] for query in dataset.queries] == [
        Decomposition("Mammals of Asia", ("Mammals of Japan",)),
        Decomposition("Swimming birds that are also Flying birds"),
        Decomposition("Swimmers that are also Flyers", ("Ducks",)),
    ]


def test_splits_of_quest(tmp_path: Path) -> None:
    folder = _quest(tmp_path / "quest", "val", "test")
    assert len(read_dataset(folder, split="val").queries) == len(QUEST)
    assert len(read_dataset(folder / "val.jsonl").queries) == len(QUEST)
    with pytest.raises(InputError, match="has no split 'dev'; its splits are: test, val"):
        read_dataset(folder, split="dev")
    (folder / "documents.jsonl").unlink()
    with pytest.raises(InputError, match=r"looked for in documents\.jsonl beside it"):
        read_dataset(folder)


BOOL = [
    {
        "qid": "1",
        "question_type": "not",
        "question": "tea but not green",
        "positive_ctxs": ["p1", "p2"],
        "negative_ctxs": ["n1"],
    },
    {
        "qid": "2",
        "question_type": "and",
        "question": "tea and milk",
        "positive_ctxs": ["p3", "p4"],
        "negative_ctxs": ["n2"],
    },
    {"qid": "3", "question_type": "or", "question": "tea or milk", "positive_ctxs": ["p5"]},
    {"qid": "4", "question_type": "or", "question": "tea or beer", "positive_ctxs": []},
]


def test_rows_of_boolquestions_that_exclude_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_jsonl(path, BOOL)
    (both,) = read_dataset(path, split="and").queries
    assert (len(both.relevant), both.excluded) == (2, ())
    assert [document.text for document in read_dataset(path, split="and").corpus] == ["p3", "p4", "n2"]
    either = read_dataset(path, split="or")
    assert [query.id for query in either.queries] == ["3"]
    assert "1 rows without a positive passage are left out" in either.notes
    (exclusion,) = read_dataset(path).queries
    assert len(exclusion.excluded) == 1
    with pytest.raises(InputError, match="no rows of the question type 'xor'; it holds: and, not, or"):
        read_dataset(path, split="xor")


def test_judgements_that_were_not_recognised_are_said_to_be_missing_before_anything_is_embedded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_native(tmp_path, *QUERIES)
    (folder / "answers.txt").write_text("q1 a\n")
    assert main(["evaluate", str(folder), "--embedder", "wordllama"]) == 2
    said = capsys.readouterr().err
    assert "no query has a judged document" in said
    assert "No judgement was recognised: queries.jsonl has the fields _id, text" in said
    assert "beside it stand answers.txt, corpus.jsonl" in said
    assert "qrels/test.tsv, qrels/test.jsonl, qrels.jsonl or test.tsv" in said
    assert "target, trap, relevant" in said

    def embed(texts: Any) -> Any:
        raise AssertionError("nothing is to be embedded")

    titled = read_dataset(write_native(tmp_path / "titled", {"text": "x", "excluded_title": "y"}))
    with pytest.raises(ArgumentError, match="no query has a judged document"):
        Experiment.prepare(titled, embedder=embed)


def test_queries_without_a_judgement_are_counted(tmp_path: Path) -> None:
    folder = write_native(tmp_path, {"text": "x", "target": "a"}, {"text": "y"})
    assert read_dataset(folder).notes == ("1 queries have no judgement",)
