"""The few candidates that a score is computed for, where most are too far from what is wanted to matter.

Where a document never scores less for being nearer to query and target, none of those that are behind the first
hundreds by both can score more than one that is as near to each as the last of these (Fagin, Lotem and Naor,
2001).
"""

from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, least_of_best, top_k
from esens.score.base import RawScores, ScoreRanges
from esens.score.normalise import Array
from esens.search.candidates import CandidateSet

_FIRST, _A_RESULT = 512, 4
"""Of each text so many of the nearest documents, and a few for each result that is wanted."""
_WORTH_IT = 8
"""How many times as many candidates there must be for this to be worth its while."""


class Shortlist(NamedTuple):
    """Columns of a candidate set, in their order, with all of the nearest to query and to target among them."""

    columns: Positions
    depth: int
    """How many of the nearest to each text are surely among them."""
    end: RawScores | None
    """A document that is as near to each text as any other can be, and far from every trap."""
    ceiling: float = np.inf
    """What no other scores more than, where that is known without such a document."""

    def nearest(self, scores: Array, k: int) -> Positions:
        """Return the columns with the k greatest raw scores, of query or target."""
        return self.columns[top_k(scores[self.columns], k)] if k <= self.depth else top_k(scores, k)


def shortlist(candidates: CandidateSet, k: int) -> Shortlist | None:
    """Return the candidates that are near to query or target; None where that spares little."""
    raw, first = candidates.raw, listed(k)
    if (beyond := candidates.beyond) is not None:  # they are few already
        return Shortlist(np.arange(raw.query.size), beyond.depth, beyond.end, beyond.ceiling)
    if candidates.pool is not None or raw.query.size < _WORTH_IT * first:
        return None
    query = least_of_best(raw.query, first)
    is_near = raw.query >= query
    target = None
    if raw.target is not None:
        target = least_of_best(raw.target, first)
        is_near |= raw.target >= target
    return Shortlist(np.flatnonzero(is_near), first, farthest(raw, candidates.ranges, query, target))


def listed(k: int) -> int:
    """Return how many of the nearest to each text are on a list for so many results."""
    return max(_FIRST, _A_RESULT * k)


def farthest(raw: RawScores, ranges: ScoreRanges, query: float, target: float | None = None) -> RawScores:
    """Return the raw scores of a document that is so near to query and target, and far from every trap."""
    return raw._replace(
        query=np.array([query], raw.query.dtype),
        target=None if target is None else np.array([target], raw.query.dtype),
        traps=np.array([[trap.low] for trap in ranges.traps], raw.traps.dtype).reshape(-1, 1),
        lengths=None if raw.lengths is None else np.ones(1, raw.lengths.dtype),
    )
