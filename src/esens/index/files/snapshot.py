"""Vectors and their documents as they are at one time: what is found among them, and how far scores reach."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import top_k
from esens.arrays.scan import scan
from esens.errors import EngineError
from esens.index.base import Vectors
from esens.index.files.sidecar import DocumentsFile, Numbers
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, TOP, Sample, Samples, estimate_ranges

_BLOCK = 16_384
# Of so many times the neighbours that are wanted, enough fulfil a filter as a rule.
_SPARE = 2


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


class Found(NamedTuple):
    """Where the nearest documents are, their scores, and their vectors."""

    positions: Numbers
    scores: Vectors
    vectors: Vectors


class State:
    """Both files as they are at one time. It is never changed: who writes makes another."""

    def __init__(self, documents: DocumentsFile, vectors: VectorFile, fail: Callable[[str], EngineError]) -> None:
        self.documents, self.vectors = documents, vectors
        self._order = np.argsort(documents.keys, kind="stable")
        self._sorted = documents.keys[self._order]
        self._dead = len(vectors.keys) - len(documents)
        self._samples = Samples()
        self._check(fail)

    def nearest(self, asked: Vectors, k: int, where: Filter | None) -> list[Found]:
        """Return the nearest of every vector."""
        kept = self._kept(where)
        k = min(k, self._count(kept))
        if k < 1:
            none = np.zeros(0, np.int64)
            return [Found(none, none.astype(np.float32), self.rows(none))] * len(asked)
        if kept is not None and len(kept) <= SAMPLE:
            return self._compared(asked, k, kept, self._samples.of(where, self._draw).vectors)
        found = self._searched(asked, k, kept)
        if any(len(best) < k for best in found):
            return self._compared(asked, k, np.arange(len(self.documents)) if kept is None else kept)
        return [self._scored(vector, k, best) for vector, best in zip(asked, found, strict=True)]

    def score_ranges(self, asked: Vectors, where: Filter | None) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach."""
        kept = self._kept(where)
        count = self._count(kept)
        if count <= SAMPLE:
            return [score_range(scores) for scores in scan(self._samples.of(where, self._draw).vectors, asked)]
        near = self.nearest(asked, TOP, where)
        if self.vectors.is_exact:
            far = self.nearest(-asked, 1, where)
            return [
                ScoreRange(-float(low.scores[0]), float(high.scores[0]), float(high.scores[1]), True)
                for low, high in zip(far, near, strict=True)
            ]
        top = [found.scores for found in near]
        return estimate_ranges(asked, top, *self._samples.of(where, self._draw))

    def _draw(self, where: Filter | None) -> Sample:
        return _drawn(self.documents, self.vectors, where)

    def rows(self, positions: Numbers) -> Vectors:
        """Return the vectors of the documents at these positions."""
        return _rows(self.documents, self.vectors, positions)

    def _kept(self, where: Filter | None) -> Numbers | None:
        """Return the positions of the documents that are asked about; None stands for all."""
        return self.documents.kept(where) if where else None

    def _count(self, kept: Numbers | None) -> int:
        return len(self.documents) if kept is None else len(kept)

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

    def _scored(self, vector: Vectors, k: int, best: Numbers) -> Found:
        """Compute the scores of what was found; equal ones keep the order of the file."""
        positions = np.sort(best)
        rows = self.rows(positions)
        scores = scan(rows, vector[None])[0]
        order = np.argsort(-scores, kind="stable")[:k]
        return Found(positions[order], scores[order], rows[order])

    def _compared(self, asked: Vectors, k: int, kept: Numbers, rows: Vectors | None = None) -> list[Found]:
        """Compare every document that is asked about, some at a time where their vectors are not at hand."""
        parts = (self.rows(kept[start : start + _BLOCK]) for start in range(0, len(kept), _BLOCK))
        raw = np.concatenate([scan(part, asked) for part in (parts if rows is None else (rows,))], axis=1)
        best = [top_k(scores, k) for scores in raw]
        return [
            Found(kept[at], scores[at], self.rows(kept[at]) if rows is None else rows[at])
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


def _drawn(documents: DocumentsFile, vectors: VectorFile, where: Filter | None) -> Sample:
    """Return the vectors of the documents that fulfil a filter, or of a uniform sample of them."""
    some = documents.kept(where) if where else np.arange(len(documents))
    count = len(some)
    if count > SAMPLE:
        some = np.random.default_rng(0).choice(some, SAMPLE, replace=False)
    return Sample(_rows(documents, vectors, some), count)


def _rows(documents: DocumentsFile, vectors: VectorFile, positions: Numbers) -> Vectors:
    if not len(positions):
        return np.zeros((0, vectors.dimension), np.float32)
    return vectors.rows(documents.keys[positions])


def _reach(keys: Numbers) -> str:
    return f"those that are go from {keys.min()} to {keys.max()}" if len(keys) else "no other is"
