"""The paper's score in its two variants (E-SENS): the query's, or the target's, minus β times the trap's.

Every score is min-max normalised first; with several traps the nearest one counts. See ``esens.score.linear``.
"""

from dataclasses import dataclass

from esens.evaluate.methods.base import spec_of
from esens.score.linear import DEFAULT_BETA, Linear


@dataclass(frozen=True, slots=True)
class BaselineMinusTrap:
    """The paper's main score: similarity to the query minus β times that to what is excluded."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("baseline-minus-trap", self.beta)

    @property
    def scorer(self) -> Linear:
        """The paper's main variant."""
        return Linear(variant="baseline-minus-trap", beta=self.beta)


@dataclass(frozen=True, slots=True)
class TargetMinusTrap:
    """The paper's other score: similarity to what is wanted minus β times that to what is excluded."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("target-minus-trap", self.beta)

    @property
    def scorer(self) -> Linear:
        """The paper's other variant."""
        return Linear(variant="target-minus-trap", beta=self.beta)
