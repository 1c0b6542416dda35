"""The range of raw scores, where an engine cannot look at every document.

The greatest raw scores are those of the nearest documents, which a search brings anyway. The least cannot be found
by searching with the negated vector: approximate indexes are built for near documents and often miss the farthest
one. So ranges are estimated from a uniform sample of the document vectors, and the search widens them by what it
finds; docs/decisions/0020-one-request.md says what that does to a ranking. A sample is kept as long as the
documents stay: drawing one costs a round trip.
"""

from collections.abc import Callable
from typing import NamedTuple

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors
from esens.index.filters import Filter

SAMPLE = 4096
"""Vectors in a sample; 6 MB of 384 dimensions."""
_FILTERS = 8


class Sample(NamedTuple):
    """Vectors of some documents as they are compared, a row each, and how many documents they stand for."""

    vectors: Vectors
    documents: int


class Samples:
    """The samples of the last few filters, each drawn on first use. What another process writes goes unseen."""

    def __init__(self) -> None:
        self._by_filter: dict[str, Sample] = {}

    def of(self, where: Filter | None, draw: Callable[[Filter | None], Sample]) -> Sample:
        """Return the sample of a filter; ``draw`` draws it."""
        key = repr(where)  # not the conditions themselves: 1 equals True and 1.0, but asks for something else
        samples = self._by_filter
        sample = samples.get(key)
        if sample is None:
            sample = draw(where)
            while len(samples) >= _FILTERS:
                samples.pop(next(iter(samples)), None)
            samples[key] = sample
        return sample

    def forget(self) -> None:
        """Draw anew: the documents have changed."""
        self._by_filter = {}


def estimate_ranges(vectors: Vectors, sample: Vectors, count: int) -> list[ScoreRange]:
    """Return the ranges of unit vectors over a sample of ``count`` documents; exact where it holds them all."""
    is_exact = len(sample) >= count
    return [score_range(scores, is_exact=is_exact) for scores in scan(sample, vectors)]
