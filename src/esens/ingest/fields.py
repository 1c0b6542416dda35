"""Which field of a row holds what, and the document and the vector that come of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.documents import ID_FIELDS, TITLE_FIELDS
from esens.errors import ArgumentError
from esens.messages import quoted
from esens.types import Document

_READ_AS = {"id": ID_FIELDS, "title": TITLE_FIELDS, "text": ("text",)}


@dataclass(frozen=True, slots=True)
class Fields:
    """Which field of a row holds what.

    None is the usual name: ``id`` or ``_id``, ``title`` or ``name``, ``text`` or another of ``TEXT_FIELDS``, and
    no vector.
    """

    id: str | None = None
    title: str | None = None
    text: str | None = None
    vector: str | None = None

    @property
    def chosen(self) -> dict[str, str]:
        """What was chosen: the name of a field for each thing that has one."""
        return {what: name for what in self.__slots__ if (name := getattr(self, what)) is not None}


def document_of(row: Any, fields: Fields, position: int | str, *, hash_ids: bool = False) -> Document:
    """Return the document of a row; without an id, its position is its id, or the hash of its content."""
    if not fields.chosen:
        return Document.of(row, position=position, hash_ids=hash_ids)
    _check_chosen(row, fields)
    return Document.of(_under_usual_names(row, fields.chosen), position=position, hash_ids=hash_ids)


def vector_of(row: Any, name: str) -> npt.NDArray[np.float32]:
    """Return the vector under this name: a list of numbers, as such or as JSON."""
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused below
            vector = _numbers(row[name]).astype(np.float32)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError("row", f"needs a list of numbers under {name!r}, got {quoted(row[name])}") from None
    if not np.isfinite(vector).all():
        raise ArgumentError("row", f"its vector under {name!r} holds NaN, infinity or a number too large")
    return vector


def _check_chosen(row: Any, fields: Fields) -> None:
    if not isinstance(row, Mapping):
        raise ArgumentError("row", f"needs an object with fields, got {quoted(row)}")
    absent = [name for name in fields.chosen.values() if name not in row]
    if absent:
        raise ArgumentError("row", f"has no field {absent[0]!r}; its fields are: {', '.join(row) or 'none'}")
    if fields.text is not None and not isinstance(row[fields.text], str):
        raise ArgumentError("row", f"needs a string under {fields.text!r}, got {quoted(row[fields.text])}")
    if fields.id is not None and row[fields.id] in (None, ""):
        raise ArgumentError("row", f"needs an id under {fields.id!r}, which is empty")


def _under_usual_names(row: Mapping[str, Any], chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return a row that reads as if its fields had the usual names; what has them, unchosen, is metadata."""
    rest = {name: value for name, value in row.items() if name not in chosen.values()}
    nested = rest.pop("metadata", {})
    metadata = dict(nested) if isinstance(nested, Mapping) else {"metadata": nested}
    for what in chosen:
        metadata |= {name: rest.pop(name) for name in _READ_AS.get(what, ()) if name in rest}
    read = {what: row[name] for what, name in chosen.items() if what in _READ_AS}
    return {**rest, **read, "metadata": metadata}


def _numbers(value: Any) -> npt.NDArray[Any]:
    value = json.loads(value) if isinstance(value, str) else value
    if isinstance(value, list) and not set(map(type, value)) <= {int, float}:
        raise TypeError
    array = np.asarray(value)
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iuf":
        raise TypeError
    return array
