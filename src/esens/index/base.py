"""What an index offers to a search and to a writer, and the class that adapters of engines inherit.

A document is known by its id. A raw score is a cosine. Where an engine's users chose the inner product instead, it
is that product with the query at unit length and in units of the documents' typical length: on the cosine's scale,
so that scores mean the same everywhere, and in the order that the engine's users chose.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.quantized import RoughScores
from esens.arrays.ranges import ScoreRange as ScoreRange
from esens.arrays.rank import Positions
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors as Vectors
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError, EngineError
from esens.index.adapter import ErrorTable, check_compatible, engine_errors, typical_length
from esens.index.check import IndexCheck, IndexProblem
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, KeptSample, Sample, Samples
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId, documents_of

Lookup = Callable[[Sequence[int]], Sequence[Document]]
Metric = Literal["cosine", "ip"]
CHECKED_VECTORS = 1024
ENGINE_CHECKS = (
    "whether documents are what was written: esens keeps no checksums in this engine; use its own tools for that"
)
"""What no look from outside can tell of an engine."""
_WORD_INDEXES = (
    "drop hybrid, or search what can be: an index in memory, a folder (my.lance), PostgreSQL, files of faiss or "
    "usearch, a collection of Qdrant or Milvus that indexes words (docs/hybrid.md)"
)
_UNIT = 1e-4
ENDS = 2
"""Neighbours of a text that say how far its raw scores reach."""
FIRST_VECTORS = 64
"""Vectors by which the typical length of documents is measured."""


class Neighbours(NamedTuple):
    """The documents with the greatest raw scores for one vector, greatest first.

    Equal scores keep the order of the corpus where the index knows it, and that of their ids elsewhere.
    ``vectors`` are theirs as they are compared, a row each, where the caller wanted them.
    """

    documents: tuple[Document, ...]
    scores: Vectors
    vectors: Vectors | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents."""
        return tuple(document.id for document in self.documents)

    @classmethod
    def by_score(
        cls, documents: Sequence[Document], scores: Vectors, vectors: Vectors | None = None, k: int | None = None
    ) -> "Neighbours":
        """Return the first k of these documents, or all: the greatest score first, equal scores by their ids."""
        order = sorted(range(len(documents)), key=lambda at: (-scores[at], documents[at].id))[:k]
        rows = None if vectors is None else vectors[order]
        return cls(tuple(documents[at] for at in order), scores[order], rows)


@dataclass(frozen=True)
class Scan:
    """Some vectors and every document of an index, as it was at one moment, to be compared.

    ``compare`` gives the raw scores of any vectors (a row each) with the documents at some columns, or with all.
    ``lookup`` gives the documents behind columns. ``has_passages`` is false where the index knows that no document
    is a passage of another. ``match`` says how well their words match a text, where the index can tell.
    ``compare_roughly`` gives raw scores by rounded vectors, where the index keeps those and that spares something.
    """

    vectors: Vectors
    compare: Callable[[Vectors, Positions | None], Vectors]
    lookup: Lookup
    has_passages: bool = True
    match: Callable[[str], npt.NDArray[np.floating]] | None = None
    compare_roughly: Callable[[Vectors], RoughScores | None] = lambda _: None

    @cached_property
    def raw(self) -> Vectors:
        """The raw scores of the vectors with all documents; compared when they are first asked for."""
        return self.compare(self.vectors, None)

    @cached_property
    def rough(self) -> RoughScores | None:
        """The same by rounded vectors, or None."""
        return self.compare_roughly(self.vectors)


class Pool(NamedTuple):
    """The neighbours of several probes, each document once: the raw scores of any texts with them.

    ``raw`` has a row a text and a column a document, ``lookup`` gives the documents behind columns. ``lengths``
    are those of the documents' vectors where raw scores are inner products; None with cosines.
    """

    raw: Vectors
    lookup: Lookup
    lengths: Vectors | None
    ends: tuple[int, ...]
    """The column of the last neighbour of each probe that has some."""
    is_complete: bool
    """Whether no probe has more neighbours than these."""
    has_passages: bool = True
    """False where it is known that none of them is a passage of another document."""


