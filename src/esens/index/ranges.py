"""The range of raw scores, where an engine cannot look at every document.

The greatest raw scores are those of the nearest documents, which a search brings anyway. The least cannot be found
by searching with the negated vector: approximate indexes are built for near documents and often miss the farthest
one. So ranges are estimated from a uniform sample of the document vectors, and the search widens them by what it
finds; docs/decisions/0020-one-request.md says what that does to a ranking. A sample is kept as long as the
documents stay: drawing one costs a round trip.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import simsimd

from esens.arrays.ranges import ScoreRange, SearchedRange, score_range
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors
from esens.index.filters import Filter
from esens.storage.lru import LRUCache

SAMPLE = 4096
"""Vectors in a sample; 6 MB of 384 dimensions."""
_FILTERS, _TEXTS = 8, 1024  # that are kept
_WORTH_CODES = 512
"""Vectors from which on codes are quicker than comparing all."""
_GREATEST = 127  # of a code
_ROUNDING = 1e-5  # more than single precision loses in a raw score of a vector of usual length


class Sample(NamedTuple):
    """Vectors of some documents as they are compared, a row each, and how many documents they stand for."""

    vectors: Vectors
    documents: int


class KeptSample:
    """A sample for many texts: beside each number of its vectors is a byte that is nearly the same.

    Bytes are compared in a third of the time. How far a raw score by them can be off is known, so the ends of a
    text's raw scores are among a few vectors. These are compared as they are: the ends are those of comparing all.
    The ranges of the last texts are kept, as their vectors are.
    """

    def __init__(self, sample: Sample) -> None:
        """Take a sample as it was drawn."""
        self.sample, self._vectors = sample, sample.vectors
        self._ranges = LRUCache[bytes, ScoreRange](_TEXTS)
        self._has_codes = len(self._vectors) >= _WORTH_CODES and bool(np.isfinite(self._vectors).all())
        if self._has_codes:
            self._step = _step(self._vectors)
            self._codes = _codes(self._vectors, self._step)
            coded = self._codes * self._step
            self._error, self._longest = _longest(self._vectors - coded), _longest(coded)

    def ranges(self, vectors: Vectors) -> list[ScoreRange]:
        """Return the range of each unit vector's raw scores."""
        return [self._ranges.get(vector.tobytes(), partial(self._range, vector)) for vector in vectors]

    def keep(self, vectors: Vectors, ranges: Sequence[ScoreRange]) -> None:
        """Keep what a search found of the greatest raw scores of these vectors: nobody needs to look again."""
        for vector, own, found in zip(vectors, self.ranges(vectors), ranges, strict=True):
            over = own.joined(found)
            self._ranges.put(vector.tobytes(), SearchedRange(own.low, over.high, over.second, own.is_exact))

    def _range(self, vector: Vectors) -> ScoreRange:
        compared = self._vectors[self._may_be_ends(vector)] if self._has_codes else self._vectors
        (scores,) = scan(compared, vector[None])
        return score_range(scores, is_exact=len(self._vectors) >= self.sample.documents)

    def _may_be_ends(self, vector: Vectors) -> npt.NDArray[np.bool_]:
        """Return which of the sample may have the least, the greatest or the second greatest raw score."""
        step = _step(vector)
        codes = _codes(vector, step)
        scores = np.asarray(simsimd.dot(self._codes, codes))
        # |x·v - x'·v'| <= |x - x'|·|v| + |x'|·|v - v'| for x' and v' by their codes; |v| is 1.
        error = self._error + self._longest * (_longest((vector - codes * step)[None]) + _ROUNDING)
        margin = 2 * error / (float(self._step) * float(step))
        second = np.partition(scores, -2)[-2]
        return np.asarray((scores <= scores.min() + margin) | (scores >= second - margin), np.bool_)


def _step(vectors: Vectors) -> np.float32:
    """Return what a unit of a code stands for."""
    return np.abs(vectors).max() / np.float32(_GREATEST) or np.float32(1.0)


def _codes(vectors: Vectors, step: np.float32) -> npt.NDArray[np.int8]:
    return np.asarray(np.rint(vectors / step), np.int8)


def _longest(vectors: Vectors) -> float:
    return float(np.sqrt(np.square(vectors).sum(axis=1).max()))


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


def estimate_ranges(vectors: Vectors, sample: Vectors, count: int) -> list[ScoreRange]:
    """Return the ranges of unit vectors over a sample of ``count`` documents; exact where it holds them all."""
    is_exact = len(sample) >= count
    return [score_range(scores, is_exact=is_exact) for scores in scan(sample, vectors)]
