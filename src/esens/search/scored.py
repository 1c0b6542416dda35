"""Documents with the raw scores of a query's texts: all that an index has, or those that an engine found."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.arrays.rank import Positions, ranks_of, top_k
from esens.index.base import Lookup
from esens.score import contrast, linear
from esens.score.normalise import Array, Extent


class Scored(NamedTuple):
    """A column a document, a row a text of the query.

    ``spans`` say how far the raw scores of every text reach where these documents are not all there are, and
    ``seen`` how many of the first in plain retrieval are surely among them.
    """

    lookup: Lookup
    raw: Array
    spans: Sequence[ScoreRange] | None = None
    seen: int | None = None

    def ranks_before(self, positions: Positions) -> list[int | None]:
        """Return the ranks in plain retrieval, None where they are not known."""
        ranks = ranks_of(positions, self.raw[0]).tolist()
        return [rank if self.seen is None or rank <= self.seen else None for rank in ranks]

    def first(self, depth: int) -> Positions:
        """Return the first in plain retrieval, as far as they are known, with all that share the last rank."""
        raw = self.raw[0]
        depth = min(depth, raw.size if self.seen is None else self.seen)
        if not depth:
            return np.zeros(0, np.intp)
        return top_k(raw, int(np.count_nonzero(raw >= raw[top_k(raw, depth)[-1]])))

    def contrast_extents(self) -> contrast.Extents:
        """Return what the score contrast normalises by."""
        if self.spans is None:
            return contrast.Raw(self.raw[0], self.raw[1], self.raw[2:]).extents()
        query, target, *traps = self.spans
        return contrast.Extents(_whole(query), _whole(target), _side(target), tuple(map(_side, traps)))

    def linear_extents(self, *, has_target: bool) -> linear.Extents:
        """Return what the paper's score normalises by."""
        given = 1 + has_target
        if self.spans is None:
            target = self.raw[1] if has_target else None
            return linear.Extents.of(query=self.raw[0], target=target, traps=self.raw[given:])
        wholes = tuple(map(_whole, self.spans))
        return linear.Extents(wholes[0], wholes[1] if has_target else None, wholes[given:])


def _whole(span: ScoreRange) -> Extent:
    return Extent(span.low, span.high)


def _side(span: ScoreRange) -> Extent:
    """Return the reach of a side, as in esens.score.contrast: to the second greatest, if that says more."""
    return Extent(span.low, span.second if span.second > span.low else span.high)
