"""The few candidates that a score is computed for, where most are too far from what is wanted to matter.

Where a document never scores less for being nearer to query and target, none of those that are behind the first
hundreds by both can score more than one that is as near to each as the last of these (Fagin, Lotem and Naor,
2001).
"""

from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, least_of_best
from esens.score.base import FittedScorer, RawScores
from esens.search.candidates import CandidateSet

_FIRST, _A_RESULT = 512, 4
"""Of each text so many of the nearest documents, and a few for each result that is wanted."""
_WORTH_IT = 8
"""How many times as many candidates there must be for this to be worth its while."""


class Shortlist(NamedTuple):
    """Columns of a candidate set, in their order, and what no other scores more than."""

    columns: Positions
    ceiling: float


def shortlist(candidates: CandidateSet, fitted: FittedScorer, k: int) -> Shortlist | None:
    """Return the candidates that are near to query or target; None where that spares little."""
    raw, first = candidates.raw, max(_FIRST, _A_RESULT * k)
    if candidates.pool is not None or raw.query.size < _WORTH_IT * first:
        return None
    query = least_of_best(raw.query, first)
    is_near = raw.query >= query
    target = None
    if raw.target is not None:
        target = least_of_best(raw.target, first)
        is_near |= raw.target >= target
    end = raw._replace(
        query=np.array([query], raw.query.dtype),
        target=None if raw.target is None else np.array([target], raw.target.dtype),
        traps=np.array([[trap.low] for trap in candidates.ranges.traps], raw.traps.dtype).reshape(-1, 1),
        lengths=None,
    )
    return Shortlist(np.flatnonzero(is_near), _ceiling(candidates, fitted, end))


def _ceiling(candidates: CandidateSet, fitted: FittedScorer, end: RawScores) -> float:
    """Return what a document with these raw scores is worth at most."""
    relevance = fitted.terms(end, candidates.ranges).relevance
    most = fitted.most(end, candidates.ranges)
    return float(max(relevance.max(), -np.inf if most is None else most.max()))
