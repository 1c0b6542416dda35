"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) of the query's ranking and the target's.

RRF(d) = 1/(k + rank(d, query)) + 1/(k + rank(d, target)), with k = 60 as published. The traps are not looked at:
this is what rewriting a query into its wanted part gains by itself.
"""

from dataclasses import dataclass

from esens.evaluate.methods.base import FUSION_K, SplitScores, reciprocal_ranks, spec_of
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class ReciprocalRankFusion:
    """Fuse the ranking by the query with that by what is wanted; a greater k evens out the top ranks."""

    k: float = FUSION_K

    @property
    def name(self) -> str:
        """Its name with k."""
        return spec_of("rrf", self.k)

    def scores(self, raw: SplitScores) -> Scores:
        """Return the sum of the two reciprocal ranks."""
        return reciprocal_ranks(raw.query, self.k) + reciprocal_ranks(raw.target, self.k)
