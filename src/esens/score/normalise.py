"""Min-max normalisation over the scored documents (E-SENS, section "Score Transformation")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]
Scores = npt.NDArray[np.float64]


class Extent(NamedTuple):
    """The least and the greatest raw score of one text over the scored documents."""

    low: float
    high: float

    @property
    def range(self) -> float:
        """How far apart the two are."""
        return self.high - self.low


def extent(raw: Array) -> Extent:
    """Return the extent of the raw scores of one text; that of no documents is empty."""
    if not raw.size:
        return Extent(0.0, 0.0)
    return Extent(float(raw.min()), float(raw.max()))


def min_max(raw: Array, over: Extent | None = None) -> Scores:
    """Return raw scores mapped to [0, 1]; where all of them are equal they say nothing, so all become 0.

    Computed in double precision, so that two raw scores that differ still differ afterwards.
    """
    low, high = over or extent(raw)
    if high <= low:
        return np.zeros(raw.shape)
    scores = np.subtract(raw, low, dtype=np.float64)
    scores /= high - low
    return scores
