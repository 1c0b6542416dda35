"""A Lance table on disk: how it is made, opened and written to, by one process at a time.

LanceDB opens the folder, too. Its package is not used: to import it takes seconds of a search on the command line.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import lance
import pyarrow as pa

from esens.arrays.unit import Vectors
from esens.documents import stored_metadata
from esens.errors import ArgumentError, EngineError
from esens.index.lance.check import TableCheck, check_table
from esens.index.lance.checksums import HASHED, row_checksums
from esens.index.lance.errors import lance_errors
from esens.index.lance.folder import (
    LOCK,
    WAIT_SECONDS,
    check_files,
    folder_of,
    has_table,
    table_of,
    writers_lock,
)
from esens.index.lance.journal import JOURNAL, Journal
from esens.index.lance.schema import (
    CHECKSUM,
    FORMAT,
    NAME,
    ORDINAL,
    Description,
    new_schema,
    read_description,
    read_dimension,
)
from esens.index.lance.snapshot import (
    METRIC,
    WORD_COLUMNS,
    LanceSnapshot,
    VectorRows,
    indexed_columns,
    kept_rows,
    rows_by_id,
)
from esens.index.lance.typed_columns import TypedRow, index_type, is_typed, missing_columns, typed_arrays
from esens.index.lance.upgrade import upgrade
from esens.index.uri import IndexURI
from esens.index.words import STOP_WORDS
from esens.storage.atomic import remove_leftovers
from esens.types import Document, EmbedderId

_STORAGE = "2.2"  # not whatever is newest: other versions of Lance, and LanceDB, are to read it
_RECENT = timedelta(minutes=10)  # what somebody may still be reading: every call begins with the latest version
_BATCH_BITS = 24  # an ordinal is the version that brought the row, and where it stood in that batch
_LONG = 128
_UNTYPED_FORMAT = 1
_MOVED = "cannot be read; was it moved or removed?"
_ENCODER = json.JSONEncoder(allow_nan=False)
_NO_FIELDS = TypedRow({})
# As words are read in memory (index/words.py): as they are, in lower case, without stop words and without stems.
_WORDS = {
    "base_tokenizer": "simple",
    "stem": False,
    "ascii_folding": False,
    "custom_stop_words": STOP_WORDS,
    "max_token_length": None,
    "with_position": False,
}
_FEW_FILES = 8  # that are not worth joining: a search opens as many in a few milliseconds


class TableVersion(NamedTuple):
    """Which table this is, and how often it was written to: two that are equal have the same rows."""

    table: tuple[int, int]
    number: int


class LanceTable:
    """The table of one folder. Reading writes nothing, not even a lock; a write appears whole or not at all."""

    def __init__(self, uri: IndexURI) -> None:
        """Open the table that is there."""
        self._uri = uri
        self._kept = kept_rows()
        self._folder = folder_of(uri)
        if not self._folder.is_dir():
            raise EngineError(str(uri), "there is no such folder; make the index first, or look at the path")
        if not has_table(self._folder):
            raise EngineError(str(uri), f"this folder holds no table {NAME!r}, so it is no index of esens")
        check_files(uri, self._folder)
        with self.lance_errors("cannot be opened; it may be damaged: make it anew, or take it from a backup"):
            noted = Journal.read(self._folder)  # before the table: whoever writes does it afterwards
            self._watched = self._open()
            schema = self._watched.schema
        self._check_newest(self._watched, noted)
        self._description = read_description(uri, schema)
        self.embedder_id = self._description.embedder_id
        self.dimension = read_dimension(uri, schema)

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "LanceTable":
        """Open the table, or make it where it is not there yet."""
        folder = folder_of(uri)
        if not has_table(folder):
            check_files(uri, folder)
            _make(uri, folder, new_schema(dimension, embedder_id))
        return cls(uri)

    def lance_errors(self, problem: str) -> AbstractContextManager[None]:
        """Make of whatever Lance raises an error that says what to do."""
        return lance_errors(self._uri, problem)

    def version(self) -> TableVersion:
        """Return the latest version; another process may have written it."""
        with self.lance_errors(_MOVED):
            # Not the number alone: who makes the index anew while it is open begins to count anew.
            stat = table_of(self._folder).stat()
            return TableVersion((stat.st_ino, stat.st_mtime_ns), self._watched.latest_version)

    def snapshot(self, version: TableVersion, *, after: int, earlier: VectorRows | None) -> LanceSnapshot:
        """Return the table as it was then, for good; ``earlier`` are vectors that were read before.

        ``after`` is a version that was seen before, so that this one is none of the past.
        """
        with self.lance_errors(_MOVED):
            table = self._open(version.number)
            description = self._check_same(table)
        if version.number < after:
            raise self._version_gone(after, version.number)
        return LanceSnapshot(
            table,
            dimension=self.dimension,
            has_typed_columns=description.format > _UNTYPED_FORMAT,
            fail=lambda problem: EngineError(str(self._uri), problem),
            lance_errors=self.lance_errors,
            kept=self._kept,
            earlier=earlier,
        )

    def upsert(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Add documents in one commit; one whose id is there already takes its place, in corpus order too."""
        metadata = [_as_json(document) for document in documents]
        typed = [_NO_FIELDS if text == "{}" else TypedRow.of(json.loads(text)) for text in metadata]
        with self._writing() as tip:
            # A commit of its own: columns without values, which change nothing for whoever reads.
            if columns := missing_columns(typed, tip.schema.names):
                tip.add_columns(pa.schema(columns))
            existing = self._ordinals(tip, [document.id for document in documents])
            first = (tip.version + 1) << _BATCH_BITS
            ordinals = [existing.get(document.id, first + at) for at, document in enumerate(documents)]
            table = _arrow_table(ordinals, documents, metadata, typed, rows, tip.schema)
            if existing:
                tip.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(table)
            else:
                tip.insert(table)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents in one commit; return how many were there."""
        with self._writing() as tip:
            existing = self._ordinals(tip, ids)
            if existing:
                tip.delete(f"{ORDINAL} IN ({', '.join(map(str, existing.values()))})")
        return len(existing)

    def optimise(self, *, ann_above: float) -> None:
        """Join small files, forget old versions, and bring the indexes up to date; make them for a large table."""
        with self._writing() as tip:
            if _is_scattered(tip):
                tip.optimize.compact_files()
            tip.cleanup_old_versions(_RECENT, error_if_tagged_old_versions=False)
            tip.optimize.optimize_indices()
            indexed = indexed_columns(tip)
            if tip.count_rows() <= ann_above:
                return
            if "id" not in indexed:
                tip.create_scalar_index("id", "BTREE")
            for column in tip.schema.names:
                if is_typed(column) and column not in indexed:
                    tip.create_scalar_index(column, index_type(column))
            for column in WORD_COLUMNS:
                if column not in indexed:
                    tip.create_scalar_index(column, "INVERTED", **_WORDS)
            if "vector" not in indexed:
                tip.create_index("vector", metric=METRIC, **_ann(self.dimension))

    def check(self) -> TableCheck:
        """Compare all of it with what was written."""
        with self.lance_errors(_MOVED):
            noted = Journal.read(self._folder)
            tip = self._open()
            return check_table(tip, table_of(self._folder), noted, row_files(tip), self.lance_errors)

    def remove_damaged(self, check: TableCheck) -> None:
        """Remove rows that cannot be trusted, and what is left of them in files; and indexes of no use."""
        with self._writing() as tip:
            for condition in check.conditions:
                tip.delete(condition)
            for name in check.indexes:
                tip.drop_index(name)
            tip.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)

    def _open(self, version: int | None = None) -> Any:
        return lance.dataset(table_of(self._folder), version=version)

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Yield the latest version to write to, while no other does. It is nobody else's: it cannot be shared."""
        check_files(self._uri, self._folder)
        with self.lance_errors("this was not written, and what was written before stays"):
            try:
                with writers_lock(self._folder):
                    remove_leftovers(self._folder)
                    noted = Journal.read(self._folder)
                    tip = self._open()
                    if tip.version < noted.version:
                        raise self._version_gone(noted.version, tip.version)
                    description, before = self._check_same(tip), tip.version
                    if description.format != FORMAT:
                        upgrade(tip, description)
                    yield tip
                    self._take_back_if_short(before, noted)
                    with suppress(OSError):  # it is written, journal or not; the next writer notes it
                        noted.add(self._folder, table_of(self._folder), tip.latest_version)
            except TimeoutError:
                problem = f"another process has been writing to it for {WAIT_SECONDS} seconds; try again later"
                raise EngineError(str(self._uri), problem) from None

    def _take_back_if_short(self, before: int, noted: Journal) -> None:
        """Raise if Lance has committed a file without its end, as it does where the room ends with its last part.

        The versions since are removed, which needs no room; the journal does not know them yet.
        """
        tip = self._open()
        if tip.version == before:
            return
        table = table_of(self._folder)
        for fragment in tip.get_fragments():
            for file in fragment.data_files():
                if f"data/{file.path}" in noted.files:
                    continue
                size = (table / "data" / file.path).stat().st_size
                if file.file_size_bytes and size < file.file_size_bytes:
                    for version in range(tip.version, before, -1):
                        (table / _manifest(version)).unlink(missing_ok=True)
                    raise EngineError(
                        str(self._uri),
                        f"this was not written, and what was written before stays: a file ends after {size:,} of "
                        f"{file.file_size_bytes:,} bytes, as on a full disk; make room and try again",
                    )

    def _check_newest(self, table: Any, noted: Journal) -> None:
        """Raise where the newest version that was written is gone, or what says which rows it has is damaged."""
        if table.version < noted.version:
            raise self._version_gone(noted.version, table.version)
        changed = noted.changed(table_of(self._folder), row_files(table))
        if changed:
            raise EngineError(
                str(self._uri),
                f"its file {changed[0]} is damaged, which says what documents there are; take it from a backup, "
                "or make it anew",
            )

    def _version_gone(self, newest: int, present: int) -> EngineError:
        return EngineError(
            str(self._uri),
            f"its newest version, {newest}, is gone, and what is there is version {present}, in which documents "
            "are missing, or back that were deleted; take it from a backup, or make it anew. To go on with what "
            f"is there, remove {self._folder / JOURNAL}",
        )

    def _check_same(self, table: Any) -> Description:
        """Return the description of the table as it is now, if it is still the one that was opened."""
        description = read_description(self._uri, table.schema)
        if description._replace(format=0) != self._description._replace(format=0):
            raise EngineError(str(self._uri), "it was made anew since it was opened; open it again")
        return description

    def _ordinals(self, tip: Any, ids: Sequence[str]) -> dict[str, int]:
        """Return the ordinals of those of these ids that are there."""
        return rows_by_id(tip, ids, ORDINAL, is_indexed="id" in indexed_columns(tip))


