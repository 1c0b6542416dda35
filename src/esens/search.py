"""Searcher: the one place where decomposition, embedding, index and score meet."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, checked_query, decomposed, decomposer_of
from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors, a_row_each
from esens.errors import ArgumentError, UnknownSpecError
from esens.index import Index, MemoryIndex
from esens.score.linear import DEFAULT_BETA, Weights, linear, terms
from esens.score.normalise import Array
from esens.score.rank import Positions, ranks_of, top_k
from esens.types import Decomposition, Document, Explanation, Hit, Results, documents_of

DEFAULT_K = 10
# Documents embedded at a time: enough to sort by length, few enough that memory and progress stay smooth.
_EMBEDDED_AT_ONCE = 128

Progress = Callable[[int, int], None]
Lookup = Callable[[Sequence[int]], Sequence[Document]]


class Searcher:
    """Search over an index that leaves out what a query excludes."""

    def __init__(
        self,
        index: Index,
        *,
        embedder: str | Embedder | TextsToVectors = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    ) -> None:
        if isinstance(index, str):
            raise UnknownSpecError("index", index, ("esens.MemoryIndex(documents, vectors)",))
        self.index = index
        self._embedder = embedder_of(embedder)
        self._decomposer = decomposer_of(decomposer)

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[str | Mapping[str, Any] | Document],
        *,
        vectors: npt.ArrayLike | None = None,
        embedder: str | Embedder | TextsToVectors = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        progress: Progress | None = None,
    ) -> "Searcher":
        """Return a searcher over these documents, held in memory.

        ``vectors``, a row a document, spares the embedding; the embedder must then be the one that made them.
        They are kept, not copied, where they are float32 of unit length already: do not change them afterwards.
        ``progress`` is called with the number of documents embedded and their total.
        """
        corpus = documents_of(documents)
        if not corpus:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        model = embedder_of(embedder)
        rows = embed_corpus(corpus, model, progress) if vectors is None else vectors
        return cls(MemoryIndex(corpus, rows), embedder=model, decomposer=decomposer)

    @overload
    def search(
        self,
        query: str,
        *,
        k: int = ...,
        beta: float = ...,
        variant: str | None = ...,
        alpha: float | None = ...,
        gamma: float | None = ...,
        decomposition: Decomposition | None = ...,
    ) -> Results: ...

    @overload
    def search(
        self,
        query: list[str] | tuple[str, ...],
        *,
        k: int = ...,
        beta: float = ...,
        variant: str | None = ...,
        alpha: float | None = ...,
        gamma: float | None = ...,
        decomposition: Sequence[Decomposition] | None = ...,
    ) -> list[Results]: ...

    def search(
        self,
        query: str | list[str] | tuple[str, ...],
        *,
        k: int = DEFAULT_K,
        beta: float = DEFAULT_BETA,
        variant: str | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        decomposition: Decomposition | Sequence[Decomposition] | None = None,
    ) -> Results | list[Results]:
        """Return the k best documents for a query, or a list of results for several.

        ``variant`` is "baseline-minus-trap" (the default) or "target-minus-trap"; alpha and gamma set the two
        positive weights freely instead. ``decomposition`` is for those who already know target and traps.
        Where nothing is excluded, or beta is 0, this is plain retrieval, bit for bit, at its cost.
        """
        weights = Weights.of(variant=variant, alpha=alpha, gamma=gamma, beta=beta)
        depth = checked_k(k)
        if isinstance(query, str):
            return self._answer([Ask.of(query, decomposition, self._decomposer, weights)], depth)[0]
        if not isinstance(query, (list, tuple)):
            raise ArgumentError("query", f"must be a string, or a list of strings; got {type(query).__name__}")
        return self._answer(self._asks(query, decomposition, weights), depth)

    def _asks(
        self,
        queries: Sequence[str],
        decompositions: Decomposition | Sequence[Decomposition] | None,
        weights: Weights,
    ) -> "list[Ask]":
        given: object = decompositions
        if given is None:
            given = decomposed(queries, self._decomposer)
        if not isinstance(given, (list, tuple)):
            raise ArgumentError("decomposition", "several queries need a list with one a query")
        if len(given) != len(queries):
            raise ArgumentError("decomposition", f"{len(given)} for {len(queries)} queries; give one each")
        return [Ask.of(q, d, self._decomposer, weights) for q, d in zip(queries, given, strict=True)]

    def _answer(self, asks: "Sequence[Ask]", k: int) -> list[Results]:
        """Embed all texts of all queries in one batch, then score a query at a time."""
        texts = list(dict.fromkeys(text for ask in asks for text in ask.texts))
        if not texts:
            return []
        vectors = embed_texts(texts, self._embedder)
        row = {text: number for number, text in enumerate(texts)}
        return [
            ask.results(self.index.documents, self.index.raw_scores(vectors[[row[text] for text in ask.texts]]), k)
            for ask in asks
        ]


@dataclass(frozen=True, slots=True)
class Ask:
    """One query, read and ready to be scored: which texts it needs, and what their raw scores mean."""

    query: str
    decomposition: Decomposition
    weights: Weights

    @classmethod
    def of(
        cls,
        query: str,
        decomposition: Decomposition | Sequence[Decomposition] | None,
        decomposer: Decomposer,
        weights: Weights,
    ) -> "Ask":
        """Read a query; what is already decomposed is not decomposed again."""
        checked_query(query)
        if decomposition is None:
            return cls(query, decomposed([query], decomposer)[0], weights)
        if not isinstance(decomposition, Decomposition):
            raise ArgumentError("decomposition", f"expected a Decomposition, got {type(decomposition).__name__}")
        return cls(query, decomposition, weights)

    @property
    def is_plain(self) -> bool:
        """Whether this is plain retrieval: nothing is excluded, or the exclusion has no weight."""
        w = self.weights
        return not self.decomposition.traps or (w.beta == 0 and (w.gamma == 0 or w.alpha == 0))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to embed, and no more than are needed: the query, then the target, then the traps."""
        if self.is_plain:
            return (self._plain_text,)
        traps = self.decomposition.traps if self.weights.beta else ()
        return (self.query, *self._target, *traps)

    @property
    def _plain_text(self) -> str:
        # "target-minus-trap" at beta 0 is plain retrieval of the target, as in the paper's sweep.
        only_target = self.decomposition.traps and self.weights.alpha == 0
        return self.decomposition.target if only_target else self.query

    @property
    def _target(self) -> tuple[str, ...]:
        return (self.decomposition.target,) if self.weights.gamma else ()

    def results(self, lookup: Lookup, raw: Array, k: int) -> Results:
        """Return the k best documents, given the raw scores of this ask's texts, a row each."""
        hits = self._plain_hits(lookup, raw[0], k) if self.is_plain else self._hits(lookup, raw, k)
        w = self.weights
        return Results(self.query, self.decomposition, hits, w.alpha, w.gamma, w.beta)

    def _plain_hits(self, lookup: Lookup, raw: Array, k: int) -> tuple[Hit, ...]:
        best = top_k(raw, k)
        columns = zip(lookup(best.tolist()), raw[best].tolist(), ranks_of(best, raw).tolist(), strict=True)
        return tuple(
            Hit(document, cosine, Explanation(cosine, 0.0, rank, rank, cosine))
            for document, cosine, rank in columns
        )

    def _hits(self, lookup: Lookup, raw: Array, k: int) -> tuple[Hit, ...]:
        target, traps = raw[1] if self._target else None, raw[1 + len(self._target) :]
        score = linear(self.weights, query=raw[0], target=target, traps=traps)
        best = top_k(score, k)
        explained = self._explanations(raw[0], target, traps, best, ranks_of(best, score))
        columns = zip(lookup(best.tolist()), score[best].tolist(), explained, strict=True)
        return tuple(Hit(document, value, why) for document, value, why in columns)

    def _explanations(
        self, query: Array, target: Array | None, traps: Array, best: Positions, ranks: Positions
    ) -> list[Explanation]:
        why = terms(self.weights, query=query, target=target, traps=traps, at=best)
        names = self.decomposition.traps if len(traps) else ()
        columns = zip(why.relevance, why.exclusion, ranks_of(best, query), ranks, query[best], strict=True)
        return [
            Explanation(
                relevance=float(relevance),
                exclusion=float(exclusion),
                rank_before=int(before),
                rank_after=int(after),
                query_similarity=float(similarity),
                trap=names[why.trap[i]] if names else None,
                trap_similarity=float(traps[why.trap[i], best[i]]) if names else None,
            )
            for i, (relevance, exclusion, before, after, similarity) in enumerate(columns)
        ]


