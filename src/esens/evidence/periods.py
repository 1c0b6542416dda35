"""The years of a period: "the eighties", "the 80s", "the 19th century", "before 1950", "between 1990 and 2000"."""

import re

FIRST_YEAR, LAST_YEAR = 1000, 2100
_DECADES = {"twenties": 2, "thirties": 3, "forties": 4, "fifties": 5, "sixties": 6, "seventies": 7, "eighties": 8}
_DECADES |= {"nineties": 9}
_DECADE = re.compile(r"\b(?:(1[0-9]|20)?([0-9])0['’]?s|(" + "|".join(_DECADES) + r"))\b", re.IGNORECASE)
_NAMES_OF_CENTURIES = """
eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
"""
_CENTURIES = _NAMES_OF_CENTURIES.split()
_FIRST_CENTURY = 11
# 20th Century Fox is no period, and what was before a century is not in it.
_OF_CENTURY = re.compile(
    r"(?<!before the )(?<!after the )(?<!since the )"
    rf"\b(?:(1[1-9]|2[01])(?:st|th)|({'|'.join(_CENTURIES)}))[\s-]century\b(?!\s+(?:(?-i:[A-Z])|fox\b))",
    re.IGNORECASE,
)
_YEAR = r"(?:the year\s+)?(1[0-9]{3}|20[0-9]{2})"
_BETWEEN = re.compile(
    rf"\b(?:between|from)\s+{_YEAR}\s+and\s+{_YEAR}\b"
    rf"|\b{_YEAR}(?:\s*[-–—]\s*|\s+(?:to|until|till|through|thru|bis|à|hasta)\s+){_YEAR}\b",
    re.IGNORECASE,
)
# Each with the years that it adds to the one it names: "since 2019" has 2019, and "after 2019" does not.
_BEFORE = (
    (re.compile(rf"\b{_YEAR}\s+(?:or|and)\s+(?:before|earlier|older)\b|\bup to\s+{_YEAR}\b", re.IGNORECASE), 1),
    (re.compile(rf"\b(?:before|until|till|earlier than|older than|prior to)\s+{_YEAR}\b", re.IGNORECASE), 0),
)
_AFTER = (
    (re.compile(rf"\b{_YEAR}\s+(?:(?:or|and)\s+(?:after|later|newer)|on|onwards?)\b", re.IGNORECASE), 0),
    (re.compile(rf"\b(?:since|from)\s+{_YEAR}\b", re.IGNORECASE), 0),
    (re.compile(rf"\b(?:after|later than|newer than|younger than)\s+{_YEAR}\b", re.IGNORECASE), 1),
)
_CENTURY = "19"


def years_of(text: str) -> tuple[str, ...]:
    """Return the years of the period that a text names, and how texts write a decade; nothing without a period.

    >>> years_of("the 80s")[:2], len(years_of("the eighties"))
    (('1980', '1981'), 11)
    >>> years_of("before 1950")[-1], years_of("between 1990 and 2000")[-1]
    ('1949', '2000')
    """
    if match := _BETWEEN.search(text):
        first, last = sorted(int(year) for year in match.groups() if year)
        return tuple(map(str, range(first, last + 1)))
    if match := _DECADE.search(text):
        digit = match[2] if match[2] is not None else str(_DECADES[match[3].lower()])
        century = match[1] or ("20" if digit in "01" and match[3] is None else _CENTURY)
        return (*(f"{century}{digit}{year}" for year in range(10)), f"{century}{digit}0s")
    if match := _OF_CENTURY.search(text):
        number = _century(match)
        return tuple(map(str, range(100 * (number - 1), 100 * number)))
    return tuple(map(str, _years_on_one_side(text)))


def _years_on_one_side(text: str) -> range:
    """Return the years before or after one that a text names."""
    for pattern, more in _BEFORE:
        if match := pattern.search(text):
            return range(FIRST_YEAR, int(match[match.lastindex or 1]) + more)
    for pattern, more in _AFTER:
        if match := pattern.search(text):
            return range(int(match[1]) + more, LAST_YEAR)
    return range(0)


def _century(match: re.Match[str]) -> int:
    """Return the number of a century: as people count, the 20th has the years from 1900 to 1999."""
    return int(match[1]) if match[1] else _FIRST_CENTURY + _CENTURIES.index(match[2].lower())
