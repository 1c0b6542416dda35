"""The range of raw scores, where an engine cannot look at every document.

The greatest raw scores are those of the nearest documents, which a search brings anyway. The least cannot be found
by searching with the negated vector: approximate indexes are built for near documents and often miss the farthest
one. So ranges are estimated from a uniform sample of the document vectors, and the search widens them by what it
finds; docs/decisions/0020-one-request.md says what that does to a ranking. A sample is kept as long as the
documents stay: drawing one costs a round trip.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from esens.arrays.quantized import may_be_ends, quantize, rough_scan
from esens.arrays.ranges import ScoreRange, SearchedRange, score_range
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors
from esens.index.filters import Filter
from esens.storage.lru import LRUCache

SAMPLE = 4096
"""Vectors in a sample; 6 MB of 384 dimensions."""
_FILTERS, _TEXTS = 8, 1024  # that are kept
_WORTH_ROUNDING = 512
"""Vectors from which on rounded ones are quicker than comparing all."""


class Sample(NamedTuple):
    """Vectors of some documents as they are compared, a row each, and how many documents they stand for."""

    vectors: Vectors
    documents: int


class KeptSample:
    """A sample for many texts, kept rounded to eight bits beside itself.

    Rounded vectors are compared in a third of the time, and tell which few may have the ends of a text's scores.
    These are compared as they are: the ends are those of comparing all. The ranges of the last texts are kept, as
    their vectors are.
    """

    def __init__(self, sample: Sample) -> None:
        """Take a sample as it was drawn."""
        self.sample, self._vectors = sample, sample.vectors
        self._ranges = LRUCache[bytes, ScoreRange](_TEXTS)
        is_worth_it = len(self._vectors) >= _WORTH_ROUNDING and bool(np.isfinite(self._vectors).all())
        self._rounded = quantize(self._vectors) if is_worth_it else None

    def ranges(self, vectors: Vectors) -> list[ScoreRange]:
        """Return the range of each unit vector's raw scores."""
        keys = [vector.tobytes() for vector in vectors]
        known = {key: over for key in keys if (over := self._ranges.find(key)) is not None}
        new = [at for at, key in enumerate(keys) if key not in known]
        if new:
            for at, over in zip(new, self._compared(vectors[new]), strict=True):
                known[keys[at]] = over
                self._ranges.put(keys[at], over)
        return [known[key] for key in keys]

    def keep(self, vectors: Vectors, ranges: Sequence[ScoreRange]) -> None:
        """Keep what a search found of the greatest raw scores of these vectors: nobody needs to look again."""
        for vector, own, found in zip(vectors, self.ranges(vectors), ranges, strict=True):
            over = own.joined(found)
            self._ranges.put(vector.tobytes(), SearchedRange(own.low, over.high, over.second, own.is_exact))

    def _compared(self, vectors: Vectors) -> list[ScoreRange]:
        is_exact = len(self._vectors) >= self.sample.documents
        parts = zip(self._near_ends(vectors), vectors, strict=True)
        return [score_range(scan(near, vector[None])[0], is_exact=is_exact) for near, vector in parts]

    def _near_ends(self, vectors: Vectors) -> list[Vectors]:
        """Return, for each vector, those of the sample that may have the least or the two greatest raw scores."""
        if self._rounded is None:
            return [self._vectors] * len(vectors)
        rough = rough_scan(self._rounded, vectors)
        return [self._vectors[may_be_ends(*each)] for each in zip(*rough, strict=True)]


class Samples:
    """The samples of the last few filters, each drawn on first use. What another process writes goes unseen."""

    def __init__(self) -> None:
        self._by_filter: dict[str, KeptSample] = {}

    def of(self, where: Filter | None, draw: Callable[[Filter | None], Sample]) -> KeptSample:
        """Return the sample of a filter; ``draw`` draws it."""
        key = repr(where)  # not the conditions themselves: 1 equals True and 1.0, but asks for something else
        samples = self._by_filter
        sample = samples.get(key)
        if sample is None:
            sample = KeptSample(draw(where))
            while len(samples) >= _FILTERS:
                samples.pop(next(iter(samples)), None)
            samples[key] = sample
        return sample

    def forget(self) -> None:
        """Draw anew: the documents have changed."""
        self._by_filter = {}
