"""Reranker: the same score over the candidates that another retriever returned, normalised over that set."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Never, Self, cast

import numpy as np
import numpy.typing as npt

from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, a_row_a_document, matrix_rows, unit_rows
from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, decomposer_of
from esens.documents import DocumentSource
from esens.embed import DEFAULT_EMBEDDER, Embedder, EmbedderLike, embedder_of
from esens.embed.corpus import Progress, embed_corpus, embed_texts, text_scorer
from esens.errors import ArgumentError
from esens.index.filters import Filter, matches
from esens.score.base import Scorer
from esens.score.normalise import Array
from esens.score.parameters import GREATEST, LEAST
from esens.search.candidates import CandidateSet
from esens.search.evidence import TextScorer
from esens.search.field_note import with_note_of_candidates
from esens.search.given import ExampleSource, Exclude, FindExample, read_exclude
from esens.search.options import (
    RERANK_OPTIONS,
    checked_fields,
    checked_k,
    parameters_of,
    refuse_unknown,
    scorer_of,
)
from esens.search.pipeline import run
from esens.search.plan import QueryPlan, decompose_query, plan_query
from esens.search.second_stage import SecondStage
from esens.search.workers import Workers
from esens.types import Decomposition, Document, Results, documents_of
from esens.verify import DEFAULT_RESCORED, DEFAULT_VERIFIED, RULES, RelevanceModel, Verifier

if TYPE_CHECKING:
    from esens.score.relational import Relational

Candidates = Iterable[DocumentSource]

_RETRIEVERS_SHARE = 0.5
"""How much another retriever's scores count beside the target's where a property is excluded."""


def rerank(
    query: str,
    candidates: Candidates,
    *,
    vectors: npt.ArrayLike | None = None,
    scores: npt.ArrayLike | None = None,
    k: int | None = None,
    score: str | Scorer | None = None,
    beta: float | None = None,
    mode: str | None = None,
    decomposition: Decomposition | None = None,
    exclude: Iterable[Exclude] | None = None,
    evidence_fields: Sequence[str] = (),
    embedder: EmbedderLike = DEFAULT_EMBEDDER,
    decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    verifier: str | Verifier = RULES,
    verify: int = DEFAULT_VERIFIED,
    relevance: str | RelevanceModel | None = None,
    rescore: int = DEFAULT_RESCORED,
    progress: Progress | None = None,
    **unknown: Never,
) -> Results:
    """Rerank what any retriever returned; see :meth:`Reranker.rerank`."""
    reranker = Reranker(
        embedder=embedder,
        decomposer=decomposer,
        verifier=verifier,
        verify=verify,
        relevance=relevance,
        rescore=rescore,
    )
    return reranker.rerank(
        query,
        candidates,
        vectors=vectors,
        scores=scores,
        k=k,
        score=score,
        beta=beta,
        mode=mode,
        decomposition=decomposition,
        exclude=exclude,
        evidence_fields=evidence_fields,
        progress=progress,
        **unknown,
    )


class Reranker:
    """Moves what a query excludes down a list of candidates. Safe to use from several threads at once."""

    def __init__(
        self,
        *,
        embedder: EmbedderLike = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        verifier: str | Verifier = RULES,
        verify: int = DEFAULT_VERIFIED,
        relevance: str | RelevanceModel | None = None,
        rescore: int = DEFAULT_RESCORED,
    ) -> None:
        """Take the models; ``verifier`` and those behind it are as for :class:`Searcher`."""
        self._embedder_spec = embedder
        self._model: Embedder | None = None
        self._loading = Lock()
        self._decomposer = decomposer_of(decomposer)
        self._stage = SecondStage.of(verifier, verify, relevance, rescore)
        self._workers = Workers()

    @property
    def _embedder(self) -> Embedder:
        # Loaded on first need: candidates with scores, and a query that excludes nothing, need no model.
        with self._loading:
            if self._model is None:
                self._model = embedder_of(self._embedder_spec)
            return self._model

    def rerank(
        self,
        query: str,
        candidates: Candidates,
        *,
        vectors: npt.ArrayLike | None = None,
        scores: npt.ArrayLike | None = None,
        k: int | None = None,
        score: str | Scorer | None = None,
        beta: float | None = None,
        mode: str | None = None,
        decomposition: Decomposition | None = None,
        exclude: Iterable[Exclude] | None = None,
        evidence_fields: Sequence[str] = (),
        progress: Progress | None = None,
        **unknown: Never,
    ) -> Results:
        """Return the k best candidates, or all of them; the options are those of ``Searcher.search``.

        ``vectors``, a row a candidate, spares their embedding; the embedder must be the one that made them.
        ``scores``, the other retriever's own for this query, then stand for the similarity to the query: where
        nothing is excluded its order stays as it is, whatever made it. Without them the embedder judges.
        Candidates that are passages stay passages: what comes back is what was given.
        """
        refuse_unknown(unknown, RERANK_OPTIONS, score)
        scorer = scorer_of(score, beta=beta, mode=mode)
        split = decompose_query(query, decomposition, self._decomposer)
        documents: Sequence[Document] = documents_of(candidates, argument="candidates")
        total = len(documents)
        query_scores = None if scores is None else _checked_scores(scores, total)
        if query_scores is not None and scorer.sentences:
            raise ArgumentError("sentences", "are compared by the embedder, not by the scores given; drop one")
        if query_scores is not None and "query_share" in parameters_of(scorer):
            scorer = replace(cast("Relational", scorer), query_share=_RETRIEVERS_SHARE, words=0.0)
        given = read_exclude(exclude, ExampleSource(self._finder(documents, vectors), self._embed))
        every, kept = documents, None if given is None else _kept(documents, given.filter(None))
        if kept is not None:
            documents = [documents[at] for at in kept]
            vectors = None if vectors is None else matrix_rows(vectors, total)[kept]
            query_scores = None if query_scores is None else query_scores[kept]
        plan = plan_query(
            query,
            split,
            scorer,
            k=len(documents) if k is None else checked_k(k),
            given=given,
            evidence_fields=checked_fields(evidence_fields),
        )
        rows, score_texts = self._raw_scores(plan, documents, vectors, query_scores, progress)
        whole = CandidateSet.whole(plan.texts, rows, _lookup(documents), folds_passages=False)
        # Another retriever chose them: they are the most relevant of many.
        chosen = replace(whole, raw=whole.raw._replace(is_part=True))
        return with_note_of_candidates(run(plan, [chosen], score_texts, self._stage), plan, every)

    def decompose(self, query: str) -> Decomposition:
        """Return how a query is split here, for those who ask another retriever for what is wanted of it."""
        return decompose_query(query, None, self._decomposer)

    async def adecompose(self, query: str) -> Decomposition:
        """Return what :meth:`decompose` returns, without blocking the event loop."""
        split: Decomposition = await self._workers.run(self.decompose, query)
        return split

    async def arerank(self, query: str, candidates: Candidates, **options: Any) -> Results:
        """Return what :meth:`rerank` returns, without blocking the event loop: it runs on one of a few threads."""
        results: Results = await self._workers.run(self.rerank, query, candidates, **options)
        return results

    def close(self) -> None:
        """Let go of threads."""
        self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _raw_scores(
        self,
        plan: QueryPlan,
        documents: Sequence[Document],
        vectors: npt.ArrayLike | None,
        query_scores: Array | None,
        progress: Progress | None,
    ) -> tuple[Array, TextScorer]:
        """Return the raw scores of the plan's texts, a row each, and what compares other texts with them."""
        texts = plan.texts.flat()
        head = [] if query_scores is None or texts[0] != plan.query else [query_scores]
        if not documents or len(texts) == len(head):  # another retriever may find nothing; that is not an error
            return np.stack([*head, *np.zeros((len(texts) - len(head), len(documents)))]), _nothing_to_compare
        probes = self._probes(plan, has_query=not head)
        if vectors is None:
            vectors = embed_corpus(documents, self._embedder, progress, name_truncated=False)
        unit = a_row_a_document(vectors, len(documents))
        if unit.shape[1] != probes.shape[1]:
            problem = (
                f"have dimension {unit.shape[1]}, and the embedder gives {probes.shape[1]}; give its own vectors"
            )
            raise ArgumentError("vectors", problem)
        rows = scan(unit, probes)
        # Given scores are the row of the query, which nothing else can be compared with: it has no vector.
        blank = np.zeros((len(head), probes.shape[1]), np.float32)
        return np.stack([*head, *rows]), text_scorer(self._embedder, np.concatenate([blank, probes]))

    def _probes(self, plan: QueryPlan, *, has_query: bool) -> Vectors:
        """Return the unit vectors of the plan's texts, with or without the query's own."""
        texts = plan.embedded_texts if has_query else plan.embedded_texts[1:]
        embedded = unit_rows(embed_texts(texts, self._embedder), argument="query vectors")
        if has_query:
            return plan.vectors(embedded)
        return plan.vectors([embedded[0], *embedded])[1:]

    def _finder(self, documents: Sequence[Document], vectors: npt.ArrayLike | None) -> FindExample:
        """Return what finds an example among the candidates, by its id, whole or in passages."""

        def find(id_: str) -> tuple[Document, Vectors] | None:
            at = [number for number, document in enumerate(documents) if id_ in (document.id, document.whole_id)]
            if not at:
                return None
            if vectors is not None:
                return documents[at[0]], matrix_rows(vectors, len(documents))[at]
            return documents[at[0]], embed_corpus([documents[number] for number in at], self._embedder)

        return find

    def _embed(self, document: Document) -> Vectors:
        return embed_corpus([document], self._embedder)


