"""The ``not`` part of BoolQuestions (https://arxiv.org/abs/2411.12235).

A table whose rows say ``question_type`` (and, or, not) and have a positive and a negative passage. As published,
passages are lists of objects with a ``passage_id``, and the texts stand beside the table in ``corpus.jsonl``
(``docid``, ``doc``, ``title``), of which only what is needed is kept. Copies that go round hold the texts
themselves. The first positive and the first negative passage of a row count.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from esens.errors import InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import queries_of
from esens.evaluate.datasets.tables import DatasetRow, read_rows
from esens.types import Document

SIGNATURE = frozenset({"question_type"})
LOOKS_FOR = (
    "BoolQuestions: a JSONL, JSON, CSV or TSV file with the columns question_type, question, positive_ctxs, …"
)
CORPUS = "corpus.jsonl"
NOT = "not"

COLUMNS = {
    "id": ("id", "_id", "qid", "query_id"),
    "query": ("question", "query", "text"),
    "positive": (
        "positive_ctxs",
        "positive_passages",
        "positive_passage",
        "positive",
        "pos",
        "answer_text",
        "doc1",
    ),
    "negative": (
        "negative_ctxs",
        "negative_passages",
        "negative_passage",
        "negative",
        "neg",
        "trap_text",
        "doc2",
    ),
}
PASSAGE = {
    "id": ("passage_id", "docid", "doc_id", "id", "_id", "pid"),
    "text": ("text", "doc", "passage", "contents", "content"),
}


class JudgedPassage(NamedTuple):
    """A passage of a row; one without a text is looked up by its id."""

    row: DatasetRow
    id: str | None
    text: str
    title: str


def read(path: Path, name: str) -> Dataset:
    """Read the ``not`` rows of a table; passages are one document only where they have ids, and the same."""
    rows = list(read_rows(path))
    wanted = [row for row in rows if str(row.fields.get("question_type")).strip().lower() == NOT]
    passages = [passage for row in wanted for passage in _pair(row)]
    corpus, ids = _documents(path, passages)

    def query(row: DatasetRow, position: int) -> tuple[Query]:
        answer, excluded = ids[2 * position : 2 * position + 2]
        name = row.id(*COLUMNS["id"]) or str(position)
        return (Query(name, row.text(*COLUMNS["query"]), {answer: 1}, (excluded,)),)

    queries = queries_of(path, (passage.row for passage in passages[::2]), query, corpus)
    further = sum(_further(passage.row) for passage in passages[::2])
    return Dataset(
        name, queries, corpus, tuple(_notes(len(rows) - len(wanted), len(wanted) - len(queries), further))
    )


def _pair(row: DatasetRow) -> tuple[JudgedPassage, ...]:
    """Return the positive and the negative passage, or nothing where one is missing, as in some published rows."""
    positive, negative = _passage(row, COLUMNS["positive"]), _passage(row, COLUMNS["negative"])
    return (positive, negative) if positive and negative else ()


def _passage(row: DatasetRow, names: tuple[str, ...]) -> JudgedPassage | None:
    """Return the first passage of a list that has a text or an id, or the text that stands in the row itself."""
    value = row.under(*names)
    if not isinstance(value, (list, dict)):
        return JudgedPassage(row, None, row.text(*names), "")
    items = value if isinstance(value, list) else [value]
    return next((passage for item in items if (passage := _listed(row, replace(row, value=item)))), None)


def _listed(row: DatasetRow, inner: DatasetRow) -> JudgedPassage | None:
    if isinstance(inner.value, str):
        return JudgedPassage(row, None, row.readable(inner.value), "") if inner.value.strip() else None
    number = inner.id(*PASSAGE["id"])
    if inner.under(*PASSAGE["text"]):
        return JudgedPassage(row, number, inner.text(*PASSAGE["text"]), _title(inner))
    return JudgedPassage(row, number, "", "") if number is not None else None


def _documents(path: Path, passages: list[JudgedPassage]) -> tuple[tuple[Document, ...], list[str]]:
    """Return the documents, and the id of the one that each passage became."""
    texts = _looked_up(path.parent / CORPUS, [passage for passage in passages if not passage.text])
    numbered = any(passage.id is None for passage in passages)
    documents: dict[str, Document] = {}
    ids = []
    for number, passage in enumerate(passages):
        text, title = (passage.text, passage.title) if passage.text else texts[passage.id or ""]
        ids.append(str(number) if numbered else passage.id or "")
        documents.setdefault(ids[-1], Document(ids[-1], text, title))
    return tuple(documents.values()), ids


def _looked_up(corpus: Path, passages: list[JudgedPassage]) -> dict[str, tuple[str, str]]:
    """Return the texts and titles of these passages; the published corpora hold millions of others."""
    if passages and not corpus.is_file():
        problem = f"has passages by their id alone; their texts are looked for in {CORPUS} beside it"
        raise InputError(passages[0].row.path, f"{problem}, and there is no such file")
    missing: dict[str, JudgedPassage] = {}
    for passage in passages:
        missing.setdefault(passage.id or "", passage)
    texts = {}
    for row in read_rows(corpus) if missing else ():
        number = row.id(*PASSAGE["id"])
        if number in missing:
            del missing[number]
            texts[number] = (row.text(*PASSAGE["text"]), _title(row))
            if not missing:
                break
    for number, passage in missing.items():
        raise passage.row.error(f"names passage {number!r}, which {corpus.name} does not hold")
    return texts


def _title(row: DatasetRow) -> str:
    return row.text("title") if row.under("title") else ""


def _further(row: DatasetRow) -> int:
    columns = (row.under(*COLUMNS[column]) for column in ("positive", "negative"))
    return sum(len(passages) - 1 for passages in columns if isinstance(passages, list))


def _notes(others: int, incomplete: int, further: int) -> Iterator[str]:
    if others:
        yield f"{others:,} rows of other question types are left out"
    if incomplete:
        yield f"{incomplete:,} rows without a positive or without a negative passage are left out"
    if further:
        yield f"{further:,} passages beside the first positive and the first negative of a row are left out"
