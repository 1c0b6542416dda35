"""Metadata filters: a small tree of conditions, the same for every engine.

A condition compares one field with a value. A list in the metadata fulfils a condition if one of its items does. A
document without the field fulfils only ``!=`` and ``not in``, which hold wherever ``=`` and ``in`` do not. Texts
compare with texts, numbers with numbers, true and false with themselves.

>>> parse_filter("year>=2000")
Condition(field='year', op='>=', value=2000)
>>> parse_filter({"not": {"language": ["en", "de"]}})
Not(part=Condition(field='language', op='in', value=('en', 'de')))
>>> matches({"year": 1999}, parse_filter({"or": ["year>=2000", {"language": {"!=": "en"}}]}))
True
"""

import json
import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.index.filter_text import check_condition, check_order, json_object, mask_quoted
from esens.messages import quoted

Scalar = str | int | float | bool
Mask = npt.NDArray[np.bool_]
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in")
GROUPS = ("and", "or", "not")
"""Keys of a mapping that are never fields; a field of such a name is written as a text or as a condition."""
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_POSITIVE = {"!=": "=", "not in": "in"}
_GREATEST = sys.float_info.max
_SIGN = re.compile(r"[<>=]")
_TWO_SIGNS = re.compile(r"\s*[=<>]")  # year==2000, year=>2000
_COMPARISON = re.compile(r"\s*(?P<field>[^<>=!]+?)\s*(?P<op><=|>=|!=|=|<|>)(?P<value>.*)", re.DOTALL)
_MEMBERSHIP = re.compile(r"\s*(?P<field>\S.*?)\s+(?P<op>not\s+in|in)\s+(?P<values>\S.*)", re.DOTALL)
_ITEM = re.compile(r"""\s*('[^']*'|"(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)""")
_DEEPEST = 100
_LONGEST_TEXT = 4096  # signs; the patterns look at some of them more than once
_LISTS = (list, tuple, set, frozenset)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Condition:
    """A field of the metadata, an operator, and a value; with ``in`` and ``not in`` several values."""

    field: str
    op: str
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these hold; where there are none, every document fulfils it."""

    parts: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of these holds; where there are none, no document fulfils it."""

    parts: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Filter = Condition | AllOf | AnyOf | Not
FilterLike = Filter | Mapping[str, Any] | str | Sequence[str | Mapping[str, Any] | Filter]
"""A filter as people write it; see :func:`parse_filter`."""


def parse_filter(where: "FilterLike | None") -> Filter | None:
    """Read a filter as people write it; None where it says nothing.

    A mapping has conditions by field (``{"year": {">=": 2000}, "language": ["en", "de"]}``) and groups
    (``{"or": [...]}``, ``{"and": [...]}``, ``{"not": ...}``), all of which must hold. A text is one condition:
    ``year>=2000``, ``language in en,de`` or ``language not in en,de``; or such a mapping as a JSON object. A list
    of these holds if all of it does.
    """
    if where is None:
        return None
    try:
        parts = tuple(_parts(where))
    except RecursionError:
        raise _too_deep() from None
    return None if not parts else _check_depth(_all_of(parts))


def _check_depth(where: Filter) -> Filter:
    """Return a filter that every engine can translate: they call themselves for each level of it."""
    level: list[Filter] = [where]
    for _ in range(_DEEPEST):
        level = [part for each in level for part in _inner(each)]
        if not level:
            return where
    raise _too_deep()


def _inner(where: Filter) -> tuple[Filter, ...]:
    match where:
        case AllOf(parts) | AnyOf(parts):
            return parts
        case Not(part):
            return (part,)
    return ()


def _too_deep() -> ArgumentError:
    return ArgumentError("where", f"groups are nested more than {_DEEPEST} deep; write it with fewer")


def matches(metadata: Mapping[str, Any], where: Filter | None) -> bool:
    """Whether a document with this metadata fulfils a filter: the meaning that every engine must give it."""
    if where is None:
        return True
    return fold_filter(
        where,
        condition=lambda condition: _holds(metadata.get(condition.field), condition),
        all_of=all,
        any_of=any,
        negate=operator.not_,
    )


