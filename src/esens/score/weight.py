"""The check that every weight of a score passes."""

import math

import numpy as np

from esens.errors import ArgumentError


def checked_weight(name: str, value: float) -> float:
    """Return the weight as a float if it is a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ArgumentError(name, f"must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number < 0:
        raise ArgumentError(name, f"must be a finite number of at least 0, got {number}")
    return number
