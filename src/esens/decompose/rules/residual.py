"""What is left of a query when its exclusions are cut out: a text that reads as a query of its own."""

import re

from esens.decompose.rules.lexicon.patterns import LexiconPatterns

_LONGEST_TAIL = 64
_PUNCTUATION = " \t\n,;:–—-([，、；："
_START = re.compile(r"^[\s,;:.!–—，、；：-]+")
_WORD = re.compile(r"\w")
_SPACE = re.compile(r"\s+")
_EMPTY = re.compile(r"\s*\((?:i\.?e\.?|e\.?g\.?)?,?\s*\)")  # all that was in it is cut out
_CLOSING = "?!.？！。"


def residual_of(text: str, cuts: list[tuple[int, int, str]], patterns: LexiconPatterns) -> str:
    """Return the text without the cuts, and without the words that only made sense with them.

    A cut is a start, an end, and what stands there instead, mostly nothing.
    """
    if not cuts:
        return text
    pieces: list[str] = []
    position = 0
    for start, end, replacement in cuts:
        before = text[position:start]
        kept = f"{before}{replacement}" if replacement else without_dangling(before, patterns)
        # Between two exclusions nothing but a joint may stand: "dairy-free and gluten-free cake".
        pieces.append("" if pieces and patterns.dangling.fullmatch(kept) else kept)
        position = end
    tail = text[position:]
    pieces.append(tail if _WORD.search(tail) else tail.strip(" ,;:.)]，"))
    joined = _join([piece if i == 0 else _without_start(piece, patterns) for i, piece in enumerate(pieces)])
    joined = _EMPTY.sub("", joined)
    if cuts[0][0] == 0:
        joined = next((joined[len(w) :] for w in patterns.lexicon.opening_leads if joined.startswith(w)), joined)
    for opening, closing in ("()", "[]", "（）"):  # the other half went with the exclusion
        if joined.count(closing) > joined.count(opening):
            joined = joined.replace(closing, "", 1)
    small = joined.lower()
    if any(part in small for part in patterns.lexicon.others_hold):
        joined = patterns.others.sub(r"\1", joined)
    return _SPACE.sub(" ", joined).strip(" ,;:，、").lstrip(". ")


def without_dangling(text: str, patterns: LexiconPatterns) -> str:
    """Return the text without the words and signs that led to the exclusion."""
    text = text.rstrip(_PUNCTUATION)
    last = text[text.rfind(" ") + 1 :]
    is_name = " " in text and last[:1].isupper() and last != "I"  # "the Beatles and the Who"
    if patterns.lexicon.spaced and (is_name or last.lower() not in patterns.dangling_ends):
        return text
    # "Who, besides Ann, …": what is all there is does not dangle.
    return text[:-_LONGEST_TAIL] + patterns.dangling.sub("", text[-_LONGEST_TAIL:]) or text


def _without_start(text: str, patterns: LexiconPatterns) -> str:
    """Return the text without what joined it to the exclusion before it."""
    while True:
        text = _START.sub("", text) if text.lstrip(_PUNCTUATION)[:1] not in _CLOSING else text.lstrip(_PUNCTUATION)
        first = next((word for word in patterns.lexicon.leading if text.lower().startswith(word)), None)
        if first is None:
            return text
        text = text[len(first) :]


def _join(pieces: list[str]) -> str:
    sentences: list[str] = []
    for piece in filter(None, pieces):
        if sentences and piece[0] in _CLOSING:
            sentences[-1] = sentences[-1].rstrip(_CLOSING) + piece
        else:
            sentences.append(piece)
    return " ".join(sentences)
