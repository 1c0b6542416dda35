"""Documents and queries as lists, for those who want all of them at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from esens.errors import InputError
from esens.ingest.fields import Fields
from esens.ingest.lines import TextLine, peeked, read_lines
from esens.ingest.reader import read_rows
from esens.ingest.tables import guessed, json_rows
from esens.types import Document


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    fields: Fields = Fields(),  # noqa: B008 - frozen
    on_bad: str = "stop",
    report: Callable[[InputError], None] | None = None,
    allow_empty: bool = False,
) -> list[Document]:
    """Read the documents of a file or a folder; ``-`` is standard input. :func:`read_rows` says how."""
    rows = read_rows(path, format=format, fields=fields, on_bad=on_bad, report=report, allow_empty=allow_empty)
    return [row.document for row in rows]


def read_queries(path: str | Path) -> list[str]:
    """Return the queries of a file: a line each, or JSONL with the query under ``query`` or ``text``."""
    first, lines = peeked(TextLine(number, text) for number, text in enumerate(read_lines(path), start=1))
    if guessed(first) != "jsonl":
        return [line.text for line in lines if line.text.strip()]
    queries = []
    for found in json_rows(path, lines):
        if isinstance(found, InputError):
            raise found
        queries.append(_query(path, found.line, found.value))
    return queries


def _query(path: str | Path, line: int | None, row: Any) -> str:
    query = (row.get("query") or row.get("text")) if isinstance(row, dict) else None
    if not isinstance(query, str):
        raise InputError(path, "needs a query under 'query' or 'text'", line=line)
    return query
