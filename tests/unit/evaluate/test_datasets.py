"""Every form is read as its authors publish it, and what is wrong is named with its file and line."""

import csv
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SHARED

from esens import Decomposition, Document
from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets import dataset_of_qrels, read_dataset, read_qrels, read_run

Fields = Mapping[str, Any]


def _jsonl(path: Path, rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _delimited(path: Path, rows: Sequence[Fields], delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def _table(path: Path, rows: Sequence[Fields]) -> None:
    if path.suffix in (".csv", ".tsv"):
        _delimited(path, rows, "," if path.suffix == ".csv" else "\t")
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows), indent=1), encoding="utf-8")
    else:
        _jsonl(path, rows)


def _shared(name: str) -> Path:
    if not (SHARED / name).is_dir():
        pytest.skip(f"the shared benchmark {name} is not beside the project")
    return SHARED / name


# Our own form

CORPUS = [{"_id": "a", "title": "A", "text": "one"}, {"_id": "b", "text": "two"}, {"_id": "c", "text": "three"}]


def _own(folder: Path, *queries: Fields, corpus: list[dict[str, str]] | None = CORPUS) -> Path:
    _jsonl(folder / "queries.jsonl", queries)
    if corpus is not None:
        _jsonl(folder / "corpus.jsonl", corpus)
    return folder


def test_our_own_form(tmp_path: Path) -> None:
    folder = _own(
        tmp_path / "mine",
        {"_id": 7, "text": "x", "target": "a", "trap": ["b", "c"], "source": "web", "meta": {"target": 1}},
        {"text": "y", "relevant": {"a": 2, "b": 0, "c": -1}, "trap": None},
        {"id": "z", "text": "z", "relevant": ["a", "b"], "who": {"target": " t ", "trap": ["u", " "]}},
    )
    found = read_dataset(folder)
    assert found.name == "mine"
    assert found.corpus[0] == Document("a", "one", "A")
    assert found.queries == (
        Query("7", "x", {"a": 1}, ("b", "c")),
        Query("1", "y", {"a": 2}),
        Query("z", "z", {"a": 1, "b": 1}, recorded={"who": Decomposition("t", ("u",))}),
    )
    assert found.gold.grade.tolist() == [1, 0, 0, 2, 1, 1]
    assert found.gold.position.tolist() == [0, 1, 2, 0, 0, 1]


def test_our_own_form_without_documents(tmp_path: Path) -> None:
    found = read_dataset(_own(tmp_path, {"text": "x", "excluded_title": "T &amp; U", "trap": "9"}, corpus=None))
    assert found.corpus == ()
    assert found.excluded_titles == ["T & U"]
    assert found.gold.position.tolist() == [-1]


