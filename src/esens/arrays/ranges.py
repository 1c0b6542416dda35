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
    at = int(raw.argmax())
    # Three passes without a copy; a partition would make one, and cost more than all of them.
    others = [float(part.max()) for part in (raw[:at], raw[at + 1 :]) if part.size]
    high = float(raw[at])
    return ScoreRange(float(raw.min()), high, max(others, default=high), is_exact)