def _is_scattered(table: Any) -> bool:
    """Whether rows stand in many files, or among some that were deleted."""
    fragments = table.get_fragments()
    return len(fragments) > _FEW_FILES or any(fragment.deletion_file() for fragment in fragments)


def row_files(table: Any) -> list[str]:
    """Return the files of a version that say which rows it has: its manifest, and what is deleted."""
    deleted = [path for fragment in table.get_fragments() if (path := fragment.deletion_file())]
    return [_manifest(table.version), *deleted]


def _manifest(version: int) -> str:
    return f"_versions/{2**64 - 1 - version:020}.manifest"


def _make(uri: IndexURI, folder: Path, schema: Any) -> None:
    with lance_errors(uri, "cannot be made"):
        if folder.is_file() or not folder.parent.is_dir():
            problem = (
                "is a file; name a folder" if folder.is_file() else "the folder above it is not there; make that"
            )
            raise EngineError(str(uri), problem)
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        if (folder / JOURNAL).exists():
            problem = "its table is gone; take it from a backup, or remove the folder to make it anew"
            raise EngineError(str(uri), problem)
        if any(path not in (folder / LOCK, table_of(folder)) for path in folder.iterdir()):
            problem = "this folder holds something else; name one that is empty, or not there yet"
            raise EngineError(str(uri), problem)
        try:
            with writers_lock(folder):
                if not has_table(folder):
                    made = lance.write_dataset(
                        schema.empty_table(), table_of(folder), data_storage_version=_STORAGE
                    )
                    Journal().add(folder, table_of(folder), made.version)
        except (OSError, RuntimeError, ValueError):
            if is_new and not has_table(folder):
                shutil.rmtree(folder, ignore_errors=True)
            raise


