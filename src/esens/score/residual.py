"""The residual: how much nearer a document is to the excluded than others that are as near to the wanted.

    r(d) = raw(d, trap) − slope·raw(d, target)
    a(d) = min(most, max(0, β/4·(r(d) − mean) / deviation))

Slope, mean and standard deviation are those of the most relevant documents. A property that some of them have and
others lack shows; a neighbourhood that is near to the excluded as a whole does not pay as a whole. Shifting or
scaling all raw scores of a text changes nothing. What only a vector shows never costs all (``most`` is 0.6): some
of the documents are always farther from the line than others, also where none of them has the thing. An example is
another matter: who has come three quarters of the way from the usual document to the example is as good as a copy
of it, and may lose all. That shows among few documents, too.
"""

from typing import NamedTuple

import numpy as np

from esens.score.normalise import Array, Scores

NEIGHBOURHOOD = 50
"""How many of the most relevant documents the residual is measured against."""
FEWEST = 10
"""Of fewer documents nothing can be said: one of three always lies apart."""
MOST = 0.6
"""The greatest share that a document loses by its vector alone."""
_PER_DEVIATION = 0.25
_COPY = 0.75
"""By cosines, so, no document below 0.5 is ever a copy, wherever the usual one stands."""


class ResidualFit(NamedTuple):
    """The line through the most relevant documents, and how far they lie from it; 0 tells nothing.

    ``usual`` is their mean raw score with the trap.
    """

    slope: float
    mean: float
    deviation: float
    usual: float


def fit_residual(target: Array, trap: Array) -> ResidualFit:
    """Return the fit over the most relevant documents, given the raw scores of both texts.

    The slope is at least 0: that a document is wanted never speaks for its having what is excluded.
    """
    # One order for the same documents, so that sums are the same to the last bit.
    order = np.lexsort((trap, target))
    wanted, excluded = target[order].astype(np.float64), trap[order].astype(np.float64)
    if wanted.size < FEWEST:
        return ResidualFit(0.0, 0.0, 0.0, float(excluded.mean()) if excluded.size else 0.0)
    variance = float(wanted.var())
    covariance = float(((wanted - wanted.mean()) * (excluded - excluded.mean())).mean())
    slope = max(0.0, covariance / variance) if variance > 0 else 0.0
    rest = excluded - slope * wanted
    return ResidualFit(slope, float(rest.mean()), float(rest.std()), float(excluded.mean()))


def residual_slope(
    target: Array, trap: Array, fit: ResidualFit, itself: Array | float | None = None
) -> tuple[Scores, Scores | float]:
    """Return what a unit of beta costs each document, a share of its relevance or less than nothing; and the most.

    ``itself`` is the raw score that the example has with itself, where the trap is one.
    """
    is_copy = np.False_ if itself is None else trap - fit.usual >= _COPY * (itself - fit.usual)
    if fit.deviation <= 0:
        return np.broadcast_to(is_copy, target.shape).astype(np.float64), 1.0
    apart = trap.astype(np.float64) - fit.slope * target.astype(np.float64) - fit.mean
    return _PER_DEVIATION * apart / fit.deviation, np.where(is_copy, 1.0, MOST)
