"""Conditions written as texts: what would be read as a condition that nothing fulfils is refused instead."""

import json
import re
from typing import Any

from esens.errors import ArgumentError

_ORDER = ("<", "<=", ">", ">=")
_SIGN = re.compile(r"[<>=]")
_QUOTED = re.compile(r"""(?<=[=<>,\s])('[^']*'|"(?:[^"\\]|\\.)*")""")
_JOINT = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)
_COMPARES = re.compile(r"\s*[^<>=!\s][^<>=!]*[<>=!]")
_MEMBER = re.compile(r"\s*\S.*\s(not\s+)?in\s+\S", re.DOTALL)
_NEGATED = re.compile(r"\s*not\s+(?!in\s)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_PARENTHESIS = re.compile(r"\s*(not\s*)?\(", re.IGNORECASE)
# 2,000 and 1 000.5, 0,5, +5 and .5, 05, $5 and 5%: numbers to a reader, but texts here.
_NUMBER = re.compile(r"[+-]?[$€£]?\s?(\d{1,3}([,_ '’]\d{3})+(\.\d+)?|\d+,\d+|\d*\.?\d+|\d+\.)\s?[%€]?")


def json_object(text: str) -> dict[str, Any]:
    """Return the filter that is written as a JSON object."""
    try:
        return dict(json.loads(text, object_pairs_hook=_distinct))
    except (ValueError, RecursionError) as error:
        problem = error if isinstance(error, ValueError) else "it is nested too deeply"
        example = '{"or": ["year<1980", "language=ja"]}'
        raise _refused(text, f"is no JSON object ({problem}); write for example {example}") from None


def check_condition(text: str) -> None:
    """Raise where a text is not one condition: several joined by "and" or "or", or one after "not"."""
    if _PARENTHESIS.match(text):
        raise _refused(text, f"has parentheses; groups are written {_group('or', 'A', 'B')}")
    masked = mask_quoted(text)
    operators, parts = _split(text, masked)
    if len(parts) > 1:
        advice = (
            _group(operators[0], *map(_without_not, parts))
            if len(set(operators)) == 1
            else _group("or", "A", {"and": ["B", "C"]})
        )
        raise _refused(text, f"is more than one condition; write {advice}, or quote the value if it is a text")
    if not isinstance(negated := _without_not(text), str):
        raise _refused(text, f"begins with not; write {json.dumps(negated, ensure_ascii=False)}")


def _without_not(text: str) -> str | dict[str, str]:
    """Return a condition after "not" as the group that it should be; any other text as it is."""
    negated = _NEGATED.fullmatch(text)
    return {"not": negated["rest"]} if negated is not None and _is_condition(negated["rest"]) else text


def check_order(text: str, op: str, value: str) -> None:
    """Raise where a value after <, <=, > or >= can be no value, or is a number that is not written as one."""
    if op not in _ORDER or value[:1] in ("'", '"'):
        return
    if not value:
        raise _refused(text, f"says {op}, but not than what; write a number or a text there")
    if _SIGN.search(value):
        raise _refused(text, 'is not one condition; write each by itself, such as "year>=1980" and "year<1990"')
    if _NUMBER.fullmatch(value) and not _is_number(value):
        advice = "write a number without signs between its digits or around it, such as 2000 or 0.5"
        raise _refused(text, f"compares with the text {value!r}; {advice}, or quote the text")


def mask_quoted(text: str) -> str:
    """Return a text of the same length, without what is quoted."""
    return _QUOTED.sub(lambda match: "_" * len(match[0]), text)


def _split(text: str, masked: str) -> tuple[list[str], list[str]]:
    """Return what joins conditions, and the conditions; "and" and "or" within a value join none."""
    operators, parts, start = [], [], 0
    for joint in _JOINT.finditer(masked):
        left, right = masked[start : joint.start()], masked[joint.end() :]
        if _is_condition(left) and (_compares_next(right) or (_MEMBER.match(right) and _is_ordered(left))):
            operators.append(joint[1].lower())
            parts.append(text[start : joint.start()].strip())
            start = joint.end()
    return operators, [*parts, text[start:].strip()]


def _is_condition(text: str) -> bool:
    return bool(_COMPARES.match(text) or _MEMBER.match(text))


def _compares_next(text: str) -> bool:
    """Whether a comparison follows, before another "and" or "or"."""
    return bool(_COMPARES.match(_JOINT.split(text, maxsplit=1)[0]))


def _is_ordered(text: str) -> bool:
    """Whether this is no comparison with a text, of which "and" and "in" may be words."""
    return bool(re.search(r"[<>]", text)) or not _SIGN.search(text)


def _is_number(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{name!r} stands there twice")
        fields[name] = value
    return fields


def _group(op: str, *parts: Any) -> str:
    return json.dumps({op: parts}, ensure_ascii=False)


def _refused(text: str, problem: str) -> ArgumentError:
    return ArgumentError("where", f"{text if len(text) < 200 else text[:197] + '...'!r} {problem}")
