"""Parquet files cut into parts of so many rows, which can be read apart from each other, by several at once."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from esens.documents import ID_FIELDS
from esens.errors import InputError
from esens.ingest.fields import Fields
from esens.ingest.parquet import ParquetReader, Slice, parquet_files
from esens.ingest.record import RawRecord
from esens.ingest.seen_ids import SeenIds


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that follow each other in an input, be it within a file or from one to the next."""

    number: int
    name: str
    is_of_folder: bool
    slices: list[Slice | InputError] = field(default_factory=list)
    """The rows; a file that cannot be read stands here as its error."""
    repeated: dict[tuple[Path, int], str] = field(default_factory=dict)
    """Files and rows whose id stands before them in the input, and where: no part could see that by itself."""


class PartRows:
    """The rows of a part."""

    ignored = 0
    fraction = None

    def __init__(self, part: Part) -> None:
        self._part = part
        self._reader = ParquetReader()

    def close(self) -> None:
        """Let go of nothing: files are open only while they are read."""

    def __iter__(self) -> Iterator[RawRecord | InputError]:
        for wanted in self._part.slices:
            try:
                yield from [wanted] if isinstance(wanted, InputError) else self._rows(wanted)
            except InputError as error:
                if not self._part.is_of_folder:
                    raise
                yield error

    def _rows(self, wanted: Slice) -> Iterator[RawRecord | InputError]:
        for record in self._reader.rows(wanted):
            if isinstance(record, RawRecord):
                problem = self._part.repeated.get((wanted.path, record.row or 0))
                yield record if problem is None else record.bad(problem)
            else:
                yield record


def parts_of(path: str | Path, rows: int, fields: Fields) -> tuple[list[Part], int]:
    """Cut Parquet files into parts of so many rows; return them, and how many other files are there.

    All ids are read for that, and nothing else: they must be unique.
    """
    files, ignored = parquet_files(Path(path))
    reader, plan = ParquetReader(), _PartPlan(Path(path), rows)
    with closing(SeenIds()) as ids:
        for position, whole in reader.wholes(files):
            if isinstance(whole, InputError):
                plan.add_broken(whole, position)
            else:
                plan.add(whole, _repeated(reader, whole, fields, ids))
    return list(plan.parts.values()), ignored


class _PartPlan:
    """The parts so far."""

    def __init__(self, source: Path, rows: int) -> None:
        self.parts: dict[int, Part] = {}
        self._name, self._is_folder = str(source), source.is_dir()
        self._rows = rows

    def add(self, whole: Slice, repeated: Iterable[tuple[RawRecord, str]]) -> None:
        for piece in _cut(whole, self._rows):
            self._part(piece.position).slices.append(piece)
        for record, problem in repeated:
            self._part(record.position or 0).repeated[whole.path, record.row or 0] = problem

    def add_broken(self, error: InputError, position: int) -> None:
        if not self._is_folder:
            raise error
        self._part(position).slices.append(error)

    def _part(self, position: int) -> Part:
        number = position // self._rows
        return self.parts.setdefault(number, Part(number, self._name, self._is_folder))


def _cut(whole: Slice, rows: int) -> Iterator[Slice]:
    begin, last = whole.position, whole.position + whole.rows
    while begin < last:
        end = min(last, (begin // rows + 1) * rows)
        yield Slice(whole.path, begin - whole.position, end - begin, begin)
        begin = end


def _repeated(
    reader: ParquetReader, whole: Slice, fields: Fields, ids: SeenIds
) -> Iterator[tuple[RawRecord, str]]:
    names = [fields.id] if fields.id else [name for name in ID_FIELDS if name not in fields.chosen.values()]
    try:
        for record in reader.rows(whole, names):
            id_ = _id(record.value, names) if isinstance(record, RawRecord) else None
            if id_ is None or not isinstance(record, RawRecord):
                continue
            if (before := ids.first_place(id_, record.place)) is not None:
                yield record, f"id {id_!r} stands {before} already; ids must be unique"
    except InputError:  # raised again by the reader of the rows
        return


def _id(row: Mapping[str, Any], names: list[str]) -> str | None:
    """Return the id of a row, or None if it has none; then it is numbered, and no other has that number."""
    values = (row[name] for name in names if row.get(name) not in (None, ""))
    return next((str(value) for value in values), None)
