"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) of the query's ranking and the target's.

RRF(d) = 1/(k + rank(d, query)) + 1/(k + rank(d, target)), with k = 60 as published. The traps are not looked at:
this is what rewriting a query into its wanted part gains by itself.
"""

from dataclasses import dataclass

import numpy as np

from esens.arrays.rank import ranks
from esens.evaluate.methods.base import SplitScores, spec_of
from esens.score.normalise import Array, Scores

DEFAULT_K = 60.0


@dataclass(frozen=True, slots=True)
class ReciprocalRankFusion:
    """Rank by both rankings together; a greater k evens out the top ranks."""

    k: float = DEFAULT_K

    @property
    def name(self) -> str:
        """Its name with k."""
        return spec_of("rrf", self.k)

    def scores(self, raw: SplitScores) -> Scores:
        """Return the sum of the two reciprocal ranks."""
        return reciprocal_ranks(raw.query, self.k) + reciprocal_ranks(raw.target, self.k)


def reciprocal_ranks(scores: Array, k: float) -> Scores:
    """Return 1/(k + rank) for every document; equal scores share a rank."""
    return np.reciprocal(k + ranks(scores).astype(np.float64))
