"""Parquet files, batch by batch: however large a file or its row groups are, a few hundred rows are in memory."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esens.errors import InputError, MissingExtraError
from esens.ingest.folder import files_in
from esens.ingest.found import Found

ENDINGS = (".parquet", ".pq")
_HIDDEN = "._"  # Spark keeps what is not finished in folders such as _temporary
_BATCH = 256
_BUFFER = 2**20  # bytes; without it, a whole column of a row group would be read at once


class ParquetFiles:
    """The rows of a Parquet file, or of all those below a folder, as Spark and Ray write them."""

    def __init__(self, path: Path, vector: str | None) -> None:
        try:
            import pyarrow as arrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("pyarrow", "parquet") from None
        self.ignored = 0
        self._arrow = arrow
        self._open = pyarrow.parquet.ParquetFile
        self._path = path
        self._vector = vector
        self._done = 0.0

    @property
    def fraction(self) -> float | None:
        """How much is read, every file counting the same."""
        return self._done

    def __iter__(self) -> Iterator[Found | InputError]:
        is_folder = self._path.is_dir()
        files = list(files_in(self._path, ENDINGS, hidden=_HIDDEN)) if is_folder else [self._path]
        if is_folder:
            self.ignored = sum(1 for _ in files_in(self._path, hidden=_HIDDEN)) - len(files)
        for number, file in enumerate(files):
            try:
                yield from [file] if isinstance(file, InputError) else self._explained(file, number, len(files))
            except InputError as error:
                if not is_folder:
                    raise
                yield error
            self._done = (number + 1) / len(files)

    def _explained(self, path: Path, number: int, files: int) -> Iterator[Found | InputError]:
        try:
            yield from self._rows(path, number, files)
        except (self._arrow.ArrowException, OSError) as error:
            raise InputError(path, _why(error)) from None

    def _rows(self, path: Path, number: int, files: int) -> Iterator[Found | InputError]:
        with self._open(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            total = file.metadata.num_rows
            row = 0
            for batch in file.iter_batches(batch_size=_BATCH):
                columns = dict(zip(batch.schema.names, map(self._plain, batch.columns), strict=True))
                for position in range(batch.num_rows):
                    row += 1
                    self._done = (number + row / total) / files
                    yield self._row(path, row, columns, position)

    def _row(self, path: Path, row: int, columns: dict[str, Any], position: int) -> Found | InputError:
        try:
            value = {name: self._value(name, column[position]) for name, column in columns.items()}
        except (ValueError, OverflowError, self._arrow.ArrowException) as error:
            return InputError(path, f"holds what cannot be read ({error})", row=row)
        return Found(value, path, row=row)

    def _value(self, name: str, cell: Any) -> Any:
        if name == self._vector and isinstance(cell, self._arrow.ListScalar) and cell.is_valid:
            return cell.values.to_numpy(zero_copy_only=False)
        return cell.as_py()

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


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return f"is not a Parquet file that can be read ({str(error).splitlines()[0].strip()})"