@pytest.mark.parametrize(
    ("rows", "line", "problem"),
    [
        ([{"text": "x"}, {"text": " "}], 2, "needs a text under 'text'"),
        ([{"query": "x"}], 1, "its fields are: 'query'"),
        ([{"text": "x", "target": "nowhere"}], 1, "judges document 'nowhere', which the corpus does not hold"),
        ([{"text": "x", "target": "a", "trap": "a"}], 1, "document 'a' answers it and is excluded by it"),
        ([{"text": "x", "target": 1.5}], 1, "an id is a text or a whole number; under 'target' is 1.5"),
        ([{"text": "x", "relevant": {"a": "2"}}], 1, "a grade is a whole number; that of 'a' is '2'"),
        ([{"_id": 1, "text": "x"}, {"_id": "1", "text": "y"}], 2, "id '1' stands on line 1 already"),
        (["x"], 1, "needs an object with fields, got 'x'"),
        ([{"text": "\ud83d"}], 1, "half a surrogate pair"),
        ([{"text": "x", "who": {"target": "\ud83d", "trap": "y"}}], 1, "half a surrogate pair"),
        ([], None, "holds no queries"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, rows: list[Any], line: int | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as raised:
        read_dataset(_own(tmp_path, *rows))
    assert raised.value.path == str(tmp_path / "queries.jsonl")
    assert raised.value.line == line


def test_an_empty_document_stays_unless_it_is_judged(tmp_path: Path) -> None:
    corpus = [{"_id": "a", "text": "x"}, {"_id": "e", "text": " "}]
    found = read_dataset(_own(tmp_path, {"text": "x", "target": "a"}, corpus=corpus))
    assert found.notes == ("1 documents of the corpus are empty",)
    with pytest.raises(InputError, match="line 1: judges document 'e', which is empty"):
        read_dataset(_own(tmp_path, {"text": "x", "trap": "e"}, corpus=corpus))


# ExcluIR


def _excluir(folder: Path, corpus: object, *rows: Fields) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "corpus.json").write_text(json.dumps(corpus), encoding="utf-8")
    (folder / "test_manual_final.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


TEXTS = ["Tea\nA drink.", "no title", "Coffee\nAnother\ndrink."]


@pytest.mark.parametrize(("query", "index"), [("ExcluQ", "index"), ("RQ_rewrite", "corpus_sub_index")])
def test_excluir_has_the_excluded_document_first(tmp_path: Path, query: str, index: str) -> None:
    folder = _excluir(tmp_path, TEXTS, {query: "drinks but not tea", index: [0, 2], "question0": "drinks"})
    found = read_dataset(folder)
    assert found.corpus[2] == Document("2", "Another\ndrink.", "Coffee")
    assert [document.content for document in found.corpus] == TEXTS
    (query_found,) = found.queries
    assert (query_found.id, query_found.relevant, query_found.excluded) == ("0", {"2": 1}, ("0",))
    assert found.recorded == {"oracle": [Decomposition("drinks", ("Tea",))]}


def test_excluir_as_json_lines(tmp_path: Path) -> None:
    row = {"ExcluQ": "drinks but not tea", "index": [0, 2]}
    whole = read_dataset(_excluir(tmp_path / "whole", TEXTS, row))
    lines = _excluir(tmp_path / "lines", TEXTS, row)
    _jsonl(lines / "corpus.json", TEXTS)
    _jsonl(lines / "test_manual_final.json", [row])
    assert read_dataset(lines).hash == whole.hash


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"ExcluQ": "x", "index": [0, 3]}, "item 1: position 3 is not in corpus.json, which holds 3 documents"),
        ({"ExcluQ": "x", "index": [-1, 0]}, "item 1: position -1 is not in"),
        ({"ExcluQ": "x", "index": [0]}, "item 1: needs two positions in corpus.json under 'index' or"),
        ({"ExcluQ": "x", "index": [True, 0]}, "item 1: needs two positions"),
        ({"ExcluQ": "x", "index": [1, 1]}, "item 1: .* answers it and is excluded by it"),
        ({"query": "x", "index": [0, 1]}, "item 1: needs a text under 'ExcluQ' or 'RQ_rewrite'; its fields are"),
    ],
)
def test_excluir_names_the_item(tmp_path: Path, row: Fields, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_dataset(_excluir(tmp_path, TEXTS, row))


def test_bad_json_is_named_with_its_line(tmp_path: Path) -> None:
    folder = _excluir(tmp_path, TEXTS)
    (folder / "corpus.json").write_text('["a",\n"b"\n"c"]')
    with pytest.raises(InputError, match=r"corpus\.json, line 3: is not JSON .*column 1"):
        read_dataset(folder)


# NevIR

PAIRS = [
    {"id": "1-2", "q1": "who?", "q2": "who not?", "doc1": 'he, "x"', "doc2": "not\the"},
    {"id": "1-3", "q1": "when?", "q2": "when not?", "doc1": "now", "doc2": "not now"},
]


@pytest.mark.parametrize("name", ["pairs.jsonl", "test.csv", "test.tsv", "test.json"])
def test_a_pair_of_nevir_is_two_queries_and_two_documents(tmp_path: Path, name: str) -> None:
    _table(tmp_path / name, PAIRS)
    found = read_dataset(tmp_path)
    assert [query.id for query in found.queries] == ["1-2-q1", "1-2-q2", "1-3-q1", "1-3-q2"]
    assert found.queries[1] == Query("1-2-q2", "who not?", {"1-2-doc2": 1}, ("1-2-doc1",), pair="1-2")
    assert found.corpus[:2] == (Document("1-2-doc1", 'he, "x"'), Document("1-2-doc2", "not\the"))
    assert found.gold.position.reshape(-1, 2).tolist() == [[0, 1], [1, 0], [2, 3], [3, 2]]
    assert read_dataset(tmp_path / name).hash == found.hash


def test_of_several_tables_one_must_be_named(tmp_path: Path) -> None:
    for name in ("test.csv", "train.csv"):
        _table(tmp_path / name, PAIRS)
    with pytest.raises(InputError, match=r"several tables of one format: test\.csv, train\.csv"):
        read_dataset(tmp_path)
    assert len(read_dataset(tmp_path / "train.csv").queries) == 4


def test_a_pair_without_a_document_or_with_an_old_id_is_named(tmp_path: Path) -> None:
    _table(tmp_path / "a.csv", [PAIRS[0], PAIRS[1] | {"doc2": ""}])
    with pytest.raises(InputError, match=r"a\.csv, line 3: needs a text under 'doc2'"):
        read_dataset(tmp_path / "a.csv")
    _table(tmp_path / "b.jsonl", [PAIRS[0], PAIRS[0]])
    with pytest.raises(InputError, match=r"b\.jsonl, line 2: id '1-2-q1' stands on line 1 already"):
        read_dataset(tmp_path / "b.jsonl")


# BoolQuestions

PUBLISHED: list[dict[str, Any]] = [
    {"qid": 3, "question": "a, not b?", "question_type": "not", "positive_ctxs": [8], "negative_ctxs": [5]},
    {"qid": 4, "question": "a and b?", "question_type": "and", "positive_ctxs": [8], "negative_ctxs": []},
    {"qid": 6, "question": "c, not b?", "question_type": "not", "positive_ctxs": [None, 9], "negative_ctxs": [5]},
    {"qid": 9, "question": "d, not b?", "question_type": "not", "positive_ctxs": [None], "negative_ctxs": [5]},
]


def _published(folder: Path) -> Path:
    lists = ("positive_ctxs", "negative_ctxs")
    rows = [
        row | {name: [{"passage_id": n, "answer": "x"} for n in row[name]] for name in lists} for row in PUBLISHED
    ]
    _jsonl(folder / "eval.jsonl", rows)
    _jsonl(folder / "corpus.jsonl", [{"docid": n, "doc": f"passage {n}", "title": f"T{n}"} for n in range(12)])
    return folder


def test_boolquestions_as_published_names_passages_by_id(tmp_path: Path) -> None:
    found = read_dataset(_published(tmp_path))
    assert found.queries == (Query("3", "a, not b?", {"8": 1}, ("5",)), Query("6", "c, not b?", {"9": 1}, ("5",)))
    assert found.corpus == tuple(Document(n, f"passage {n}", f"T{n}") for n in ("8", "5", "9"))
    assert found.notes == (
        "1 rows of other question types are left out",
        "1 rows without a positive or without a negative passage are left out",
        "1 passages beside the first positive and the first negative of a row are left out",
    )


def test_a_passage_that_is_not_there_is_named(tmp_path: Path) -> None:
    _jsonl(_published(tmp_path) / "corpus.jsonl", [{"docid": 8, "doc": "passage"}])
    with pytest.raises(InputError, match=r"eval\.jsonl, line 1: names passage '5', which corpus\.jsonl does not"):
        read_dataset(tmp_path)
    (tmp_path / "corpus.jsonl").unlink()
    with pytest.raises(InputError, match=r"looked for in corpus\.jsonl beside it"):
        read_dataset(tmp_path)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl"])
@pytest.mark.parametrize(("positive", "negative"), [("positive", "negative"), ("answer_text", "trap_text")])
def test_boolquestions_with_texts_keeps_same_passages_apart(
    tmp_path: Path, suffix: str, positive: str, negative: str
) -> None:
    rows = [
        {"id": "q", "query": "a, not b?", "question_type": "not", positive: "A", negative: "B"},
        {"id": "r", "query": "a or b?", "question_type": "or", positive: "C", negative: "D"},
        {"id": "s", "query": "e, not b?", "question_type": "NOT", positive: "E", negative: "B"},
    ]
    _table(tmp_path / f"rows.{suffix}", rows)
    found = read_dataset(tmp_path)
    assert [(document.id, document.text) for document in found.corpus] == list(zip("0123", "ABEB", strict=True))
    assert found.queries[1] == Query("s", "e, not b?", {"2": 1}, ("3",))


def test_boolquestions_says_which_columns_it_looked_for_and_found(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("question_type,question,yes,no\nnot,x,a,b\n")
    with pytest.raises(
        InputError, match=r"line 2: needs a text under 'positive_ctxs', .* or 'doc1'; its fields .*'yes'"
    ):
        read_dataset(path)
    path.write_text("question_type,question\nand,x\n")
    with pytest.raises(InputError, match="holds no queries"):
        read_dataset(path)


# BEIR


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    queries = [{"_id": name, "text": f"query {name}", "metadata": {"url": ""}} for name in ("1", "2", "3")]
    _own(folder, *queries)
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
    _jsonl(beir / "queries.jsonl", [{"_id": "2", "text": "x", "target": "a"}])
    with pytest.raises(InputError, match="line 1: has a judgement under 'target', and the folder has qrels"):
        read_dataset(beir)


# TREC


def test_qrels_and_runs(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 2\n1\t0\tb  0\n\n2 0 a 1\n")
    (tmp_path / "run.gz").write_bytes(gzip.compress(b"1 Q0 b 1 0.5 me\n1 Q0 a 2 7e-1 me\n"))
    assert read_qrels(tmp_path / "qrels") == {"1": {"a": 2, "b": 0}, "2": {"a": 1}}
    assert read_run(tmp_path / "run.gz") == {"1": [("b", 0.5), ("a", 0.7)]}
    (tmp_path / "short.gz").write_bytes((tmp_path / "run.gz").read_bytes()[:-12])
    with pytest.raises(InputError, match="is not a whole gzip file"):
        read_run(tmp_path / "short.gz")


def test_a_dataset_of_qrels_has_no_texts() -> None:
    found = dataset_of_qrels({"1": {"a": 2, "b": 0}}, {"1": {"c": 1}, "2": {"a": 1}}, name="mine")
    assert found == Dataset("mine", (Query("1", "", {"a": 2}, ("c",)), Query("2", "", {}, ("a",))))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1 Q0 a 1 0.5", "needs 6 columns .* got 5"),
        ("1 Q0 a first 0.5 me", "the rank must be a whole number, got 'first'"),
        ("1 Q0 a 1 high me", "the score must be a number, got 'high'"),
        ("1 Q0 a 1 nan me", "the score must be a finite number"),
        ("1 Q0 z 2 0.1 me", "document 'z' of query '1' stands on line 1 already"),
    ],
)
def test_a_bad_line_of_a_run_is_named(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "run").write_text(f"1 Q0 z 1 0.9 me\n{line}\n")
    with pytest.raises(InputError, match=f"line 2: {problem}"):
        read_run(tmp_path / "run")


@pytest.mark.parametrize("line", ["1 0 a", "1 0 a 1 1", "1 0 a x", "1 0 z 1", "1 0 a 1.5"])
def test_a_bad_line_of_qrels_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "qrels").write_text(f"1 0 z 1\n{line}\n")
    with pytest.raises(InputError, match="line 2: ") as raised:
        read_qrels(tmp_path / "qrels")
    assert raised.value.line == 2


