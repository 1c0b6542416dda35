"""QUEST (https://arxiv.org/abs/2305.11694): queries for sets of Wikipedia's entities, some without a part of them.

A table with the columns ``query``, ``docs`` (titles of the answers) and ``original_query``, in which each set is
marked; the documents stand beside it in ``documents.jsonl`` (``title``, ``text``), and a title is a document's id.
"""

import re
from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import notes_on, queries_of
from esens.evaluate.datasets.tables import DatasetRow, find_file, read_rows
from esens.types import Decomposition, Document

SIGNATURE = frozenset({"query", "docs", "original_query"})
LOOKS_FOR = "QUEST: a JSONL file with the columns query, docs, original_query, and documents.jsonl beside it"
DOCUMENTS = "documents.jsonl"
ORACLE = "oracle"
_MARKED = re.compile(r"<mark>(.*?)</mark>", re.DOTALL)
_NOT = re.compile(r"^(?P<target>.*?)\s+(?:that are|but)\s+not\s+<mark>(?P<trap>[^<]*)</mark>\s*$", re.DOTALL)


def read(path: Path, name: str) -> Dataset:
    """Read the queries of a table; where its original form leaves a set out, that is recorded as ``oracle``."""
    documents = find_file(path.parent, DOCUMENTS)
    if documents is None:
        raise InputError(
            path, f"names its answers by their titles; their texts are looked for in {DOCUMENTS} beside it"
        )
    corpus = tuple(map(_document, read_rows(documents)))
    queries = queries_of(path, read_rows(path), _query, corpus)
    return Dataset(name, queries, corpus, notes_on(corpus))


def _document(row: DatasetRow) -> Document:
    title, text = row.text("title"), row.under("text")
    return Document(title, row.readable(text) if isinstance(text, str) else "", title)


def _query(row: DatasetRow, position: int) -> tuple[Query]:
    answers = dict.fromkeys(row.ids("docs"), 1)
    if not answers:
        raise row.error("needs the titles of its answers under 'docs'")
    return (Query(row.id("id", "_id") or str(position), row.text("query"), answers, recorded=_oracle(row)),)


def _oracle(row: DatasetRow) -> dict[str, Decomposition]:
    """Return how the original form splits: "<mark>A</mark> that are not <mark>B</mark>"."""
    original = row.text("original_query")
    template = _NOT.match(original)
    target = _MARKED.sub(r"\1", template["target"] if template else original).strip()
    try:
        return {ORACLE: Decomposition(target, (template["trap"].strip(),) if template else ())}
    except ArgumentError as error:
        raise row.error(error.problem) from None
