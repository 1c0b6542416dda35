"""What holds of the queries of every form: ids once, texts that say something, judged documents that exist."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets.tables import DatasetRow
from esens.types import Document

Build = Callable[[DatasetRow, int], Iterable[Query]]


def queries_of(
    path: Path, rows: Iterable[DatasetRow], build: Build, corpus: Sequence[Document] | None
) -> tuple[Query, ...]:
    """Return the queries that the rows of a file make; ``build`` is given a row and its position."""
    documents = {document.id: document for document in corpus} if corpus is not None else None
    seen: dict[str, DatasetRow] = {}
    queries = []
    for position, row in enumerate(rows):
        for query in _built(build, row, position):
            if query.id in seen:
                raise row.error(f"id {query.id!r} stands on {_place(seen[query.id])} already; ids must be unique")
            if documents is not None:
                for judged in (*query.relevant, *query.excluded, *query.unclear):
                    check_judged(row, judged, documents.get(judged))
            seen[query.id] = row
            queries.append(query)
    if not queries:
        raise InputError(path, "holds no queries")
    return tuple(queries)


def check_judged(row: DatasetRow, judged: str, document: Document | None) -> None:
    """Raise unless this is a document that can be found."""
    if document is None:
        raise row.error(f"judges document {judged!r}, which the corpus does not hold")
    if not document.content.strip():
        raise row.error(f"judges document {judged!r}, which is empty: nothing could find it")


def notes_on(corpus: Sequence[Document]) -> tuple[str, ...]:
    """Return what is odd about documents that nobody judged; they stay, as ranks count them."""
    empty = sum(not document.content.strip() for document in corpus)
    return (f"{empty:,} documents of the corpus are empty",) if empty else ()


def _built(build: Build, row: DatasetRow, position: int) -> tuple[Query, ...]:
    try:
        return tuple(build(row, position))
    except ArgumentError as error:
        raise row.error(str(error)) from None


def _place(row: DatasetRow) -> str:
    return f"{row.unit} {row.number}"
