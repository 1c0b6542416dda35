"""A decomposer without a model: cues from a lexicon, the span each excludes, and what is left of the query.

It would rather miss an exclusion than invent one. A cue that may state a fact, stand in a title or belong to a
fixed phrase excludes nothing, and the decomposition says so, with a lower confidence where the reading could be
another.
"""

import re
from typing import NamedTuple

from esens.decompose.rules.entities import anchor, things
from esens.decompose.rules.lexicon.compiled import Compiled, compiled
from esens.decompose.rules.lexicon.language import is_known, language_of
from esens.decompose.rules.operators import POSSIBLE, operators
from esens.decompose.rules.query_text import Asked, Cue
from esens.decompose.rules.residual import target_of
from esens.decompose.rules.scope import extent
from esens.decompose.rules.vetoes import UNSURE, Doubt, doubt
from esens.types import Decomposition, Provenance

# How sure a reading is by the kind of its cue, and why. The kinds are those of the lexicon.
READINGS = {
    "operator": (0.95, "is an operator that leaves out"),
    "clear": (0.95, "says what is to be left out"),
    "opening": (0.95, "says what is to be left out"),
    "request": (0.85, "says in a request what is to be left out; in a claim it would state a fact"),
    "relative": (0.85, "says what the wanted is not"),
    "additive": (0.85, "sets apart what is known already"),
    "counterpart": (0.85, "is said of the opposite of what is wanted"),
    "likely": (0.6, "mostly says what is to be left out, but not always"),
}
_BY_RULES = Provenance("rules")
_NO_CUE = "no word in it excludes anything"
_WORDS = re.compile(r"\w+|[^\s!-/:-@\[-`{-~]+")
_LONGEST_EMPTY = 60


class Span(NamedTuple):
    """Where an exclusion stands in the query, cue included, what it excludes, and by which words."""

    start: int
    end: int
    things: tuple[str, ...]
    kind: str
    cue: str
    instead: str = ""


def decompose(query: str, *, language: str | None = None) -> Decomposition:
    """Split a query into what is wanted and what is excluded; without a language, its words tell which it is."""
    asked = Asked(" ".join(query.split()), compiled(language or language_of(query)))
    spans, doubts = exclusions(asked)
    target = target_of(asked.text, [(span.start, span.end, span.instead) for span in spans], asked.cues)
    if spans and _is_empty(target, asked.cues):
        spans, doubts = [], [Doubt(spans[0].cue, "nothing would be left to look for", UNSURE)]
    if not spans:
        return _nothing(query, doubts)
    traps = (anchor(thing, target, asked.cues) for span in spans for thing in span.things)
    weakest = min(spans, key=lambda span: READINGS[span.kind][0])
    confidence, says = READINGS[weakest.kind]
    reason = f"“{weakest.cue}” {says}"
    return Decomposition(target, tuple(dict.fromkeys(traps)), confidence, reason, _BY_RULES)


def exclusions(asked: Asked) -> tuple[list[Span], list[Doubt]]:
    """Return what a query excludes, from left to right, and the cues in it that exclude nothing."""
    found = [Span(one.start, one.end, one.operands, "operator", one.sign) for one in operators(asked.text)]
    spans, doubts = _worded(asked, found[0].start if found else len(asked.text))
    return [*spans, *found], doubts


def _worded(asked: Asked, end: int) -> tuple[list[Span], list[Doubt]]:
    readings = [(cue, doubt(asked, cue)) for cue in asked.candidates(end)]
    cues = [cue for cue, why_not in readings if why_not is None]
    limits = [cue.start for cue in cues[1:]] + [end] * bool(cues)
    spans: list[Span] = []
    for cue, limit in zip(cues, limits, strict=True):
        span = (_contrast if cue.kind == "counterpart" else _span)(asked, cue, limit)
        if span.things and (not spans or span.start >= spans[-1].end):
            spans.append(span)
    return spans, [why_not for _, why_not in readings if why_not is not None]


def _span(asked: Asked, cue: Cue, limit: int) -> Span:
    start, end, following = extent(asked, cue, limit)
    excluded = things(asked.text[start:end], asked.cues)
    return Span(min(start, cue.start), following, excluded, cue.kind, asked.said(cue))


def _contrast(asked: Asked, cue: Cue, limit: int) -> Span:
    """Return "not illegal in Utah" as what is wanted, "legal", with "illegal in Utah" as the trap."""
    words = asked.said(cue)
    said = words.rsplit(maxsplit=1)[-1]
    end = extent(asked, cue, limit)[1]
    trap = things(asked.text[cue.end - len(said) : end], asked.cues)
    kept = asked.cues.denial.sub(" ", words[: -len(said)]).split()
    instead = " ".join((*kept, asked.cues.counterparts[said.lower()]))
    return Span(cue.start, cue.end, trap, cue.kind, words, instead)


def _is_empty(target: str, cues: Compiled) -> bool:
    """Whether nothing but question words and the like is left."""
    return len(target) < _LONGEST_EMPTY and cues.lexicon.empty_words.issuperset(_WORDS.findall(target.lower()))


def _nothing(query: str, doubts: list[Doubt]) -> Decomposition:
    if not doubts and (sign := POSSIBLE.search(query)):
        doubts = [Doubt(sign[0], "may be an operator or an option", UNSURE)]
    if not doubts and not is_known(query):
        return Decomposition(
            query, (), UNSURE, "its language has no table; name one, or ask a language model", _BY_RULES
        )
    if not doubts:
        return Decomposition(query, (), 1.0, _NO_CUE, _BY_RULES)
    least = min(doubts, key=lambda one: one.confidence)
    return Decomposition(query, (), least.confidence, f"“{least.cue}”: {least.why}", _BY_RULES)
