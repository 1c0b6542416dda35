"""The checks that every parameter of a score passes."""

import math
from collections.abc import Sequence

import numpy as np

from esens.errors import ArgumentError
from esens.messages import quoted

LEAST, GREATEST = 1e-100, 1e100
"""Beyond these a weight, a score of another retriever or a range of them, or their quotient, is no number."""


def checked_weight(name: str, value: object) -> float:
    """Return the weight as a float if it is a finite number of at least 0, and none that makes scores infinite."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ArgumentError(name, f"must be a number, got {quoted(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number < 0:
        raise ArgumentError(name, f"must be a finite number of at least 0, got {number}")
    if number and not LEAST <= number <= GREATEST:
        raise ArgumentError(name, f"must be 0, or from {LEAST:g} to {GREATEST:g}, got {number}")
    return number


def checked_share(name: str, value: object) -> float:
    """Return the share as a float if it is a number above 0 and at most 1."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float, np.floating, np.integer))
        or not 0 < value <= 1
    ):
        raise ArgumentError(name, f"must be a number above 0 and at most 1, got {quoted(value)}")
    return float(value)


def checked_count(name: str, value: object, *, least: int) -> int:
    """Return the count if it is a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ArgumentError(name, f"must be a whole number of at least {least}, got {quoted(value)}")
    return int(value)


def checked_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """Return the value if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ArgumentError(name, f"unknown {name} {quoted(value)}; valid are: {', '.join(choices)}")
    return value
