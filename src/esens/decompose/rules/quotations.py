"""Where quotation marks stand, of any of the scripts that the tables read. Found in one pass."""

import re
from typing import NamedTuple


class _Marks(NamedTuple):
    """What closes a quotation, the least it holds, and whether its marks stand apart from words."""

    closing: re.Pattern[str]
    least: int = 0
    is_apart: bool = False


_MARKS = {
    '"': _Marks(re.compile('"')),
    "“": _Marks(re.compile('[”"“]')),
    "”": _Marks(re.compile("[“”]")),
    "„": _Marks(re.compile("[“”]")),
    "「": _Marks(re.compile("」")),
    "《": _Marks(re.compile("》")),
    "«": _Marks(re.compile("»")),
    "‘": _Marks(re.compile("’"), is_apart=True),
    "'": _Marks(re.compile("'"), least=3, is_apart=True),
}
# An opening mark that looks like its own closing one ends the look for it: “a “b” is read from the second.
_NEVER_CLOSES = {"“": "“", "”": "”"}
_OPENING = re.compile("[" + "".join(_MARKS) + "]")
_WORD = re.compile(r"\w")


def quotations(text: str) -> list[tuple[int, int]]:
    """Return where quotations stand, from the opening to behind the closing mark; they do not overlap."""
    spans: list[tuple[int, int]] = []
    unclosed: set[str] = set()  # what did not close once closes nowhere behind
    position = 0
    while opening := _OPENING.search(text, position):
        position = opening.end()
        mark = opening[0]
        if mark in unclosed:
            continue
        closing = _MARKS[mark].closing.search(text, position)
        if closing is None:
            unclosed.add(mark)
        elif _encloses(text, opening.start(), closing):
            spans.append((opening.start(), closing.end()))
            position = closing.end()
    return spans


def is_quotation(text: str) -> bool:
    """Whether a text is one quotation and nothing else."""
    return text[:1] in _MARKS and quotations(text)[:1] == [(0, len(text))]


def _encloses(text: str, start: int, closing: "re.Match[str]") -> bool:
    mark, (_, least, is_apart) = text[start], _MARKS[text[start]]
    if _NEVER_CLOSES.get(mark) == closing[0] or closing.start() - start - 1 < least:
        return False
    return not is_apart or not (_WORD.match(text[start - 1 : start]) or _WORD.match(text, closing.end()))
