"""How far the raw scores of one vector reach over the scored documents: what they are normalised by."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class ScoreRange(NamedTuple):
    """The least, the greatest and the second greatest raw score of one vector.

    ``is_exact`` says whether every document was compared, or these are estimates: an approximate search found the
    two greatest, and the least is that of a sample.
    """

    low: float
    high: float
    second: float
    is_exact: bool = True

    @property
    def width(self) -> float:
        """How far apart the least and the greatest are."""
        return self.high - self.low


def score_range(raw: npt.NDArray[np.floating], *, is_exact: bool = True) -> ScoreRange:
    """Return the range of these raw scores; that of no documents is all 0, that of one is one number."""
    if not raw.size:
        return ScoreRange(0.0, 0.0, 0.0, is_exact)
    high = float(raw.max())
    second = float(np.partition(raw, -2)[-2]) if raw.size > 1 else high
    return ScoreRange(float(raw.min()), high, second, is_exact)
