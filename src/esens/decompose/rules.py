"""A decomposer without a model: English cues, the span they exclude, and what is left.

It would rather miss an exclusion than invent one: without a clear cue, or where cutting it out would leave
nothing to look for, the query stays as it is.
"""

import re
from typing import NamedTuple

from esens.decompose.cues import (
    ABSENCE,
    CLAUSE_OPENERS,
    CLAUSE_WORDS,
    COMPARING,
    CUES,
    DANGLING,
    EMPTY_WORDS,
    LEADING_CUES,
    NO_TRAPS,
    QUESTION_WORDS,
    VERBS,
    WEAK_CUES,
    WRAPPERS,
)
from esens.types import Decomposition

_CUE = re.compile(
    rf"(?<![\w-])(?:(?P<strong>{'|'.join(CUES)})|(?P<weak>{'|'.join(WEAK_CUES)})"
    rf"|(?P<leading>{'|'.join(LEADING_CUES)}))(?![\w-])",
    re.IGNORECASE,
)
# Operators stand at the end of a query: "rm -rf /" and "SQL NOT NULL" exclude nothing.
_OPERATORS = re.compile(r'(?:\s+-(?:"[^"]+"|[^\W\d_A-Z]{3,}))+\s*$|(?<!\ba)(?<!\bthe)\s+NOT [a-z]\w*\s*$')
_OPERAND = re.compile(r'-"([^"]+)"|(?:-|NOT )(\w+)')
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|(?<!\w)‘[^’]*’(?!\w)')
_SENTENCE_START = re.compile(r"[?!;]|\.\s")
_SENTENCE_END = re.compile(r"[?!;—]|\.(?=\s*$)|\.(?=\s+(?:Also|Please|And|But|Can|Could|What|Which|Who|How)\b)")
_CLAUSE = re.compile(rf",\s*(?=(?:{CLAUSE_WORDS}|with|for)\b)|:\s", re.IGNORECASE)
_QUESTION = re.compile(rf",\s*(?=(?:{QUESTION_WORDS}|{CLAUSE_WORDS})\b)|:\s", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?<!that)(?<!which)(?<!who)\s+(?=(?:{VERBS})\s)", re.IGNORECASE)
_WRAPPER = re.compile(rf"(?:{'|'.join(WRAPPERS)})(?:\s+|(?<=\s))", re.IGNORECASE)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|did|will|may|might)\b")
_COMPARING = re.compile(COMPARING, re.IGNORECASE)
_OTHER = re.compile(
    r"\b(what|which|who|where|any|some|of|in|by|(?:are|were|is|was) the)\s+(?:other|else)\b", re.IGNORECASE
)
_DANGLING_START = re.compile(r"^(?:[\s,;:.!–—-]|\b(?:and|but)\b)+", re.IGNORECASE)
_PUNCTUATION = " \t\n,;:–—-("
_LIST = re.compile(r"\s*,\s*(?:and|or|nor)\s+|\s+(?:and|or|nor)\s+|\s*,\s*")
_PAIR = re.compile(r"\s+(?:and|or|nor)\s+")
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"\w+")
_LONGEST_LISTED = 3


class Span(NamedTuple):
    """Where an exclusion stands in the query, cue included, and what it excludes."""

    start: int
    end: int
    traps: tuple[str, ...]


def decompose(query: str) -> Decomposition:
    """Split a query into what is wanted and what is excluded."""
    text = " ".join(query.split())
    spans = _operators(text) or _exclusions(text)
    target = _target(text, spans)
    if not spans or EMPTY_WORDS.issuperset(_WORDS.findall(target.lower())):
        return Decomposition(query)
    return Decomposition(target, tuple(dict.fromkeys(trap for span in spans for trap in span.traps)))


def _operators(query: str) -> list[Span]:
    """Return what search-box operators exclude: -word, -"two words", NOT word."""
    found = _OPERATORS.search(query)
    if found is None or query.isupper():
        return []
    operands = tuple(quoted or word for quoted, word in _OPERAND.findall(found[0]))
    return [*_exclusions(query[: found.start()]), Span(found.start(), len(query), operands)]


def _exclusions(query: str) -> list[Span]:
    quoted = [found.span() for found in _QUOTED.finditer(query)]
    cues = [cue for cue in _CUE.finditer(query) if _is_cue(cue, query, quoted)]
    limits = [*(cue.start() for cue in cues[1:]), len(query)]
    spans = []
    for cue, limit in zip(cues, limits, strict=False):
        end, following = _span_end(query, cue, limit, quoted)
        traps = _traps(query[cue.end() : end])
        if traps and not (cue["weak"] and _states_a_fact(query, cue, query[cue.end() : end])):
            spans.append(Span(cue.start(), following, traps))
    return spans


