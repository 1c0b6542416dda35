"""The paper's score: S(d) = α·s(d, q) + γ·s(d, target) − β·s(d, trap), every s min-max normalised.

With several traps the penalty of a document is that of the trap it is nearest to, so that naming a second
exclusion never softens the first. With one trap, as in the paper, that is the paper's score to the letter.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.score.normalise import Array, Extent, Scores, extent, min_max
from esens.score.weight import checked_weight

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
            object.__setattr__(self, name, checked_weight(name, getattr(self, name)))
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
        if not isinstance(name, str) or name not in VARIANTS:
            raise ArgumentError("variant", f"unknown variant {name!r}; valid are: {', '.join(VARIANTS)}")
        return cls(*VARIANTS[name], beta)


class Extents(NamedTuple):
    """What raw scores are normalised by, where those at hand are not all there are."""

    query: Extent
    target: Extent | None
    traps: tuple[Extent, ...]

    @classmethod
    def of(cls, *, query: Array, target: Array | None, traps: Array) -> "Extents":
        """Return the extents of the raw scores of all documents."""
        return cls(extent(query), None if target is None else extent(target), tuple(map(extent, traps)))


def linear(
    weights: Weights, *, query: Array, target: Array | None, traps: Array, over: Extents | None = None
) -> Scores:
    """Return S(d) from the raw scores of the query, its target and its traps (a row each).

    A target that has no weight may be None; without traps nothing is excluded.
    """
    over = over or Extents.of(query=query, target=target, traps=traps)
    score = _weighted(weights.alpha, query, over.query)
    if target is not None and over.target is not None:
        score += _weighted(weights.gamma, target, over.target)
    if len(traps):
        exclusion = _weighted(weights.beta, traps[0], over.traps[0])
        for raw, one in zip(traps[1:], over.traps[1:], strict=True):
            np.maximum(exclusion, _weighted(weights.beta, raw, one), out=exclusion)
        score -= exclusion
    return score


class Terms(NamedTuple):
    """The two sides of the score, and which trap the exclusion comes from, for some documents."""

    relevance: Scores
    exclusion: Scores
    trap: npt.NDArray[np.intp]


def terms(
    weights: Weights,
    *,
    query: Array,
    target: Array | None,
    traps: Array,
    at: npt.NDArray[np.intp],
    over: Extents | None = None,
) -> Terms:
    """Return the terms of :func:`linear` for the documents at these positions: few, so with nothing spared."""
    over = over or Extents.of(query=query, target=target, traps=traps)
    relevance = weights.alpha * min_max(query[at], over.query)
    if target is not None and over.target is not None:
        relevance += weights.gamma * min_max(target[at], over.target)
    if not len(traps):
        return Terms(relevance, np.zeros(len(at)), np.zeros(len(at), np.intp))
    nearness = np.stack([min_max(raw[at], one) for raw, one in zip(traps, over.traps, strict=True)])
    return Terms(relevance, weights.beta * nearness.max(axis=0), np.asarray(nearness.argmax(axis=0), np.intp))


def _weighted(weight: float, raw: Array, over: Extent) -> Scores:
    """Return weight · min_max(raw) with one pass less over the corpus."""
    low, high = over
    scores = np.subtract(raw, low, dtype=np.float64)
    scores *= weight / (high - low) if high > low else 0.0
    return scores
