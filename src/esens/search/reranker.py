"""Reranker: the same score over the candidates that another retriever returned, normalised over that set."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, decomposer_of
from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors
from esens.embed.corpus import reader
from esens.errors import ArgumentError
from esens.evidence.lead_match import Lookup
from esens.index import MemoryIndex
from esens.score.normalise import Array
from esens.search import Ask, Progress, Scoring, checked_k, embed_corpus, embed_texts
from esens.search.options import Options
from esens.search.scored import Scored
from esens.types import Decomposition, Document, Results, documents_of

# Beyond this a range, or its inverse, is no longer a number.
_GREATEST_SCORE = 1e100

Candidates = Iterable[str | Mapping[str, Any] | Document]


def rerank(
    query: str,
    candidates: Candidates,
    *,
    vectors: npt.ArrayLike | None = None,
    scores: npt.ArrayLike | None = None,
    k: int | None = None,
    decomposition: Decomposition | None = None,
    embedder: str | Embedder | TextsToVectors = DEFAULT_EMBEDDER,
    decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Results:
    """Rerank what any retriever returned; see :meth:`Reranker.rerank`."""
    return Reranker(embedder=embedder, decomposer=decomposer).rerank(
        query,
        candidates,
        vectors=vectors,
        scores=scores,
        k=k,
        decomposition=decomposition,
        progress=progress,
        **options,
    )


class Reranker:
    """Moves what a query excludes down a list of candidates."""

    def __init__(
        self,
        *,
        embedder: str | Embedder | TextsToVectors = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    ) -> None:
        self._embedder_spec = embedder
        self._decomposer = decomposer_of(decomposer)

    @cached_property
    def _embedder(self) -> Embedder:
        # Loaded on first need: candidates with scores, and a query that excludes nothing, need no model.
        return embedder_of(self._embedder_spec)

    def rerank(
        self,
        query: str,
        candidates: Candidates,
        *,
        vectors: npt.ArrayLike | None = None,
        scores: npt.ArrayLike | None = None,
        k: int | None = None,
        decomposition: Decomposition | None = None,
        progress: Progress | None = None,
        **options: Unpack[Options],
    ) -> Results:
        """Return the k best candidates, or all of them; the options are those of ``Searcher.search``.

        ``vectors``, a row a candidate, spares their embedding; the embedder must be the one that made them.
        ``scores``, the other retriever's own for this query, then stand for the similarity to the query: where
        nothing is excluded its order stays as it is, whatever made it. Without them the embedder judges.
        """
        ask = Ask.of(query, decomposition, self._decomposer, Scoring.read(options, spare_mentions=vectors is None))
        documents = documents_of(candidates, argument="candidates")
        given = None if scores is None else _checked_scores(scores, len(documents))
        if given is not None and ask.scoring.sentences:
            raise ArgumentError("sentences", "are compared by the embedder, not by the scores given; drop one")
        depth = len(documents) if k is None else checked_k(k)
        if not documents:  # another retriever may find nothing; that is not an error
            return ask.results(Scored(_lookup(()), np.zeros((len(ask.texts), 0))), 0, _nothing_to_read)
        known = [] if given is None or ask.texts[0] != ask.query else [given]
        texts = ask.texts[len(known) :]
        lookup = _lookup(documents)
        if not texts:
            return ask.results(Scored(lookup, np.stack(known)), depth, _nothing_to_read)
        asked = embed_texts(texts, self._embedder)
        rows = embed_corpus(documents, self._embedder, progress) if vectors is None else vectors
        raw = np.stack([*known, *MemoryIndex(documents, rows).scan(asked).raw])
        # Given scores are the row of the query, which nothing else can be compared with: it has no vector.
        compared = np.concatenate([np.zeros((len(known), asked.shape[1]), asked.dtype), asked])
        return ask.results(Scored(lookup, raw), depth, reader(self._embedder, compared))


def _lookup(documents: Sequence[Document]) -> Lookup:
    return lambda positions: [documents[position] for position in positions]


def _nothing_to_read(texts: Sequence[str]) -> Array:
    return np.zeros((0, len(texts)))


def _checked_scores(scores: npt.ArrayLike, candidates: int) -> Array:
    try:
        values = np.asarray(scores, np.float64)
    except (TypeError, ValueError):
        raise ArgumentError("scores", "must be numbers, one a candidate") from None
    if values.shape != (candidates,):
        raise ArgumentError("scores", f"have shape {values.shape} for {candidates} candidates; give one each")
    if not np.isfinite(values).all():
        raise ArgumentError("scores", f"number {int(np.argmin(np.isfinite(values)))} is NaN or infinite")
    if np.abs(values).max(initial=0) > _GREATEST_SCORE:
        raise ArgumentError("scores", f"must lie within ±{_GREATEST_SCORE:.0e}; scale them")
    return values
