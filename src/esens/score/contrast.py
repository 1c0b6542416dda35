"""Our score: relevance, less the share of it that a document loses for being about what is excluded.

    P(d) = α·s(d, query) + γ·s(d, target)
    c(d) = n(d, trap) − n(d, target) + ν·named(d, trap)
    a(d) = min(1, β·max(0, c(d)))
    S(d) = P(d)·(1 − a(d))

s is min-max normalised over the scored documents, as in the paper's score. n, the nearness, is so too, but reaches
from the least to the second greatest raw score: one document that says nothing but a name must not set the scale.
The contrast c compares the two sides instead of subtracting one: only a document nearer to the excluded side than
to the wanted side pays, and one that mentions the excluded thing in passing keeps its score to the last bit.
``named`` is how much of the excluded thing's name is in the document's own title or opening.

Where all scored documents are alike, the last of them is far behind without being far off. So nobody pays who is
not named for a trap, and whose cosine with it is clearly below that with the target.

What is lost is a share of the document's own relevance, and relevance goes from the least to the greatest there
is, so that β means much the same for every embedder and corpus. With several traps, the one with the greatest
contrast counts: the worst exclusion, not their sum.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.score.normalise import Array, Extent, Scores, extent, min_max
from esens.score.weight import checked_weight

DEFAULT_ALPHA, DEFAULT_GAMMA = 0.75, 0.25
DEFAULT_BETA = 2.0
NAME_WEIGHT = 0.2
CLEARLY = 0.1
"""How far below the target's a cosine with the trap must be to say that a document is not about it."""


_FEW = 2  # documents, of which the second is the last


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much the query (alpha) and its target (gamma) count, and how steeply the contrast costs (beta).

    ``naming`` is ν, how much a name adds to the contrast.
    """

    alpha: float = DEFAULT_ALPHA
    gamma: float = DEFAULT_GAMMA
    beta: float = DEFAULT_BETA
    naming: float = NAME_WEIGHT

    def __post_init__(self) -> None:
        for field in ("alpha", "gamma", "beta", "naming"):
            object.__setattr__(self, field, checked_weight(field, getattr(self, field)))
        if self.alpha == 0 and self.gamma == 0:
            raise ArgumentError("alpha", "alpha and gamma are both 0, so nothing would be wanted; raise one")


class Raw(NamedTuple):
    """The raw scores of the query, its target and its traps (a row each) over the scored documents."""

    query: Array
    target: Array
    traps: Array

    def extents(self) -> "Extents":
        """Return what each is normalised by."""
        return Extents(
            query=extent(self.query),
            target=extent(self.target),
            target_side=reach(self.target),
            trap_sides=tuple(reach(trap) for trap in self.traps),
        )

    def at(self, positions: npt.NDArray[np.intp]) -> "Raw":
        """Return the raw scores of some of the documents."""
        return Raw(self.query[positions], self.target[positions], self.traps[:, positions])


class Extents(NamedTuple):
    """What raw scores are normalised by, over all scored documents, also where few are looked at.

    ``query`` and ``target`` are the extents of the relevance, the others those of the two sides.
    """

    query: Extent
    target: Extent
    target_side: Extent
    trap_sides: tuple[Extent, ...]


class Nearness(NamedTuple):
    """The two sides: 0 for the least similar of the scored documents, 1 for the second most; a row a trap."""

    target: Scores
    traps: Scores


class Terms(NamedTuple):
    """The parts of the score: P, a, and the contrast with each trap (a row), which a is the greatest of."""

    relevance: Scores
    degree: Scores
    sides: Scores

    @property
    def trap(self) -> npt.NDArray[np.intp]:
        """Which trap a comes from. Few documents are asked for it, so it is not found for all."""
        return np.asarray(self.sides.argmax(axis=0), np.intp)

    @property
    def score(self) -> Scores:
        """S(d) = P(d)·(1 − a(d))."""
        return self.relevance * (1.0 - self.degree)


def reach(raw: Array) -> Extent:
    """Return the least and the second greatest raw score; the greatest, where that says nothing."""
    low, high = extent(raw)
    second = float(np.partition(raw, raw.size - 2)[raw.size - 2]) if raw.size > _FEW else high
    return Extent(low, second if second > low else high)


def nearness(raw: Raw, *, over: Extents) -> Nearness:
    """Return both sides of each document."""
    traps = [min_max(trap, one) for trap, one in zip(raw.traps, over.trap_sides, strict=True)]
    return Nearness(min_max(raw.target, over.target_side), np.stack(traps))


def contrast(weights: Contrast, raw: Raw, *, over: Extents, names: Scores | None = None) -> Terms:
    """Return P, a and the contrasts of each document.

    ``names`` says how much of each trap (a row) each document is named for. Without names the degrees are lower
    bounds of those with them, and so the scores upper bounds.
    """
    wanted = min_max(raw.target, over.target)
    relevance = weights.alpha * min_max(raw.query, over.query) + weights.gamma * wanted
    target, traps = nearness(raw, over=over)
    sides = traps - target
    may_pay = raw.traps > raw.target - CLEARLY
    if names is not None:
        sides += weights.naming * names
        may_pay |= names > 0
    sides = np.where(may_pay, sides, np.minimum(sides, 0.0))
    degree = np.clip(weights.beta * sides.max(axis=0), 0.0, 1.0)
    return Terms(relevance, degree, sides)


class Best(NamedTuple):
    """The raw scores of a document's best sentences: the nearest to the query, and the nearest to the target."""

    query: Array
    target: Array


def with_sentences(weights: Contrast, terms: Terms, best: Best, *, over: Extents) -> Terms:
    """Return the terms with half of the relevance taken from the best sentences.

    Sentences speak for a document and not against it: each is compared with what is wanted, never with a trap.
    They are normalised by the extents of the documents, and may lie beyond them.
    """
    both = weights.alpha + weights.gamma
    witnessed = 0.5 * both * (min_max(best.query, over.query) + min_max(best.target, over.target))
    return terms._replace(relevance=np.maximum(0.0, 0.5 * (terms.relevance + witnessed)))
