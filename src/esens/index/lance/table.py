"""A Lance table on disk: how it is made, opened and written to, by one process at a time; what goes wrong.

LanceDB opens the folder, too. Its package is not used: to import it takes seconds of a search on the command line.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from esens.errors import ArgumentError, EngineError, EsensError, MissingExtraError
from esens.index.base import Vectors
from esens.index.lance.snapshot import METRIC, Column, Snapshot, indexed_columns
from esens.index.uri import IndexURI
from esens.storage.lock import locked
from esens.text.redact import redact
from esens.types import Document, EmbedderId

try:
    import lance
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("pylance", "lance") from None

NAME = "documents"
FORMAT = 1
_FACTS = b"esens"  # of the schema's metadata: the format, and who made the vectors
_LOCK = "writer.lock"
_STORAGE = "2.2"  # not whatever is newest: other versions of Lance, and LanceDB, are to read it
_WAIT_SECONDS = 600  # for another writer: a batch takes it milliseconds, an index over millions minutes
_KEPT = timedelta(minutes=10)  # what somebody may still be reading: every call begins with the latest version
_BATCH_BITS = 24  # a place is the version that brought it, and where it stood in that batch
_LONG = 128
# Where in Lance's source.
_NOT_SAID = re.compile(r",? ?(?:/|[A-Z]:\\)\S*\.rs:\d+(:\d+)?|, location: Location \{[^}]*\}(, backtrace: \w+)?")
_PANIC = "PanicException"  # of Rust, which cannot be imported
_ADVICE = (
    ("No space left", "the disk is full: make room and try again"),
    ("File too large", "a file would grow beyond what this process may write: raise that limit (ulimit -f)"),
    ("Quota exceeded", "your quota is used up: make room and try again"),
    ("Read-only file system", "it is on a disk that cannot be written: copy it to another"),
    ("Permission denied", "this user may not write there: change the folder's permissions, or copy it"),
    ("Operation not permitted", "this user may not write there: change the folder's permissions, or copy it"),
)


class Version(NamedTuple):
    """Which table this is, and how often it was written to: two that are equal have the same rows."""

    table: tuple[int, int]
    number: int


class LanceTable:
    """The table of one folder. Reading writes nothing, not even a lock; a write is one commit, whole or absent."""

    def __init__(self, address: IndexURI) -> None:
        """Open the table that is there."""
        self._address = address
        self._folder = _folder(address)
        self._places: tuple[int, dict[str, int]] = (-1, {})  # of every id, at one version
        if not self._folder.is_dir():
            raise EngineError(str(address), "there is no such folder; make the index first, or look at the path")
        if not _is_there(self._folder):
            raise EngineError(str(address), f"this folder holds no table {NAME!r}, so it is no index of esens")
        with self.explained("cannot be opened; it may be damaged: make it anew, or take it from a backup"):
            self._watched = self._opened()
            schema = self._watched.schema
        self.dimension, self.embedder_id = _checked(address, schema)
        self._facts = schema.metadata[_FACTS]

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "LanceTable":
        """Open the table, or make it where it is not there yet."""
        folder = _folder(address)
        if not _is_there(folder):
            _make(address, folder, _schema(dimension, embedder_id))
        return cls(address)

    def _opened(self, version: int | None = None) -> Any:
        return lance.dataset(_table(self._folder), version=version)

    @contextmanager
    def explained(self, problem: str) -> Iterator[None]:
        """Make of whatever Lance raises an error that says what to do."""
        with _explained(self._address, problem):
            yield

    def version(self) -> Version:
        """Return the latest version; another process may have written it."""
        with self.explained("cannot be read; was it moved or removed?"):
            # Not the number alone: who makes the index anew while it is open begins to count anew.
            stat = _table(self._folder).stat()
            return Version((stat.st_ino, stat.st_mtime_ns), self._watched.latest_version)

    def snapshot(self, version: Version, *, earlier: Mapping[str, Column]) -> Snapshot:
        """Return the table as it was then, for good; ``earlier`` are columns that were read before."""
        with self.explained("cannot be read; was it moved or removed?"):
            table = self._opened(version.number)
            self._check_same(table)
        return Snapshot(table, dimension=self.dimension, explained=self.explained, earlier=earlier)

    def upsert(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Add documents in one commit; one whose id is there already takes its place, in corpus order too."""
        metadata = [_as_json(document) for document in documents]
        with self._writing() as tip:
            version, old = self._places_of(tip, [document.id for document in documents])
            first = (version + 1) << _BATCH_BITS
            places = [old.get(document.id, first + at) for at, document in enumerate(documents)]
            table = _rows(places, documents, metadata, rows, tip.schema)
            if old:
                tip.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(table)
            else:
                tip.insert(table)
            ids = (document.id for document in documents)
            self._remember(version, tip.version, dict(zip(ids, places, strict=True)))

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents in one commit; return how many were there."""
        with self._writing() as tip:
            version, gone = self._places_of(tip, ids)
            if gone:
                tip.delete(f"place IN ({', '.join(map(str, gone.values()))})")
                self._remember(version, tip.version, dict.fromkeys(gone))
        return len(gone)

    def optimise(self, *, ann_above: float) -> None:
        """Join small files, forget old versions, and bring the indexes up to date; make them for a large table."""
        with self._writing() as tip:
            tip.optimize.compact_files()
            tip.cleanup_old_versions(_KEPT, error_if_tagged_old_versions=False)
            tip.optimize.optimize_indices()
            indexed = indexed_columns(tip)
            if tip.count_rows() <= ann_above:
                return
            if "id" not in indexed:
                tip.create_scalar_index("id", "BTREE")
            if "vector" not in indexed:
                tip.create_index("vector", metric=METRIC, **_ann(self.dimension))

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Yield the latest version to write to, while no other does. It is nobody else's: it cannot be shared."""
        with self.explained("nothing was written"):
            try:
                with locked(self._folder / _LOCK, wait_seconds=_WAIT_SECONDS):
                    tip = self._opened()
                    self._check_same(tip)
                    yield tip
            except TimeoutError:
                problem = f"another process has been writing to it for {_WAIT_SECONDS} seconds; try again later"
                raise EngineError(str(self._address), problem) from None

    def _check_same(self, table: Any) -> None:
        if (table.schema.metadata or {}).get(_FACTS) != self._facts:
            raise EngineError(str(self._address), "it was made anew since it was opened; open it again")

    def _places_of(self, tip: Any, ids: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Return the latest version, and the places of those of these ids that are there."""
        version = tip.version
        if self._places[0] != version:
            read = tip.to_table(columns=["id", "place"])
            self._places = (version, dict(zip(read["id"].to_pylist(), read["place"].to_pylist(), strict=True)))
        places = self._places[1]
        return version, {id_: places[id_] for id_ in ids if id_ in places}

    def _remember(self, before: int, after: int, changed: Mapping[str, int | None]) -> None:
        """Keep the places as a write left them, unless somebody who knows of no lock wrote in between."""
        places = self._places[1]
        for id_, place in changed.items():
            if place is None:
                del places[id_]
            else:
                places[id_] = place
        self._places = (after if after == before + 1 else -1, places)


def _folder(address: IndexURI) -> Path:
    address.check_options(("search",))
    if address.server or not address.path:
        raise ArgumentError("index", f"{address}: name a folder of this machine, such as docs.lance")
    return Path(address.path).expanduser()


def _table(folder: Path) -> Path:
    return folder / f"{NAME}.lance"


def _is_there(folder: Path) -> bool:
    """Whether a table was made. One whose making was cut short has no version, and is as good as none."""
    return any((_table(folder) / "_versions").glob("*.manifest"))


def _make(address: IndexURI, folder: Path, schema: Any) -> None:
    with _explained(address, "cannot be made"):
        if folder.is_file() or not folder.parent.is_dir():
            problem = (
                "is a file; name a folder" if folder.is_file() else "the folder above it is not there; make that"
            )
            raise EngineError(str(address), problem)
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        if any(path not in (folder / _LOCK, _table(folder)) for path in folder.iterdir()):
            problem = "this folder holds something else; name one that is empty, or not there yet"
            raise EngineError(str(address), problem)
        try:
            with locked(folder / _LOCK, wait_seconds=_WAIT_SECONDS):
                if not _is_there(folder):
                    lance.write_dataset(schema.empty_table(), _table(folder), data_storage_version=_STORAGE)
        except (OSError, RuntimeError, ValueError):
            if is_new and not _is_there(folder):
                shutil.rmtree(folder, ignore_errors=True)
            raise


def _schema(dimension: int, embedder_id: EmbedderId | None) -> Any:
    facts = {"format": FORMAT, "made_by": embedder_id and embedder_id._asdict(), "stamp": uuid4().hex}
    return pa.schema(
        [
            pa.field("place", pa.int64(), nullable=False),
            pa.field("id", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
            pa.field("metadata", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), dimension), nullable=False),
        ],
        metadata={_FACTS: json.dumps(facts)},
    )


def _ann(dimension: int) -> dict[str, Any]:
    # A bit a number: an eighth of the size, and several times as fast. Short vectors lose too much by it.
    is_long = dimension >= _LONG and dimension % 8 == 0
    return {"index_type": "IVF_RQ", "num_bits": 1} if is_long else {"index_type": "IVF_SQ"}


def _rows(
    places: Sequence[int], documents: Sequence[Document], metadata: Sequence[str], rows: Vectors, schema: Any
) -> Any:
    columns = [
        pa.array(places, pa.int64()),
        pa.array([document.id for document in documents], pa.string()),
        pa.array([document.title for document in documents], pa.string()),
        pa.array([document.text for document in documents], pa.string()),
        pa.array(metadata, pa.string()),
        pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), type=schema.field("vector").type),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _as_json(document: Document) -> str:
    try:
        return json.dumps(dict(document.metadata), allow_nan=False)
    except (TypeError, ValueError) as error:
        problem = (
            f"its metadata cannot be kept as JSON ({error}); use texts, numbers, true, false, lists, mappings"
        )
        raise ArgumentError(f"document {document.id!r}", problem) from None


def _checked(address: IndexURI, schema: Any) -> tuple[int, EmbedderId | None]:
    """Return the dimension and the embedder of a table, if it is one of ours."""
    metadata = schema.metadata or {}
    # LanceDB would make the objects that these describe, models from anywhere among them.
    if b"embedding_functions" in metadata or _FACTS not in metadata:
        raise EngineError(
            str(address), f"its table {NAME!r} was not made by esens; make an index of its documents"
        )
    facts = _facts(address, metadata[_FACTS])
    if facts.get("format") != FORMAT:
        problem = (
            f"its format is {facts.get('format')!r}, and this esens reads {FORMAT}; upgrade esens, or make it anew"
        )
        raise EngineError(str(address), problem)
    embedder_id = facts.get("made_by") and EmbedderId(**facts["made_by"])
    vector = schema.field("vector").type if "vector" in schema.names else None
    dimension = vector.list_size if vector and pa.types.is_fixed_size_list(vector) else 0
    if not dimension or schema.remove_metadata() != _schema(dimension, embedder_id).remove_metadata():
        raise EngineError(
            str(address), f"its table {NAME!r} has other columns than an index of esens; make it anew"
        )
    return dimension, embedder_id


def _facts(address: IndexURI, text: bytes) -> dict[str, Any]:
    with _explained(address, "its description is damaged; make it anew, or take it from a backup"):
        facts = json.loads(text)
        if not isinstance(facts, dict) or not _names_embedder(facts.get("made_by")):
            raise ValueError(text.decode(errors="replace"))
    return facts


def _names_embedder(embedder_id: object) -> bool:
    if not isinstance(embedder_id, dict):
        return embedder_id is None
    return set(embedder_id) == set(EmbedderId._fields) and all(
        isinstance(value, str) for value in embedder_id.values()
    )


@contextmanager
def _explained(address: IndexURI, problem: str) -> Iterator[None]:
    try:
        yield
    except EsensError:
        raise
    except BaseException as error:
        # Lance panics over some damage, and such an exception is none of Exception.
        is_panic = type(error).__name__ == _PANIC
        if not is_panic and not isinstance(error, (OSError, RuntimeError, ValueError)):
            raise
        said = _NOT_SAID.sub("", str(error)) or type(error).__name__
        said = f"Lance panicked: {said}" if is_panic else said
        advice = next((advice for sign, advice in _ADVICE if sign in said), "")
        problem = f"{problem}; {advice}" if advice else problem
        raise EngineError(str(address), f"{problem} ({redact(said)})") from None
