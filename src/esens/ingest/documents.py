"""Documents from JSONL, CSV or plain text, from a file or from standard input.

A row is a document. Its id is under ``id`` or ``_id`` (else its number), its text under ``text``, its title
under ``title``; every other field becomes metadata. What cannot be read is an error that names file and line.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from esens.errors import ArgumentError, InputError, UnknownSpecError
from esens.ingest.lines import STANDARD_INPUT, delimited_lines, json_lines, read_lines
from esens.types import Document

FORMATS = ("jsonl", "csv", "text")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "text",
    ".text": "text",
}


def read_documents(path: str | Path, *, format: str | None = None) -> list[Document]:  # noqa: A002 - the word for it
    """Read the documents of a file; ``-`` is standard input. The format is told by the name or the first line."""
    if format is not None and format not in FORMATS:
        raise ArgumentError("format", f"unknown format {format!r}; valid are: {', '.join(FORMATS)}")
    if "://" in str(path):
        raise UnknownSpecError(
            "documents", str(path), ("a JSONL, CSV or text file", f"{STANDARD_INPUT} for standard input")
        )
    lines: Iterable[str] = read_lines(path)
    kind = format or _SUFFIXES.get(Path(path).suffix.lower())
    if kind is None:
        lines = list(lines)
        kind = _guess(lines)
    documents = list(_checked(path, _rows(kind, path, lines)))
    if not documents:
        raise InputError(path, "holds no documents")
    return documents


def read_queries(path: str | Path) -> list[str]:
    """Return the queries of a file: a line each, or JSONL with the query under ``query`` or ``text``."""
    lines = list(read_lines(path))
    if _guess(lines) != "jsonl":
        return [line for line in lines if line.strip()]
    return [_query(path, number, row) for number, row in json_lines(path, lines)]


def _query(path: str | Path, line: int, row: Any) -> str:
    found = (row.get("query") or row.get("text")) if isinstance(row, dict) else None
    if not isinstance(found, str):
        raise InputError(path, "needs a query under 'query' or 'text'", line=line)
    return found


def _guess(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("{"):
        return "jsonl"
    header = next(csv.reader([first]), [])
    return "csv" if "text" in header and len(header) > 1 else "text"


def _rows(kind: str, path: str | Path, lines: Iterable[str]) -> Iterable[tuple[int, Any]]:
    if kind == "jsonl":
        return json_lines(path, lines)
    if kind == "csv":
        return delimited_lines(path, lines)
    return ((number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip())


def _checked(path: str | Path, rows: Iterable[tuple[int, Any]]) -> Iterator[Document]:
    seen: dict[str, int] = {}
    for position, (line, row) in enumerate(rows):
        try:
            document = Document.of(row, position=position)
        except ArgumentError as error:
            raise InputError(path, error.problem, line=line) from None
        if document.id in seen:
            problem = f"id {document.id!r} stands on line {seen[document.id]} already; ids must be unique"
            raise InputError(path, problem, line=line)
        seen[document.id] = line
        yield document
