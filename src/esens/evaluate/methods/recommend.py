"""Qdrant's recommendation from examples (qdrant/qdrant, lib/segment/src/vector_storage/query/reco_query.rs).

The query and its target are the positive examples, the traps the negative ones. Qdrant's third strategy,
``average_vector``, is 2·mean(positives) − mean(negatives): with two positives and one trap, ``sum_scores`` again.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitScores
from esens.score.normalise import Array, Scores


@dataclass(frozen=True, slots=True)
class SumScores:
    """Qdrant's recommendation by sum_scores: similarity to what is wanted minus that to what is excluded."""

    @property
    def name(self) -> str:
        """Its name."""
        return "sum-scores"

    def scores(self, raw: SplitScores) -> Scores:
        """Return the difference of the two sums."""
        negatives: Scores = raw.traps.sum(axis=0, dtype=np.float64)
        return np.add(raw.query, raw.target, dtype=np.float64) - negatives


@dataclass(frozen=True, slots=True)
class BestScore:
    """Qdrant's recommendation by best_score: whichever is nearest, wanted or excluded, decides.

    A document nearest to a positive is ranked by that similarity, above all that are nearest to a negative; those
    are ranked the lower the nearer they are.
    """

    @property
    def name(self) -> str:
        """Its name."""
        return "best-score"

    def scores(self, raw: SplitScores) -> Scores:
        """Return the squashed similarity to the nearest example, negated where that is a trap."""
        wanted, unwanted = np.maximum(raw.query, raw.target), raw.traps.max(axis=0)
        return np.where(wanted > unwanted, squashed(wanted), -squashed(unwanted))


def squashed(similarity: Array) -> Scores:
    """Return x ↦ ½·(1 + x/(1 + |x|)), Qdrant's ``scaled_fast_sigmoid``, which is between 0 and 1."""
    x = np.asarray(similarity, np.float64)
    return np.asarray(0.5 * (1.0 + x / (1.0 + np.abs(x))), np.float64)
