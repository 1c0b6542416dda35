"""Documents in a JSONL file, beside a file that holds nothing but vectors.

A line is a document. Memory holds only the ids and where each line begins; a document is read from the file when
it is wanted, and the last few are kept. Which vector is a document's says its key: a number under ``esens_key``,
or under a field that the spec names, else its position in the file.
"""

import gzip
import io
import json
import shutil
import tempfile
import weakref
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from esens.documents import ID_FIELDS, stored_document
from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Mask, mask_of, matches
from esens.index.layout import FIELD_NAMES, guess_field
from esens.messages import mask_spec
from esens.storage.lru import LRUCache
from esens.types import Document

Positions = npt.NDArray[np.int64]
"""Positions of documents, or keys of their vectors."""
Fail = Callable[[str], Exception]
KEY = "esens_key"
_GZIP = b"\x1f\x8b"
_READ_AHEAD = 2**20
_LARGEST_KEY = 2**63 - 1
_FILTERS, _COLUMNS, _DOCUMENTS = 4, 32, 2048  # that are kept


class SidecarFields(NamedTuple):
    """The fields of a line that are no metadata; an empty name stands for the usual ones."""

    id: str = ""
    text: str = ""
    title: str = ""
    key: str = ""


class _ValueCodes(NamedTuple):
    """One field of every document: which of the values it holds."""

    values: list[object]
    codes: npt.NDArray[np.int32]