def embed_corpus(
    corpus: Sequence[Document], embedder: Embedder, progress: Progress | None = None
) -> npt.NDArray[np.float32]:
    """Return a row a document, embedded a few hundred at a time into one matrix."""
    vectors: npt.NDArray[np.float32] | None = None
    for start in range(0, len(corpus), _EMBEDDED_AT_ONCE):
        part = corpus[start : start + _EMBEDDED_AT_ONCE]
        rows = a_row_each(embedder.embed_documents([document.content for document in part]), len(part))
        if vectors is None:
            vectors = np.empty((len(corpus), rows.shape[1]), np.float32)
        if rows.shape[1] != vectors.shape[1]:
            raise ArgumentError("embedder", f"returned {rows.shape[1]} dimensions after {vectors.shape[1]}")
        vectors[start : start + len(part)] = rows
        if progress is not None:
            progress(start + len(part), len(corpus))
    if vectors is None:
        raise ArgumentError("documents", "the corpus is empty; give at least one document")
    return vectors


def embed_texts(texts: Sequence[str], embedder: Embedder) -> npt.NDArray[np.floating]:
    """Return a row for each text of a query."""
    return a_row_each(embedder.embed_queries(texts), len(texts))


def checked_k(k: int) -> int:
    """Return k if it is a number of results that can be asked for."""
    try:
        value = operator.index(k)
    except TypeError:
        raise ArgumentError("k", f"must be a whole number, got {k!r}") from None
    if isinstance(k, bool) or value < 0:
        raise ArgumentError("k", f"must be a whole number of at least 0, got {k!r}")
    return value