def _is_cue(cue: re.Match[str], query: str, quoted: list[tuple[int, int]]) -> bool:
    if any(start <= cue.start() < end for start, end in quoted):
        return False
    opens = _opens(query, cue.start())
    if cue["leading"]:
        return opens or query[: cue.start()].rstrip().lower().endswith(CLAUSE_OPENERS)
    # A capital inside a sentence belongs to a title: "The Man Without a Past".
    return opens or cue[0][0].islower() or query.isupper() or cue[0].lower().startswith(("i ", "we "))


def _opens(query: str, position: int) -> bool:
    """Whether a sentence begins here."""
    before = query[max(0, position - 200) : position]
    sentence = _SENTENCE_START.split(before)[-1]
    return not _WORD.search(sentence)


def _span_end(query: str, cue: re.Match[str], limit: int, quoted: list[tuple[int, int]]) -> tuple[int, int]:
    """Return where the excluded thing ends, and where the wanted part goes on."""
    if query[: cue.start()].rstrip().endswith("(") and (closing := query.find(")", cue.end(), limit)) >= 0:
        return closing, closing + 1
    end = next((found.start() for found in _SENTENCE_END.finditer(query, cue.end(), limit)), limit)
    opens = _opens(query, cue.start())
    clauses = (_QUESTION if opens else _CLAUSE).finditer(query, cue.end(), end)
    outside = [c.start() for c in clauses if not any(a <= c.start() < b for a, b in quoted)]
    if outside:
        return outside[0], outside[0]
    if opens:
        comma = query.find(",", cue.end(), end)
        end = comma if comma >= 0 and not query[: cue.start()].strip() else end
    elif cue["strong"] and not query[: cue.start()].rstrip().endswith(","):
        end = next((found.start() for found in _GOES_ON.finditer(query, cue.end(), end)), end)
    return end, end


def _states_a_fact(query: str, cue: re.Match[str], excluded: str) -> bool:
    """Whether a weak cue is part of what is asked or said, instead of an exclusion."""
    if cue[0].lower() != "without":
        return bool(_COMPARING.match(query))
    before, after = query[: cue.start()].lower().split(), query[cue.end() :]
    if (before and before[-1] in ABSENCE) or (not before and re.search(r"\bwould\b", after)):
        return True
    return not query.rstrip().endswith("?") and bool(_FINITE.search(excluded))


def _traps(span: str) -> tuple[str, ...]:
    """Return what a span excludes, freed of its wrapper; a list is several things."""
    text = span.strip(" ,;:")
    while (wrapper := _WRAPPER.match(text)) and wrapper.end() and not _is_title(text, wrapper):
        text = text[wrapper.end() :]
    return tuple(part for item in _items(text) if (part := _bare(item)) and part.lower() not in NO_TRAPS)


def _is_title(text: str, wrapper: re.Match[str]) -> bool:
    # "The Maze of Bones" keeps its article, "the piano" does not.
    return wrapper[0][0].isupper() and text[wrapper.end() : wrapper.end() + 1].isupper()


def _items(text: str) -> list[str]:
    if _QUOTED.search(text):
        return [text]
    listed = _LIST.split(text)
    several = len(listed) > 2 and bool(_PAIR.search(text))
    pair = len(listed) == 2 and len(_PAIR.split(text)) == 2
    short = all(len(item.split()) <= _LONGEST_LISTED for item in listed)
    return listed if (several or pair) and short else [text]


def _bare(item: str) -> str:
    item = item.strip(" ,;:.?!")
    whole = _QUOTED.fullmatch(item)
    item = item[1:-1].strip() if whole else item
    return re.sub(r"^(?:the|an?|any) (?![A-Z])", "", item)


def _target(query: str, spans: list[Span]) -> str:
    """Return the query without the spans, and without the words that only made sense with them."""
    if not spans:
        return query
    pieces, position = [], 0
    for span in spans:
        pieces.append(_without_dangling(query[position : span.start]))
        position = span.end
    tail = query[position:]
    pieces.append(tail if _WORD.search(tail) else tail.strip(" ,;:."))
    text = _joined([_DANGLING_START.sub("", piece) if i else piece for i, piece in enumerate(pieces)])
    return re.sub(r"\s+", " ", _OTHER.sub(r"\1", text)).strip(" ,;:")


def _without_dangling(text: str) -> str:
    """Return the text without the words and signs that led to the exclusion, taken off one by one."""
    while True:
        text = text.rstrip(_PUNCTUATION)
        lower = text[-16:].lower()
        word = next((w for w in DANGLING if lower == w or lower.endswith(f" {w}")), None)
        if word is None:
            return text
        text = text[: len(text) - len(word)]


def _joined(pieces: list[str]) -> str:
    text = ""
    for piece in pieces:
        glue = "" if not text or not piece or piece[0] in "?!." else " "
        text += glue + piece
    return text
