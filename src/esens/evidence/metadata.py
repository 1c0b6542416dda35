"""What a document's metadata say of an excluded thing, where the caller names the fields that tell it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from esens.evidence.excluded_thing import ExcludedThing
from esens.evidence.periods import years_of
from esens.evidence.statements import statement_of
from esens.types import SILENT, Document, Evidence

_YEAR = re.compile(r"(?<![0-9])(?:1[0-9]{3}|20[0-9]{2})(?![0-9])")
_DATE = re.compile(r"(?:1[0-9]{3}|20[0-9]{2})(?:\.0|[-/.][0-9]{1,2}){0,2}(?:[T ][0-9:.Z+-]+)?")


def metadata_statement(metadata: Mapping[str, Any], fields: Iterable[str], thing: ExcludedThing) -> Evidence:
    """Return what these fields say of a thing, the field and its value quoted; one that has it is enough.

    A field with a year denies another year or decade. Of other things, a value that does not name them says
    nothing: a brand is no colour.

    >>> from esens.evidence.excluded_thing import excluded_thing
    >>> print(metadata_statement({"year": 1994}, ["year"], excluded_thing("the nineties")))
    affirmed: “year: 1994”, a kind of it: 1994
    >>> print(metadata_statement({"year": 1994}, ["year"], excluded_thing("2020")))
    denied: “year: 1994”
    """
    found = SILENT
    for field in fields:
        for value in _values(metadata.get(field)):
            stance, kind = _of_period(value, thing.text) if _is_period(thing.text) else _of_thing(value, thing)
            if stance == "affirmed":
                return Evidence(stance, f"{field}: {value}", None, kind)
            if stance == "denied":
                found = Evidence(stance, f"{field}: {value}")
    return found


def _of_thing(value: str, thing: ExcludedThing) -> tuple[str, str]:
    said = statement_of(Document("value", value), thing)
    return said.stance, said.kind


def _of_period(value: str, period: str) -> tuple[str, str]:
    """Return whether a value lies in a period; one that is not plainly a year or a date denies nothing."""
    excluded = years_of(period) or (period.strip(),)
    years = _YEAR.findall(value)
    inside = [year for year in years if year in excluded]
    if inside:
        return "affirmed", "" if inside[0] == period.strip() else inside[0]
    return ("denied", "") if _DATE.fullmatch(value.strip()) else ("silent", "")


def _values(value: object) -> list[str]:
    """Return the values of a field as texts; a list has several, and what is missing none."""
    if value is None or isinstance(value, Mapping):
        return []
    several = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [str(each) for each in several if str(each).strip()]


def _is_period(text: str) -> bool:
    return bool(years_of(text) or _YEAR.fullmatch(text.strip()))