class Index(Protocol):
    """What a search needs.

    An index that can compare a vector with every document also has ``scan`` and ``is_scannable``, see
    :class:`ScannableIndex`; ask with :func:`scannable`. One that can give raw scores in the place of vectors has
    ``pool``, see :func:`pool_of`. One that is faster once it is put in order after much was written has
    ``optimise()``.
    """

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors, where the index knows."""
        ...

    @property
    def max_neighbours(self) -> int | None:
        """The most neighbours that the engine gives for one vector; None where there is no bound."""
        ...

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each)."""
        ...

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's raw scores, or an estimate that says so.

        An estimate asks the engine for nothing once a sample is kept; what a search finds widens it.
        """
        ...

    def close(self) -> None:
        """Close connections and files. Closing twice is no error."""
        ...


class WritableIndex(Index, Protocol):
    """What a writer needs. When a call returns, what it did is stored; when it raises, nothing was done."""

    def __len__(self) -> int:
        """Return how many documents there are."""
        ...

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""
        ...

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        ...

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        ...

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        ...


class ScannableIndex(Index, Protocol):
    """An index that can compare a vector with every document at once."""

    def __len__(self) -> int:
        """Return how many documents there are."""
        ...

    @property
    def is_scannable(self) -> bool:
        """Whether to do so: a large one may be better searched otherwise."""
        ...

    def scan(self, vectors: Vectors, *, where: Filter | None = None) -> Scan:
        """Return every document, to be compared with every vector."""
        ...


class WordSearchIndex(Index, Protocol):
    """An index that can search by words, too: BM25, or what its engine has in that place."""

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, with their vectors; scores are above 0."""
        ...


def word_searching(index: Any) -> WordSearchIndex:
    """Return the index if it can be searched by words; ArgumentError where it cannot."""
    if not hasattr(index, "matching"):
        raise without_words(index)
    searching: WordSearchIndex = index
    return searching


def without_words(index: object, reason: str = "") -> ArgumentError:
    """Return the error of an index that cannot be searched by words; ``reason`` says what it would need.

    It does not say where the index is: clients of a service read it, too.
    """
    problem = f"{type(index).__name__} cannot be searched by words{f': {reason}' if reason else ''}"
    return ArgumentError("hybrid", f"{problem}; {_WORD_INDEXES}")


def scannable(index: Any) -> ScannableIndex | None:
    """Return the index if every document is to be compared, else None. It reads no attribute twice."""
    return index if hasattr(index, "scan") and index.is_scannable else None


def pool_of(
    index: Any, probes: Vectors, texts: Vectors, k: int, where: Filter | None, ends: Vectors | None = None
) -> Pool:
    """Return the k nearest documents of every probe, with the raw scores of texts: by one request.

    Vectors have unit length. Of ``ends`` the nearest two are there, too. An index whose engine compares vectors
    itself has a method ``pool``, which is called in the same way; others are asked for as many as of the probes.
    """
    ends = probes[:0] if ends is None else ends
    if hasattr(index, "pool"):
        pool: Pool = index.pool(probes, texts, k, where, ends)
        return pool
    near = index.nearest(np.concatenate([probes, ends]), k, where=where, with_vectors=True)
    return pool_by_vectors(near, texts, k, len(probes))


def pool_by_vectors(near: Sequence[Neighbours], texts: Vectors, k: int, probes: int | None = None) -> Pool:
    """Return the pool of neighbours that came with their vectors, up to k for each of the first, the probes."""
    every = [document for neighbours in near for document in neighbours.documents]
    first: dict[str, int] = {}
    for at, document in enumerate(every):
        first.setdefault(document.id, at)
    rows = [neighbours.vectors for neighbours in near if neighbours.vectors is not None]
    chosen = list(first.values())
    matrix = np.concatenate([np.zeros((0, texts.shape[1]), np.float32), *rows])[chosen]
    column = {id_: number for number, id_ in enumerate(first)}
    return Pool(
        scan(matrix, texts),
        lambda positions: [every[chosen[position]] for position in positions],
        lengths_of(matrix),
        tuple(column[each.documents[-1].id] for each in near[:probes] if each.documents),
        all(len(each.documents) < k for each in near[:probes]),
        any(document.passage is not None for document in every),
    )


def lengths_of(matrix: Vectors) -> Vectors | None:
    """Return how long vectors are, where they are compared by their inner product; None at unit length."""
    lengths = np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))
    is_unit = (np.abs(lengths - 1.0) <= _UNIT) | (lengths == 0.0)
    return None if is_unit.all() else lengths


