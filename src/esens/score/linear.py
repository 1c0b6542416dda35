"""The paper's score: S(d) = α·s(d, q) + γ·s(d, target) − β·s(d, trap), every s min-max normalised.

With several traps the penalty of a document is that of the trap it is nearest to, so that naming a second
exclusion never softens the first. With one trap, as in the paper, that is the paper's score to the letter.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.score.normalise import Array, Scores, extent, min_max

DEFAULT_BETA = 0.5
DEFAULT_VARIANT = "baseline-minus-trap"
VARIANTS = {"baseline-minus-trap": (1.0, 0.0), "target-minus-trap": (0.0, 1.0)}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much the query (alpha), its target (gamma) and its traps (beta) count."""

    alpha: float = 1.0
    gamma: float = 0.0
    beta: float = DEFAULT_BETA

    def __post_init__(self) -> None:
        for name in ("alpha", "gamma", "beta"):
            object.__setattr__(self, name, _weight(name, getattr(self, name)))
        if self.alpha == 0 and self.gamma == 0:
            raise ArgumentError("alpha", "alpha and gamma are both 0, so nothing would be wanted; raise one")

    @classmethod
    def of(
        cls,
        *,
        variant: str | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        beta: float,
    ) -> "Weights":
        """Return the weights of a named variant, or free ones; alpha and gamma not given are 0 then."""
        if alpha is not None or gamma is not None:
            if variant is not None:
                raise ArgumentError("variant", "give either a variant or alpha and gamma, not both")
            return cls(alpha if alpha is not None else 0.0, gamma if gamma is not None else 0.0, beta)
        name = DEFAULT_VARIANT if variant is None else variant
        if name not in VARIANTS:
            raise ArgumentError("variant", f"unknown variant {name!r}; valid are: {', '.join(VARIANTS)}")
        return cls(*VARIANTS[name], beta)


class Terms(NamedTuple):
    """The two sides of the score, a value a document."""

    relevance: Scores
    exclusion: Scores

    @property
    def score(self) -> Scores:
        """S(d)."""
        return self.relevance - self.exclusion


def linear(weights: Weights, *, query: Array, target: Array | None, traps: Array) -> Terms:
    """Return the terms of the score from the raw scores of the query, its target and its traps (a row each).

    A target that has no weight may be None; without traps nothing is excluded.
    """
    relevance = min_max(query)
    relevance *= weights.alpha
    if target is not None:
        relevance += weights.gamma * min_max(target)
    exclusion = min_max(traps[0]) if len(traps) else np.zeros(query.shape)
    for raw in traps[1:]:
        np.maximum(exclusion, min_max(raw), out=exclusion)
    exclusion *= weights.beta
    return Terms(relevance, exclusion)


def nearest_trap(traps: Array, positions: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the number of the trap that each of these documents is nearest to, the one it pays for."""
    nearness = np.array([min_max(raw[positions], extent(raw)) for raw in traps])
    return np.asarray(nearness.argmax(axis=0), np.intp)


def _weight(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ArgumentError(name, f"must be a number, got {value!r}")
    if not math.isfinite(value) or value < 0:
        raise ArgumentError(name, f"must be a finite number of at least 0, got {value}")
    return float(value)