def _ann(dimension: int) -> dict[str, Any]:
    # A bit a number: an eighth of the size, and several times as fast. Short vectors lose too much by it.
    is_long = dimension >= _LONG and dimension % 8 == 0
    return {"index_type": "IVF_RQ", "num_bits": 1} if is_long else {"index_type": "IVF_SQ"}


def _arrow_table(
    ordinals: Sequence[int],
    documents: Sequence[Document],
    metadata: Sequence[str],
    typed: Sequence[TypedRow],
    rows: Vectors,
    schema: Any,
) -> Any:
    columns = {
        ORDINAL: pa.array(ordinals, pa.int64()),
        "id": pa.array([document.id for document in documents], pa.string()),
        "title": pa.array([document.title for document in documents], pa.string()),
        "text": pa.array([document.text for document in documents], pa.string()),
        "metadata": pa.array(metadata, pa.string()),
        CHECKSUM: row_checksums(_hashed(ordinals, documents, metadata), rows),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), type=schema.field("vector").type),
        **typed_arrays(typed, list(filter(is_typed, schema.names))),
    }
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def _hashed(
    ordinals: Sequence[int], documents: Sequence[Document], metadata: Sequence[str]
) -> Iterator[Sequence[Any]]:
    """Yield the columns of which a checksum is made."""
    others = {ORDINAL: ordinals, "metadata": metadata}
    return (others.get(name) or [getattr(document, name) for document in documents] for name in HASHED)


def _as_json(document: Document) -> str:
    try:
        return _ENCODER.encode(stored_metadata(document))
    except (TypeError, ValueError, RecursionError) as error:
        problem = (
            f"its metadata cannot be kept as JSON ({error}); use texts, numbers, true, false, lists, mappings"
        )
        raise ArgumentError(f"document {document.id!r}", problem) from None
