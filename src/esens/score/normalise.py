"""Min-max normalisation over the scored documents (E-SENS, section "Score Transformation")."""

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range

Array = npt.NDArray[np.floating]
Scores = npt.NDArray[np.float64]


def min_max(raw: Array, over: ScoreRange | None = None) -> Scores:
    """Return raw scores mapped to [0, 1]; where all of them are equal they say nothing, so all become 0.

    ``over`` is the range of all scored documents, where these are not all there are. Computed in double precision,
    so that two raw scores that differ still differ afterwards.
    """
    over = over or score_range(raw)
    if over.width <= 0:
        return np.zeros(raw.shape)
    scores = np.subtract(raw, over.low, dtype=np.float64)
    scores /= over.width
    return scores


def weigh(weight: float, raw: Array, over: ScoreRange) -> Scores:
    """Return weight · min_max(raw) with one pass less over the documents."""
    scores = np.subtract(raw, over.low, dtype=np.float64)
    scores *= weight / over.width if over.width > 0 else 0.0
    return scores
