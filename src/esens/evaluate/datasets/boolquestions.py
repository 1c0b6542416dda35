"""BoolQuestions (https://arxiv.org/abs/2411.12235): its ``not`` rows, or those of another type that is named.

A table whose rows say ``question_type`` (and, or, not) and have a positive and a negative passage. As published,
passages are lists of objects with a ``passage_id``, and the texts stand beside the table in ``corpus.jsonl``
(``docid``, ``doc``, ``title``), of which only what is needed is kept. Copies that go round hold the texts
themselves. Of a ``not`` row the first positive and the first negative passage count. Rows of the types ``and`` and
``or`` exclude nothing: all their positive passages are answers, and negative ones are documents like any other.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from esens.errors import InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import queries_of
from esens.evaluate.datasets.tables import DatasetRow, find_file, read_rows
from esens.types import Document

SIGNATURE = frozenset({"question_type"})
LOOKS_FOR = (
    "BoolQuestions: a JSONL, JSON, CSV or TSV file with the columns question_type, question, positive_ctxs, …"
)
CORPUS = "corpus.jsonl"
NOT = "not"
TYPES = (NOT, "and", "or")

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


def read(path: Path, name: str, split: str | None = None) -> Dataset:
    """Read the rows of a type; passages are one document only where they have ids, and the same."""
    kind = NOT if split is None else split
    rows = list(read_rows(path))
    wanted = [row for row in rows if _type(row) == kind]
    if not wanted:
        there = ", ".join(sorted({_type(row) for row in rows})) or "none"
        raise InputError(path, f"holds no rows of the question type {kind!r}; it holds: {there}")
    passages_of = _pair if kind == NOT else _all_passages
    judged = [(row, passages) for row in wanted if (passages := passages_of(row))]
    corpus, ids = _documents(path, [each.passage for _, passages in judged for each in passages])
    of_row = iter(ids)
    graded = [[(next(of_row), each.is_answer) for each in passages] for _, passages in judged]

    def query(row: DatasetRow, position: int) -> tuple[Query]:
        answers = {id_: 1 for id_, is_answer in graded[position] if is_answer}
        others = tuple(id_ for id_, is_answer in graded[position] if not is_answer)
        name = row.id(*COLUMNS["id"]) or str(position)
        return (Query(name, row.text(*COLUMNS["query"]), answers, others if kind == NOT else ()),)

    queries = queries_of(path, (row for row, _ in judged), query, corpus)
    further = sum(_further(row) for row, _ in judged) if kind == NOT else 0
    notes = _notes(len(rows) - len(wanted), len(wanted) - len(queries), further, kind)
    return Dataset(name, queries, corpus, tuple(notes))


class _Graded(NamedTuple):
    passage: JudgedPassage
    is_answer: bool


def _type(row: DatasetRow) -> str:
    return str(row.fields.get("question_type")).strip().lower()


def _pair(row: DatasetRow) -> list[_Graded]:
    """Return the positive and the negative passage, or nothing where one is missing, as in some published rows."""
    positive, negative = _passage(row, COLUMNS["positive"]), _passage(row, COLUMNS["negative"])
    return [_Graded(positive, True), _Graded(negative, False)] if positive and negative else []


def _all_passages(row: DatasetRow) -> list[_Graded]:
    """Return every positive and every negative passage, or nothing where no positive one is there."""
    positive, negative = (
        [_Graded(passage, side == "positive") for passage in _passages(row, COLUMNS[side])]
        for side in ("positive", "negative")
    )
    answers = {passage.id for passage, _ in positive if passage.id is not None}
    return [*positive, *(each for each in negative if each.passage.id not in answers)] if positive else []


def _passage(row: DatasetRow, names: tuple[str, ...]) -> JudgedPassage | None:
    """Return the first passage of a list that has a text or an id, or the text that stands in the row itself."""
    if not isinstance(row.under(*names), (list, dict)):
        return JudgedPassage(row, None, row.text(*names), "")
    return next(_passages(row, names), None)


def _passages(row: DatasetRow, names: tuple[str, ...]) -> Iterator[JudgedPassage]:
    value = row.under(*names)
    for item in value if isinstance(value, list) else [] if value is None else [value]:
        if passage := _listed(row, replace(row, value=item)):
            yield passage


def _listed(row: DatasetRow, inner: DatasetRow) -> JudgedPassage | None:
    if isinstance(inner.value, str):
        return JudgedPassage(row, None, row.readable(inner.value), "") if inner.value.strip() else None
    number = inner.id(*PASSAGE["id"])
    if inner.under(*PASSAGE["text"]):
        return JudgedPassage(row, number, inner.text(*PASSAGE["text"]), _title(inner))
    return JudgedPassage(row, number, "", "") if number is not None else None


def _documents(path: Path, passages: list[JudgedPassage]) -> tuple[tuple[Document, ...], list[str]]:
    """Return the documents, and the id of the one that each passage became."""
    texts = _looked_up(
        find_file(path.parent, CORPUS) or path.parent / CORPUS,
        [passage for passage in passages if not passage.text],
    )
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


def _notes(others: int, incomplete: int, further: int, kind: str) -> Iterator[str]:
    if others:
        yield f"{others:,} rows of other question types are left out"
    if incomplete:
        missing = "a positive or without a negative" if kind == NOT else "a positive"
        yield f"{incomplete:,} rows without {missing} passage are left out"
    if further:
        yield f"{further:,} passages beside the first positive and the first negative of a row are left out"
