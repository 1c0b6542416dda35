"""Values as JSON that every program reads: no NaN, no infinity, and no sign that steers a terminal."""

import json
from collections.abc import Mapping
from math import isfinite, isnan
from typing import Any

from esens.errors import ArgumentError
from esens.messages import escape_json

DEEPEST = 100
"""Levels of lists and mappings within each other that metadata may have; what holds itself has no end of them."""
MOST_BITS = 14_000
"""Of a whole number in metadata: Python writes none of more than 4,300 digits."""
_DEEPEST_HERE = 2 * DEEPEST  # metadata stand within hits, and those within results


def dumps(value: object, *, ensure_ascii: bool = False, indent: int | None = None) -> str:
    """Return a value as JSON. NaN becomes null, infinity a text, and so does what JSON does not know.

    >>> print(dumps({"year": float("nan"), ("a", 1): float("inf")}))
    {"year": null, "('a', 1)": "Infinity"}
    """
    try:
        text = _dumps(value, ensure_ascii, indent)
    except (TypeError, ValueError, RecursionError):  # a rare value: most are not walked through twice
        text = _dumps(_storable(value), ensure_ascii, indent)
    return escape_json(text)


def _dumps(value: object, ensure_ascii: bool, indent: int | None) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, allow_nan=False, default=str)


def _storable(value: Any, depth: int = 0) -> Any:
    """Return a value that JSON can say."""
    if depth > _DEEPEST_HERE:
        raise ArgumentError("metadata", f"are nested more than {DEEPEST} deep, or hold themselves")
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ArgumentError("metadata", f"hold a number of more than {MOST_BITS:,} bits")
    if isinstance(value, Mapping):
        return {_name(name): _storable(item, depth + 1) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(item, depth + 1) for item in value]
    return value


def _name(key: Any) -> Any:
    """Return what a key is called; JSON has its own words for some."""
    _storable(key)
    return key if isinstance(key, (str, int, bool, type(None))) else str(key)
