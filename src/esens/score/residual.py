"""The residual: how much nearer a document is to the excluded than others that are as near to the wanted.

    r(d) = raw(d, trap) − slope·raw(d, target)
    a(d) = min(most, max(0, β/4·(r(d) − mean) / deviation))

Slope, mean and standard deviation are those of the most relevant documents. A property that some of them have and
others lack shows; a neighbourhood that is near to the excluded as a whole does not pay as a whole. Shifting or
scaling all raw scores of a text changes nothing. What only a vector shows never costs all (``most`` is 0.6): some
of the documents are always farther from the line than others, also where none of them has the thing. An example is
another matter: to be more like it than others is all that is asked.
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


class ResidualFit(NamedTuple):
    """The line through the most relevant documents, and how far they lie from it; 0 tells nothing."""

    slope: float
    mean: float
    deviation: float


def fit_residual(target: Array, trap: Array) -> ResidualFit:
    """Return the fit over the most relevant documents, given the raw scores of both texts.

    The slope is at least 0: that a document is wanted never speaks for its having what is excluded.
    """
    # One order for the same documents, so that sums are the same to the last bit.
    order = np.lexsort((trap, target))
    wanted, excluded = target[order].astype(np.float64), trap[order].astype(np.float64)
    if wanted.size < FEWEST:
        return ResidualFit(0.0, 0.0, 0.0)
    variance = float(wanted.var())
    covariance = float(((wanted - wanted.mean()) * (excluded - excluded.mean())).mean())
    slope = max(0.0, covariance / variance) if variance > 0 else 0.0
    rest = excluded - slope * wanted
    return ResidualFit(slope, float(rest.mean()), float(rest.std()))


def residual_share(target: Array, trap: Array, fit: ResidualFit, beta: float, most: float = MOST) -> Scores:
    """Return the share of its relevance that each document loses."""
    if fit.deviation <= 0:
        return np.zeros(target.shape)
    rest = trap.astype(np.float64) - fit.slope * target.astype(np.float64)
    return np.clip(beta * _PER_DEVIATION * (rest - fit.mean) / fit.deviation, 0.0, most)
