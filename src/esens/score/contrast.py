"""Our score: relevance, less the share of it that a document loses for being about what is excluded.

    P(d) = α·s(d, query) + γ·s(d, target)
    c(d) = s(d, trap) − s(d, target) + ν·named(d, trap)
    a(d) = min(1, β·max(0, c(d)))
    S(d) = P(d)·(1 − a(d))

Every s is min-max normalised over the scored documents, as in the paper's score. The contrast c compares the two
sides instead of subtracting one: only a document nearer to the excluded side than to the wanted side pays, and one
that mentions the excluded thing in passing keeps its score to the last bit. ``named`` is how much of the excluded
thing's name is in the document's own title or opening. What is lost is a share of the document's own relevance,
and relevance goes from the least to the greatest there is, so that β means much the same for every embedder and
corpus. With several traps, the one with the greatest contrast counts: the worst exclusion, not their sum.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.score.normalise import Array, Extent, Scores, extent, min_max
from esens.score.weight import checked_weight

DEFAULT_ALPHA, DEFAULT_GAMMA = 0.75, 0.25
DEFAULT_BETA = 2.5
NAME_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much the query (alpha) and its target (gamma) count, and how steeply the contrast costs (beta).

    ``name`` is ν, how much a name adds to the contrast.
    """

    alpha: float = DEFAULT_ALPHA
    gamma: float = DEFAULT_GAMMA
    beta: float = DEFAULT_BETA
    name: float = NAME_WEIGHT

    def __post_init__(self) -> None:
        for field in ("alpha", "gamma", "beta", "name"):
            object.__setattr__(self, field, checked_weight(field, getattr(self, field)))
        if self.alpha == 0 and self.gamma == 0:
            raise ArgumentError("alpha", "alpha and gamma are both 0, so nothing would be wanted; raise one")


class Raw(NamedTuple):
    """The raw scores of the query, its target and its traps (a row each) over the scored documents."""

    query: Array
    target: Array
    traps: Array

    def extents(self) -> "Extents":
        """Return the extent of each."""
        return Extents(extent(self.query), extent(self.target), tuple(extent(trap) for trap in self.traps))

    def at(self, positions: npt.NDArray[np.intp]) -> "Raw":
        """Return the raw scores of some of the documents."""
        return Raw(self.query[positions], self.target[positions], self.traps[:, positions])


class Extents(NamedTuple):
    """What raw scores are normalised by: the extents over all scored documents, also where few are looked at."""

    query: Extent
    target: Extent
    traps: tuple[Extent, ...]


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


def contrast(weights: Contrast, raw: Raw, *, over: Extents, names: Scores | None = None) -> Terms:
    """Return P, a and the contrasts of each document.

    ``names`` says how much of each trap (a row) each document is named for. Without names the degrees are lower
    bounds of those with them, and so the scores upper bounds.
    """
    wanted = min_max(raw.target, over.target)
    relevance = weights.alpha * min_max(raw.query, over.query) + weights.gamma * wanted
    sides = np.stack([min_max(trap, one) for trap, one in zip(raw.traps, over.traps, strict=True)]) - wanted
    if names is not None:
        sides += weights.name * names
    degree = np.clip(weights.beta * sides.max(axis=0), 0.0, 1.0)
    return Terms(relevance, degree, sides)


class Best(NamedTuple):
    """The raw scores of a document's best sentences: the nearest to the query, and the nearest to the target."""

    query: Array
    target: Array


def with_sentences(terms: Terms, best: Best, *, over: Extents) -> Terms:
    """Return the terms with half of the relevance taken from the best sentences.

    Sentences speak for a document and not against it: each is compared with what is wanted, never with a trap.
    They are normalised by the extents of the documents, and may lie beyond them.
    """
    witnessed = 0.5 * (min_max(best.query, over.query) + min_max(best.target, over.target))
    return terms._replace(relevance=np.maximum(0.0, 0.5 * (terms.relevance + witnessed)))