def fold_filter(
    where: Filter,
    *,
    condition: Callable[[Condition], T],
    all_of: Callable[[list[T]], T],
    any_of: Callable[[list[T]], T],
    negate: Callable[[T], T],
) -> T:
    """Turn a filter into something else, from its conditions upwards.

    ``condition`` never sees ``!=`` or ``not in``: they come as the negation of ``=`` and ``in``.
    """

    def fold(part: Filter) -> T:
        match part:
            case AllOf(parts):
                return all_of([fold(each) for each in parts])
            case AnyOf(parts):
                return any_of([fold(each) for each in parts])
            case Not(inner):
                return negate(fold(inner))
            case Condition(field, op, value) if op in _POSITIVE:
                return negate(condition(Condition(field, _POSITIVE[op], value)))
        return condition(part)

    return fold(where)


def fields_of(where: Filter | None) -> frozenset[str]:
    """Return the fields that a filter names.

    >>> sorted(fields_of(parse_filter({"or": ["year>=2000", {"not": {"language": "en"}}]})))
    ['language', 'year']
    """
    if where is None:
        return frozenset()
    return fold_filter(
        where,
        condition=lambda condition: frozenset((condition.field,)),
        all_of=lambda parts: frozenset().union(*parts),
        any_of=lambda parts: frozenset().union(*parts),
        negate=lambda part: part,
    )


def filter_text(where: Filter) -> str:
    """Return a filter in words, for a reader.

    >>> filter_text(parse_filter({"not": {"language": ["en", "de"]}, "year": {"<": 1990}}))
    'not (language in en, de) and year < 1990'
    """
    match where:
        case AllOf(parts):
            return " and ".join(map(_group_text, parts)) or "anything"
        case AnyOf(parts):
            return " or ".join(map(_group_text, parts)) or "nothing"
        case Not(part):
            return f"not ({filter_text(part)})"
        case Condition():
            texts = dict.fromkeys(map(str, values_of(where)))  # 2020 and "2020" are one to a reader
            op = "=" if where.op == "in" and len(texts) == 1 else where.op
            return f"{where.field} {op} {', '.join(texts)}"


def _group_text(where: Filter) -> str:
    return f"({filter_text(where)})" if isinstance(where, (AllOf, AnyOf)) else filter_text(where)


def mask_of(where: Filter | None, size: int, condition_mask: Callable[[Condition], Mask]) -> Mask:
    """Return which of so many documents fulfil a filter, by the masks of its conditions."""
    if where is None:
        return np.ones(size, np.bool_)
    return fold_filter(
        where,
        condition=condition_mask,
        all_of=lambda masks: np.logical_and.reduce([np.ones(size, np.bool_), *masks]),
        any_of=lambda masks: np.logical_or.reduce([np.zeros(size, np.bool_), *masks]),
        negate=np.logical_not,
    )


def values_of(condition: Condition) -> tuple[Scalar, ...]:
    """Return the values that a condition compares with: several of ``in``, else a single one."""
    return condition.value if isinstance(condition.value, tuple) else (condition.value,)


