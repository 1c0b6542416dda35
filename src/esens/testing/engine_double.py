"""An engine to reason about: exact, in memory, and unable to compare a vector with every document."""

from collections.abc import Sequence

import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.index.base import Neighbours, Vectors
from esens.index.filters import Filter
from esens.index.memory import MemoryIndex
from esens.types import Document, EmbedderId


class EngineDouble:
    """An exact engine in memory without ``scan``; it remembers the k and the vectors of every search."""

    def __init__(
        self,
        documents: Sequence[Document],
        vectors: npt.ArrayLike,
        embedder_id: EmbedderId | None = None,
        *,
        max_neighbours: int | None = None,
    ) -> None:
        """Take documents and a row for each; with ``max_neighbours``, one search finds no more than that."""
        self._index = MemoryIndex(documents, vectors)
        self.embedder_id = embedder_id
        self.max_neighbours = max_neighbours
        self.requested_k: list[list[int]] = []
        self.requested_vectors: list[Vectors] = []

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._index.dimension

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._index)

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector, at most ``max_neighbours``."""
        self.requested_k.append([k] * len(vectors))
        self.requested_vectors.append(vectors)
        limit = k if self.max_neighbours is None else min(k, self.max_neighbours)
        return self._index.nearest(vectors, limit, where=where, with_vectors=with_vectors)

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's cosines, exactly."""
        return self._index.score_ranges(vectors, where=where)

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the unit vectors of these documents, a row each."""
        return self._index.vectors(ids)

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        return self._index.documents(ids)

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents; one whose id is there already takes its place."""
        self._index.upsert(documents, vectors)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        return self._index.delete(ids)

    def close(self) -> None:
        """Nothing is held open."""
