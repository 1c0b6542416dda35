"""The paper's score: S(d) = α·s(d, q) + γ·s(d, target) − β·s(d, trap), every s min-max normalised.

With several traps the penalty of a document is that of the trap it is nearest to, so that naming a second
exclusion never softens the first. With one trap, as in the paper, that is the paper's score to the letter.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from esens.arrays.unit import Vectors
from esens.errors import ArgumentError
from esens.score.base import PlainScale, QueryTexts, RawScores, Readings, Scorer, ScoreRanges, Terms, TextVectors
from esens.score.compose import compose
from esens.score.normalise import Scores, weigh
from esens.score.parameters import check_wanted, checked_choice, checked_weight

DEFAULT_BETA = 0.5
DEFAULT_VARIANT = "baseline-minus-trap"
VARIANTS = {"baseline-minus-trap": (1.0, 0.0), "target-minus-trap": (0.0, 1.0)}


@dataclass(frozen=True, slots=True, init=False)
class Linear(Scorer):
    """How much the query (alpha), its target (gamma) and its traps (beta) count.

    ``variant`` names the paper's pairs of alpha and gamma: "baseline-minus-trap", the default, is 1 and 0, and
    "target-minus-trap" 0 and 1. Of alpha and gamma, one that is not given is 0.
    """

    beta: float
    alpha: float
    gamma: float

    def __init__(
        self,
        *,
        beta: float = DEFAULT_BETA,
        variant: str | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
    ) -> None:
        if alpha is None and gamma is None:
            name = checked_choice("variant", DEFAULT_VARIANT if variant is None else variant, tuple(VARIANTS))
            alpha, gamma = VARIANTS[name]
        elif variant is not None:
            raise ArgumentError("variant", "give either a variant or alpha and gamma, not both")
        for field, value in (("beta", beta), ("alpha", alpha), ("gamma", gamma)):
            object.__setattr__(self, field, checked_weight(field, 0.0 if value is None else value))
        check_wanted(self.alpha, self.gamma)

    @property
    def name(self) -> str:
        """The paper calls its score linear."""
        return "linear"

    @property
    def weight(self) -> float:
        """The relevance of a document that is the best by query and target."""
        return self.alpha + self.gamma

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:  # noqa: ARG002 - vectors alone count
        """Return the scale of query and target, as far as each counts."""
        return PlainScale.of(ranges, self.alpha, self.gamma)

    @property
    def is_monotone(self) -> bool:
        """Every weight is at least 0."""
        return True

    @property
    def fit_depth(self) -> int:
        """It is the same for every query."""
        return 0

    @property
    def seeks_traps(self) -> bool:
        """How near to a trap the nearest are says what a unit of its raw score costs."""
        return True

    @property
    def is_linear(self) -> bool:
        """With one trap, its order is that of one composed vector."""
        return True

    def texts(self, query: str, target: str, traps: Sequence[str]) -> QueryTexts:
        """Return the query, and the target and the traps where they have a weight."""
        if self.beta == 0 and self.alpha == 0:  # plain retrieval of the target, as in the paper's sweep
            return QueryTexts(target)
        return QueryTexts(query, target if self.gamma else None, tuple(traps) if self.beta else ())

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        """Return the composed vector of each trap: with one trap, its nearest documents are the best."""
        return compose(self.beta, self.alpha, self.gamma, vectors=vectors, ranges=ranges)

    def ceiling(self, ends: RawScores, ranges: ScoreRanges) -> float:
        """Return what no document behind the last neighbours scores more than.

        The nearest trap counts, so a score is at most that with any one trap; and by that one alone, whatever is
        behind the last neighbour of its probe scores less than it.
        """
        if len(ends.traps) < 2:  # the order of the one probe is that of the score
            return -np.inf
        relevance = self._relevance(ends, ranges)
        penalties = _penalties(self.beta, ends, ranges)
        return float(np.min(relevance - np.diagonal(penalties)))

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:  # noqa: ARG002
        """Return the two sides of equation 1: α·s(d, q) + γ·s(d, target), and β·s(d, trap)."""
        relevance = self._relevance(raw, ranges)
        if not len(raw.traps):
            return Terms(relevance, np.zeros(len(relevance)), np.zeros((1, len(relevance))))
        penalties = _penalties(self.beta, raw, ranges)
        return Terms(relevance, penalties.max(axis=0), penalties)

    def _relevance(self, raw: RawScores, ranges: ScoreRanges) -> Scores:
        relevance = weigh(self.alpha, raw.query, ranges.query)
        if raw.target is not None and ranges.target is not None:
            relevance += weigh(self.gamma, raw.target, ranges.target)
        return relevance


def _penalties(beta: float, raw: RawScores, ranges: ScoreRanges) -> Scores:
    """Return β·s(d, trap) of every trap, a row each."""
    return raw.weigh(
        np.stack([weigh(beta, trap, over) for trap, over in zip(raw.traps, ranges.traps, strict=True)])
    )