def kind_of(value: object) -> str | None:
    """Return whether this is a "truth", a "number" or a "text", None for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return "truth"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return "number"
    return "text" if isinstance(value, str) else None


def _holds(stored: object, condition: Condition) -> bool:
    items = stored if isinstance(stored, (list, tuple)) else _array_items(stored)
    op = "=" if condition.op == "in" else condition.op
    return any(_compare(item, op, value) for item in map(_as_stored, items) for value in values_of(condition))


def _as_stored(item: object) -> object:
    """Return a value as indexes store it: what JSON does not know, such as a date, is a text."""
    is_json = item is None or kind_of(item) is not None or isinstance(item, (list, tuple, Mapping))
    return item if is_json else str(item)


def _array_items(stored: object) -> Sequence[object]:
    return stored.tolist() if isinstance(stored, np.ndarray) and stored.ndim == 1 else (stored,)


def _compare(item: object, op: str, value: Scalar) -> bool:
    return kind_of(item) == kind_of(value) and bool(_COMPARE[op](item, value))


def _parts(where: object) -> Iterator[Filter]:
    match where:
        case AllOf() | AnyOf() | Not() | Condition():
            yield _checked(where)
        case str() if where.lstrip().startswith("{"):
            yield from _parts(json_object(where))
        case str():
            yield _condition_of_text(where)
        case Mapping():
            for key, wanted in where.items():
                yield from _group(key, wanted) if key in GROUPS else _conditions(key, wanted)
        case list() | tuple():
            for part in where:
                yield from _parts(part)
        case _:
            raise ArgumentError(
                "where",
                f'must be a mapping such as {{"year": {{">=": 2000}}}}, or texts such as "year>=2000"; '
                f"got {type(where).__name__}",
            )


def _checked(where: Filter) -> Filter:
    """Return a filter that a caller made, if every part of it is what it should be."""
    match where:
        case Condition(field, op, value):
            return _condition(field, op, value)
        case Not(part):
            return Not(_only(part))
        case AllOf(parts):
            return AllOf(tuple(map(_only, parts)))
        case AnyOf(parts):
            return AnyOf(tuple(map(_only, parts)))


def _only(where: object) -> Filter:
    """Return what must hold as a single filter."""
    return _all_of(tuple(_parts(where)))


def _all_of(parts: tuple[Filter, ...]) -> Filter:
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _group(key: str, wanted: object) -> Iterator[Filter]:
    if key == "not" and isinstance(wanted, (Mapping, list, tuple, str, Condition, AllOf, AnyOf, Not)):
        yield Not(_only(wanted))
    elif key != "not" and isinstance(wanted, (list, tuple)):
        parts = tuple(map(_only, wanted))
        yield AnyOf(parts) if key == "or" else AllOf(parts)
    else:
        what = "a filter" if key == "not" else "a list of filters"
        raise ArgumentError(
            "where",
            f'"{key}" takes {what}, got {quoted(wanted)}; '
            f'a field of that name is written as a text, "{key}=VALUE"',
        )


def _conditions(field: object, wanted: object) -> Iterator[Condition]:
    if isinstance(wanted, Mapping):
        if not wanted:
            raise ArgumentError(
                "where", f'{quoted(field)} is compared with nothing; write {{"{field}": {{">=": 2000}}}}'
            )
        yield from (_condition(field, op, value) for op, value in wanted.items())
    else:
        yield _condition(field, "in" if isinstance(wanted, _LISTS) else "=", wanted)


def _condition_of_text(text: str) -> Condition:
    if len(text) > _LONGEST_TEXT:
        problem = f"a condition of {len(text):,} signs is too long to be written as a text"
        raise ArgumentError("where", f'{problem}; write it as a mapping or as JSON: {{"field": ["value", …]}}')
    check_condition(text)
    comparison = _COMPARISON.fullmatch(text) if _SIGN.search(mask_quoted(text)) else None
    if comparison is not None and not _TWO_SIGNS.match(comparison["value"]):
        value = comparison["value"].strip()
        check_order(text, comparison["op"], value)
        return _condition(comparison["field"], comparison["op"], _value(value))
    membership = _MEMBERSHIP.fullmatch(text) if comparison is None else None
    if membership is not None:
        items = [_value(item) for item in _ITEM.findall(membership["values"].rstrip())[:-1]]
        return _condition(membership["field"], " ".join(membership["op"].split()), items)
    raise ArgumentError(
        "where",
        f"{quoted(text)} is no condition; write FIELD=VALUE, or !=, <, <=, > or >= for =, or FIELD in VALUE,VALUE "
        "or FIELD not in VALUE,VALUE",
    )


def _value(text: str) -> object:
    """Return the number, truth or quoted text that is written there, else the text as it stands."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    try:
        value = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):  # no JSON, a number that is too long, or brackets in brackets
        return text
    return value if kind_of(value) else text


def _condition(field: object, op: object, value: object) -> Condition:
    if not isinstance(field, str) or not field:
        raise ArgumentError("where", f"a field is named by a text, got {quoted(field)}")
    if not isinstance(op, str) or op not in OPERATORS:
        raise ArgumentError(
            "where", f"unknown operator {quoted(op)} for {quoted(field)}; valid are: {', '.join(OPERATORS)}"
        )
    if op in ("in", "not in"):
        if not isinstance(value, _LISTS):
            raise ArgumentError("where", f"{quoted(field)} {op} what? Give a list of values, got {quoted(value)}")
        return Condition(field, op, tuple(_scalars(field, value)))
    return Condition(field, op, _scalar(field, value))


def _scalars(field: str, values: Iterable[object]) -> Iterator[Scalar]:
    return (_scalar(field, value) for value in values)


def _scalar(field: str, value: object) -> Scalar:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not -_GREATEST <= value <= _GREATEST:  # NaN is neither
        raise ArgumentError("where", f"{quoted(field)} cannot be compared with {quoted(value)[:20]}")
    if isinstance(value, (str, int, float, bool)):
        return value
    raise ArgumentError(
        "where", f"{quoted(field)} is compared with a text, a number, true or false; got {quoted(value)}"
    )
