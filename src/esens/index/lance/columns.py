"""The metadata of many documents by field, so that a filter over all of them costs little.

The values of a field are numbered, equal ones alike; a condition is then asked once of every value that there is,
not of every document.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import RLock
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from esens.index.filters import Condition, Filter, mask_of, matches

Mask = npt.NDArray[np.bool_]
Made = TypeVar("Made")
KEPT = 32
"""Conditions whose answers are kept."""


class Field(NamedTuple):
    """One field of all documents: which of its values each has. A document without it has the value None."""

    values: Sequence[object]
    numbers: npt.NDArray[np.intp]


class Columns:
    """The metadata of documents, a mapping each, to be filtered again and again."""

    def __init__(self, metadata: Sequence[Mapping[str, Any]]) -> None:
        """Take the metadata of every document, in corpus order."""
        self._metadata = metadata
        self._fields: dict[str, Field] = {}
        self._masks: dict[str, Mask] = {}
        self._lock = RLock()

    def mask(self, where: Filter | None) -> Mask:
        """Return which documents fulfil a filter."""
        with self._lock:
            return mask_of(where, len(self._metadata), self._kept)

    def _kept(self, condition: Condition) -> Mask:
        # By its repr: as keys, 1, 1.0 and True are the same, and as values they are not.
        return kept(self._masks, repr(condition), partial(self._asked, condition))

    def _asked(self, condition: Condition) -> Mask:
        name = condition.field
        values, numbers = kept(self._fields, name, lambda: _field([one.get(name) for one in self._metadata]))
        return np.array([matches({name: value}, condition) for value in values], np.bool_)[numbers]


def kept(memory: dict[str, Made], key: str, make: Callable[[], Made], *, most: int = KEPT) -> Made:
    """Return what is kept under a key, or make it and keep it; beyond so many the oldest is forgotten."""
    if key not in memory:
        made = make()
        if len(memory) >= most:
            del memory[next(iter(memory))]
        memory[key] = made
    return memory[key]


def _field(found: Sequence[object]) -> Field:
    numbers: dict[object, int] = {}
    values: list[object] = []
    places = np.empty(len(found), np.intp)
    for at, value in enumerate(found):
        key = value if type(value) is str else (type(value), repr(value))
        number = numbers.setdefault(key, len(values))
        if number == len(values):
            values.append(value)
        places[at] = number
    return Field(values, places)
