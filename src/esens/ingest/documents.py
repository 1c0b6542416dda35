"""Documents from JSONL, CSV or plain text, from a file or from standard input.

A row is a document. Its id is under ``id`` or ``_id`` (else its number), its text under ``text``, its title
under ``title``; every other field becomes metadata. What cannot be read is an error that names file and line.
"""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from esens.errors import ArgumentError, InputError, UnknownSpecError
from esens.types import Document

STANDARD_INPUT = "-"
_LONGEST_CELL = 2**31 - 1
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
    lines = read_lines(path)
    kind = format or _SUFFIXES.get(Path(path).suffix.lower()) or _guess(lines)
    read = {"jsonl": _jsonl, "csv": _csv, "text": _text}[kind]
    documents = list(_checked(path, read(path, lines)))
    if not documents:
        raise InputError(path, "holds no documents")
    return documents


def read_lines(path: str | Path) -> list[str]:
    """Return the lines of a UTF-8 file, or of standard input, without their ends."""
    try:
        data = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else Path(path).read_bytes()
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(path, "is not UTF-8; save it as UTF-8 and try again", line=line) from None
    # Not splitlines: a text may hold other line ends of Unicode, such as U+2028, inside a JSON string.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def read_jsonl(path: str | Path) -> Iterator[tuple[int, Any]]:
    """Yield what each line of a JSONL file holds, with the number of the line."""
    return _jsonl(path, read_lines(path))


def read_queries(path: str | Path) -> list[str]:
    """Return the queries of a file: a line each, or JSONL with the query under ``query`` or ``text``."""
    lines = read_lines(path)
    if _guess(lines) != "jsonl":
        return [line for line in lines if line.strip()]
    return [_query(path, number, row) for number, row in _jsonl(path, lines)]


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


def _jsonl(path: str | Path, lines: list[str]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:  # not JSON, a number too long to read, or nested too deeply
            problem = f"is not JSON ({error}); one JSON object a line is expected"
            raise InputError(path, problem, line=number) from None


def _csv(path: str | Path, lines: list[str]) -> Iterator[tuple[int, Any]]:
    delimiter = "\t" if Path(path).suffix.lower() == ".tsv" else ","
    limit = csv.field_size_limit(_LONGEST_CELL)
    rows = csv.DictReader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            if None in row or None in row.values():
                raise InputError(path, "has another number of fields than the header", line=rows.line_num)
            yield rows.line_num, row
    except csv.Error as error:
        raise InputError(path, f"is not CSV ({error})", line=rows.line_num + 1) from None
    finally:
        csv.field_size_limit(limit)


def _text(_path: str | Path, lines: list[str]) -> Iterator[tuple[int, Any]]:
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
