"""What candidates score, from their vectors and, of a few, from their words.

Where that is known of a score, the vectors of most documents are only compared, and no score is computed of them:
see ``esens.search.shortlist``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import Positions, top_k
from esens.errors import ArgumentError
from esens.score.base import FittedScorer, Losses, PlainScale, RawScores, Readings, Scorer, Terms
from esens.score.hybrid import fit_hybrid
from esens.score.normalise import Scores
from esens.search.best import FIRST, BelowCeilingError, ColumnPart, best_of
from esens.search.candidates import CandidateSet
from esens.search.evidence import SIGNS_READ, EvidenceReader, may_spare_mentions
from esens.search.plan import QueryPlan
from esens.search.shortlist import Shortlist, shortlist
from esens.types import Document, Evidence

REMOVED_SHOWN = 100
"""Of the first of plain retrieval, those that "hard" leaves out are shown at least from so many."""
_FIRST_READ = 64
"""Documents that are read first where a property is excluded; 50 of them are read for what is wanted anyway."""


@dataclass(frozen=True)
class Assessment:
    """What is known of some documents, their own words included; an entry, or a column, each."""

    positions: Positions
    documents: Sequence[Document]
    raw: RawScores
    terms: Terms
    names: Scores
    ignored: npt.NDArray[np.bool_]
    sentences: Sequence[str | None]
    has: Sequence[bool]
    """Which traps are properties of documents."""
    statements: Sequence[tuple[Evidence, ...]]
    """What each document says of each trap."""

    def at(self, order: Positions) -> "Assessment":
        """Return the assessment of some of the documents, in this order."""
        return Assessment(
            self.positions[order],
            [self.documents[at] for at in order],
            self.raw.at(order),
            self.terms.at(order),
            self.names[:, order],
            self.ignored[:, order],
            [self.sentences[at] for at in order],
            self.has,
            [self.statements[at] for at in order],
        )


class SweptCandidates(NamedTuple):
    """Candidates in corpus order, what each loses at any beta, and what no other scores more than."""

    assessment: Assessment
    losses: Losses
    ceiling: float
    """−∞ where there is no other."""


class _Bounds(NamedTuple):
    """What some columns score as far as their vectors tell; an entry each."""

    columns: Positions | None
    """None: all of them."""
    terms: Terms
    may_spare: npt.NDArray[np.bool_]
    upper: Scores
    """What they score at most, whatever their words say."""
    ceiling: float = -np.inf
    """What no other column scores more than."""

    def entries(self, positions: Positions) -> Positions:
        """Return where these columns stand."""
        return positions if self.columns is None else np.searchsorted(self.columns, positions)


class Assessor:
    """Says what candidates score, from their vectors and, of a few, from their words."""

    def __init__(self, plan: QueryPlan, candidates: CandidateSet, evidence: EvidenceReader) -> None:
        self._plan, self._evidence, self._scorer = plan, evidence, plan.scorer
        is_useful = (plan.scorer.is_monotone or plan.scorer.reads_statements) and plan.hybrid is None
        self._few = shortlist(candidates, max(plan.k, plan.scorer.sentences)) if is_useful else None
        self._nearest = _nearest(plan, candidates, self._few)
        self._candidates = candidates = _with_coverage(candidates, evidence, self._nearest)
        self._has = _properties(plan, candidates, evidence, self._few)
        self._fitted = _fit(plan, candidates, self._has)
        self._is_exact = not (
            self._scorer.reads_names or self._scorer.spare_mentions or self._scorer.reads_statements
        )
        self._bounds: _Bounds | None = None
        self._last: Assessment | None = None
        """What was assessed last; the best are among them."""

    @property
    def scale(self) -> PlainScale:
        """Where scores stand among those of plain retrieval."""
        return self._fitted.scale(self._candidates.raw.at(self._nearest), self._candidates.ranges)

    def best(self, k: int) -> tuple[Positions, Scores]:
        """Return the k best candidates and their scores: from a shortlist, if all of them are surely in it."""
        is_preselected = self._candidates.beyond is not None
        is_enough = self._scorer.is_monotone and (is_preselected or self._scorer.mode == "soft")
        if self._few is not None and is_enough and self._bounds is None:
            try:
                bounds = self._bounds = self._bounds_of(self._few)
                return self._best(k, ColumnPart(self._few.columns, bounds.ceiling))
            except BelowCeilingError:
                if is_preselected:
                    raise  # those that may be better are not here
                self._bounds = None
        return self._best(k)

    def _best(self, k: int, part: ColumnPart | None = None) -> tuple[Positions, Scores]:
        # What a text says of a property is most of its score, so that few tell little of who is best.
        first = _FIRST_READ if any(self._has) else FIRST
        upper = self._by_vector.upper
        return best_of(self._candidates, upper, self.scores, k, is_exact=self._is_exact, first=first, part=part)

    @property
    def _by_vector(self) -> _Bounds:
        """What the vectors of all candidates tell, or of those on a shortlist."""
        if self._bounds is None:
            self._bounds = self._bounds_of(None)
        return self._bounds

    def _bounds_of(self, few: Shortlist | None) -> _Bounds:
        raw, ranges, ceiling = self._candidates.raw, self._candidates.ranges, -np.inf
        end = None if few is None else few.end
        if few is not None:
            raw, ceiling = raw.at(few.columns), few.ceiling
        if (
            few is not None and end is not None
        ):  # what stands for those behind them is scored with them, as the last
            # Where more documents are read for words than are surely on the list, one behind it may have them all.
            coverage = np.full(1, float(few.depth < self._nearest.size))
            raw = raw.joined(end._replace(coverage=coverage))
        terms, most = self._fitted.terms(raw, ranges), self._fitted.most(raw, ranges)
        if end is not None:
            ceiling = float(terms.relevance[-1] if most is None else max(terms.relevance[-1], most[-1]))
            terms, most = terms.at(slice(-1)), None if most is None else most[:-1]
        upper = _finite(self._scorer, terms.score)
        may_spare = may_spare_mentions(self._scorer, terms) & (not all(self._has))
        if most is not None:
            upper = most
        elif self._evidence.seeks_namesakes:
            upper = terms.relevance
        elif self._scorer.spare_mentions:
            # Names only cost. A mention that is not counted wins back at most all that it costs.
            upper = np.where(may_spare, terms.relevance, upper)
        return _Bounds(None if few is None else few.columns, terms, may_spare, upper, ceiling)

    def verify(self) -> None:
        """Have the first candidates verified: those that score most, whatever is said of them."""
        # A verifier may say that a document is not about what its vector is near to.
        upper = np.maximum(self._by_vector.upper, self._by_vector.terms.relevance)
        self._bounds = self._by_vector._replace(upper=upper)
        bounds = self._candidates.plain if self._scorer.mode == "flag" else upper
        pool = self._candidates.pool if self._candidates.pool is not None else np.arange(bounds.size)
        first = pool[top_k(bounds[pool], self._evidence.most_verified)]
        self._evidence.verify(self._candidates.documents.at(first), self._has)

    def scores(self, positions: Positions) -> Scores:
        """Return the scores of candidates; −inf for those that are left out."""
        if self._is_exact:
            terms = self._by_vector.terms.at(self._by_vector.entries(positions))
        else:
            terms = self.assess(positions).terms
        if self._scorer.mode != "hard" or terms.penalty_share is None:
            return terms.score
        return np.where(terms.penalty_share >= self._scorer.threshold, -np.inf, terms.score)

    def assess(self, positions: Positions) -> Assessment:
        """Return what is known of candidates."""
        if self._last is not None and self._last.positions.size:
            before = np.searchsorted(self._last.positions, positions)
            if np.array_equal(self._last.positions.take(before, mode="clip"), positions):
                return self._last.at(before)
        documents = self._candidates.documents.at(positions)
        raw = self._candidates.raw.at(positions)
        statements = self._evidence.statements(documents, self._has)
        if self._is_exact:
            readings = Readings.of_names(np.zeros(raw.traps.shape))
        else:
            readings = self._evidence.readings(documents, statements, self._has)
        ignored = np.zeros(raw.traps.shape, np.bool_)
        entries = self._by_vector.entries(positions)
        if self._by_vector.may_spare[entries].any():
            raw, ignored = self._spare(entries, documents, raw, readings.names)
        terms = self._fitted.terms(raw, self._candidates.ranges, readings)
        sentences = [None] * len(documents)
        assessment = Assessment(
            positions, documents, raw, terms, readings.names, ignored, sentences, self._has, statements
        )
        self._last = assessment if np.all(positions[:-1] < positions[1:]) else None
        return assessment

    def _spare(
        self, entries: Positions, documents: Sequence[Document], raw: RawScores, names: Scores
    ) -> tuple[RawScores, npt.NDArray[np.bool_]]:
        """Return the raw scores without mentions; documents are read in the order of their relevance."""
        order = top_k(self._by_vector.terms.relevance[entries], len(entries))
        sparing = self._evidence.spare_mentions(
            [documents[at] for at in order],
            raw.at(order),
            names[:, order],
            self._by_vector.may_spare[entries][order],
            self._has,
        )
        back = np.argsort(order)
        return sparing.raw.at(back), sparing.ignored[:, back]

    def sweep(self, depth: int) -> SweptCandidates:
        """Return the candidates that are most relevant at any beta, and the first of plain retrieval."""
        raw, ranges = self._candidates.raw, self._candidates.ranges
        self._bounds = None  # those of a shortlist are not of all
        bounds = self._fitted.most(raw, ranges)
        bounds = self._by_vector.terms.relevance if bounds is None else bounds
        pool = np.arange(bounds.size) if self._candidates.pool is None else self._candidates.pool
        near = [top_k(scores[pool], depth) for scores in (bounds, self._candidates.plain)]
        inside = np.union1d(*near)
        assessment = self.assess(pool[inside])
        readings = self._evidence.readings(assessment.documents, assessment.statements, self._has)
        losses = None if self._scorer.sentences else self._fitted.losses(assessment.raw, ranges, readings)
        if losses is None:
            problem = f'cannot be given for "{self._scorer.name}" as it is set; leave them out'
            raise ArgumentError("candidates", problem)
        beyond = np.delete(bounds[pool], inside)
        return SweptCandidates(assessment, losses, float(beyond.max(initial=-np.inf)))

    def removed(self, best: Assessment) -> Assessment:
        """Return what is left out of the first k of plain retrieval, or of as many as the best reach down to."""
        k, candidates = self._plan.k, self._candidates
        ranks = [rank or 0 for rank in candidates.plain_ranks(best.positions)]
        depth = min(max([k, *ranks]), max(k, REMOVED_SHOWN))
        near = self.assess(top_k(candidates.plain, depth))
        share = near.terms.penalty_share
        excluded = np.flatnonzero(share >= self._scorer.threshold) if share is not None else near.positions[:0]
        listed = {candidates.key(document) for document in best.documents}
        first = [at for at in excluded if candidates.key(near.documents[at]) not in listed]
        unique = {candidates.key(near.documents[at]): at for at in reversed(first)}
        return near.at(np.array(sorted(unique.values()), np.intp))


def _properties(
    plan: QueryPlan, candidates: CandidateSet, evidence: EvidenceReader, few: Shortlist | None
) -> tuple[bool, ...]:
    """Return which traps are properties, by what the most relevant candidates say."""
    raw = candidates.raw
    if not plan.scorer.reads_statements or raw.target is None:
        return (False,) * len(raw.traps)
    first = top_k if few is None else few.nearest
    nearest, near = (first(scores, SIGNS_READ).tolist() for scores in (raw.target, raw.query))
    every = list(dict.fromkeys((*nearest, *near)))  # many are near to both, and are looked at once
    documents = candidates.documents.at(every)
    return evidence.properties(documents[: len(nearest)], documents[len(nearest) :])


def _nearest(plan: QueryPlan, candidates: CandidateSet, few: Shortlist | None) -> Positions:
    """Return the candidates that are read for the words of what is wanted: the nearest to it.

    None in hybrid search, which has the words of all. And none where documents alone are examples of what is not
    wanted: there, others keep their score.
    """
    raw, most, pool = candidates.raw, plan.scorer.reads_wanted, candidates.pool
    if not most or raw.target is None or plan.hybrid is not None or len(plan.examples) == len(raw.traps):
        return np.zeros(0, np.intp)
    if pool is not None:
        return pool[top_k(raw.target[pool], most)]
    return (top_k if few is None else few.nearest)(raw.target, most)


def _with_coverage(candidates: CandidateSet, evidence: EvidenceReader, nearest: Positions) -> CandidateSet:
    """Return the candidates with how much of what is wanted the nearest of them say in so many words."""
    if not nearest.size:
        return candidates
    coverage = np.zeros(candidates.raw.query.size)
    coverage[nearest] = evidence.coverage(candidates.documents.at(nearest))
    return replace(candidates, raw=candidates.raw._replace(coverage=coverage))


def _fit(plan: QueryPlan, candidates: CandidateSet, has: Sequence[bool]) -> FittedScorer:
    """Return the score of this query; with words beside vectors, where both count."""
    fitted = plan.scorer.fit(candidates.raw, has)
    if plan.hybrid is None:
        return fitted
    return fit_hybrid(fitted, plan.hybrid, plan.scorer.weight, candidates.raw, candidates.ranges)


def _finite(scorer: Scorer, scores: Scores) -> Scores:
    """Return scores that can be ranked: NaN is neither more nor less than another."""
    if not np.isfinite(scores).all():
        problem = f'"{scorer.name}" gives NaN or infinity for a document; choose less extreme parameters'
        raise ArgumentError("score", problem)
    return scores