def writable(index: Any) -> WritableIndex | None:
    """Return the index if it can be written to, else None."""
    return index if hasattr(index, "upsert") and hasattr(index, "delete") else None


class Closing:
    """What holds a connection or a file: closed at the end of a ``with`` block, or by :meth:`close`."""

    def close(self) -> None:
        """Close connections and files. Closing twice is no error."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class BaseIndex(Closing, ABC):
    """The adapter of an engine: what all of them do, around what only this one can say.

    A subclass sets ``dimension`` (and ``metric``, ``embedder_id``, ``max_neighbours`` where they are not these),
    names in ``errors`` what its client raises, and writes :meth:`open`, :meth:`query`, :meth:`draw_sample` and
    :meth:`close`.
    """

    dimension: int
    metric: Metric = "cosine"
    embedder_id: EmbedderId | None = None
    max_neighbours: int | None = None
    errors: ClassVar[ErrorTable] = {}

    def __init__(self, uri: IndexURI) -> None:
        """Take the spec."""
        self.uri = uri
        self._samples = Samples()
        self._length: float | None = None

    @classmethod
    def open(cls, uri: IndexURI) -> Self:
        """Open an index that is there; EngineError where it is not, or cannot be used."""
        raise EngineError(str(uri), f"{cls.__name__} cannot be opened by a spec; make it in Python")

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> WritableIndex:
        """Open an index to write to, or make it where it is not there yet; see :class:`BaseWritableIndex`."""
        del dimension, embedder_id
        raise EngineError(str(uri), "esens only searches this engine; write to it with its own tools")

    @abstractmethod
    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> Sequence[Neighbours]:
        """Return the k nearest documents of every unit vector, with the engine's scores and stored vectors."""

    @abstractmethod
    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return stored vectors of documents that fulfil a filter, drawn at random; all where they are fewer."""

    def first_vectors(self, count: int) -> Vectors:
        """Return some stored vectors, the same ones at every call. Only for ``metric = "ip"``."""
        raise NotImplementedError

    def check(self) -> IndexCheck:
        """Look at as much of the index as can be; override it where the engine can tell more.

        Here some vectors are read, and one of them is searched for.
        """
        vectors, count = self.draw_sample(None, CHECKED_VECTORS)
        problems = []
        if len(vectors) and not np.isfinite(vectors).all():
            problems.append(IndexProblem("vectors hold numbers that are none", "write those documents anew"))
        elif len(vectors):
            self.nearest(vectors[:1], 1)
        total = len(self) if hasattr(self, "__len__") else count
        checked = (f"{len(vectors):,} vectors, drawn at random", "that a search is answered")
        return IndexCheck(
            str(self.uri), total, self.dimension, self.embedder_id, checked, (ENGINE_CHECKS,), tuple(problems)
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.uri)!r})"

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each)."""
        probes = self.probes(vectors)
        if k < 1 or not len(probes):
            nobody = np.zeros(0, np.float32)
            rows = np.zeros((0, self.dimension), np.float32) if with_vectors else None
            return [Neighbours((), nobody, rows) for _ in probes]
        limit = k if self.max_neighbours is None else min(k, self.max_neighbours)
        answers = self.query(probes, limit, where, with_vectors=with_vectors)
        hits = [self._comparable_hits(answer) for answer in answers]
        if limit < k and any(len(each.documents) == limit for each in hits):  # there may be more
            raise ArgumentError("k", f"{self.uri} finds at most {limit:,} neighbours at a time, got {k:,}")
        return hits

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's raw scores over a sample, which is drawn once and kept."""
        probes = self.probes(vectors)
        return self._sample(where).ranges(probes) if len(probes) else []

    def keep_ends(self, vectors: Vectors, ranges: Sequence[ScoreRange], where: Filter | None) -> None:
        """Keep beside the sample how far raw scores of unit vectors reach, whose nearest documents were found."""
        self._sample(where).keep(vectors, ranges)

    def probes(self, vectors: npt.ArrayLike) -> Vectors:
        """Return query vectors at unit length; raise where they have another dimension."""
        return unit_rows(vectors, argument="query vectors", dimension=self.dimension)

    def comparable(self, stored: npt.ArrayLike) -> Vectors:
        """Return stored vectors as they are compared, so that a product with a unit vector is the raw score."""
        rows = np.asarray(stored, np.float32).reshape(-1, self.dimension)
        return unit_rows(rows) if self.metric == "cosine" else np.asarray(rows / np.float32(self._scale()))

    def translate_errors(self) -> AbstractContextManager[None]:
        """Raise what the client raises as an EngineError, while a ``with`` block runs."""
        return engine_errors(self.uri, self.errors)

    def check_compatible(self, dimension: int, embedder_id: EmbedderId | None) -> None:
        """Raise where the index cannot take vectors of this dimension, by this embedder."""
        check_compatible(
            self.uri, dimension=(self.dimension, dimension), embedder_id=(self.embedder_id, embedder_id)
        )

    def _sample(self, where: Filter | None) -> KeptSample:
        return self._samples.of(where, self._draw_comparable)

    def _draw_comparable(self, where: Filter | None) -> Sample:
        stored, documents = self.draw_sample(where, SAMPLE)
        return Sample(self.comparable(stored), documents)

    def _comparable_hits(self, hits: Neighbours) -> Neighbours:
        vectors = None if hits.vectors is None else self.comparable(hits.vectors)
        return Neighbours(hits.documents, self._comparable_scores(hits.scores), vectors)

    def _comparable_scores(self, scores: Vectors) -> Vectors:
        return scores if self.metric == "cosine" else np.asarray(scores / np.float32(self._scale()))

    def _scale(self) -> float:
        if self._length is None:
            self._length = typical_length(self.first_vectors(FIRST_VECTORS))
        return self._length

    def _forget(self) -> None:
        """Forget what was measured of the documents: they have changed."""
        self._samples.forget()
        self._length = None


