"""The rows of JSON, JSONL, CSV and plain text. A bad one is an error among the others, and the reading goes on."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from esens.documents import ID_FIELDS, TEXT_FIELDS, TITLE_FIELDS
from esens.errors import ArgumentError, InputError
from esens.ingest.fields import Fields
from esens.ingest.json_array import array_rows, is_array_start
from esens.ingest.limits import Limits
from esens.ingest.lines import Lines, TextLine, peeked
from esens.ingest.record import RawRecord

_MOST_OF_CSV = 2**31 - 1  # what the csv module takes for a limit everywhere
_DELIMITERS = (",", "\t", ";")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})|-?(?=[0-9.]{1,16}$)(?:0|[1-9][0-9]*)\.[0-9]+", re.ASCII)


class TabularFile:
    """A file of rows, or standard input; without a ``kind``, the first line decides.

    A first line with one of the ``text_fields`` among others is the header of a table.
    """

    ignored = 0

    def __init__(
        self,
        path: str | Path,
        kind: str | None,
        fields: Fields,
        text_fields: Sequence[str] = TEXT_FIELDS,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._lines = Lines(path, limits)
        self._path = path
        self._kind = kind
        self._fields = fields
        self._text_fields = (fields.text,) if fields.text else text_fields

    @property
    def fraction(self) -> float | None:
        """How much of the file is read."""
        return self._lines.fraction

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def __iter__(self) -> Iterator[RawRecord | InputError]:
        first, lines = peeked(iter(self._lines))
        kind = self._kind or guess_format(first, self._text_fields)
        if kind == "json" and first.lstrip().startswith("["):
            return array_rows(self._path, lines, self._lines.limits)
        if kind in ("json", "jsonl"):  # many name a file .json that has an object a line
            return json_rows(self._path, lines)
        if kind == "csv":
            records = delimited_rows(self._path, lines, self._lines.limits)
            return (_with_numbers(record, self._fields) for record in records)
        if self._fields.chosen:
            problem = f"{self._path} is plain text, which has no fields; name its format if it is another"
            raise ArgumentError("fields", problem)
        return text_rows(self._path, lines)


def _with_numbers(record: RawRecord | InputError, fields: Fields) -> RawRecord | InputError:
    """Return a row of a CSV file with its metadata as numbers where they are written as such, for filters."""
    if isinstance(record, InputError):
        return record
    text_field = next((name for name in TEXT_FIELDS if name in record.value), "")
    texts = {*ID_FIELDS, *TITLE_FIELDS, text_field, *fields.chosen.values()}
    value = {name: cell if name in texts else _number(cell) for name, cell in record.value.items()}
    return replace(record, value=value)


def _number(cell: str) -> str | int | float:
    """Return the number that a cell writes: 19.90 is one, as every reader of tables has it.

    What is no amount stays a text, so that nothing is lost: 007, 1e3, and more digits than a number keeps.
    """
    if not _NUMBER.fullmatch(cell):
        return cell
    return float(cell) if "." in cell else int(cell)


def guess_format(first_line: str, text_fields: Sequence[str] = TEXT_FIELDS) -> str:
    """Return the format of a file from its first line; its texts are under one of these names."""
    if first_line.lstrip().startswith("{"):
        return "jsonl"
    if is_array_start(first_line):
        return "json"
    try:
        header = next(csv.reader([first_line], delimiter=_delimiter(first_line)), [])
    except csv.Error:  # too long for a header, or with line ends of its own
        return "text"
    return "csv" if len(header) > 1 and any(name in header for name in text_fields) else "text"


def json_rows(path: str | Path, lines: Iterable[TextLine]) -> Iterator[RawRecord | InputError]:
    """Yield what each line holds that is not blank."""
    for line in lines:
        if line.problem:
            yield line.bad(path)
        elif line.text.strip():
            yield _parsed(path, line)


def _parsed(path: str | Path, line: TextLine) -> RawRecord | InputError:
    try:
        return RawRecord(json.loads(line.text), path, line.number)
    except (ValueError, RecursionError) as error:  # not JSON, a number too long to read, or nested too deeply
        problem = f"is not JSON ({error}); one JSON object a line is expected"
        return InputError(path, problem, line=line.number)


def text_rows(path: str | Path, lines: Iterable[TextLine]) -> Iterator[RawRecord | InputError]:
    """Yield each line that is not blank."""
    for line in lines:
        if line.problem:
            yield line.bad(path)
        elif text := line.text.strip():
            yield RawRecord(text, path, line.number)


def delimited_rows(
    path: str | Path,
    lines: Iterator[TextLine],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Iterator[RawRecord | InputError]:
    """Yield the rows of a CSV or TSV file, each at the line where it begins; the header says what is what."""
    first, lines = peeked(lines)
    delimiter = "\t" if ".tsv" in Path(path).suffixes else _delimiter(first)
    header: list[str] | None = None
    for cells in _cells(path, _CsvLines(lines, limits), delimiter):
        if header is None:
            if isinstance(cells, InputError):  # without a header nothing else makes sense
                raise cells
            header = cells.value
        elif isinstance(cells, InputError):
            yield cells
        elif len(cells.value) != len(header):
            yield cells.bad(
                f"has another number of fields than the header ({len(cells.value)}, not {len(header)})"
            )
        else:
            yield replace(cells, value=dict(zip(header, cells.value, strict=True)))


class _CsvLines:
    """Lines on their way to the csv module, of which one row may take several: a quote goes over line ends."""

    def __init__(self, lines: Iterator[TextLine], limits: Limits) -> None:
        self.limits = limits
        self._lines = lines
        self.begin_row()

    def begin_row(self) -> None:
        """Forget what the row before was."""
        self.first = self.last = 0
        self.bad: TextLine | None = None
        self._size = 0

    def __iter__(self) -> "_CsvLines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.first, self.last = self.first or line.number, line.number
        if line.problem:  # it may open or close a quote: it is parsed like any other, and its row is bad
            self.bad = self.bad or line
        self._size += len(line.text) + 1
        if self._size > self.limits.row_bytes and self.last > self.first:
            # A quote that is never closed must not bring the rest of a large file into memory.
            raise csv.Error(
                self.limits.too_long("a quote that is not closed makes a row of", self.limits.row_bytes)
            )
        return "\n" if line.is_cut else f"{line.text}\n"


def _cells(path: str | Path, lines: _CsvLines, delimiter: str) -> Iterator[RawRecord | InputError]:
    """Yield the cells of each row that is not blank."""
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.begin_row()
        try:
            with _long_cells(lines.limits.row_bytes):
                cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            lost = f"; lines {lines.first} to {lines.last} are lost with it" if lines.last > lines.first else ""
            yield InputError(path, f"is not CSV ({error}){lost}", line=lines.first)
            continue
        if lines.bad:
            yield lines.bad.bad(path)
        elif cells:
            yield RawRecord(cells, path, lines.first)


def _delimiter(header: str) -> str:
    return next((sign for sign in _DELIMITERS if sign in header), ",")


@contextmanager
def _long_cells(most: int) -> Iterator[None]:
    """Let cells be long for one row: the limit is the whole process's, and others read CSV, too."""
    limit = csv.field_size_limit(min(most, _MOST_OF_CSV))
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def json_lines(path: str | Path) -> Iterator[tuple[int, Any]]:
    """Yield what each line of a file holds that is not blank, with its number; a bad one is raised."""
    return _raise_bad(json_rows(path, Lines(path)))


def delimited_lines(path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV or TSV file with the number of the line where they begin; a bad one is raised."""
    return _raise_bad(delimited_rows(path, iter(Lines(path))))


def _raise_bad(rows: Iterable[RawRecord | InputError]) -> Iterator[tuple[int, Any]]:
    for record in rows:
        if isinstance(record, InputError):
            raise record
        yield record.line or 0, record.value
