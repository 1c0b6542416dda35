"""An index in two files: vectors as a library writes them, and their documents in JSONL beside them.

The documents file is the truth: a vector whose key no document has is not there. So what is written in this order
can be cut short anywhere: the file with the new vectors, under keys that no document has; then the file of
documents, which is the moment it counts; then the vectors without those that are gone. Each is written beside the
old one and put in its place when it is whole and on disk, and whoever has the old one open may go on reading it.

When a call returns, what it did outlives a power cut. It reads and writes both files whole, and holds the vectors
twice meanwhile, so give many documents at a time. One process may write: who finds that another has written since
raises and changes nothing, but two that write in the same moment are not kept apart.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError, EngineError
from esens.index.address import Address
from esens.index.base import MadeBy, Neighbours, Span, Vectors
from esens.index.estimate import SAMPLE, TOP, estimated_spans
from esens.index.files.beside import DocumentsFile, Fields, Numbers, keep, name_of, replacing, write_lines
from esens.index.memory import scan, span_of
from esens.index.vectors import a_row_a_document, not_there, unit_rows
from esens.index.where import Where
from esens.rank import top_k
from esens.types import Document, documents_of
from esens.wire.secrets import shown

_FORMAT = 1
_OPTIONS = ("documents", "id", "text", "title", "key", "readonly")
_BLOCK = 16_384
# Of so many times the neighbours that are wanted, enough fulfil a filter as a rule.
_SPARE = 2
EXPORT = (
    "Reading a pickle runs what is in it, so it is never read here. Export the documents with the library that "
    'wrote them to JSONL, a line {"id": …, "text": …} each in the order of the vectors, and name that file with '
    "documents="
)
"""What to do where documents are in a pickle."""


class VectorFile(Protocol):
    """Vectors under keys, read from a file."""

    dimension: int
    keys: Numbers
    is_exact: bool
    """Whether a search compares every vector."""
    can_remove: bool

    def search(self, vectors: Vectors, k: int) -> list[Numbers]:
        """Return the keys of the k nearest of every vector."""
        ...

    def search_among(self, vectors: Vectors, k: int, keys: Numbers) -> list[Numbers] | None:
        """Return the keys of the k nearest among these, or None where the library cannot."""
        ...

    def rows(self, keys: Numbers) -> Vectors:
        """Return the vectors under these keys as they are compared."""
        ...

    def add(self, keys: Numbers, rows: Vectors) -> None:
        """Add vectors under new keys, which are greater than all others."""
        ...

    def remove(self, keys: Numbers) -> None:
        """Remove the vectors under these keys."""
        ...

    def save(self, path: Path) -> None:
        """Put a file of these vectors in the place of another."""
        ...


class PairIndex(ABC):
    """What an index of two files does, whoever wrote the vectors.

    The library finds the nearest; their scores are computed here from the vectors it gives back, so that they are
    the same wherever they are asked for. Where those are approximations (quantised), so are the scores.
    """

    options: tuple[str, ...] = ()

    def __init__(self, address: Address) -> None:
        """Open both files."""
        address.check_options((*_OPTIONS, *self.options))
        self._address = address
        self._path, self._documents_path = _paths(address)
        self.is_read_only = _truth(address, "readonly")
        self._lock = Lock()
        self.made_by = _made_by(_sidecar(self._path), self._fail)
        self._state = self._opened()

    @classmethod
    def open(cls, address: Address) -> Self:
        """Open an index that is there."""
        return cls(address)

    @classmethod
    def prepare(cls, address: Address, *, dimension: int, made_by: MadeBy | None) -> Self:
        """Open an index to write to, or make both files where they are not there yet."""
        address.check_options((*_OPTIONS, *cls.options))
        path, documents = _paths(address)
        if _truth(address, "readonly"):
            raise EngineError(str(address), "readonly=true: leave it out to write to this index")
        if not path.exists():
            cls._make(address, path, documents, dimension, made_by)
        index = cls(address)
        if index.dimension != dimension:
            raise index._fail(
                f"its vectors have dimension {index.dimension}, not {dimension}; use the model that made them, "
                "or name a new file"
            )
        if made_by and index.made_by and index.made_by.hash != made_by.hash:
            raise index._fail(
                f"its vectors were made by {index.made_by.name} ({index.made_by.hash}), not by {made_by.name} "
                f"({made_by.hash}); use that embedder, or name a new file"
            )
        if made_by and not index.made_by and not len(index):
            with _explained(address):
                _write_sidecar(_sidecar(path), made_by)
            index.made_by = made_by
        return index

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._state.vectors.dimension

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._state.documents)

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Where = (), with_vectors: bool = False
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

    def spans(self, vectors: npt.ArrayLike, *, where: Where = ()) -> list[Span]:
        """Return how far the raw scores of every vector reach; exact up to SAMPLE documents, or if flat."""
        return self._state.spans(self._asked(vectors), where)

    def raw_scores(self, vectors: npt.ArrayLike, ids: Sequence[str]) -> Vectors:
        """Return the raw score of every vector (a row each) with these documents (a column each)."""
        return scan(self.vectors(ids), self._asked(vectors))

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._address)!r})"

    @classmethod
    @abstractmethod
    def _fresh(cls, address: Address, dimension: int) -> VectorFile:
        """Return vectors of a new file: none."""

    @classmethod
    @abstractmethod
    def _read(cls, address: Address, path: Path, *, is_read_only: bool) -> VectorFile:
        """Read the vectors of a file; EngineError where that cannot be done."""

    @classmethod
    def _make(cls, address: Address, path: Path, documents: Path, dimension: int, made_by: MadeBy | None) -> None:
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
                    (_sidecar(path), lambda one: _write_sidecar(one, made_by)),
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

    def _opened(self) -> "_State":
        """Open both files; once more where somebody wrote in between."""
        while True:
            documents = self._open_documents()
            vectors = self._read(self._address, self._path, is_read_only=self.is_read_only)
            if documents.is_current():
                return _State(documents, vectors, self._fail)

    def _open_documents(self) -> DocumentsFile:
        pickled = self._path.with_suffix(".pkl")
        if not self._documents_path.exists() and pickled.exists():
            raise self._fail(f"there is no {self._documents_path}, only a pickle, {pickled}. {EXPORT}")
        option = self._address.option
        fields = Fields(option("id"), option("text"), option("title"), option("key"))
        return DocumentsFile(self._documents_path, fields, self._fail)

    @contextmanager
    def _writing(self) -> Iterator["_State"]:
        if self.is_read_only:
            raise self._fail("was opened with readonly=true; leave that out to write to it")
        with self._lock, _explained(self._address):
            if not self._state.documents.is_current():
                raise self._fail(f"somebody else has changed {self._documents_path}; open the index again")
            yield self._state

    def _check_removable(self, state: "_State", ids: Sequence[str]) -> None:
        there = next((id_ for id_ in ids if id_ in state.documents.positions), None)
        if there is not None and not state.vectors.can_remove:
            raise self._fail(
                f"the document {there!r} cannot be removed or replaced: a vector index of this kind only grows; "
                "build it anew, or index into a new file"
            )

    def _change(self, state: "_State", given: Sequence[Document], rows: Vectors, *, gone: Collection[int]) -> None:
        """Write all of it, in the order that the head of this file tells."""
        vectors = self._read(self._address, self._path, is_read_only=False)
        first = 1 + max(int(keys.max(initial=-1)) for keys in (vectors.keys, state.documents.keys))
        keys = range(first, first + len(given))
        lines = {
            document.id: state.documents.line(document, key) for document, key in zip(given, keys, strict=True)
        }
        documents = self._keyed(state)
        if given:
            vectors.add(np.array(keys, np.int64), rows)
            vectors.save(self._path)
        write_lines(self._documents_path, documents.changed(lines, gone), is_packed=documents.is_packed)
        now = self._open_documents()
        # Others that no document has stay: they may be somebody's.
        dead = np.setdiff1d(documents.keys, now.keys)
        if dead.size:
            vectors.remove(dead)
            with suppress(OSError, EngineError):  # it is done already; they are not there, they only take room
                vectors.save(self._path)
        self._state = _State(now, vectors, self._fail)

    def _keyed(self, state: "_State") -> DocumentsFile:
        """Return documents that say their keys. Positions shift when one goes, so they are written down first."""
        documents = state.documents
        if not documents.has_keys:
            write_lines(self._documents_path, documents.changed({}, ()), is_packed=documents.is_packed)
            documents = self._open_documents()
            self._state = _State(documents, state.vectors, self._fail)
        return documents


class _Found(NamedTuple):
    """Where the nearest documents are, their scores, and their vectors."""

    positions: Numbers
    scores: Vectors
    vectors: Vectors


class _State:
    """Both files as they are at one time. It is never changed: who writes makes another."""

    def __init__(self, documents: DocumentsFile, vectors: VectorFile, fail: Callable[[str], EngineError]) -> None:
        self.documents, self.vectors = documents, vectors
        self._order = np.argsort(documents.keys, kind="stable")
        self._sorted = documents.keys[self._order]
        self._dead = len(vectors.keys) - len(documents)
        self._samples: dict[str, Vectors] = {}
        self._check(fail)

    def nearest(self, asked: Vectors, k: int, where: Where) -> list["_Found"]:
        """Return the nearest of every vector."""
        kept = self._kept(where)
        k = min(k, self._count(kept))
        if k < 1:
            none = np.zeros(0, np.int64)
            return [_Found(none, none.astype(np.float32), self.rows(none))] * len(asked)
        if kept is not None and len(kept) <= SAMPLE:
            return self._compared(asked, k, kept, self._sample(where, kept))
        found = self._searched(asked, k, kept)
        if any(len(best) < k for best in found):
            return self._compared(asked, k, np.arange(len(self.documents)) if kept is None else kept)
        return [self._scored(vector, k, best) for vector, best in zip(asked, found, strict=True)]

    def spans(self, asked: Vectors, where: Where) -> list[Span]:
        """Return how far the raw scores of every vector reach."""
        kept = self._kept(where)
        count = self._count(kept)
        if count <= SAMPLE:
            return [span_of(scores) for scores in scan(self._sample(where, kept), asked)]
        near = self.nearest(asked, TOP, where)
        if self.vectors.is_exact:
            far = self.nearest(-asked, 1, where)
            return [
                Span(-float(low.scores[0]), float(high.scores[0]), float(high.scores[1]), True)
                for low, high in zip(far, near, strict=True)
            ]
        top = [Neighbours((), found.scores) for found in near]
        return estimated_spans(asked, top, self._sample(where, kept), count)

    def rows(self, positions: Numbers) -> Vectors:
        """Return the vectors of the documents at these positions."""
        if not len(positions):
            return np.zeros((0, self.vectors.dimension), np.float32)
        return self.vectors.rows(self.documents.keys[positions])

    def _kept(self, where: Where) -> Numbers | None:
        """Return the positions of the documents that are asked about; None stands for all."""
        return self.documents.kept(where) if where else None

    def _count(self, kept: Numbers | None) -> int:
        return len(self.documents) if kept is None else len(kept)

    def _sample(self, where: Where, kept: Numbers | None) -> Vectors:
        """Return the vectors of these documents, or of a uniform sample of them; drawn once for a filter."""
        sample = self._samples.get(name_of(where))
        if sample is None:
            some = np.arange(len(self.documents)) if kept is None else kept
            if len(some) > SAMPLE:
                some = np.random.default_rng(0).choice(some, SAMPLE, replace=False)
            sample = self.rows(some)
            keep(self._samples, where, sample)
        return sample

    def _searched(self, asked: Vectors, k: int, kept: Numbers | None) -> list[Numbers]:
        """Return the positions that the library finds: k for each vector, or more, or too few."""
        if kept is None:
            return [self._positions(keys) for keys in self.vectors.search(asked, k + self._dead)]
        among = self.vectors.search_among(asked, k, self.documents.keys[kept])
        if among is not None:
            return [self._positions(keys) for keys in among]
        count = len(self.documents)
        wide = min(_SPARE * k * count // len(kept), count)
        found = [self._positions(keys) for keys in self.vectors.search(asked, wide + self._dead)]
        return [best[np.isin(best, kept)] for best in found]

    def _positions(self, keys: Numbers) -> Numbers:
        """Return where the documents with these keys are; a key that none has is left out."""
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        found: Numbers = self._order[at[self._sorted[at] == keys]]
        return found

    def _scored(self, vector: Vectors, k: int, best: Numbers) -> "_Found":
        """Compute the scores of what was found; equal ones keep the order of the file."""
        positions = np.sort(best)
        rows = self.rows(positions)
        scores = scan(rows, vector[None])[0]
        order = np.argsort(-scores, kind="stable")[:k]
        return _Found(positions[order], scores[order], rows[order])

    def _compared(self, asked: Vectors, k: int, kept: Numbers, rows: Vectors | None = None) -> list["_Found"]:
        """Compare every document that is asked about, some at a time where their vectors are not at hand."""
        parts = (self.rows(kept[start : start + _BLOCK]) for start in range(0, len(kept), _BLOCK))
        raw = np.concatenate([scan(part, asked) for part in (parts if rows is None else (rows,))], axis=1)
        best = [top_k(scores, k) for scores in raw]
        return [
            _Found(kept[at], scores[at], self.rows(kept[at]) if rows is None else rows[at])
            for at, scores in zip(best, raw, strict=True)
        ]

    def _check(self, fail: Callable[[str], EngineError]) -> None:
        """Every document needs a vector, and where keys are positions, every vector a document."""
        documents, keys = self.documents, self.vectors.keys
        twice = self._sorted[1:][self._sorted[1:] == self._sorted[:-1]]
        if twice.size:
            raise fail(f"two documents have the key {twice[0]}; each needs a vector of its own")
        if not documents.has_keys and self._dead:
            raise fail(
                f"there are {len(keys):,} vectors, but {len(documents):,} documents; give a line to each vector, "
                "or the number of its vector to each document and name that field with key="
            )
        missing = np.setdiff1d(documents.keys, keys)
        if missing.size:
            raise fail(
                f"{missing.size:,} of {len(documents):,} documents have no vector among {len(keys):,}: the key "
                f"{missing[0]} is not there, and {_reach(keys)}; name the field of the documents that holds the "
                "right ones with key="
            )


def _reach(keys: Numbers) -> str:
    return f"those that are go from {keys.min()} to {keys.max()}" if len(keys) else "no other is"


def _paths(address: Address) -> tuple[Path, Path]:
    if not address.path:
        raise EngineError(str(address), f"names no file; write {address.scheme}:FILE?documents=FILE.jsonl")
    path = Path(address.path).expanduser().resolve()
    documents = address.option("documents") or f"{path}.jsonl"
    if documents.endswith((".pkl", ".pickle")):
        raise EngineError(str(address), f"{documents} is a pickle. {EXPORT}")
    return path, Path(documents).expanduser().resolve()


def _truth(address: Address, name: str) -> bool:
    given = address.option(name, "false")
    if given not in ("true", "false"):
        raise ArgumentError("index", f"{address}: {name} is true or false, got {given!r}")
    return given == "true"


def number(address: Address, name: str) -> int | None:
    """Return a whole number of at least 1 that an option gives."""
    given = address.option(name)
    if not given:
        return None
    if not given.isdecimal() or int(given) < 1:
        raise ArgumentError("index", f"{address}: {name} is a whole number of at least 1, got {given!r}")
    return int(given)


def check_file(address: Address, path: Path) -> None:
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
def _explained(address: Address) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise EngineError(
            str(address),
            f"cannot be written ({where}{error.strerror or shown(str(error))}); nothing was changed. "
            "See that the folder is there, may be written to and has room",
        ) from None


def _sidecar(path: Path) -> Path:
    return path.with_name(f"{path.name}.esens.json")


def _write_sidecar(path: Path, made_by: MadeBy | None) -> None:
    with replacing(path) as file:
        file.write(json.dumps({"format": _FORMAT, "made_by": made_by and made_by._asdict()}).encode())


def _made_by(path: Path, fail: Callable[[str], EngineError]) -> MadeBy | None:
    try:
        kept: Any = json.loads(path.read_bytes())
        if kept["format"] > _FORMAT:
            raise fail(f"{path} was written by a newer esens; update it")
        return MadeBy(str(kept["made_by"]["name"]), str(kept["made_by"]["hash"])) if kept["made_by"] else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(f"{path} cannot be read ({error}); remove it, and esens forgets who made the vectors") from None
