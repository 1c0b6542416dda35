"""Where labels go so that none covers another."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places in the order of the wanted ones and as near to them as can be, but a gap apart.

    >>> spread([5.0, 5.0, 20.0], gap=4.0, low=0.0, high=30.0)
    [3.0, 7.0, 20.0]
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(order))
    level = _rising(np.asarray(wanted, float)[order] - steps)
    places = np.empty(len(order))
    places[order] = np.clip(level, low, max(low, high - steps[-1])) + steps
    return [float(place) for place in places]


def _rising(values: Numbers) -> Numbers:
    """Return the nearest sequence that never falls: neighbours in the wrong order meet at their mean."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = float(value), 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        pools.append((mean, count))
    return np.concatenate([np.full(count, mean) for mean, count in pools])
