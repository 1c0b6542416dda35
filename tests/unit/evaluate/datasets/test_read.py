"""The format of a path is recognised, or the error says what was looked for; shared benchmarks are read."""

from pathlib import Path

import pytest
from tests.benchmark_files import shared_benchmark, write_excluir, write_native, write_table

from esens.errors import ArgumentError, InputError
from esens.evaluate.datasets import read_dataset


def test_a_folder_with_nothing_known_says_what_was_looked_for_and_found(tmp_path: Path) -> None:
    write_table(tmp_path / "other.csv", [{"a": "1", "b": "2"}])
    (tmp_path / "settings.json").write_text('{\n"x": 1}')
    with pytest.raises(InputError) as raised:
        read_dataset(tmp_path)
    for part in ("queries.jsonl", "qrels", "test_manual_final.json", "q1, q2, doc1, doc2", "question_type"):
        assert part in str(raised.value)
    assert "other.csv (columns: a, b)" in str(raised.value)
    assert "settings.json (line 1: is not JSON" in str(raised.value)


def test_a_path_that_is_not_there_and_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_dataset(tmp_path / "nothing")
    (tmp_path / "queries.jsonl").write_bytes(b'{"text": "x"}\n{"text": "\xff"}\n')
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_dataset(tmp_path)


def test_what_is_for_beir_alone_is_refused_elsewhere(tmp_path: Path) -> None:
    folder = write_native(tmp_path, {"text": "x", "target": "a"})
    with pytest.raises(ArgumentError, match="split: is for BEIR, mteb, QUEST and BoolQuestions"):
        read_dataset(folder, split="dev")
    with pytest.raises(ArgumentError, match="excluded: is for folders of BEIR and mteb"):
        read_dataset(folder, excluded="x.tsv")
    assert read_dataset(folder, name="mine").name == "mine"


@pytest.mark.parametrize(
    ("name", "queries", "documents", "judged"),
    [
        ("excluir-23k", 498, 23_635, 996),
        ("boolquestions-not", 323, 646, 646),
        ("nevir", 1_384, 1_384, 2_768),
        ("scifact", 300, 5_183, 339),
        ("everyday/recipes", 54, 3_600, 6_004),
    ],
)
def test_shared_benchmarks(name: str, queries: int, documents: int, judged: int) -> None:
    found = read_dataset(shared_benchmark(name))
    assert (len(found.queries), len(found.corpus), len(found.gold.query)) == (queries, documents, judged)
    assert found.has_exclusions == (name != "scifact")
    assert found.gold.judges_sets == name.startswith("everyday")
    assert found.denied.any() == (name == "everyday/recipes")
    assert found.notes == ()


def test_shared_queries_without_documents() -> None:
    found = read_dataset(shared_benchmark("excluir-queries"))
    assert (len(found.queries), found.corpus) == (1_480, ())
    assert found.excluded_titles is not None


def test_the_shared_excluir_in_its_authors_form_has_the_same_gold(tmp_path: Path) -> None:
    ours = read_dataset(shared_benchmark("excluir-23k"))
    rows = [
        {"ExcluQ": query.text, "index": [int(excluded), int(answer)], "question0": "original"}
        for query, (answer, excluded) in zip(ours.queries, ours.gold.position.reshape(-1, 2), strict=True)
    ]
    theirs = read_dataset(write_excluir(tmp_path, [document.content for document in ours.corpus], *rows))
    assert theirs.texts == ours.texts
    assert theirs.excluded_titles == ours.excluded_titles
    assert [one.content for one in theirs.corpus] == [one.content for one in ours.corpus]
    assert all((mine == yours).all() for mine, yours in zip(ours.gold, theirs.gold, strict=True))


def test_the_shared_boolquestions_in_a_table_are_the_same(tmp_path: Path) -> None:
    ours = read_dataset(shared_benchmark("boolquestions-not"))
    text = {document.id: document.text for document in ours.corpus}
    rows = [
        {
            "id": query.id,
            "question": query.text,
            "question_type": "not",
            "positive": text[next(iter(query.relevant))],
            "negative": text[query.excluded[0]],
        }
        for query in ours.queries
    ]
    write_table(tmp_path / "rows.csv", rows)
    assert read_dataset(tmp_path).hash == ours.hash
