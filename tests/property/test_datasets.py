"""A dataset's hash is its content: no more than that, and no less."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import Decomposition, Document
from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets import read_dataset

IDS = st.text("abcé01", min_size=1, max_size=4)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TEXTS = WORDS.filter(str.strip)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """A dataset of at least two documents, each of whose queries has a judgement."""
    ids = draw(st.lists(IDS, min_size=2, max_size=5, unique=True))
    corpus = tuple(Document(name, draw(TEXTS), draw(WORDS)) for name in ids)
    names = draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
    return Dataset("drawn", tuple(_query(draw, name, ids) for name in names), corpus)


def _query(draw: st.DrawFn, name: str, ids: list[str]) -> Query:
    judged = draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    answers = draw(st.integers(0, len(judged)))
    relevant = {document: draw(st.integers(1, 3)) for document in judged[:answers]}
    return Query(name, draw(TEXTS), relevant, tuple(judged[answers:]))


@given(datasets())
def test_the_same_content_has_the_same_hash_in_whatever_files(dataset: Dataset) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _write_own(Path(folder) / "own", dataset)
        _write_beir(Path(folder) / "beir", dataset)
        assert read_dataset(Path(folder) / "own").hash == dataset.hash
        assert read_dataset(Path(folder) / "beir").hash == dataset.hash


CHANGES: list[Callable[[Dataset], Dataset]] = [
    lambda d: replace(d, corpus=d.corpus[::-1]),
    lambda d: replace(d, corpus=d.corpus[1:]),
    lambda d: _first_document(d, id="other"),
    lambda d: _first_document(d, text=d.corpus[0].text + "."),
    lambda d: _first_document(d, title=d.corpus[0].title + "."),
    lambda d: _first_document(d, title=d.corpus[0].title + "\n", text="x\n" + d.corpus[0].text),
    lambda d: _first_query(d, id="other"),
    lambda d: _first_query(d, text=d.queries[0].text + "."),
    lambda d: _first_query(d, excluded_title="other"),
    lambda d: _first_query(d, excluded=(*d.queries[0].excluded, "other")),
    lambda d: _first_query(d, relevant={**d.queries[0].relevant, "other": 1}),
    lambda d: _first_query(
        d, relevant={one: grade + 1 for one, grade in d.queries[0].relevant.items()} or {"x": 1}
    ),
    lambda d: _first_query(
        d, relevant=dict.fromkeys(d.queries[0].excluded, 1), excluded=tuple(d.queries[0].relevant)
    ),
    lambda d: _first_query(d, recorded={"somebody": Decomposition("a", ("b",))}),
]


@given(datasets(), st.sampled_from(CHANGES))
def test_any_change_of_the_content_changes_the_hash(
    dataset: Dataset, change: Callable[[Dataset], Dataset]
) -> None:
    assert change(dataset).hash != dataset.hash


@given(datasets())
def test_nothing_else_changes_it(dataset: Dataset) -> None:
    first = dataset.queries[0]
    turned = _first_query(
        dataset, relevant=dict(reversed(list(first.relevant.items()))), excluded=tuple(reversed(first.excluded))
    )
    described = _first_document(turned, metadata={"year": 1})
    assert replace(described, name="other", notes=("odd",)).hash == dataset.hash


def test_a_line_break_between_title_and_text_is_not_the_same_as_one_within() -> None:
    one, two = Document("a", "y\nz", "x"), Document("a", "z", "x\ny")
    assert one.content == two.content
    assert Dataset("", (), (one,)).hash != Dataset("", (), (two,)).hash


def _first_document(dataset: Dataset, **fields: Any) -> Dataset:
    return replace(dataset, corpus=(replace(dataset.corpus[0], **fields), *dataset.corpus[1:]))


def _first_query(dataset: Dataset, **fields: Any) -> Dataset:
    return replace(dataset, queries=(replace(dataset.queries[0], **fields), *dataset.queries[1:]))


def _write_own(folder: Path, dataset: Dataset) -> None:
    _write_corpus(folder, dataset)
    rows = (
        {"id": q.id, "text": q.text, "relevant": q.relevant, "trap": list(q.excluded)} for q in dataset.queries
    )
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _write_beir(folder: Path, dataset: Dataset) -> None:
    _write_corpus(folder, dataset)
    rows = ({"_id": q.id, "text": q.text} for q in dataset.queries)
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _write_qrels(
        folder / "qrels" / "test.tsv", [(q.id, *one) for q in dataset.queries for one in q.relevant.items()]
    )
    excluded = [(q.id, one, 1) for q in dataset.queries for one in q.excluded]
    if excluded:
        _write_qrels(folder / "qrels" / "test.excluded.tsv", excluded)


def _write_corpus(folder: Path, dataset: Dataset) -> None:
    folder.mkdir()
    rows = ({"_id": one.id, "title": one.title, "text": one.text} for one in dataset.corpus)
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _write_qrels(path: Path, rows: list[tuple[str, str, int]]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = ["query-id\tcorpus-id\tscore", *(f"{query}\t{one}\t{grade}" for query, one, grade in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_whether_queries_are_a_pair_changes_the_hash() -> None:
    apart = Dataset("pairs", (Query("1", "x", {"a": 1}), Query("2", "y", {"a": 1})), (Document("a", "text"),))
    together = replace(apart, queries=tuple(replace(query, pair="p") for query in apart.queries))
    assert apart.hash != together.hash
    with pytest.raises(ArgumentError, match="does not have two queries"):
        replace(apart, queries=(apart.queries[0], together.queries[1]))