def test_empty_files_of_trec_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(InputError, match="holds no judgements"):
        read_qrels(tmp_path / "empty")
    with pytest.raises(InputError, match="holds no results"):
        read_run(tmp_path / "empty")


# What is not known


def test_a_folder_with_nothing_known_says_what_was_looked_for_and_found(tmp_path: Path) -> None:
    _table(tmp_path / "other.csv", [{"a": "1", "b": "2"}])
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
    folder = _own(tmp_path, {"text": "x"})
    with pytest.raises(ArgumentError, match="split: is for BEIR folders"):
        read_dataset(folder, split="dev")
    with pytest.raises(ArgumentError, match="excluded: is for BEIR folders"):
        read_dataset(folder, excluded="x.tsv")
    assert read_dataset(folder, name="mine").name == "mine"


def test_a_dataset_made_by_hand_is_checked() -> None:
    with pytest.raises(ArgumentError, match="more than one query with the id 'q'"):
        Dataset("mine", (Query("q", "x"), Query("q", "y")))
    with pytest.raises(ArgumentError, match="more than one document with the id 'd'"):
        Dataset("mine", (), (Document("d", "x"), Document("d", "y")))
    with pytest.raises(ArgumentError, match="the grade of 'd' must be 1 or more"):
        Query("q", "x", {"d": 0})


