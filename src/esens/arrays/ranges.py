"""How far the raw scores of one vector reach over the scored documents: what they are normalised by."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_SAME = 1e-6


class ScoreRange(NamedTuple):
    """The least, the greatest and the second greatest raw score of one vector.

    ``is_exact`` says whether every document was compared, or these are estimates from a sample of them.
    """

    low: float
    high: float
    second: float
    is_exact: bool = True

    @property
    def has_ends(self) -> bool:
        """Whether the greatest are those of all documents: nobody needs to search for them."""
        return self.is_exact

    @property
    def width(self) -> float:
        """How far apart the least and the greatest are."""
        return self.high - self.low

    def joined(self, other: "ScoreRange") -> "ScoreRange":
        """Return the range over the documents of both, some of which may be the same."""
        greater, less = (self, other) if self.high >= other.high else (other, self)
        is_same = greater.high - less.high <= _SAME  # one document, compared here and by an engine
        second = max(greater.second, less.second if is_same else less.high)
        return ScoreRange(min(self.low, other.low), greater.high, second, self.is_exact)


class SearchedRange(ScoreRange):
    """A range whose least is an estimate, and whose greatest were searched for."""

    __slots__ = ()

    @property
    def has_ends(self) -> bool:
        """They are."""
        return True


def score_range(raw: npt.NDArray[np.floating], *, is_exact: bool = True) -> ScoreRange:
    """Return the range of these raw scores; that of no documents is all 0, that of one is one number."""
    if not raw.size:
        return ScoreRange(0.0, 0.0, 0.0, is_exact)
    at = int(raw.argmax())
    # Three passes without a copy; a partition would make one, and cost more than all of them.
    others = [float(part.max()) for part in (raw[:at], raw[at + 1 :]) if part.size]
    high = float(raw[at])
    return ScoreRange(float(raw.min()), high, max(others, default=high), is_exact)
