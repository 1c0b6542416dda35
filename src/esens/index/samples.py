"""Random samples of document vectors, kept as long as the documents stay: drawing one costs a round trip."""

from collections.abc import Callable
from typing import NamedTuple

from esens.index.base import Vectors
from esens.index.filters import Where

_KEPT = 8


class Sample(NamedTuple):
    """Vectors of some documents as they are compared, a row each, and how many documents they stand for."""

    vectors: Vectors
    documents: int


class Samples:
    """The samples of the last few filters, each drawn on first use. What another process writes goes unseen."""

    def __init__(self, draw: Callable[[Where], Sample]) -> None:
        """Take what draws a sample of the documents that fulfil a filter."""
        self._draw = draw
        self._drawn: dict[str, Sample] = {}

    def of(self, where: Where) -> Sample:
        """Return the sample of a filter."""
        key = repr(where)  # not the conditions themselves: 1 equals True and 1.0, but asks for something else
        drawn = self._drawn
        sample = drawn.get(key)
        if sample is None:
            sample = self._draw(where)
            while len(drawn) >= _KEPT:
                drawn.pop(next(iter(drawn)), None)
            drawn[key] = sample
        return sample

    def forget(self) -> None:
        """Draw anew: the documents have changed."""
        self._drawn = {}
