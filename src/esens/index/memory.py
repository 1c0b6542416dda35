"""Exact, in memory: the oracle that every other index is compared with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import Positions, top_k
from esens.arrays.scan import cores
from esens.arrays.searched import SearchedMatrix
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError
from esens.index.base import Closing, Lookup, Neighbours, Scan, Vectors
from esens.index.filters import Filter, matches
from esens.index.words import WordIndex
from esens.messages import quoted
from esens.storage.lru import LRUCache
from esens.types import Document, EmbedderId, documents_of

_FILTERS = 8  # whose documents are remembered


class MemoryIndex(Closing):
    """Documents and their vectors, held in memory and compared with every query.

    Corpus order is the order in which ids came first; a document that takes another's place keeps that place.
    Several threads may search and write at once: writers wait for each other, and nobody waits for a writer.
    """

    is_scannable = True
    max_neighbours: int | None = None
    embedder_id: EmbedderId | None = None

    def __init__(
        self,
        documents: Iterable[str | Mapping[str, Any] | Document],
        vectors: npt.ArrayLike,
        *,
        threads: int | None = None,
    ) -> None:
        """Take documents and a matrix with a row for each; ``threads`` is the number of cores by default."""
        corpus = documents_of(documents)
        if not corpus:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        self._corpus = CorpusSnapshot(corpus, a_row_a_document(vectors, len(corpus)))
        self._threads = _check_threads(threads)
        self._writing = Lock()

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._corpus.vectors.shape[1])

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._corpus.documents)

    def scan(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> Scan:
        """Return every document, to be compared with every vector: by their cosines."""
        return self._scan(self._corpus, vectors, where)

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep corpus order."""
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 0:
            raise ArgumentError("k", f"must be a whole number of at least 0, got {quoted(k)}")
        corpus = self._corpus
        scanned = self._scan(corpus, vectors, where)
        return [corpus.neighbours(raw, top_k(raw, k), scanned.lookup, with_vectors) for raw in scanned.raw]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's cosines, exactly."""
        return [score_range(scores) for scores in self.scan(vectors, where=where).raw]

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the unit vectors of these documents, a row each."""
        return self._corpus.rows(ids)

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        corpus = self._corpus
        return {id_: corpus.documents[corpus.positions[id_]] for id_ in ids if id_ in corpus.positions}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        batch = documents_of(documents)
        rows = a_row_a_document(vectors, len(batch), dimension=self.dimension)
        with self._writing:
            self._corpus = self._corpus.with_documents(batch, rows)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        with self._writing:
            before = len(self)
            self._corpus = self._corpus.without(ids)
            return before - len(self)

    def _scan(self, corpus: "CorpusSnapshot", vectors: npt.ArrayLike, where: Filter | None) -> Scan:
        probes = unit_rows(vectors, argument="query vectors", dimension=self.dimension)
        columns = None if where is None else corpus.select(where)
        rows = corpus.matrix.at(columns, threads=self._threads)

        def match(text: str) -> npt.NDArray[np.floating]:
            scores = corpus.word_index.scores(text)
            return scores if columns is None else scores[columns]

        return Scan(probes, rows.scan, corpus.lookup(columns), corpus.has_passages, match, rows.rough_scan)


@dataclass(frozen=True)
class CorpusSnapshot:
    """Documents and their vectors. Never changed: a writer makes another, for somebody may be searching."""

    documents: Sequence[Document]
    vectors: Vectors
    _selections: LRUCache[str, Positions] = field(
        default_factory=lambda: LRUCache(_FILTERS), repr=False, compare=False
    )

    def select(self, where: Filter) -> Positions:
        """Return where the documents stand that fulfil a filter; each of the last few is looked at once."""
        # By its repr: as keys, 1, 1.0 and True are the same, and as values they are not.
        return self._selections.get(repr(where), lambda: self._matching(where))

    def _matching(self, where: Filter) -> Positions:
        places = (at for at, document in enumerate(self.documents) if matches(document.metadata, where))
        return np.fromiter(places, np.intp)

    @cached_property
    def matrix(self) -> SearchedMatrix:
        """The vectors, as they are searched."""
        return SearchedMatrix(self.vectors)

    @cached_property
    def has_passages(self) -> bool:
        """Whether one of them is a passage of a longer document."""
        return any(document.passage is not None for document in self.documents)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each id stands."""
        return {document.id: at for at, document in enumerate(self.documents)}

    @cached_property
    def word_index(self) -> WordIndex:
        """The words of the documents, read when they are first asked for."""
        return WordIndex([document.content for document in self.documents])

    def at(self, positions: Sequence[int]) -> list[Document]:
        """Return the documents at these positions."""
        return [self.documents[position] for position in positions]

    def lookup(self, columns: Positions | None) -> Lookup:
        """Return what gives the documents behind positions among these columns, or among all."""
        return self.at if columns is None else lambda positions: self.at(columns[list(positions)].tolist())

    def rows(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents; each must be there."""
        for id_ in ids:
            if id_ not in self.positions:
                raise not_there(id_)
        return self.vectors[[self.positions[id_] for id_ in ids]]

    def neighbours(self, scores: Vectors, best: Positions, lookup: Lookup, with_vectors: bool) -> Neighbours:
        """Return the best documents with their scores."""
        documents = tuple(lookup(best.tolist()))
        rows = self.rows([document.id for document in documents]) if with_vectors else None
        return Neighbours(documents, scores[best], rows)

    def with_documents(self, batch: Sequence[Document], rows: Vectors) -> "CorpusSnapshot":
        """Return these documents and a batch of others, which take the place of those with their ids."""
        fresh = [at for at, document in enumerate(batch) if document.id not in self.positions]
        vectors = np.concatenate([self.vectors, rows[fresh]])
        documents = [*self.documents, *(batch[at] for at in fresh)]
        for at, document in enumerate(batch):
            if (old := self.positions.get(document.id)) is not None:
                documents[old], vectors[old] = document, rows[at]
        return CorpusSnapshot(documents, vectors)

    def without(self, ids: Sequence[str]) -> "CorpusSnapshot":
        """Return the other documents."""
        removed = set(ids)
        remaining = [at for at, document in enumerate(self.documents) if document.id not in removed]
        return CorpusSnapshot(self.at(remaining), self.vectors[remaining])


def _check_threads(threads: int | None) -> int:
    if threads is None:
        return cores()
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ArgumentError("threads", f"must be a whole number of at least 1, got {threads!r}")
    return threads
