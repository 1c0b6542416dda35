"""The paper's score in its two variants (E-SENS): the query's, or the target's, minus β times the trap's.

Every score is min-max normalised first; with several traps the nearest one counts. See ``esens.score.linear``.
"""

from dataclasses import dataclass

from esens.evaluate.methods.base import Raw, spec_of
from esens.score.linear import DEFAULT_BETA, Weights, linear
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class BaselineMinusTrap:
    """S(d) = s(d, query) − β·s(d, trap)."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("baseline-minus-trap", self.beta)

    def scores(self, raw: Raw) -> Scores:
        """Return the paper's main variant."""
        weights = Weights.of(variant="baseline-minus-trap", beta=self.beta)
        return linear(weights, query=raw.query, target=None, traps=raw.traps)


@dataclass(frozen=True, slots=True)
class TargetMinusTrap:
    """S(d) = s(d, target) − β·s(d, trap)."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("target-minus-trap", self.beta)

    def scores(self, raw: Raw) -> Scores:
        """Return the paper's other variant."""
        weights = Weights.of(variant="target-minus-trap", beta=self.beta)
        return linear(weights, query=raw.query, target=raw.target, traps=raw.traps)
