"""Words beside vectors: relevance from both, and what is excluded costs a document whichever of them found it.

    P(d)                                     relevance by vectors, as the score has it
    m(d) = BM25(d, target) / its greatest    relevance by words: those of what is wanted, not of what is not
    H(d) = (1 − w)·P(d) + w·m(d)             "weighted"
    H(d) = (1 − w)·r(P(d)) + w·r(m(d))       "rrf": r is 61/(60 + rank), and 0 without a word in common
    S(d) = H(d)·(1 − a(d))

Where a score takes no share but subtracts, it subtracts the same from H. a(d), the share that a document loses,
comes from its vector and its text, so that what one leg excludes does not come back through the other. Where
nothing is excluded, this is what hybrid search is everywhere: both legs by the query, fused.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, ranks
from esens.score.base import FittedScorer, Losses, PlainScale, RawScores, Readings, ScoreRanges, Terms
from esens.score.normalise import Array, Scores
from esens.score.parameters import checked_choice, checked_share

FUSIONS = ("weighted", "rrf")
_RANK_CONSTANT = 60.0
"""The k of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hybrid:
    """How two legs become one list: ``words`` is the share of the relevance that comes from words."""

    fusion: str = "weighted"
    words: float = 0.3

    def __post_init__(self) -> None:
        checked_choice("fusion", self.fusion, FUSIONS)
        object.__setattr__(self, "words", checked_share("words", self.words, may_be_zero=True))

    def word_relevance(self, scores: Array) -> Scores:
        """Return m of each document, given BM25 of all that share a word; 0 where that is 0."""
        matches = scores > 0
        if not matches.any():
            return np.zeros(scores.shape)
        if self.fusion == "rrf":
            return np.where(matches, _reciprocal(ranks(scores)), 0.0)
        return np.where(matches, scores, 0.0) / float(scores.max())

    def fuse(self, by_vectors: Array, by_words: Array) -> Scores:
        """Return the relevance by both."""
        return np.asarray((1.0 - self.words) * by_vectors + self.words * by_words, np.float64)


class FittedHybrid(NamedTuple):
    """The score of one query with both legs. ``relevances`` are those of all candidates by vectors, in order."""

    inner: FittedScorer
    hybrid: Hybrid
    weight: float
    relevances: Scores

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return the fused relevance, and what is lost of it."""
        terms = self.inner.terms(raw, ranges, readings)
        relevance, share = self._fused(terms.relevance, raw), terms.penalty_share
        return terms._replace(relevance=relevance, penalty=terms.penalty if share is None else relevance * share)

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:
        """Return the scale of the vectors: both legs together reach as far."""
        return self.inner.scale(raw, ranges)

    def most(self, raw: RawScores, ranges: ScoreRanges) -> Scores | None:
        """Return what documents score at most, whatever they say."""
        most = self.inner.most(raw, ranges)
        return None if most is None else self._fused(most, raw)

    def losses(self, raw: RawScores, ranges: ScoreRanges, readings: Readings) -> Losses | None:
        """Return what documents lose at any beta: words change what they have, not what they lose."""
        return self.inner.losses(raw, ranges, readings)

    def _fused(self, relevance: Scores, raw: RawScores) -> Scores:
        if self.hybrid.fusion == "rrf":
            greater = self.relevances.size - np.searchsorted(self.relevances, relevance, side="right")
            relevance = self.weight * _reciprocal(1 + greater)
        words = np.zeros(relevance.shape) if raw.words is None else raw.words
        return self.hybrid.fuse(relevance, self.weight * words)


def fit_hybrid(
    fitted: FittedScorer, hybrid: Hybrid, weight: float, raw: RawScores, ranges: ScoreRanges
) -> FittedHybrid:
    """Return a fitted score with words beside its vectors."""
    relevances = np.sort(fitted.terms(raw, ranges).relevance) if hybrid.fusion == "rrf" else np.zeros(0)
    return FittedHybrid(fitted, hybrid, weight, relevances)


def fuse_plainly(hybrid: Hybrid, by_vectors: Scores, word_scores: Array) -> Scores:
    """Return hybrid search without an exclusion: both legs are of the query."""
    if hybrid.fusion == "rrf":
        by_vectors = _reciprocal(ranks(by_vectors))
    return hybrid.fuse(by_vectors, hybrid.word_relevance(word_scores))


def _reciprocal(rank: Positions) -> Scores:
    return np.asarray((_RANK_CONSTANT + 1.0) / (_RANK_CONSTANT + rank), np.float64)
