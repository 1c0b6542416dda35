"""All documents or queries of a file as a list."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from esens.errors import InputError
from esens.ingest.fields import Fields
from esens.ingest.limits import Limits
from esens.ingest.pages import ENDINGS as PAGES
from esens.ingest.reader import read_rows
from esens.ingest.record import RawRecord
from esens.ingest.sources import source_of
from esens.types import Document

QUERY_FIELDS = ("query", "text")


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    fields: Fields = Fields(),  # noqa: B008 - frozen
    on_bad: str = "stop",
    report: Callable[[InputError], None] | None = None,
    allow_empty: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> list[Document]:
    """Read the documents of a file or a folder; ``-`` is standard input. :func:`read_rows` says how."""
    rows = read_rows(
        path, format=format, fields=fields, on_bad=on_bad, report=report, allow_empty=allow_empty, limits=limits
    )
    return [row.document for row in rows]


def read_queries(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    field: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> list[str]:
    """Return the queries of a file: a line of text each, or rows with the query under this field.

    Without a field, it is ``query`` or ``text``.
    """
    if format is None and Path(path).suffix.lower() in PAGES:  # a line a query here, too
        format = "text"  # noqa: A001 - the word for it
    names, queries = (field,) if field else QUERY_FIELDS, []
    with closing(source_of(path, format, Fields(text=field), names, limits)) as source:
        for record in source:
            if isinstance(record, InputError):
                raise record
            queries.append(_query(record, names))
    return queries


def _query(record: RawRecord, fields: tuple[str, ...]) -> str:
    row = record.value
    if isinstance(row, str):
        return row
    values = [row[name] for name in fields if row.get(name)] if isinstance(row, Mapping) else []
    if not values or not isinstance(values[0], str | int | float):
        names = " or ".join(map(repr, fields))
        has = f"; its fields are: {', '.join(row)}" if isinstance(row, Mapping) else ""
        raise record.bad(f"needs a query under {names}{has}. Name another with field= (--query-field)")
    return str(values[0])
