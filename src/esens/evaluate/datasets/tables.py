"""Rows of JSONL, JSON, CSV and TSV files, each with its place in the file for error messages."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esens.errors import ArgumentError, InputError
from esens.ingest import delimited_lines, json_lines, read_lines
from esens.types import check_text

_DELIMITED = (".csv", ".tsv")
_SUFFIXES = (*_DELIMITED, ".jsonl", ".ndjson", ".json")
_CORPUS = "corpus"
_MAX_LENGTH = 60


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """The value of a line of a file, or of an item of a JSON list, which has a number instead of a line."""

    path: Path
    number: int
    value: Any
    unit: str = "line"

    @property
    def fields(self) -> Mapping[str, Any]:
        """Its fields; a row that has none is an error."""
        if not isinstance(self.value, dict):
            raise self.error(f"needs an object with fields, got {_short(self.value)}")
        return self.value

    def error(self, problem: str) -> InputError:
        """Return an error that says where this row stands."""
        if self.unit == "line":
            return InputError(self.path, problem, line=self.number)
        return InputError(self.path, f"{self.unit} {self.number}: {problem}")

    def under(self, *names: str) -> Any:
        """Return what stands under the first of these names that has anything; None if none has."""
        return next((self.fields[name] for name in names if self.fields.get(name) not in (None, "")), None)

    def text(self, *names: str) -> str:
        """Return the text under the first of these names; a text that says nothing is an error."""
        value = self.under(*names)
        if not isinstance(value, str) or not value.strip():
            got = f"got {_short(value)}; " if value is not None else ""
            listed = ", ".join(map(repr, self.fields)) or "none"
            raise self.error(f"needs a text under {_alternatives(names)}; {got}its fields are: {listed}")
        return self.readable(value)

    def id(self, *names: str) -> str | None:
        """Return the id under the first of these names, if there is one."""
        value = self.under(*names)
        return None if value is None else self.id_of(value, names[0])

    def ids(self, name: str) -> list[str]:
        """Return the id or the ids under this name; none if it is not there."""
        value = self.under(name)
        if value is None:
            return []
        return [self.id_of(item, name) for item in (value if isinstance(value, list) else [value])]

    def id_of(self, value: object, name: str) -> str:
        """Return this value as an id: a text or a whole number."""
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            raise self.error(f"an id is a text or a whole number; under {name!r} is {_short(value)}")
        return self.readable(str(value))

    def readable(self, text: str) -> str:
        """Return this text if it can be encoded."""
        try:
            check_text("text", text)
        except ArgumentError as error:
            raise self.error(error.problem) from None
        return text


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file that may be a table, the columns of its first row, and why it has none."""

    path: Path
    columns: frozenset[str]
    problem: str = ""

    def __str__(self) -> str:
        return f"{self.path.name} ({self.problem or 'columns: ' + (', '.join(sorted(self.columns)) or 'none')})"


def find_file(folder: Path, *names: str) -> Path | None:
    """Return the first of these files that a folder holds, plain or gzipped; None if it holds none."""
    paths = (folder / f"{name}{packed}" for name in names for packed in ("", ".gz"))
    return next((path for path in paths if path.is_file()), None)


def read_rows(path: Path) -> Iterator[DatasetRow]:
    """Yield the rows of a file, gzipped or not; its name and its first character say how it is written."""
    if set(path.suffixes) & set(_DELIMITED):
        yield from (DatasetRow(path, line, fields) for line, fields in delimited_lines(path))
    elif _is_list(path):
        yield from (DatasetRow(path, number, value, "item") for number, value in enumerate(_list(path), start=1))
    else:
        yield from (DatasetRow(path, line, value) for line, value in json_lines(path))


def tables_of(path: Path) -> list[TableFile]:
    """Return the tables of a folder, except its corpus; of a file, the file itself."""
    if path.is_file():
        return [TableFile(path, _columns(path))]
    files = sorted(file for file in path.iterdir() if file.is_file() and file.name.split(".")[0] != _CORPUS)
    return [_inspect(file) for file in files if set(file.suffixes) & set(_SUFFIXES)]


def _inspect(path: Path) -> TableFile:
    # A folder may hold anything: a file that cannot be read is only reported if no table of the folder fits.
    try:
        return TableFile(path, _columns(path))
    except InputError as error:
        return TableFile(path, frozenset(), str(error).removeprefix(f"{path}").lstrip(",: "))


def _columns(path: Path) -> frozenset[str]:
    first = next(read_rows(path), None)
    return frozenset(first.value) if first is not None and isinstance(first.value, dict) else frozenset()


def _is_list(path: Path) -> bool:
    return next((line for line in read_lines(path) if line.strip()), "").lstrip().startswith("[")


def _list(path: Path) -> list[Any]:
    try:
        values: list[Any] = json.loads("\n".join(read_lines(path)))
    except (ValueError, RecursionError) as error:
        problem = f"is not JSON ({error}); a list of objects or of texts is expected"
        raise InputError(path, problem, line=getattr(error, "lineno", None)) from None
    return values


def _alternatives(names: tuple[str, ...]) -> str:
    quoted = [repr(name) for name in names]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}" if len(quoted) > 1 else quoted[0]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"