# The shared benchmarks


@pytest.mark.parametrize(
    ("name", "queries", "documents", "judged"),
    [
        ("excluir-23k", 498, 23_635, 996),
        ("boolquestions-not", 323, 646, 646),
        ("nevir", 1_384, 1_384, 2_768),
        ("scifact", 300, 5_183, 339),
    ],
)
def test_shared_benchmarks(name: str, queries: int, documents: int, judged: int) -> None:
    found = read_dataset(_shared(name))
    assert (len(found.queries), len(found.corpus), len(found.gold.query)) == (queries, documents, judged)
    assert found.has_exclusions == (name != "scifact")
    assert found.notes == ()


def test_shared_queries_without_documents() -> None:
    found = read_dataset(_shared("excluir-queries"))
    assert (len(found.queries), found.corpus) == (1_480, ())
    assert found.excluded_titles is not None


def test_the_shared_excluir_in_its_authors_form_has_the_same_gold(tmp_path: Path) -> None:
    ours = read_dataset(_shared("excluir-23k"))
    rows = [
        {"ExcluQ": query.text, "index": [int(excluded), int(answer)], "question0": "original"}
        for query, (answer, excluded) in zip(ours.queries, ours.gold.position.reshape(-1, 2), strict=True)
    ]
    theirs = read_dataset(_excluir(tmp_path, [document.content for document in ours.corpus], *rows))
    assert theirs.texts == ours.texts
    assert theirs.excluded_titles == ours.excluded_titles
    assert [one.content for one in theirs.corpus] == [one.content for one in ours.corpus]
    assert all((mine == yours).all() for mine, yours in zip(ours.gold, theirs.gold, strict=True))