class BaseWritableIndex(BaseIndex):
    """The adapter of an engine that is written to, too.

    A subclass writes :meth:`prepare`, :meth:`write`, :meth:`remove`, :meth:`fetch_vectors`, ``documents`` and
    ``__len__``. ``is_ours`` is false for a collection that somebody else made, where that is only searched.
    """

    is_ours: bool = True

    @abstractmethod
    def __len__(self) -> int:
        """Return how many documents there are."""

    @abstractmethod
    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""

    @abstractmethod
    def fetch_vectors(self, ids: Sequence[str]) -> Mapping[str, Any]:
        """Return the stored vectors of those of these documents that are there, by id."""

    @abstractmethod
    def write(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Store documents with a vector each; one whose id is there already takes its place.

        The vectors have unit length, or are the caller's where the metric is the inner product.
        """

    @abstractmethod
    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there. No id comes twice."""

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        rows = self.fetch_vectors(list(dict.fromkeys(ids)))
        for id_ in ids:
            if id_ not in rows:
                raise not_there(id_)
        return self.comparable([rows[id_] for id_ in ids])

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        self._check_ours()
        checked = documents_of(documents)
        rows = a_row_a_document(vectors, len(checked), dimension=self.dimension)
        if checked:
            with self.changing():
                self.write(checked, rows if self.metric == "cosine" else np.asarray(vectors, np.float32))

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        self._check_ours()
        with self.changing():
            return self.remove(list(dict.fromkeys(ids))) if len(ids) else 0

    def check_prepared(self, dimension: int, embedder_id: EmbedderId | None) -> None:
        """Raise where vectors of this dimension, by this embedder, cannot be written; an empty index notes it."""
        self.check_compatible(dimension, embedder_id)
        self._check_ours()
        if embedder_id and not self.embedder_id and not len(self):
            with self.translate_errors():
                self.note_embedder(embedder_id)
            self.embedder_id = embedder_id

    def note_embedder(self, embedder_id: EmbedderId) -> None:
        """Store which embedder makes the vectors of an empty index. Only for :meth:`check_prepared`."""
        raise NotImplementedError

    def _check_ours(self) -> None:
        if not self.is_ours:
            raise EngineError(
                str(self.uri),
                "esens did not make this collection, so it searches it but does not write to it; "
                "name one that is not there yet",
            )

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Forget afterwards what was measured of the documents, also where the change failed halfway."""
        try:
            with self.translate_errors():
                yield
        finally:
            self._forget()
