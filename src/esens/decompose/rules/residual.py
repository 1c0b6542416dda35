"""What is left of a query when its exclusions are cut out: a text that reads as a query of its own."""

import re

from esens.decompose.rules.lexicon.compiled import Compiled

_LONGEST_TAIL = 64
_PUNCTUATION = " \t\n,;:–—-(，、；："
_START = re.compile(r"^[\s,;:.!–—，、；：-]+")
_WORD = re.compile(r"\w")
_SPACE = re.compile(r"\s+")
_CLOSING = "?!.？！。"


def target_of(text: str, cuts: list[tuple[int, int, str]], cues: Compiled) -> str:
    """Return the text without the cuts, and without the words that only made sense with them.

    A cut is a start, an end, and what stands there instead, mostly nothing.
    """
    if not cuts:
        return text
    pieces, position = [], 0
    for start, end, instead in cuts:
        before = text[position:start]
        pieces.append(f"{before}{instead}" if instead else without_dangling(before, cues))
        position = end
    tail = text[position:]
    pieces.append(tail if _WORD.search(tail) else tail.strip(" ,;:.)，"))
    joined = _joined([piece if i == 0 else _without_start(piece, cues) for i, piece in enumerate(pieces)])
    for opening, closing in ("()", "（）"):  # the other half went with the exclusion
        if joined.count(closing) > joined.count(opening):
            joined = joined.replace(closing, "", 1)
    return _SPACE.sub(" ", cues.others.sub(r"\1", joined)).strip(" ,;:，、").lstrip(". ")


def without_dangling(text: str, cues: Compiled) -> str:
    """Return the text without the words and signs that led to the exclusion."""
    text = text.rstrip(_PUNCTUATION)
    last = text[text.rfind(" ") + 1 :].lower()
    if cues.lexicon.spaced and last not in cues.dangling_ends:
        return text
    # "Who, besides Ann, …": what is all there is does not dangle.
    return text[:-_LONGEST_TAIL] + cues.dangling.sub("", text[-_LONGEST_TAIL:]) or text


def _without_start(text: str, cues: Compiled) -> str:
    """Return the text without what joined it to the exclusion before it."""
    while True:
        text = _START.sub("", text) if text.lstrip(_PUNCTUATION)[:1] not in _CLOSING else text.lstrip(_PUNCTUATION)
        first = next((word for word in cues.lexicon.leading if text.lower().startswith(word)), None)
        if first is None:
            return text
        text = text[len(first) :]


def _joined(pieces: list[str]) -> str:
    found: list[str] = []
    for piece in filter(None, pieces):
        if found and piece[0] in _CLOSING:
            found[-1] = found[-1].rstrip(_CLOSING) + piece
        else:
            found.append(piece)
    return " ".join(found)
