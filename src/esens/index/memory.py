"""Exact, in memory: the oracle that every other index is compared with."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import Positions, top_k
from esens.arrays.scan import cores, scan
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError
from esens.index.base import Lookup, Neighbours, Scan, Vectors
from esens.index.filters import Where, fulfils
from esens.types import Document, EmbedderId, documents_of


class MemoryIndex:
    """Documents and their vectors, held in memory and compared with every query.

    Corpus order is the order in which ids came first; a document that takes another's place keeps that place.
    """

    is_scannable = True
    embedder_id: EmbedderId | None = None

    def __init__(
        self,
        documents: Iterable[str | Mapping[str, Any] | Document],
        vectors: npt.ArrayLike,
        *,
        threads: int | None = None,
    ) -> None:
        """Take documents and a matrix with a row for each; ``threads`` is the number of cores by default."""
        given = documents_of(documents)
        if not given:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        self._corpus = _Corpus(given, a_row_a_document(vectors, len(given)))
        self._threads = _threads(threads)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._corpus.vectors.shape[1])

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._corpus.documents)

    def scan(self, vectors: npt.ArrayLike, *, where: Where = ()) -> Scan:
        """Return the cosine of every vector (a row each) with every document (a column each)."""
        corpus = self._corpus
        raw = self._compared(corpus.vectors, vectors)
        if not where:
            return Scan(raw, corpus.at)
        kept = [at for at, document in enumerate(corpus.documents) if fulfils(document.metadata, where)]
        return Scan(raw[:, kept], lambda positions: corpus.at([kept[position] for position in positions]))

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Where = (), with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep corpus order."""
        corpus = self._corpus
        raw, lookup = self.scan(vectors, where=where)
        return [corpus.neighbours(scores, top_k(scores, k), lookup, with_vectors) for scores in raw]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Where = ()) -> list[ScoreRange]:
        """Return how far the cosines of every vector reach, exactly."""
        return [score_range(scores) for scores in self.scan(vectors, where=where).raw]

    def raw_scores(self, vectors: npt.ArrayLike, ids: Sequence[str] | None = None) -> Vectors:
        """Return the cosine of every vector (a row each) with these documents, or all in corpus order."""
        return self._compared(self._corpus.vectors if ids is None else self.vectors(ids), vectors)

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the unit vectors of these documents, a row each."""
        return self._corpus.rows(ids)

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        corpus = self._corpus
        return {id_: corpus.documents[corpus.places[id_]] for id_ in ids if id_ in corpus.places}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        given = documents_of(documents)
        rows = a_row_a_document(vectors, len(given), dimension=self.dimension)
        corpus = self._corpus
        fresh = [at for at, document in enumerate(given) if document.id not in corpus.places]
        all_rows = np.concatenate([corpus.vectors, rows[fresh]])
        all_documents = [*corpus.documents, *(given[at] for at in fresh)]
        for at, document in enumerate(given):
            if (old := corpus.places.get(document.id)) is not None:
                all_documents[old], all_rows[old] = document, rows[at]
        self._corpus = _Corpus(all_documents, all_rows)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        corpus = self._corpus
        gone = {corpus.places[id_] for id_ in ids if id_ in corpus.places}
        kept = [at for at in range(len(corpus.documents)) if at not in gone]
        self._corpus = _Corpus(corpus.at(kept), corpus.vectors[kept])
        return len(gone)

    def _compared(self, rows: Vectors, vectors: npt.ArrayLike) -> Vectors:
        asked = unit_rows(vectors, argument="query vectors", dimension=self.dimension)
        return scan(rows, asked, threads=self._threads)


class _Corpus:
    """Documents and their vectors. Never changed: who writes makes another, for somebody may be searching."""

    def __init__(self, documents: Sequence[Document], vectors: Vectors) -> None:
        self.documents = documents
        self.vectors = vectors

    @cached_property
    def places(self) -> dict[str, int]:
        return {document.id: at for at, document in enumerate(self.documents)}

    def at(self, positions: Sequence[int]) -> list[Document]:
        return [self.documents[position] for position in positions]

    def rows(self, ids: Sequence[str]) -> Vectors:
        for id_ in ids:
            if id_ not in self.places:
                raise not_there(id_)
        return self.vectors[[self.places[id_] for id_ in ids]]

    def neighbours(self, scores: Vectors, best: Positions, lookup: Lookup, with_vectors: bool) -> Neighbours:
        documents = tuple(lookup(best.tolist()))
        rows = self.rows([document.id for document in documents]) if with_vectors else None
        return Neighbours(documents, scores[best], rows)


def _threads(given: int | None) -> int:
    if given is None:
        return cores()
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ArgumentError("threads", f"must be a whole number of at least 1, got {given!r}")
    return given
