"""A mean and how far it can be trusted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SAMPLES = 2000


class Interval(NamedTuple):
    """A mean with its 95 % bootstrap interval over queries."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        mean, low, high = (f"{value:.3f}".removeprefix("0") for value in self)
        return f"{mean} ({low}–{high})"


def interval(values: Sequence[float] | np.ndarray) -> Interval:
    """Return the mean of the values with its percentile bootstrap interval; the same values give the same one."""
    array = np.asarray(values, float)
    picks = np.random.default_rng(0).integers(0, len(array), size=(SAMPLES, len(array)))
    low, high = np.percentile(array[picks].mean(axis=1), [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high))