def _kept(documents: Sequence[Document], where: Filter | None) -> list[int] | None:
    """Return which documents fulfil a filter; None where there is none."""
    if where is None:
        return None
    return [at for at, document in enumerate(documents) if matches(document.metadata, where)]


def _lookup(documents: Sequence[Document]) -> Any:
    return lambda positions: [documents[position] for position in positions]


def _nothing_to_compare(texts: Sequence[str]) -> Vectors:
    return np.zeros((0, len(texts)), np.float32)


def _checked_scores(scores: npt.ArrayLike, candidates: int) -> Array:
    try:
        if np.iscomplexobj(scores):
            raise TypeError
        values = np.asarray(scores, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError("scores", "must be numbers, one a candidate, and none too large for a float") from None
    if values.shape != (candidates,):
        raise ArgumentError("scores", f"have shape {values.shape} for {candidates} candidates; give one each")
    if not np.isfinite(values).all():
        raise ArgumentError("scores", f"number {int(np.argmin(np.isfinite(values)))} is NaN or infinite")
    if np.abs(values).max(initial=0) > GREATEST:
        raise ArgumentError("scores", f"must lie within ±{GREATEST:.0e}; scale them")
    if len(values) and 0 < np.ptp(values) < LEAST:
        raise ArgumentError("scores", f"differ by less than {LEAST:.0e}, too little to be weighed; scale them")
    return values
