"""The best documents by a score that is dear to compute, where an upper bound of it is cheap."""

from collections.abc import Callable

import numpy as np

from esens.arrays.rank import Positions, top_k
from esens.score.normalise import Scores

_FIRST, _MORE = 16, 2


def best_by_bound(upper: Scores, exact: Callable[[Positions], Scores], k: int) -> tuple[Positions, Scores]:
    """Return positions that hold the k best documents, in corpus order, and their exact scores.

    ``exact`` is asked only for the documents with the greatest bounds, for more and more of them until no other
    can reach the k-th best (the threshold algorithm of Fagin, Lotem and Naor, 2001). A score of −inf is none.
    """
    depth = max(_FIRST, k + k // 2)
    while True:
        nearest = top_k(upper, depth)
        positions = np.sort(nearest)
        scores = exact(positions)
        if len(nearest) == upper.size or _kth(scores, k) > upper[nearest[-1]]:
            return positions, scores
        depth *= _MORE


def _kth(scores: Scores, k: int) -> float:
    return float(np.partition(scores, scores.size - k)[scores.size - k]) if 0 < k <= scores.size else np.inf
