"""An index in two files: vectors as a library writes them, and their documents in JSONL beside them.

The documents file is the truth: a vector whose key no document has is not there. So what is written in this order
can be cut short anywhere: the file with the new vectors, under keys that no document has; then the file of
documents, which is the moment it counts; then the vectors without those that are gone. Each is written beside the
old one and put in its place when it is whole and on disk, and whoever has the old one open may go on reading it.

When a call returns, what it did outlives a power cut. It reads and writes both files whole, and holds the vectors
twice meanwhile, so give many documents at a time. One process writes at a time: a lock beside the file of vectors
makes others wait, and who then finds that another has written since it opened raises and changes nothing. Reading
takes no lock.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError, EngineError
from esens.index.adapter import check_compatible
from esens.index.base import Closing, Neighbours, Vectors
from esens.index.files.sidecar import DocumentsFile, Fields, replacing, write_lines
from esens.index.files.snapshot import State, VectorFile
from esens.index.filters import Filter
from esens.index.uri import IndexURI
from esens.storage.lock import locked
from esens.text.redact import redact
from esens.types import Document, EmbedderId, documents_of

_FORMAT = 1
_WAIT_SECONDS = 600  # for another writer, which reads and writes both files whole
_OPTIONS = ("documents", "id", "text", "title", "key", "readonly")
EXPORT = (
    "Reading a pickle runs what is in it, so it is never read here. Export the documents with the library that "
    'wrote them to JSONL, a line {"id": …, "text": …} each in the order of the vectors, and name that file with '
    "documents="
)
"""What to do where documents are in a pickle."""


class PairIndex(Closing, ABC):
    """What an index of two files does, whoever wrote the vectors.

    The library finds the nearest; their scores are computed here from the vectors it gives back, so that they are
    the same wherever they are asked for. Where those are approximations (quantised), so are the scores.
    """

    options: tuple[str, ...] = ()

    def __init__(self, address: IndexURI) -> None:
        """Open both files."""
        address.check_options((*_OPTIONS, *self.options))
        self._address = address
        self._path, self._documents_path = _paths(address)
        self.is_read_only = _truth(address, "readonly")
        self._lock = Lock()
        self.embedder_id = _embedder_id(_sidecar(self._path), self._fail)
        self._state = self._opened()

    @classmethod
    def open(cls, address: IndexURI) -> Self:
        """Open an index that is there."""
        return cls(address)

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> Self:
        """Open an index to write to, or make both files where they are not there yet."""
        address.check_options((*_OPTIONS, *cls.options))
        path, documents = _paths(address)
        if _truth(address, "readonly"):
            raise EngineError(str(address), "readonly=true: leave it out to write to this index")
        if not path.exists():
            cls._make_once(address, path, documents, dimension, embedder_id)
        index = cls(address)
        check_compatible(
            address, dimension=(index.dimension, dimension), embedder_id=(index.embedder_id, embedder_id)
        )
        if embedder_id and not index.embedder_id and not len(index):
            with _explained(address):
                _write_sidecar(_sidecar(path), embedder_id)
            index.embedder_id = embedder_id
        return index

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._state.vectors.dimension

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._state.documents)

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep the order of the file.

        Up to SAMPLE documents that fulfil a filter are all compared; of more, the library finds the nearest, and
        where it finds too few, all are compared after all.
        """
        asked, state = self._asked(vectors), self._state
        return [
            Neighbours(tuple(state.documents.at(positions.tolist())), scores, rows if with_vectors else None)
            for positions, scores, rows in state.nearest(asked, k, where)
        ]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach; exact up to SAMPLE documents, or if flat."""
        return self._state.score_ranges(self._asked(vectors), where)

    max_neighbours: int | None = None

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each."""
        state = self._state
        places = state.documents.positions
        for id_ in ids:
            if id_ not in places:
                raise not_there(id_)
        return state.rows(np.array([places[id_] for id_ in ids], np.int64))

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""
        documents = self._state.documents
        there = [id_ for id_ in ids if id_ in documents.positions]
        return dict(zip(there, documents.at(documents.positions[id_] for id_ in there), strict=True))

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        given = documents_of(documents)
        rows = a_row_a_document(vectors, len(given), dimension=self.dimension)
        with self._writing() as state:
            self._check_removable(state, [document.id for document in given])
            if given:
                self._change(state, given, rows, gone=())

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        with self._writing() as state:
            self._check_removable(state, ids)
            places = state.documents.positions
            gone = {places[id_] for id_ in ids if id_ in places}
            if gone:
                self._change(state, (), np.zeros((0, self.dimension), np.float32), gone=gone)
            return len(gone)

    def close(self) -> None:
        """Close the documents file."""
        self._state.documents.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._address)!r})"

    @classmethod
    @abstractmethod
    def _fresh(cls, address: IndexURI, dimension: int) -> VectorFile:
        """Return vectors of a new file: none."""

    @classmethod
    @abstractmethod
    def _read(cls, address: IndexURI, path: Path, *, is_read_only: bool) -> VectorFile:
        """Read the vectors of a file; EngineError where that cannot be done."""

    @classmethod
    def _make_once(
        cls, address: IndexURI, path: Path, documents: Path, dimension: int, embedder_id: EmbedderId | None
    ) -> None:
        """Make an index, unless another process did meanwhile; where that fails, the lock does not stay either."""
        is_new = not _lock_of(path).exists()
        with _explained(address), _alone(address, path):
            try:
                if not path.exists():
                    cls._make(address, path, documents, dimension, embedder_id)
            except BaseException:
                if is_new:
                    with suppress(OSError):
                        _lock_of(path).unlink()
                raise

    @classmethod
    def _make(
        cls, address: IndexURI, path: Path, documents: Path, dimension: int, embedder_id: EmbedderId | None
    ) -> None:
        """Make an index without documents: the file of vectors last, for it says that the index is there."""
        if documents.exists() and documents.stat().st_size:
            raise EngineError(
                str(address),
                f"there is no {path}, but {documents} is there; name new files, or index what it holds into them",
            )
        made: list[Path] = []
        with _explained(address):
            try:
                fresh = cls._fresh(address, dimension)
                for one, write in (
                    (_sidecar(path), lambda one: _write_sidecar(one, embedder_id)),
                    (documents, lambda one: write_lines(one, (), is_packed=False)),
                    (path, fresh.save),
                ):
                    made += [] if one.exists() else [one]
                    write(one)
            except BaseException:
                for one in made:
                    with suppress(OSError):
                        one.unlink(missing_ok=True)
                raise

    def _fail(self, problem: str) -> EngineError:
        return EngineError(str(self._address), problem)

    def _asked(self, vectors: npt.ArrayLike) -> Vectors:
        return unit_rows(vectors, argument="query vectors", dimension=self.dimension)

    def _opened(self) -> State:
        """Open both files; once more where somebody wrote in between."""
        while True:
            documents = self._open_documents()
            vectors = self._read(self._address, self._path, is_read_only=self.is_read_only)
            if documents.is_current():
                return State(documents, vectors, self._fail)

    def _open_documents(self) -> DocumentsFile:
        pickled = self._path.with_suffix(".pkl")
        if not self._documents_path.exists() and pickled.exists():
            raise self._fail(f"there is no {self._documents_path}, only a pickle, {pickled}. {EXPORT}")
        option = self._address.option
        fields = Fields(option("id"), option("text"), option("title"), option("key"))
        return DocumentsFile(self._documents_path, fields, self._fail)

    @contextmanager
    def _writing(self) -> Iterator[State]:
        if self.is_read_only:
            raise self._fail("was opened with readonly=true; leave that out to write to it")
        with self._lock, _explained(self._address), _alone(self._address, self._path):
            if not self._state.documents.is_current():
                raise self._fail(f"somebody else has changed {self._documents_path}; open the index again")
            yield self._state

    def _check_removable(self, state: State, ids: Sequence[str]) -> None:
        there = next((id_ for id_ in ids if id_ in state.documents.positions), None)
        if there is not None and not state.vectors.can_remove:
            raise self._fail(
                f"the document {there!r} cannot be removed or replaced: a vector index of this kind only grows; "
                "build it anew, or index into a new file"
            )

    def _change(self, state: State, given: Sequence[Document], rows: Vectors, *, gone: Collection[int]) -> None:
        """Write all of it, in the order that the head of this file tells."""
        vectors = self._read(self._address, self._path, is_read_only=False)
        first = 1 + max(int(keys.max(initial=-1)) for keys in (vectors.keys, state.documents.keys))
        keys = range(first, first + len(given))
        lines = {
            document.id: state.documents.line(document, key) for document, key in zip(given, keys, strict=True)
        }
        if given:
            vectors.add(np.array(keys, np.int64), rows)  # first: it may refuse them, and nothing is written yet
        documents = self._keyed(state)
        if given:
            vectors.save(self._path)
        write_lines(self._documents_path, documents.changed(lines, gone), is_packed=documents.is_packed)
        now = self._open_documents()
        # Others that no document has stay: they may be somebody's.
        dead = np.setdiff1d(documents.keys, now.keys)
        if dead.size:
            vectors.remove(dead)
            with suppress(OSError, EngineError):  # it is done already; they are not there, they only take room
                vectors.save(self._path)
        self._state = State(now, vectors, self._fail)

    def _keyed(self, state: State) -> DocumentsFile:
        """Return documents that say their keys. Positions shift when one goes, so they are written down first."""
        documents = state.documents
        if not documents.has_keys:
            write_lines(self._documents_path, documents.changed({}, ()), is_packed=documents.is_packed)
            documents = self._open_documents()
            self._state = State(documents, state.vectors, self._fail)
        return documents


