"""An engine to reason about: exact, in memory, and unable to give the score of every document."""

from collections.abc import Mapping, Sequence

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.index import MemoryIndex
from esens.index.base import Neighbours
from esens.index.filters import Where
from esens.types import Document, EmbedderId


class Unscannable:
    """What a server offers, served from memory; it remembers the k and the vectors of every call."""

    def __init__(
        self, documents: Sequence[Document], vectors: np.ndarray, embedder_id: EmbedderId | None = None
    ) -> None:
        self._index = MemoryIndex(documents, vectors)
        self.embedder_id = embedder_id
        self.asked: list[list[int]] = []
        self.vectors_asked: list[np.ndarray] = []

    @property
    def dimension(self) -> int:
        return self._index.dimension

    def __len__(self) -> int:
        return len(self._index)

    def nearest(
        self, vectors: np.ndarray, k: int, *, where: Where = (), with_vectors: bool = False
    ) -> list[Neighbours]:
        self.asked.append([k] * len(vectors))
        self.vectors_asked.append(vectors)
        return self._index.nearest(vectors, k, where=where, with_vectors=with_vectors)

    def score_ranges(self, vectors: np.ndarray, *, where: Where = ()) -> list[ScoreRange]:
        return self._index.score_ranges(vectors, where=where)

    def raw_scores(self, vectors: np.ndarray, ids: Sequence[str]) -> np.ndarray:
        return self._index.raw_scores(vectors, ids)

    def vectors(self, ids: Sequence[str]) -> np.ndarray:
        return self._index.vectors(ids)

    def upsert(self, documents: Sequence[Document], vectors: np.ndarray) -> None:
        self._index.upsert(documents, vectors)

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        return self._index.documents(ids)
