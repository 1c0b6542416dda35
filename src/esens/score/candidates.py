"""Which documents to look at where not all can be: neighbours of the query, the target and the composed vector.

A score that is not linear has no vector of its own to search with, so an engine cannot rank by it. It can rank by
the three vectors that the best documents are near to: what is asked, what is wanted, and what is asked without
what is excluded. benchmarks/results/candidate_depth.md says how many neighbours of each that takes.
"""

import numpy as np

from esens.arrays.rank import Positions, top_k
from esens.score.contrast import Contrast, Extents, Raw, nearness
from esens.score.linear import DEFAULT_BETA
from esens.score.normalise import Scores, min_max


def candidates(weights: Contrast, raw: Raw, *, over: Extents, depth: int) -> Positions:
    """Return, in corpus order, the ``depth`` documents that are best for each of the three vectors."""
    nearest = (raw.query, raw.target, composed(weights, raw, over=over))
    return np.unique(np.concatenate([top_k(scores, depth) for scores in nearest]))


def composed(weights: Contrast, raw: Raw, *, over: Extents) -> Scores:
    """Return the relevance less the paper's penalty, which one vector can be composed for (see compose)."""
    excluded = nearness(raw, over=over).traps.max(axis=0)
    relevance = weights.alpha * min_max(raw.query, over.query) + weights.gamma * min_max(raw.target, over.target)
    return np.asarray(relevance - DEFAULT_BETA * excluded, np.float64)
