"""Which documents are asked about: conditions on their metadata, all of which must hold.

A condition compares one field with a value. A list in the metadata fulfils a condition if one of its items does. A
document without the field fulfils none but ``!=``, which holds wherever ``=`` does not. Texts compare with texts,
numbers with numbers, true and false with themselves.

>>> where_of({"year": {">=": 2000}, "language": ["en", "de"]})
(Condition(field='year', sign='>=', value=2000), Condition(field='language', sign='in', value=('en', 'de')))
>>> where_of(["year>=2000", "language=en"])
(Condition(field='year', sign='>=', value=2000), Condition(field='language', sign='=', value='en'))
"""

import json
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from esens.errors import ArgumentError

Scalar = str | int | float | bool
SIGNS = ("=", "!=", "<", "<=", ">", ">=", "in")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_GREATEST = sys.float_info.max
_TWO_SIGNS = re.compile(r"\s*[=<>]")  # year==2000, year=>2000
_WRITTEN = re.compile(r"\s*(?P<field>[^<>=!]+?)\s*(?P<sign><=|>=|!=|=|<|>)(?P<value>.*)", re.DOTALL)


class Condition(NamedTuple):
    """A field of the metadata, a sign, and a value; with ``in`` several values, one of which must equal."""

    field: str
    sign: str
    value: Scalar | tuple[Scalar, ...]


Where = tuple[Condition, ...]
Conditions = Mapping[str, Any] | str | Sequence[str] | Sequence[Condition]
"""Conditions as people write them."""


def where_of(given: "Conditions | None") -> Where:
    """Read conditions as people write them: a mapping, or texts such as ``year>=2000``."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return tuple(_of_mapping(given))
    if isinstance(given, str):
        return (_of_text(given),)
    if isinstance(given, (list, tuple)):
        return tuple(_condition(*one) if isinstance(one, Condition) else _of_text(one) for one in given)
    raise ArgumentError(
        "where",
        f'must be a mapping such as {{"year": {{">=": 2000}}}}, or texts such as "year>=2000"; '
        f"got {type(given).__name__}",
    )


def fulfils(metadata: Mapping[str, Any], where: Where) -> bool:
    """Whether a document with this metadata is asked about."""
    return all(_holds(metadata.get(condition.field), condition) for condition in where)


def _holds(found: object, condition: Condition) -> bool:
    field, sign, value = condition
    if sign == "!=":
        return not _holds(found, Condition(field, "=", value))
    items = found if isinstance(found, (list, tuple)) else (found,)
    if sign == "in":
        assert isinstance(value, tuple)  # noqa: S101 - _condition sees to it
        return any(_compared(item, "=", one) for item in items for one in value)
    return any(_compared(item, sign, value) for item in items)


def _compared(item: object, sign: str, value: object) -> bool:
    return _kind(item) == _kind(value) and _COMPARE[sign](item, value)


def _kind(value: object) -> str | None:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else None


def _of_mapping(given: Mapping[str, Any]) -> Iterator[Condition]:
    for field, wanted in given.items():
        if isinstance(wanted, Mapping):
            yield from (_condition(field, sign, value) for sign, value in wanted.items())
        elif isinstance(wanted, (list, tuple, set, frozenset)):
            yield _condition(field, "in", wanted)
        else:
            yield _condition(field, "=", wanted)


def _of_text(text: object) -> Condition:
    parts = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
    if parts is None or _TWO_SIGNS.match(parts["value"]):
        raise ArgumentError("where", f"{text!r} is no condition; write FIELD=VALUE, or !=, <, <=, > or >= for =")
    return _condition(parts["field"], parts["sign"], _value(parts["value"].strip()))


def _value(text: str) -> object:
    """Return the number, truth or quoted text that is written there, else the text as it stands."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    try:
        value = json.loads(text, parse_constant=str)
    except ValueError:
        return text
    return value if _kind(value) else text


def _condition(field: object, sign: object, value: object) -> Condition:
    if not isinstance(field, str) or not field:
        raise ArgumentError("where", f"a field is named by a text, got {field!r}")
    if not isinstance(sign, str) or sign not in SIGNS:
        raise ArgumentError("where", f"unknown sign {sign!r} for {field!r}; valid are: {', '.join(SIGNS)}")
    if sign == "in":
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise ArgumentError("where", f"{field!r} in what? Give a list of values, got {value!r}")
        return Condition(field, sign, tuple(_scalar(field, one) for one in value))
    return Condition(field, sign, _scalar(field, value))


def _scalar(field: str, value: object) -> Scalar:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not -_GREATEST <= value <= _GREATEST:  # NaN is neither
        raise ArgumentError("where", f"{field!r} cannot be compared with {str(value)[:20]}")
    if isinstance(value, (str, int, float, bool)):
        return value
    raise ArgumentError("where", f"{field!r} is compared with a text, a number, true or false; got {value!r}")
