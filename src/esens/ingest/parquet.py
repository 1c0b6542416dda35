"""Parquet files, batch by batch: however large a file or its row groups are, a few hundred rows are in memory."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from esens.errors import InputError, MissingExtraError
from esens.ingest.folder import files_in
from esens.ingest.record import RawRecord

ENDINGS = (".parquet", ".pq")
EMBEDDER_KEY, HASH_KEY = b"esens.embedder", b"esens.hash"
"""Where a file with vectors says which embedder made them: keys of the metadata of its schema."""
_HIDDEN = "._"  # Spark writes unfinished files to folders such as _temporary
_BATCH = 256
_BUFFER = 2**20  # bytes; without it, a whole column of a row group would be read at once


class Slice(NamedTuple):
    """Rows of one file that follow each other."""

    path: Path
    first: int
    """How many rows of the file come before."""
    rows: int
    position: int
    """How many rows of the whole input come before."""


class ParquetFiles:
    """The rows of a Parquet file, or of all those below a folder, as Spark and Ray write them."""

    def __init__(self, path: Path, vector: str | None) -> None:
        self.ignored = 0
        self._reader = ParquetReader(vector)
        self._path = path
        self._done = 0.0

    @property
    def fraction(self) -> float | None:
        """How much is read, every file counting the same."""
        return self._done

    def close(self) -> None:
        """Let go of nothing: files are open only while they are read."""

    def __iter__(self) -> Iterator[RawRecord | InputError]:
        is_folder = self._path.is_dir()
        files, self.ignored = parquet_files(self._path)
        for number, (_, whole) in enumerate(self._reader.wholes(files)):
            try:
                for done, record in enumerate(self._records(whole), start=1):
                    self._done = (number + done / _rows(whole)) / len(files)
                    yield record
            except InputError as error:
                if not is_folder:
                    raise
                yield error
            self._done = (number + 1) / len(files)

    def _records(self, whole: Slice | InputError) -> Iterator[RawRecord | InputError]:
        if isinstance(whole, InputError):
            raise whole
        return self._reader.rows(whole)


def parquet_files(path: Path) -> tuple[list[Path | InputError], int]:
    """Return a file, or those below a folder that are Parquet, and how many others are there."""
    if not path.is_dir():
        return [path], 0
    files = list(files_in(path, ENDINGS, hidden=_HIDDEN))
    return files, sum(1 for _ in files_in(path, hidden=_HIDDEN)) - len(files)


class ParquetReader:
    """Reads rows, wherever they stand in a file."""

    def __init__(self, vector: str | None = None) -> None:
        try:
            import pyarrow as arrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("pyarrow", "parquet") from None
        self._arrow = arrow
        self._open = pyarrow.parquet.ParquetFile
        self._vector = vector

    def wholes(self, files: Sequence[Path | InputError]) -> Iterator[tuple[int, Slice | InputError]]:
        """Yield where each file begins, and its rows, or why there are none, which counts as one row."""
        position = 0
        for file in files:
            whole = file if isinstance(file, InputError) else self._whole(file, position)
            yield position, whole
            position += _rows(whole)

    def _whole(self, path: Path, position: int) -> Slice | InputError:
        try:
            with self._open(path) as file:
                return Slice(path, 0, file.metadata.num_rows, position)
        except (self._arrow.ArrowException, OSError) as error:
            return InputError(path, _why(error))

    def rows(self, wanted: Slice, columns: Sequence[str] | None = None) -> Iterator[RawRecord | InputError]:
        """Yield the rows of a slice, of these columns alone if they are named."""
        try:
            yield from self._rows(wanted, columns)
        except (self._arrow.ArrowException, OSError) as error:
            raise InputError(wanted.path, _why(error)) from None

    def _rows(self, wanted: Slice, columns: Sequence[str] | None) -> Iterator[RawRecord | InputError]:
        last = wanted.first + wanted.rows
        with self._open(wanted.path, buffer_size=_BUFFER, pre_buffer=False) as file:
            embedder_id = _embedder_id(file.schema_arrow.metadata)
            groups, row = _groups(file.metadata, wanted.first, last)
            for batch in file.iter_batches(_BATCH, row_groups=groups, columns=columns):
                begin, row = row, row + batch.num_rows
                if row <= wanted.first:
                    continue
                cells = dict(zip(batch.schema.names, map(self._plain, batch.columns), strict=True))
                for at in range(max(wanted.first, begin), min(last, row)):
                    position = wanted.position + at - wanted.first
                    yield self._row(
                        cells, at - begin, RawRecord(None, wanted.path, None, at + 1, position, embedder_id)
                    )
                if row >= last:
                    return

    def _row(self, columns: dict[str, Any], at: int, record: RawRecord) -> RawRecord | InputError:
        try:
            value = {name: self._value(name, column[at]) for name, column in columns.items()}
        except (ValueError, OverflowError, self._arrow.ArrowException) as error:
            return record.bad(f"holds what cannot be read ({error})")
        return replace(record, value=value)

    def _value(self, name: str, cell: Any) -> Any:
        if name == self._vector and isinstance(cell, self._arrow.ListScalar) and cell.is_valid:
            return cell.values.to_numpy(zero_copy_only=False)
        value = cell.as_py()
        return _mapping(value) if name == "metadata" and isinstance(value, str) else value

    def _plain(self, column: Any) -> Any:
        """Return a column whose values Python has: it counts in microseconds."""
        kind = column.type
        if getattr(kind, "unit", None) != "ns":
            return column
        types = self._arrow.types
        if types.is_timestamp(kind):
            return column.cast(self._arrow.timestamp("us", kind.tz), safe=False)
        return column.cast(
            self._arrow.time64("us") if types.is_time(kind) else self._arrow.duration("us"), safe=False
        )


def _groups(metadata: Any, first: int, last: int) -> tuple[list[int], int]:
    """Return the row groups in which these rows stand, and how many rows come before them."""
    groups, before, end = [], 0, 0
    for number in range(metadata.num_row_groups):
        begin, end = end, end + metadata.row_group(number).num_rows
        if end <= first:
            before = end
        elif begin < last:
            groups.append(number)
    return groups, before


def _rows(whole: Slice | InputError) -> int:
    return 1 if isinstance(whole, InputError) else whole.rows


def _embedder_id(metadata: dict[bytes, bytes] | None) -> tuple[str, str] | None:
    name = (metadata or {}).get(EMBEDDER_KEY)
    return (name.decode(), (metadata or {}).get(HASH_KEY, b"").decode()) if name else None


def _mapping(text: str) -> Any:
    """Return the JSON object in a text: so metadata is stored in Parquet if its fields differ between rows."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return f"is not a Parquet file that can be read ({str(error).splitlines()[0].strip()})"
