"""An index in two files: vectors as a library writes them, and their documents in JSONL beside them.

They are only read: whoever has such files has a program that writes them. A vector whose key no document has is
not there.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, NoReturn, Protocol, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import Array, top_k
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors
from esens.errors import ArgumentError, EngineError
from esens.index.base import ENDS, BaseIndex, Metric, Neighbours, Pool, lengths_of
from esens.index.check import IndexCheck, IndexProblem
from esens.index.files.note import FilesNote
from esens.index.files.sidecar import Positions, SidecarDocuments, SidecarFields
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, Sample
from esens.index.uri import IndexURI
from esens.index.words import WordIndex
from esens.messages import mask_spec
from esens.types import EmbedderId

_NO_HASHES = (
    "whether the files are what was written: the library keeps no checksums in them, and nobody has recorded "
    "their hashes; esens check --record does, of what they are now"
)
_OPTIONS = ("documents", "id", "text", "title", "key")
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
    metric: Metric
    keys: Positions

    def search(self, vectors: Vectors, k: int) -> list[Positions]:
        """Return the keys of the k nearest of every vector."""
        ...

    def search_among(self, vectors: Vectors, k: int, keys: Positions) -> list[Positions] | None:
        """Return the keys of the k nearest among these, or None where the library cannot."""
        ...

    def rows(self, keys: Positions) -> Vectors:
        """Return the vectors under these keys: of unit length where they are compared by cosine."""
        ...


class _ComparedRows(NamedTuple):
    """The positions of the nearest documents of each probe and their scores; all of them, and their vectors."""

    best: list[Positions]
    scores: list[Vectors]
    near: Positions
    vectors: Vectors


class FileIndex(BaseIndex):
    """What an index of two files does, whoever wrote the vectors.

    The library finds the nearest; their scores are computed here from the vectors it gives back, so that they are
    the same in every search. Where those are approximations (quantised), so are the scores. Both files are as they
    were when the index was opened.
    """

    options: ClassVar[tuple[str, ...]] = ()
    writing: ClassVar[str]
    """How the library writes its file."""

    def __init__(self, uri: IndexURI) -> None:
        """Open both files."""
        super().__init__(uri)
        uri.check_options((*_OPTIONS, *self.options))
        path, documents_path = _paths(uri)
        self._note, self._files = FilesNote.read(path, self._fail), {"vectors": path, "documents": documents_path}
        self._check_hashes()
        self.embedder_id = self._note.embedder_id
        self._documents = self._open_documents(path, documents_path)
        self._vectors = self.read_vectors(uri, path)
        self.dimension, self.metric = self._vectors.dimension, self._vectors.metric
        self._order = np.argsort(self._documents.keys, kind="stable")
        self._sorted_keys = self._documents.keys[self._order]
        self._without_document = len(self._vectors.keys) - len(self._documents)
        self._check_keys()

    @classmethod
    def open(cls, uri: IndexURI) -> Self:
        """Open an index that is there."""
        return cls(uri)

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> NoReturn:  # noqa: ARG003
        """Say how to write such files, which esens does not."""
        raise EngineError(
            str(uri),
            f"esens searches files of {uri.scheme} and does not write them; write to a folder instead "
            f"(esens index … --to my.lance), or write both files yourself: the vectors with {cls.writing}, and "
            'beside it FILE.jsonl with a line {"id": …, "text": …} for every vector, in the same order',
        )

    @classmethod
    @abstractmethod
    def read_vectors(cls, uri: IndexURI, path: Path) -> VectorFile:
        """Read the vectors of a file; EngineError where that cannot be done."""

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._documents)

    def record(self) -> None:
        """Keep the hashes of both files as they are now; they are compared whenever the files are opened."""
        try:
            self._note.record(self._files)
        except OSError as error:
            raise self._fail(f"{self._note.path} cannot be written ({error.strerror})") from None
        self._note = FilesNote.read(self._files["vectors"], self._fail)

    def check(self) -> IndexCheck:
        """Read every vector and every document; compare the files with their hashes, where those are recorded."""
        self._check_hashes()
        bad = [id_ for start in range(0, len(self), _BLOCK) for id_ in self._unreadable(start)]
        problems = [IndexProblem("vectors hold numbers that are none", "write the file anew", tuple(bad))]
        has_hashes = self._note.hashes.keys() == self._files.keys()
        checked = ["that every document reads as one, and has a vector of numbers"]
        return IndexCheck(
            str(self.uri),
            len(self),
            self.dimension,
            self.embedder_id,
            (*checked, "both files by their hashes") if has_hashes else tuple(checked),
            () if has_hashes else (_NO_HASHES,),
            tuple(problems) if bad else (),
        )

    def _unreadable(self, start: int) -> list[str]:
        """Return the ids of documents from here on whose vectors are none."""
        positions = np.arange(start, min(start + _BLOCK, len(self)))
        documents = self._documents.at(positions.tolist())  # which reads every one of them
        bad = np.flatnonzero(~np.isfinite(self._rows(positions)).all(axis=1))
        return [documents[at].id for at in bad]

    def close(self) -> None:
        """Close the documents file."""
        self._documents.close()

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep the order of the file.

        Up to SAMPLE documents that fulfil a filter are all compared; of more, the library finds the nearest, and
        where it finds too few, all are compared after all.
        """
        ranked = self._find(probes, k, where)
        documents = dict(zip(ranked.near.tolist(), self._documents.at(ranked.near.tolist()), strict=True))
        return [
            Neighbours(
                tuple(documents[position] for position in best.tolist()),
                scores,
                ranked.vectors[np.searchsorted(ranked.near, best)] if with_vectors else None,
            )
            for best, scores in zip(ranked.best, ranked.scores, strict=True)
        ]

    def pool(self, probes: Vectors, texts: Vectors, k: int, where: Filter | None, ends: Vectors) -> Pool:
        """Return the k nearest of every probe and two of ``ends``, with raw scores; documents are read later."""
        ranked = self._find(probes, k, where, ends)
        matrix = self.comparable(ranked.vectors)
        return Pool(
            scan(matrix, texts),
            lambda columns: self._documents.at(ranked.near[list(columns)].tolist()),
            lengths_of(matrix),
            tuple(int(np.searchsorted(ranked.near, best[-1])) for best in ranked.best[: len(probes)] if len(best)),
            all(len(best) < k for best in ranked.best[: len(probes)]),
            self._documents.has_passages,
        )

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, by BM25; their words are kept in memory."""
        selected = self._documents.select(where)
        return [self._best_by_words(self._word_index.scores(text)[selected], selected, k) for text in texts]

    def _best_by_words(self, scores: Array, selected: Positions, k: int) -> Neighbours:
        best = top_k(scores, min(k, int(np.count_nonzero(scores))))
        positions = selected[best]
        documents = tuple(self._documents.at(positions.tolist()))
        return Neighbours(documents, np.asarray(scores[best]), self.comparable(self._rows(positions)))

    @cached_property
    def _word_index(self) -> WordIndex:
        """The words of all documents, read when they are first asked for."""
        return WordIndex([document.content for document in self._documents])

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return vectors of documents that fulfil a filter, drawn at random; all where they are fewer."""
        selected = self._documents.select(where)
        chosen = selected
        if len(selected) > size:
            chosen = np.random.default_rng(0).choice(selected, size, replace=False)
        return Sample(self._rows(chosen), len(selected))

    def first_vectors(self, count: int) -> Vectors:
        """Return the vectors of the first documents."""
        return self._rows(np.arange(min(count, len(self._documents))))

    def comparable(self, stored: npt.ArrayLike) -> Vectors:
        """Return vectors as they are compared; for cosines they have unit length already."""
        if self.metric == "cosine":
            return np.asarray(stored, np.float32).reshape(-1, self.dimension)
        return super().comparable(stored)

    def _fail(self, problem: str) -> EngineError:
        return EngineError(str(self.uri), problem)

    def _open_documents(self, path: Path, documents_path: Path) -> SidecarDocuments:
        pickled = path.with_suffix(".pkl")
        if not documents_path.exists() and pickled.exists():
            raise self._fail(f"there is no {documents_path}, only a pickle, {pickled}. {EXPORT}")
        option = self.uri.option
        fields = SidecarFields(option("id"), option("text"), option("title"), option("key"))
        # Of passages esens knows by their fields only in files that it wrote itself, once.
        return SidecarDocuments(documents_path, fields, self._fail, has_passages=self.embedder_id is not None)

    def _check_hashes(self) -> None:
        for path in self._note.changed(self._files):
            raise self._fail(
                f"{path} is not what it was when its hash was recorded: it is damaged, or somebody has written it "
                "anew. Take it from a backup; or, if that is how it should be, write down what it is now with "
                f"esens check --record, after removing {self._note.path}"
            )

    def _rows(self, positions: Positions) -> Vectors:
        """Return the vectors of the documents at these positions."""
        if not len(positions):
            return np.zeros((0, self.dimension), np.float32)
        return self._vectors.rows(self._documents.keys[positions])

    def _search(self, probes: Vectors, k: int, selected: Positions | None) -> list[Positions]:
        """Return the positions that the library finds: k for each vector, or more, or too few."""
        if not k:
            return [np.zeros(0, np.int64)] * len(probes)
        spare = self._without_document
        if selected is None:
            return [self._positions(keys) for keys in self._vectors.search(probes, k + spare)]
        among = self._vectors.search_among(probes, k, self._documents.keys[selected])
        if among is not None:
            return [self._positions(keys) for keys in among]
        count = len(self._documents)
        wide = min(_SPARE * k * count // len(selected), count)
        hits = [self._positions(keys) for keys in self._vectors.search(probes, wide + spare)]
        return [positions[np.isin(positions, selected)] for positions in hits]

    def _positions(self, keys: Positions) -> Positions:
        """Return where the documents with these keys are; a key that none has is left out."""
        at = np.minimum(np.searchsorted(self._sorted_keys, keys), len(self._sorted_keys) - 1)
        positions: Positions = self._order[at[self._sorted_keys[at] == keys]]
        return positions

    def _find(self, probes: Vectors, k: int, where: Filter | None, ends: Vectors | None = None) -> "_ComparedRows":
        """Return the nearest documents of every vector, of ``ends`` the first two; see :meth:`query`."""
        selected = self._documents.select(where)
        k = min(k, len(selected))
        depths = [k] * len(probes)
        if ends is not None and len(ends):  # asked for as many in the same call, which reads the vectors once
            probes, depths = np.concatenate([probes, ends]), depths + [min(ENDS, k)] * len(ends)
        if where is None or len(selected) > SAMPLE:
            candidates = self._search(probes, k, None if where is None else selected)
        else:
            candidates = [selected]
        if any(len(positions) < k for positions in candidates):
            candidates = [selected]
        return self._rank(probes, depths, np.unique(np.concatenate(candidates)))

    def _rank(self, probes: Vectors, depths: Sequence[int], positions: Positions) -> "_ComparedRows":
        """Compute the scores of candidates, some at a time; equal ones keep the order of the file."""
        blocks = [positions[start : start + _BLOCK] for start in range(0, len(positions), _BLOCK)]
        # Of a few candidates the vectors are kept: they are wanted again.
        matrix = self._rows(positions) if len(blocks) <= 1 else None
        rows = (self._rows(block) for block in blocks) if matrix is None else iter((matrix,))
        scores = np.concatenate([scan(part, probes) for part in rows], axis=1)
        columns = [top_k(row, depth) for row, depth in zip(scores, depths, strict=True)]
        near = np.unique(np.concatenate(columns))  # what is near to several probes is there once
        return _ComparedRows(
            [positions[best] for best in columns],
            [row[best] for row, best in zip(scores, columns, strict=True)],
            positions[near],
            self._rows(positions[near]) if matrix is None else matrix[near],
        )

    def _check_keys(self) -> None:
        """Every document needs a vector, and where keys are positions, every vector a document."""
        documents, keys = self._documents, self._vectors.keys
        twice = self._sorted_keys[1:][self._sorted_keys[1:] == self._sorted_keys[:-1]]
        if twice.size:
            raise self._fail(f"two documents have the key {twice[0]}; each needs a vector of its own")
        if not documents.has_keys and self._without_document:
            raise self._fail(
                f"there are {len(keys):,} vectors, but {len(documents):,} documents; give a line to each vector, "
                "or the number of its vector to each document and name that field with key="
            )
        missing = np.setdiff1d(documents.keys, keys)
        if missing.size:
            bounds = f"those that are go from {keys.min()} to {keys.max()}" if len(keys) else "no other is"
            raise self._fail(
                f"{missing.size:,} of {len(documents):,} documents have no vector among {len(keys):,}: the key "
                f"{missing[0]} is not there, and {bounds}; name the field of the documents that holds the right "
                "ones with key="
            )


def positive_option(uri: IndexURI, name: str) -> int | None:
    """Return a whole number of at least 1 that an option gives."""
    value = uri.option(name)
    if not value:
        return None
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentError("index", f"{uri}: {name} is a whole number of at least 1, got {value!r}")
    return int(value)


def check_file(uri: IndexURI, path: Path) -> None:
    """Raise where no file is there that could be read."""
    if path.is_dir():
        inside = path / "index.faiss"
        if inside.exists():
            problem = f"is a folder as LangChain writes it. Name {inside}; its documents are in a pickle. {EXPORT}"
        else:
            problem = "is a folder; name the file of vectors in it"
        raise EngineError(str(uri), problem)
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise EngineError(str(uri), f"{mask_spec(str(path))} cannot be read ({error.strerror})") from None


def _paths(uri: IndexURI) -> tuple[Path, Path]:
    if not uri.path:
        raise EngineError(str(uri), f"names no file; write {uri.scheme}:FILE?documents=FILE.jsonl")
    path = Path(uri.path).expanduser().resolve()
    documents = uri.option("documents") or f"{path}.jsonl"
    if documents.endswith((".pkl", ".pickle")):
        raise EngineError(str(uri), f"{documents} is a pickle. {EXPORT}")
    return path, Path(documents).expanduser().resolve()
