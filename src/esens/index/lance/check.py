"""All of a table compared with what was written: its files with the journal, its rows with their checksums."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from esens.errors import EngineError
from esens.index.check import IndexProblem
from esens.index.lance.checksums import HASHED, damaged_documents, damaged_vectors
from esens.index.lance.journal import Journal
from esens.index.lance.schema import CHECKSUM
from esens.index.lance.snapshot import DAMAGED, LanceErrors, matrix_of
from esens.index.lance.typed_columns import UNTYPED, is_typed, typed_arrays, typed_rows

_MAKE_CHECKABLE = "the next write to it, by esens index or any other, adds them, of what is there then"
_REPAIR = "esens check --repair removes them, and esens index writes them anew; or take the index from a backup"
_LOST = "take the index from a backup, or esens check --repair removes them, and esens index writes them anew"


@dataclass
class TableCheck:
    """What was found; ``conditions`` are those of rows that cannot be trusted, ``indexes`` those of no use."""

    rows: int = 0
    without_checksum: int = 0
    changed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    lost_rows: int = 0
    ids: list[int] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    indexes: list[str] = field(default_factory=list)
    bad_lines: int = 0
    has_journal: bool = True

    def problems(self) -> Iterator[IndexProblem]:
        """Yield what is wrong."""
        if self.damaged:
            yield IndexProblem(
                f"{len(self.damaged):,} documents are not what was written", _REPAIR, tuple(self.damaged)
            )
        if self.lost_rows:
            yield IndexProblem(f"{self.lost_rows:,} documents cannot be read", _LOST, tuple(self.lost))
        if len(set(self.ids)) < len(self.ids):
            yield IndexProblem("several rows have the same id", "make the index anew")
        for name in self.indexes:
            yield IndexProblem(
                f"the index {name!r} on disk, which makes searches fast, is damaged",
                "esens check --repair makes it anew",
            )
        for path in self.changed:
            yield IndexProblem(
                f"the file {path} is not what was written",
                "if no document is named above, the damage is where none of them is read; take the index from a "
                "backup, or make it anew",
            )

    def checked(self) -> Iterator[str]:
        """Yield what was looked at."""
        yield f"{self.rows - self.without_checksum:,} documents by their checksums"
        if self.has_journal:
            yield "its newest version, and the files of it that its journal knows"

    def unchecked(self) -> Iterator[str]:
        """Yield what could not be looked at."""
        if self.without_checksum:
            yield (
                f"{self.without_checksum:,} documents have no checksum: an earlier esens or another program wrote "
                f"them; {_MAKE_CHECKABLE}"
            )
        if not self.has_journal:
            yield f"its files: it has no journal; {_MAKE_CHECKABLE}"
        elif self.unknown:
            yield (
                f"{len(self.unknown):,} files that its journal does not know: another program wrote them, or a "
                f"writer that was killed; {_MAKE_CHECKABLE}"
            )
        if self.bad_lines:
            yield f"{self.bad_lines:,} lines of its journal, which cannot be read; the next write makes it anew"


def check_table(
    table: Any, path: Path, journal: Journal, row_files: Sequence[str], lance_errors: LanceErrors
) -> TableCheck:
    """Look at all of a table."""
    check = TableCheck(bad_lines=journal.bad_lines, has_journal=bool(journal.version))
    _check_files(check, path, journal, row_files)
    for fragment in table.get_fragments():
        paths = [f"data/{file.path}" for file in fragment.data_files()]
        changed = journal.changed(path, paths)
        check.changed += changed
        unknown = [path for path in paths if path not in journal.files]
        check.unknown += unknown
        _check_fragment(check, fragment, lance_errors, with_typed=bool(changed or unknown))
    for index in table.describe_indices():
        parts = {str(segment.uuid) for segment in index.segments}
        if journal.changed(path, [name for name in journal.files if _is_part(name, parts)]):
            check.indexes.append(index.name)
    return check


def _check_files(check: TableCheck, path: Path, journal: Journal, row_files: Sequence[str]) -> None:
    check.changed += journal.changed(path, row_files)
    check.unknown += [name for name in row_files if name not in journal.files]


def _is_part(name: str, parts: set[str]) -> bool:
    folder, *rest = name.split("/")
    return folder == "_indices" and len(rest) == 2 and rest[0] in parts and rest[1] not in (".", "..")


def _check_fragment(check: TableCheck, fragment: Any, lance_errors: LanceErrors, *, with_typed: bool) -> None:
    names = fragment.schema.names
    columns = [*HASHED, "vector", *([CHECKSUM] if CHECKSUM in names else [])]
    derived = [name for name in names if is_typed(name) or name == UNTYPED] if with_typed else []
    part = TableCheck()
    try:
        with lance_errors(DAMAGED):
            for batch in fragment.to_batches(columns=[*columns, *derived], with_row_id=True):
                _check_batch(part, batch, derived)
    except EngineError:
        first = fragment.fragment_id << 32
        check.conditions.append(f"_rowid >= {first} AND _rowid < {first + 2**32}")
        check.lost_rows += fragment.count_rows()
        check.lost += _readable_ids(fragment, lance_errors)
        return
    check.rows += part.rows
    check.without_checksum += part.without_checksum
    check.damaged += part.damaged
    check.ids += part.ids
    check.conditions += part.conditions


def _check_batch(check: TableCheck, batch: Any, derived: Sequence[str]) -> None:
    check.rows += len(batch)
    ids = batch["id"].to_pylist()
    check.ids += map(hash, ids)
    damaged: set[int] = set()
    if CHECKSUM in batch.schema.names:
        check.without_checksum += batch[CHECKSUM].null_count
        damaged.update(damaged_documents(batch).tolist())
        damaged.update(damaged_vectors(batch, matrix_of(batch["vector"])).tolist())
    else:
        check.without_checksum += len(batch)
    sound = [at for at in range(len(batch)) if at not in damaged]
    if derived and sound:
        damaged.update(sound[at] for at in _wrong_columns(batch.take(sound), derived))
    if damaged:
        check.damaged += [ids[at] for at in sorted(damaged)]
        row_ids = np.asarray(batch["_rowid"].to_numpy())[sorted(damaged)].tolist()
        check.conditions.append(f"_rowid IN ({', '.join(map(str, row_ids))})")


def _wrong_columns(batch: Any, derived: Sequence[str]) -> set[int]:
    """Return which rows have other values in their typed columns than follow from their metadata."""
    right = typed_arrays(typed_rows(batch), [name for name in derived if is_typed(name)])
    wrong: set[int] = set()
    for name in derived:
        if not batch[name].equals(right[name]):
            pairs = zip(batch[name].to_pylist(), right[name].to_pylist(), strict=True)
            wrong.update(at for at, (stored, derived_value) in enumerate(pairs) if stored != derived_value)
    return wrong


def _readable_ids(fragment: Any, lance_errors: LanceErrors) -> list[str]:
    try:
        with lance_errors(DAMAGED):
            return [id_ for batch in fragment.to_batches(columns=["id"]) for id_ in batch["id"].to_pylist()]
    except EngineError:
        return []