def _paths(address: IndexURI) -> tuple[Path, Path]:
    if not address.path:
        raise EngineError(str(address), f"names no file; write {address.scheme}:FILE?documents=FILE.jsonl")
    path = Path(address.path).expanduser().resolve()
    documents = address.option("documents") or f"{path}.jsonl"
    if documents.endswith((".pkl", ".pickle")):
        raise EngineError(str(address), f"{documents} is a pickle. {EXPORT}")
    return path, Path(documents).expanduser().resolve()


def _truth(address: IndexURI, name: str) -> bool:
    given = address.option(name, "false")
    if given not in ("true", "false"):
        raise ArgumentError("index", f"{address}: {name} is true or false, got {given!r}")
    return given == "true"


def number(address: IndexURI, name: str) -> int | None:
    """Return a whole number of at least 1 that an option gives."""
    given = address.option(name)
    if not given:
        return None
    if not given.isdecimal() or int(given) < 1:
        raise ArgumentError("index", f"{address}: {name} is a whole number of at least 1, got {given!r}")
    return int(given)


def check_file(address: IndexURI, path: Path) -> None:
    """Raise where no file is there that could be read."""
    if path.is_dir():
        inside = path / "index.faiss"
        if inside.exists():
            problem = f"is a folder as LangChain writes it. Name {inside}; its documents are in a pickle. {EXPORT}"
        else:
            problem = "is a folder; name the file of vectors in it"
        raise EngineError(str(address), problem)
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise EngineError(str(address), f"{path} cannot be read ({error.strerror})") from None