class SidecarDocuments:
    """The documents of a file as it was when it was opened; ``fail`` makes an error of what is wrong with it."""

    def __init__(self, path: Path, fields: SidecarFields, fail: Fail, *, has_passages: bool = False) -> None:
        """Read every line once, so that a bad one is found now; ``has_passages`` if fields may say so."""
        self._path, self._fail, self.has_passages = path, fail, has_passages
        self._file = _open(path, fail)
        weakref.finalize(self, self._file.close)
        self._lock = Lock()
        self._columns = LRUCache[str, _ValueCodes](_COLUMNS)
        self._recent = LRUCache[int, Document](_DOCUMENTS)
        self._selections = LRUCache[str, Positions](_FILTERS)
        self._named = self.fields = fields
        self._id_fields: tuple[str, ...] = ()
        self.has_keys = True
        self.positions: dict[str, int] = {}
        try:
            self._starts, self._lengths, self._lines, self.keys = self._read_all()
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self.keys)

    def __iter__(self) -> Iterator[Document]:
        """Yield every document; they are not kept."""
        return map(self._read, range(len(self)))

    def at(self, positions: Iterable[int]) -> list[Document]:
        """Return the documents at these positions."""
        return [self._at(position) for position in positions]

    def select(self, where: Filter | None) -> Positions:
        """Return the positions of the documents that fulfil a filter."""
        # By its repr: as keys, 1, 1.0 and True are the same, and as values they are not.
        return self._selections.get(
            repr(where), lambda: np.flatnonzero(mask_of(where, len(self), self._condition_mask))
        )

    def _read_all(self) -> tuple[Positions, Positions, Positions, Positions]:
        starts, lengths, lines, keys = (array("q") for _ in range(4))
        start = 0
        reader = io.BufferedReader(self._file, _READ_AHEAD)
        for number, line in enumerate(reader, start=1):
            if line.strip():
                lines.append(number)
                row = self._parsed(line, number)
                if not keys:
                    self._choose_fields(row)
                keys.append(self._key(row, len(keys), number))
                starts.append(start)
                lengths.append(len(line))
                self._add_position(self._document(row, keys[-1], number), len(keys) - 1, lines)
            start += len(line)
        reader.detach()
        if not keys:
            self._choose_fields({})
        return tuple(np.array(column, np.int64) for column in (starts, lengths, lines, keys))  # type: ignore[return-value]

    def _choose_fields(self, row: Mapping[str, Any]) -> None:
        """Choose the fields that the spec does not name, by the first document."""
        named = self._named
        self.has_keys = bool(named.key) or KEY in row or not row
        self._id_fields = (named.id or guess_field("id", row) or ID_FIELDS[0], *(() if named.id else ID_FIELDS))
        text = named.text or guess_field("text", row) or FIELD_NAMES["text"][0]
        title = named.title or guess_field("title", row) or FIELD_NAMES["title"][0]
        self.fields = SidecarFields(named.id, text, title, named.key or KEY)
        self._document_fields = {*self._id_fields, *self.fields[1:]}

    def _key(self, row: Mapping[str, Any], position: int, line: int) -> int:
        name = self.fields.key
        if not self.has_keys and name not in row:
            return position
        key = row.get(name)
        if isinstance(key, bool) or not isinstance(key, int) or not 0 <= key <= _LARGEST_KEY:
            raise self._bad(line, f"needs the number of its vector under {name!r}, got {key!r}")
        if not self.has_keys:
            raise self._bad(line, f"has a {name!r}, but the first document has none; give it to all or to none")
        return key

    def _add_position(self, document: Document, position: int, lines: Sequence[int]) -> None:
        first = self.positions.setdefault(document.id, position)
        if first != position:
            problem = f"id {document.id!r} stands on line {lines[first]} already; ids must be unique"
            raise self._bad(lines[position], problem)

    def _document(self, row: Mapping[str, Any], key: int, line: int) -> Document:
        _, text, title, _ = self.fields
        try:
            parts = (self._id(row, key), _text(row, text), _text(row, title), self._metadata(row))
            return stored_document(*parts) if self.has_passages else Document(*parts)
        except ArgumentError as error:
            raise self._bad(line, error.problem) from None

    def _id(self, row: Mapping[str, Any], key: int) -> str:
        for name in self._id_fields:
            if row.get(name) not in (None, ""):
                return str(row[name])
        if self._named.id:
            raise ArgumentError("id", f"needs an id under {self._named.id!r}; its fields are: {', '.join(row)}")
        return str(key)

    def _metadata(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a mapping under "metadata", and every field that has no other meaning."""
        others = {name: value for name, value in row.items() if name not in self._document_fields}
        nested = others.pop("metadata", None)
        if isinstance(nested, dict):
            return {**nested, **others}
        return others if nested is None else {"metadata": nested, **others}

    def _at(self, position: int) -> Document:
        return self._recent.get(position, lambda: self._read(position))

    def _read(self, position: int) -> Document:
        return self._document(self._row(position), int(self.keys[position]), int(self._lines[position]))

    def _row(self, position: int) -> dict[str, Any]:
        return self._parsed(self._line(position), int(self._lines[position]))

    def _line(self, position: int) -> bytes:
        length = int(self._lengths[position])
        with self._lock:
            try:
                self._file.seek(int(self._starts[position]))
                line = self._file.read(length)
            except (OSError, ValueError) as error:  # ValueError: it was closed
                raise self._fail(
                    f"{mask_spec(str(self._path))} cannot be read any more ({error}); open the index again"
                ) from None
        if len(line) < length:
            raise self._fail(f"{self._path} was cut while it was open; open the index again")
        return line

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or nested too deeply
            raise self._bad(number, f"is not JSON ({error}); one JSON object a line is expected") from None
        if not isinstance(row, dict):
            raise self._bad(number, f"is {type(row).__name__}; one JSON object a line is expected")
        return row

    def _bad(self, line: int, problem: str) -> Exception:
        return self._fail(f"{self._path}, line {line}: {problem}")

    def _condition_mask(self, condition: Condition) -> Mask:
        field = condition.field
        values, codes = self._columns.get(field, lambda: self._read_column(field))
        return np.array([matches({field: value}, condition) for value in values], bool)[codes]

    def _read_column(self, field: str) -> _ValueCodes:
        """Return what every document holds in a field; equal values are kept once."""
        by_repr: dict[str, int] = {}
        values: list[object] = []
        codes = array("i")
        for position in range(len(self)):
            value = self._metadata(self._row(position)).get(field)
            code = by_repr.setdefault(repr(value), len(by_repr))
            if code == len(values):
                values.append(value)
            codes.append(code)
        return _ValueCodes(values, np.array(codes, np.int32))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _open(path: Path, fail: Fail) -> io.FileIO:
    """Open the file, or an unpacked copy that nobody else sees: only of that can single lines be read."""
    try:
        file = path.open("rb", buffering=0)  # single lines are read from all over it
        start = file.read(len(_GZIP))
        file.seek(0)
    except OSError as error:
        raise fail(f"the documents file {mask_spec(str(path))} cannot be read ({error.strerror})") from None
    if start != _GZIP:
        return file
    copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - kept open as long as the documents are
    try:
        with file, gzip.GzipFile(fileobj=file) as packed:
            shutil.copyfileobj(packed, copy)
    except (OSError, EOFError, zlib.error) as error:
        copy.close()
        raise fail(
            f"the documents file {mask_spec(str(path))} is not a whole gzip file ({error}); pack it again"
        ) from None
    copy.seek(0)
    return copy


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ArgumentError(name, f"has no text under {name!r}, but {type(value).__name__}")
    return value
