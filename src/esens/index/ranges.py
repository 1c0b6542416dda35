"""How far raw scores reach, where an engine cannot look at every document.

The greatest raw scores are those of the nearest documents, which an engine is made to find. The least cannot be
found by searching with the negated vector: approximate indexes are built for near documents and often miss the
farthest one. So it is taken from a uniform sample of the document vectors. benchmarks/results/engines.md says what
that does to a ranking.
"""

from collections.abc import Sequence

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.arrays.scan import scan
from esens.index.base import Neighbours, Vectors

SAMPLE = 4096
"""Vectors in a sample; 6 MB of 384 dimensions."""
TOP = 2
"""Neighbours of each vector that :func:`estimate_ranges` needs."""


def estimate_ranges(
    vectors: Vectors, nearest: Sequence[Neighbours], sample: Vectors, count: int
) -> list[ScoreRange]:
    """Return the ranges of unit vectors, from their nearest two documents and a sample of all ``count``."""
    lows = scan(sample, vectors).min(axis=1) if len(sample) else np.zeros(len(vectors))
    is_exact = len(sample) >= count
    return [_span(float(low), found.scores, is_exact=is_exact) for low, found in zip(lows, nearest, strict=True)]


def _span(low: float, scores: Vectors, *, is_exact: bool) -> ScoreRange:
    if not scores.size:
        return ScoreRange(0.0, 0.0, 0.0, is_exact)
    high, second = float(scores[0]), float(scores[min(1, scores.size - 1)])
    return ScoreRange(min(low, second), high, second, is_exact)