def test_the_shared_boolquestions_in_a_table_are_the_same(tmp_path: Path) -> None:
    ours = read_dataset(_shared("boolquestions-not"))
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
    _table(tmp_path / "rows.csv", rows)
    assert read_dataset(tmp_path).hash == ours.hash


# Folds


def _queries(count: int, *, in_pairs: bool = False) -> Dataset:
    pairs = [str(number // 2) if in_pairs else "" for number in range(count)]
    return Dataset("d", tuple(Query(str(number), "text", pair=pair) for number, pair in enumerate(pairs)))


@pytest.mark.parametrize("folds", [1, 2, 3, 7])
def test_every_query_is_in_one_fold(folds: int) -> None:
    dataset = _queries(7)
    parts = [dataset.fold(number, folds) for number in range(1, folds + 1)]
    assert sorted(query.id for part in parts for query in part.queries) == [query.id for query in dataset.queries]
    assert [query.id for query in parts[-1].queries] == [str(number) for number in range(folds - 1, 7, folds)]


def test_a_pair_is_in_one_fold_and_a_note_says_what_is_left() -> None:
    part = _queries(8, in_pairs=True).fold(2, 2)
    assert [query.id for query in part.queries] == ["2", "3", "6", "7"]
    assert part.notes == ("Fold 2/2: 4 of 8 queries.",)
    assert part.hash != _queries(8, in_pairs=True).hash


@pytest.mark.parametrize(("number", "folds"), [(0, 2), (3, 2), (1, 0), (5, 5)])
def test_a_fold_that_is_none_or_empty_is_refused(number: int, folds: int) -> None:
    with pytest.raises(ArgumentError, match="fold"):
        _queries(4).fold(number, folds)
