"""The k best of many candidates, where what each scores costs more to know than what it scores at most.

Reading a document's words costs more than comparing its vector, so words are read only where they can matter:
documents come in the order of what they score at most, until no other can reach the k-th best (the threshold
algorithm of Fagin, Lotem and Naor, 2001).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import Positions, top_k
from esens.score.normalise import Scores
from esens.search.candidates import CandidateSet

FIRST, _MORE = 16, 2


class ColumnPart(NamedTuple):
    """Some columns, and what no other scores more than."""

    columns: Positions
    ceiling: float


class BelowCeilingError(Exception):
    """Others than those of a part may have been next."""


def best_of(
    candidates: CandidateSet,
    upper: npt.NDArray[np.floating],
    exact: Callable[[Positions], npt.NDArray[np.floating]],
    k: int,
    *,
    is_exact: bool = True,
    first: int = FIRST,
    part: ColumnPart | None = None,
) -> tuple[Positions, Scores]:
    """Return the k best candidates, best first, and their scores; passages of one document count as one.

    ``exact`` is asked only for the candidates with the greatest ``upper`` bounds, for ``first`` of them and then
    for more and more until no other can be among the k best. A score of −inf is none. With ``is_exact`` the bounds
    are the scores. Of a part the bounds are those of its columns; where another may have been next, this raises.
    """
    if not k:
        return np.zeros(0, np.intp), np.zeros(0)
    columns, ceiling = (candidates.pool, -np.inf) if part is None else part
    bounds = upper if part is not None or columns is None else upper[columns]
    depth = k if is_exact else max(first, k + k // 2)
    while True:
        nearest = top_k(bounds, depth)
        if nearest.size and bounds[nearest[-1]] <= ceiling:
            raise BelowCeilingError
        inside = np.sort(nearest)
        positions = inside if columns is None else columns[inside]
        scores = exact(positions)
        best = _best_passages(candidates, positions, scores, k)
        if bounds.size <= depth:
            if part is not None and (len(best) < k or scores[best[k - 1]] <= ceiling):
                raise BelowCeilingError  # all of the part was read, and what it says costs too much
            break
        if k <= len(best):
            kth, next_bound = scores[best[k - 1]], bounds[nearest[-1]]
            # Of equal scores the first in corpus order counts, and that one may not have been looked at.
            if kth > next_bound or (is_exact and kth == next_bound):
                break
        depth *= _MORE
    return positions[best], np.asarray(scores[best], np.float64)


def _best_passages(
    candidates: CandidateSet, positions: Positions, scores: npt.NDArray[np.floating], k: int
) -> Positions:
    """Return which of these candidates are the best k results: of each document, its best passage."""
    order: Positions = top_k(scores, len(scores))
    order = order[np.isfinite(scores[order])]
    if not candidates.folds_passages:
        return np.asarray(order[:k], np.intp)
    best: dict[str, int] = {}
    for start in range(0, len(order), k):
        part = order[start : start + k]
        for place, document in zip(part, candidates.documents.at(positions[part]), strict=True):
            best.setdefault(candidates.key(document), int(place))
        if len(best) >= k:
            break
    return np.array(list(best.values())[:k], np.intp)
