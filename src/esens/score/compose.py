"""One vector does it all: over a whole corpus, ranking by S is ranking by the inner product with one vector.

Min-max is affine, so S(d) = d·v + constant with v = α·q/range(q) + γ·t/range(t) − β·p/range(p). Any engine
that answers an inner-product query therefore serves E-SENS in one query, over an unchanged index.
"""

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import Vectors, unit_rows
from esens.score.base import ScoreRanges, TextVectors
from esens.score.normalise import Array, Scores


def compose(beta: float, alpha: float, gamma: float, *, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
    """Return v for each trap, at unit length; without traps, one of what is wanted."""
    wanted = _scaled(alpha, vectors.query, ranges.query)
    if vectors.target is not None and ranges.target is not None:
        wanted += _scaled(gamma, vectors.target, ranges.target)
    betas = [beta * weight for weight in vectors.weights] or [beta] * len(vectors.traps)
    traps = zip(betas, vectors.traps, ranges.traps, strict=True)
    composed = np.stack([wanted - _scaled(each, trap, over) for each, trap, over in traps] or [wanted])
    # Where all documents score alike nothing is left of a composed vector: any will do, and engines want one.
    nonzero = np.where(np.any(composed, axis=1, keepdims=True), composed, vectors.query)
    return unit_rows(nonzero, argument="composed vector")


def _scaled(weight: float, vector: Array, over: ScoreRange) -> Scores:
    # A text that scores all documents alike says nothing: its term is 0, as in min_max.
    scale = weight / over.width if over.width > 0 else 0.0
    return np.multiply(vector, scale, dtype=np.float64)
