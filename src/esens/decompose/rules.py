"""A decomposer without a model: English cues, the span they exclude, and what is left.

It never invents an exclusion: without a cue, or where cutting one out would leave nothing to look for, the
query stays as it is.
"""

import re
from typing import NamedTuple

from esens.decompose.cues import (
    CLAUSE_WORDS,
    CUES,
    DANGLING,
    LEADING_CUES,
    QUESTION_WORDS,
    WEAK_CUES,
    WRAPPERS,
)
from esens.types import Decomposition

_CUE = re.compile(
    rf"(?<![\w-])(?:(?P<strong>{'|'.join(CUES)})|(?P<weak>{'|'.join(WEAK_CUES)})"
    rf"|(?P<leading>{'|'.join(LEADING_CUES)}))(?![\w-])",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r'(?:(?<=\s)|^)(?:-(?:"(?P<quoted>[^"]+)"|(?P<word>[^\W\d_][\w.]*))|NOT (?P<upper>\S+))')
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|(?<!\w)‘[^’]*’(?!\w)')
_SENTENCE_END = re.compile(r"[?!;]|\.(?=\s*$)|\.(?=\s+(?:Also|Please|And|But|Can|Could|What|Which|Who|How)\b)")
_CLAUSE = re.compile(rf",\s*(?=(?:{CLAUSE_WORDS})\b)|:\s", re.IGNORECASE)
_QUESTION = re.compile(rf",\s*(?=(?:{QUESTION_WORDS}|{CLAUSE_WORDS})\b)|:\s", re.IGNORECASE)
_WRAPPER = re.compile(rf"(?:{'|'.join(WRAPPERS)})(?:\s+|(?<=\s))", re.IGNORECASE)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|did|will|may|might)\b")
_OTHER = re.compile(
    r"\b(?:(?<=any )other|(?<=which )other|(?<=what )other|the other|other|else)\s+", re.IGNORECASE
)
_DANGLING_END = re.compile(rf"(?:[\s,;:–—-]|\b(?:{DANGLING}))+$", re.IGNORECASE)
_DANGLING_START = re.compile(r"^(?:[\s,;:.!–—-]|\b(?:and|but)\b)+", re.IGNORECASE)
_LIST = re.compile(r"\s*,\s*(?:and|or|nor)\s+|\s+(?:and|or|nor)\s+|\s*,\s*")
_PAIR = re.compile(r"\s+(?:and|or|nor)\s+")
_LONGEST_LISTED = 3


class Span(NamedTuple):
    """Where an exclusion stands in the query, cue included, and what it excludes."""

    start: int
    end: int
    traps: tuple[str, ...]


def decompose(query: str) -> Decomposition:
    """Split a query into what is wanted and what is excluded."""
    spans = _operators(query) or _exclusions(query)
    target = _target(query, spans)
    if not spans or not re.search(r"\w", target):
        return Decomposition(query)
    return Decomposition(target, tuple(dict.fromkeys(trap for span in spans for trap in span.traps)))


def _operators(query: str) -> list[Span]:
    """Return what search-box operators exclude: -word, -"two words", NOT word."""
    return [
        Span(found.start(), found.end(), (found["quoted"] or found["word"] or found["upper"],))
        for found in _OPERATOR.finditer(query)
    ]


def _exclusions(query: str) -> list[Span]:
    quoted = [found.span() for found in _QUOTED.finditer(query)]
    cues = [cue for cue in _CUE.finditer(query) if _is_cue(cue, query, quoted)]
    limits = [*(cue.start() for cue in cues[1:]), len(query)]
    spans = []
    for cue, limit in zip(cues, limits, strict=False):
        end = _span_end(query, cue, limit, quoted)
        traps = _traps(query[cue.end() : end])
        if traps and not (cue["weak"] and _states_a_fact(query, query[cue.end() : end])):
            spans.append(Span(cue.start(), end, traps))
    return spans


def _is_cue(cue: re.Match[str], query: str, quoted: list[tuple[int, int]]) -> bool:
    if any(start <= cue.start() < end for start, end in quoted):
        return False
    opens = not re.search(r"\w", _last_sentence(query[: cue.start()]))
    if cue["leading"]:
        return opens
    # A capital inside a sentence belongs to a title: "The Man Without a Past".
    return opens or cue[0][0].islower() or query.isupper() or cue[0].lower().startswith(("i ", "we "))


def _last_sentence(text: str) -> str:
    return re.split(r"[?!;]|\.\s", text)[-1]


def _span_end(query: str, cue: re.Match[str], limit: int, quoted: list[tuple[int, int]]) -> int:
    """Return where the exclusion ends: with its sentence, or where the wanted part goes on."""
    end = next((found.start() for found in _SENTENCE_END.finditer(query, cue.end(), limit)), limit)
    opens = not re.search(r"\w", _last_sentence(query[: cue.start()]))
    clauses = (_QUESTION if opens else _CLAUSE).finditer(query, cue.end(), end)
    outside = [c.start() for c in clauses if not any(a <= c.start() < b for a, b in quoted)]
    if outside:
        return outside[0]
    comma = query.find(",", cue.end(), end)
    return comma if opens and comma >= 0 and not query[: cue.start()].strip() else end


def _states_a_fact(query: str, excluded: str) -> bool:
    return not query.rstrip().endswith("?") and bool(_FINITE.search(excluded))


def _traps(span: str) -> tuple[str, ...]:
    """Return what a span excludes, freed of its wrapper; a list is several things."""
    text = span.strip(" ,;:")
    while (wrapper := _WRAPPER.match(text)) and wrapper.end() and not _is_title(text, wrapper):
        text = text[wrapper.end() :]
    parts = [part for item in _items(text) if (part := _bare(item))]
    return tuple(parts)


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
        pieces.append(_DANGLING_END.sub("", query[position : span.start]))
        position = span.end
    tail = query[position:]
    pieces.append(tail if re.search(r"\w", tail) else tail.strip(" ,;:."))
    text = _joined([_DANGLING_START.sub("", piece) if i else piece for i, piece in enumerate(pieces)])
    return re.sub(r"\s+", " ", _OTHER.sub("", text)).strip(" ,;:")


def _joined(pieces: list[str]) -> str:
    text = ""
    for piece in pieces:
        glue = "" if not text or not piece or piece[0] in "?!." else " "
        text += glue + piece
    return text