@contextmanager
def _explained(address: IndexURI) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise EngineError(
            str(address),
            f"cannot be written ({where}{error.strerror or redact(str(error))}); nothing was changed. "
            "See that the folder is there, may be written to and has room",
        ) from None


@contextmanager
def _alone(address: IndexURI, path: Path) -> Iterator[None]:
    """Hold the lock of a file of vectors: nobody else writes meanwhile."""
    try:
        with locked(_lock_of(path), wait_seconds=_WAIT_SECONDS):
            yield
    except TimeoutError:
        problem = f"another process has been writing to it for {_WAIT_SECONDS} seconds; try again later"
        raise EngineError(str(address), problem) from None


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _sidecar(path: Path) -> Path:
    return path.with_name(f"{path.name}.esens.json")


def _write_sidecar(path: Path, embedder_id: EmbedderId | None) -> None:
    with replacing(path) as file:
        file.write(json.dumps({"format": _FORMAT, "made_by": embedder_id and embedder_id._asdict()}).encode())


def _embedder_id(path: Path, fail: Callable[[str], EngineError]) -> EmbedderId | None:
    try:
        kept: Any = json.loads(path.read_bytes())
        if kept["format"] > _FORMAT:
            raise fail(f"{path} was written by a newer esens; update it")
        return EmbedderId(str(kept["made_by"]["name"]), str(kept["made_by"]["hash"])) if kept["made_by"] else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(f"{path} cannot be read ({error}); remove it, and esens forgets who made the vectors") from None
