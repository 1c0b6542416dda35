"""The one tie rule, and the one place that sorts.

rank(d) is one more than the number of documents with a strictly greater score; where a list must be ordered,
equal scores keep corpus order.
"""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]
Positions = npt.NDArray[np.intp]
_BLOCKS = 512
_FEW_SCORES = 256  # sorting them is quicker than choosing what to sort
_FEW = 16  # documents whose rivals are counted for each of them: cheaper than sorting those of all


def top_k(scores: Array, k: int) -> Positions:
    """Return the positions of the k greatest scores, greatest first, equal ones in corpus order."""
    if scores.size <= _FEW_SCORES:
        return np.argsort(-scores, kind="stable")[: max(k, 0)]
    candidates = np.flatnonzero(scores >= least_of_best(scores, k))
    order = np.argsort(-scores[candidates], kind="stable")
    return candidates[order[:k]]


def ranks_of(positions: Positions, scores: Array) -> npt.NDArray[np.intp]:
    """Return the rank of the documents at these positions."""
    mine = scores[positions]
    if not mine.size:
        return np.zeros(0, np.intp)
    # Only documents that score at least as high as the lowest of these can matter: few, as a rule.
    rivals: Array = scores[scores >= mine.min()]
    if mine.size <= _FEW:
        return np.array([1 + np.count_nonzero(rivals > score) for score in mine], np.intp)
    return 1 + rivals.size - np.searchsorted(np.sort(rivals), mine, side="right")


def places_of(positions: Positions, scores: Array) -> npt.NDArray[np.intp]:
    """Return the place of the documents at these positions in the list of all: also where scores tie, one each."""
    place = np.empty(scores.size, np.intp)
    place[np.argsort(-scores, kind="stable")] = np.arange(1, scores.size + 1)
    return place[positions]


def ranks(scores: Array) -> Positions:
    """Return the rank of every document."""
    return ranks_of(np.arange(scores.size), scores)


def least_of_best(scores: Array, k: int) -> float:
    """Return a bound that the k greatest scores reach, and few others: the k-th greatest of the blocks' maxima.

    It spares a full partition, which would cost a good part of the scan it follows; where there are fewer blocks,
    the partition spares a sort of all. A block is every so-manieth score: maxima are then taken side by side.
    """
    if k < 1 or scores.size <= k:
        return -np.inf if k > 0 else np.inf
    blocks = max(_BLOCKS, 2 * k)
    if scores.size < 2 * blocks:
        return float(np.partition(scores, scores.size - k)[scores.size - k])
    rows = scores.size // blocks
    maxima = scores[: rows * blocks].reshape(rows, blocks).max(axis=0)
    return float(np.partition(maxima, blocks - k)[blocks - k])
