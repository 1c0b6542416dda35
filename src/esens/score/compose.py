"""One vector does it all: over a whole corpus, ranking by S is ranking by the inner product with one vector.

Min-max is affine, so S(d) = d·v + constant with v = α·q/range(q) + γ·t/range(t) − β·p/range(p). Any engine
that answers an inner-product query therefore serves E-SENS in one query, over an unchanged index.
"""

import numpy as np

from esens.score.linear import Weights
from esens.score.normalise import Array, Extent, Scores


def compose(
    weights: Weights,
    *,
    query: tuple[Array, Extent],
    target: tuple[Array, Extent],
    trap: tuple[Array, Extent],
) -> Scores:
    """Return v from each text's vector and the extent of its raw scores. It holds for one trap."""
    parts = ((weights.alpha, *query), (weights.gamma, *target), (-weights.beta, *trap))
    return sum((_scaled(*part) for part in parts), np.zeros(len(query[0])))


def _scaled(weight: float, vector: Array, over: Extent) -> Scores:
    # A text that scores all documents alike says nothing: its term is 0, as in min_max.
    scale = weight / over.range if over.range > 0 else 0.0
    return np.multiply(vector, scale, dtype=np.float64)
