"""What every index offers, from a matrix in memory to a cluster.

A document is known by its id. Vectors are compared by their cosine or, where an engine's users chose so, by their
inner product; either is the raw score. A filter (see ``where.py``) says which documents are asked about.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy.typing as npt

from esens.arrays.ranges import ScoreRange as ScoreRange
from esens.arrays.unit import Vectors as Vectors
from esens.index.filters import Where
from esens.types import Document, EmbedderId

Lookup = Callable[[Sequence[int]], Sequence[Document]]


class Neighbours(NamedTuple):
    """The documents with the greatest raw scores for one vector, greatest first.

    Equal scores keep the order of the corpus where the index knows it, and that of their ids elsewhere.
    ``vectors`` are theirs as they are compared, a row each, where they were asked for.
    """

    documents: tuple[Document, ...]
    scores: Vectors
    vectors: Vectors | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents."""
        return tuple(document.id for document in self.documents)


class Scan(NamedTuple):
    """The raw scores of every document, a row a vector, and what gives the documents behind the columns."""

    raw: Vectors
    lookup: Lookup


@runtime_checkable
class Index(Protocol):
    """Documents and their vectors, to be searched."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors, where the index knows."""
        ...

    def __len__(self) -> int:
        """Return how many documents there are."""
        ...

    def nearest(
        self, vectors: Vectors, k: int, *, where: Where = (), with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each)."""
        ...

    def score_ranges(self, vectors: Vectors, *, where: Where = ()) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach."""
        ...

    def raw_scores(self, vectors: Vectors, ids: Sequence[str]) -> Vectors:
        """Return the raw score of every vector (a row each) with these documents (a column each)."""
        ...

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        ...

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""
        ...


@runtime_checkable
class WritableIndex(Index, Protocol):
    """An index that can be changed. When a call returns, what it did is kept; when it raises, nothing was done."""

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        ...

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        ...


@runtime_checkable
class ScannableIndex(Index, Protocol):
    """An index that can compare a vector with every document at once."""

    @property
    def is_scannable(self) -> bool:
        """Whether to do so: a large one may be better searched otherwise."""
        ...

    def scan(self, vectors: Vectors, *, where: Where = ()) -> Scan:
        """Return the raw score of every vector (a row each) with every document (a column each)."""
        ...


@runtime_checkable
class OptimisableIndex(WritableIndex, Protocol):
    """An index that is faster once it is put in order after much was written."""

    def optimise(self) -> None:
        """Put it in order."""
        ...


class Closing:
    """What holds a connection or a file: closed at the end of a ``with`` block, or by :meth:`close`."""

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
