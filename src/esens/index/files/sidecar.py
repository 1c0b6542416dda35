"""Documents in a JSONL file, beside a file that holds nothing but vectors.

A line is a document. Only where each line begins and the ids are kept in memory; a document is read from the file
when it is asked for. Which vector is a document's says its key: a number under ``esens_key``, or under a field
that is named, else its position in the file.
"""

import gzip
import io
import json
import os
import shutil
import tempfile
import weakref
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, mask_of, matches
from esens.types import Document

Numbers = npt.NDArray[np.int64]
Fail = Callable[[str], Exception]
KEY = "esens_key"
_IDS = ("id", "_id")
_TEXTS = ("text", "content", "page_content", "contents", "body")
_TITLE = "title"
_GZIP = b"\x1f\x8b"
_READ_AHEAD = 2**20
_LARGEST_KEY = 2**63 - 1
_FILTERS_KEPT = 4


class Fields(NamedTuple):
    """The fields of a line that are no metadata; an empty name is to be found out."""

    id: str = ""
    text: str = ""
    title: str = ""
    key: str = ""


class _Column(NamedTuple):
    """One field of every document: which of the values it holds."""

    values: list[object]
    codes: npt.NDArray[np.int32]


class DocumentsFile:
    """The documents of a file as it was when it was opened; ``fail`` makes an error of what is wrong with it."""

    def __init__(self, path: Path, fields: Fields, fail: Fail) -> None:
        """Read every line once, so that a bad one is found now."""
        self._path, self._fail = path, fail
        self._file, self.is_packed, self._stamp = _opened(path, fail)
        weakref.finalize(self, self._file.close)
        self._lock = Lock()
        self._columns: dict[str, _Column] = {}
        self._kept: dict[str, Numbers] = {}
        self._named = self.fields = fields
        self._id_fields = (fields.id,) if fields.id else _IDS
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

    def at(self, positions: Iterable[int]) -> list[Document]:
        """Return the documents at these positions."""
        return [self._at(position) for position in positions]

    def kept(self, where: Filter | None) -> Numbers:
        """Return the positions of the documents that fulfil a filter."""
        name = repr(where)  # not the conditions themselves: as keys of a dict, 1 and true were the same
        found = self._kept.get(name)
        if found is None:
            found = np.flatnonzero(mask_of(where, len(self), self._holding))
            for oldest in list(self._kept)[: max(0, len(self._kept) + 1 - _FILTERS_KEPT)]:
                self._kept.pop(oldest, None)
            self._kept[name] = found
        return found

    def is_current(self) -> bool:
        """Whether the file is still the one that was opened."""
        try:
            return _stamp(self._path.stat()) == self._stamp
        except OSError:
            return False

    def changed(self, lines: Mapping[str, bytes], gone: Collection[int]) -> Iterator[bytes]:
        """Yield the lines of the file without what is gone, and with lines by id: in its place, or at the end."""
        places = {self.positions[id_]: line for id_, line in lines.items() if id_ in self.positions}
        for position in range(len(self)):
            if position not in gone:
                yield places[position] if position in places else self._keyed(position)
        yield from (line for id_, line in lines.items() if id_ not in self.positions)

    def line(self, document: Document, key: int) -> bytes:
        """Return the line of a document that is to be written."""
        fields = self.fields
        row = {
            fields.key: key,
            fields.id or _IDS[0]: document.id,
            fields.text: document.text,
            fields.title: document.title,
            "metadata": dict(document.metadata),
        }
        try:
            return json.dumps(row).encode() + b"\n"
        except (TypeError, ValueError, RecursionError) as error:
            problem = f"the metadata of {document.id!r} cannot be written as JSON ({error})"
            raise ArgumentError("documents", problem) from None

    def _read_all(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        starts, lengths, lines, keys = (array("q") for _ in range(4))
        start = 0
        reader = io.BufferedReader(self._file, _READ_AHEAD)
        for number, line in enumerate(reader, start=1):
            if line.strip():
                lines.append(number)
                row = self._parsed(line, number)
                if not keys:
                    self._find_out(row)
                keys.append(self._key(row, len(keys), number))
                starts.append(start)
                lengths.append(len(line))
                self._remember(self._document(row, keys[-1], number), len(keys) - 1, lines)
            start += len(line)
        reader.detach()
        if not keys:
            self._find_out({})
        return tuple(np.array(column, np.int64) for column in (starts, lengths, lines, keys))  # type: ignore[return-value]

    def _find_out(self, row: Mapping[str, Any]) -> None:
        """Name the fields that nobody named, by the first document; where there is none, as they are written."""
        named = self._named
        self.has_keys = bool(named.key) or KEY in row or not row
        text = named.text or next((name for name in _TEXTS if name in row), _TEXTS[0])
        self.fields = Fields(named.id, text, named.title or _TITLE, named.key or KEY)
        self._known = {*self._id_fields, *self.fields[1:]}

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

    def _remember(self, document: Document, position: int, lines: Sequence[int]) -> None:
        first = self.positions.setdefault(document.id, position)
        if first != position:
            problem = f"id {document.id!r} stands on line {lines[first]} already; ids must be unique"
            raise self._bad(lines[position], problem)

    def _document(self, row: Mapping[str, Any], key: int, line: int) -> Document:
        _, text, title, _ = self.fields
        try:
            id_ = self._id(row, key)
            return Document(id_, _text(row, text), title=_text(row, title), metadata=self._metadata(row))
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
        beside = {name: value for name, value in row.items() if name not in self._known}
        nested = beside.pop("metadata", None)
        if isinstance(nested, dict):
            return {**nested, **beside}
        return beside if nested is None else {"metadata": nested, **beside}

    def _at(self, position: int) -> Document:
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
                raise self._fail(f"{self._path} cannot be read any more ({error}); open the index again") from None
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

    def _keyed(self, position: int) -> bytes:
        if self.has_keys:
            return self._line(position).rstrip() + b"\n"
        return json.dumps({self.fields.key: int(self.keys[position]), **self._row(position)}).encode() + b"\n"

    def _holding(self, condition: Condition) -> npt.NDArray[np.bool_]:
        values, codes = self._column(condition.field)
        holds = [matches({condition.field: value}, condition) for value in values]
        return np.array(holds, bool)[codes]

    def _column(self, field: str) -> _Column:
        """Return what every document holds in a field. It is read once, and equal values are kept once."""
        if field not in self._columns:
            codes: dict[str, int] = {}
            values: list[object] = []
            column = array("i")
            for position in range(len(self)):
                value = self._metadata(self._row(position)).get(field)
                code = codes.setdefault(repr(value), len(codes))
                if code == len(values):
                    values.append(value)
                column.append(code)
            self._columns[field] = _Column(values, np.array(column, np.int32))
        return self._columns[field]

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file beside another and put it in its place when it is whole; who reads the old one may go on."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
        _settle(path.parent)
    finally:
        part.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[bytes], *, is_packed: bool) -> None:
    """Put a file of these lines in the place of another, packed or not."""
    with replacing(path) as file:
        if is_packed:
            with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
                packed.writelines(lines)
        else:
            file.writelines(lines)


def _opened(path: Path, fail: Fail) -> tuple[io.FileIO, bool, tuple[int, ...]]:
    """Open the file, or an unpacked copy that nobody else sees: only of that can single lines be read."""
    try:
        file = path.open("rb", buffering=0)  # single lines are read from all over it
        start = file.read(len(_GZIP))
        file.seek(0)
    except OSError as error:
        raise fail(f"the documents file {path} cannot be read ({error.strerror})") from None
    stamp = _stamp(os.fstat(file.fileno()))
    if start != _GZIP:
        return file, False, stamp
    copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - kept open as long as the documents are
    try:
        with file, gzip.GzipFile(fileobj=file) as packed:
            shutil.copyfileobj(packed, copy)
    except (OSError, EOFError, zlib.error) as error:
        copy.close()
        raise fail(f"the documents file {path} is not a whole gzip file ({error}); pack it again") from None
    copy.seek(0)
    return copy, True, stamp


def _text(row: Mapping[str, Any], name: str) -> str:
    found = row.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise ArgumentError(name, f"has no text under {name!r}, but {type(found).__name__}")
    return found


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _settle(folder: Path) -> None:
    """See to it that a new name outlives a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
