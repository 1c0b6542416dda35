"""Names that look like lists and are none: "black and white", R&B, AC/DC; and names with signs, as C++."""

import re
from collections.abc import Iterable

_PAIRS = """
black white, bed breakfast, rock roll, drum bass, rhythm blues, mac cheese, fish chips, cookies cream, gin tonic,
country western, sword sorcery, cloak dagger, track field, arts crafts, law order, health safety,
research development, trial error, supply demand, hide seek
"""
_FIXED_PAIR = re.compile(
    r"\b(?:"
    + "|".join(r"[\s-](?:and|&|n|['’]n['’])[\s-]".join(pair.split()) for pair in _PAIRS.strip().split(","))
    + r")\b",
    re.IGNORECASE,
)
# One or two letters on each side are initials, and longer ones may be a list: "Celeron/Pentium".
_INITIALS = re.compile(r"(?<!\w)[^\W\d_]{1,2}(?:[&/][^\W\d_]{1,2})+(?:['’]?s)?(?!\w)")
_WITH_SIGNS = re.compile(
    r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)"
    r"|(?<!\w)[^\W_]+\.(?:js|net|io|ai|com|org)(?!\w)"
    r"|(?<![\w.])\.(?:net|NET)(?!\w)"
)


def spans_of_whole_names(text: str) -> list[tuple[int, int]]:
    """Return where names stand that no list is cut within.

    >>> text = "in black and white, R&B or C++"
    >>> [text[slice(*span)] for span in spans_of_whole_names(text)]
    ['black and white', 'R&B', 'C++']
    """
    patterns = (_FIXED_PAIR, _INITIALS, _WITH_SIGNS)
    return sorted(match.span() for pattern in patterns for match in pattern.finditer(text))


def has_signs(name: str) -> bool:
    """Return whether signs are a part of this name, so that its letters alone are another.

    >>> has_signs("C#"), has_signs("AC/DC"), has_signs("bed and breakfast")
    (True, True, False)
    """
    return bool(_INITIALS.fullmatch(name) or _WITH_SIGNS.fullmatch(name))


def pieces(text: str, separator: "re.Pattern[str]") -> Iterable[str]:
    """Yield what a separator cuts a text into, but not within a whole name."""
    whole, start = spans_of_whole_names(text), 0
    for cut in separator.finditer(text):
        if not any(first < cut.end() and cut.start() < last for first, last in whole):
            yield text[start : cut.start()]
            start = cut.end()
    yield text[start:]
