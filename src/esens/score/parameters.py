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
    if number > GREATEST:
        raise ArgumentError(name, f"must be at most {GREATEST:g}, got {number}")
    return number


def check_wanted(alpha: float, gamma: float) -> None:
    """Raise where neither the query nor its target has a weight, or one that nothing can be measured by."""
    if alpha == 0 and gamma == 0:
        raise ArgumentError("alpha", "alpha and gamma are both 0, so nothing would be wanted; raise one")
    if alpha + gamma < LEAST:
        raise ArgumentError("alpha", f"alpha and gamma together must be at least {LEAST:g}, got {alpha + gamma}")


def checked_share(name: str, value: object, *, may_be_zero: bool = False) -> float:
    """Return the share as a float if it is a number up to 1, and above 0 unless that may be."""
    least = "of at least 0" if may_be_zero else "above 0"
    is_number = isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(value, bool)
    if not is_number or not (0 < value <= 1 or (may_be_zero and value == 0)):  # type: ignore[operator]
        raise ArgumentError(name, f"must be a number {least} and at most 1, got {quoted(value)}")
    return float(value)  # type: ignore[arg-type]


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
