"""NevIR (https://arxiv.org/abs/2305.07614): two queries and two documents that differ by a negation.

A table, as published or as JSONL, with the columns ``q1``, ``q2``, ``doc1``, ``doc2`` and an id. Each query of a
pair wants one of the two documents and excludes the other; the pair counts only if both are ranked right.
"""

from collections.abc import Iterator
from pathlib import Path

from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import queries_of
from esens.evaluate.datasets.tables import DatasetRow, read_rows
from esens.types import Document

SIGNATURE = frozenset({"q1", "q2", "doc1", "doc2"})
LOOKS_FOR = "NevIR: a JSONL, JSON, CSV or TSV file with the columns q1, q2, doc1, doc2, id"


def read(path: Path, name: str) -> Dataset:
    """Read the pairs of a table."""
    rows = list(read_rows(path))
    # The queries first: they find what is wrong with a row, such as an id that was there before.
    queries = queries_of(path, rows, _queries, None)
    corpus = tuple(document for position, row in enumerate(rows) for document in _documents(row, position))
    return Dataset(name, queries, corpus)


def _queries(row: DatasetRow, position: int) -> Iterator[Query]:
    pair = _pair(row, position)
    first, second = f"{pair}-doc1", f"{pair}-doc2"
    yield Query(f"{pair}-q1", row.text("q1"), {first: 1}, (second,), pair=pair)
    yield Query(f"{pair}-q2", row.text("q2"), {second: 1}, (first,), pair=pair)


def _documents(row: DatasetRow, position: int) -> Iterator[Document]:
    pair = _pair(row, position)
    yield Document(f"{pair}-doc1", row.text("doc1"))
    yield Document(f"{pair}-doc2", row.text("doc2"))


def _pair(row: DatasetRow, position: int) -> str:
    return row.id("_id", "id") or str(position)
