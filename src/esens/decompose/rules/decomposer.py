"""A decomposer without a model: cues from a lexicon, the scope of each, and what is left of the query.

It would rather miss an exclusion than invent one. A cue that may state a fact, stand in a title or belong to a
fixed phrase excludes nothing, and the decomposition says so, with a lower confidence where the reading could be
another.
"""

import re
from typing import NamedTuple

from esens.decompose.rules.entities import head_entity, split_items
from esens.decompose.rules.lexicon import OTHER
from esens.decompose.rules.lexicon.language import language_of
from esens.decompose.rules.lexicon.patterns import LexiconPatterns, patterns_of
from esens.decompose.rules.operators import POSSIBLE, operators
from esens.decompose.rules.query_text import Cue, QueryText, as_typed
from esens.decompose.rules.relation import OPEN, ToldRelation, relation_of
from esens.decompose.rules.residual import residual_of
from esens.decompose.rules.scope import scope_of
from esens.decompose.rules.vetoes import UNSURE, Veto, veto_of
from esens.types import Decomposition, Exclusion, Provenance

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


class ScopedCue(NamedTuple):
    """A cue with its scope: where both stand in the query, what is excluded, and what the residual has instead."""

    start: int
    end: int
    items: tuple[str, ...]
    kind: str
    words: str
    replacement: str = ""
    told: ToldRelation = OPEN
    scope: tuple[int, int] = (0, 0)


def decompose(query: str, *, language: str | None = None) -> Decomposition:
    """Split a query into what is wanted and what is excluded; without a language, its words tell which it is."""
    text = QueryText(" ".join(query.split()), patterns_of(language or language_of(query)))
    cues, vetoes = scoped_cues(text)
    target = residual_of(text.text, [(cue.start, cue.end, cue.replacement) for cue in cues], text.patterns)
    if cues and _is_empty(target, text.patterns):
        cues, vetoes = [], [Veto(cues[0].words, "nothing would be left to look for", UNSURE)]
    if not cues:
        return _without_exclusion(query, text.patterns.lexicon.language, vetoes)
    exclusions = _exclusions(query, text, cues, target)
    weakest = min(cues, key=lambda cue: READINGS[cue.kind][0])
    confidence, why = READINGS[weakest.kind]
    reason = f"“{weakest.words}” {why}"
    return Decomposition(target, (), confidence, reason, _BY_RULES, exclusions=exclusions)


def _exclusions(query: str, text: QueryText, cues: list[ScopedCue], target: str) -> tuple[Exclusion, ...]:
    """Return what the cues exclude, each thing once, with its place in the query as it was typed."""
    exclusions: dict[str, Exclusion] = {}
    for cue in cues:
        for item in cue.items:
            trap = head_entity(item, target, text.patterns)
            start = text.text.find(trap, *cue.scope)
            span = (start, start + len(trap)) if start >= 0 else cue.scope
            told = cue.told
            exclusions.setdefault(
                trap, Exclusion(trap, told.relation, span=as_typed(query, span), told_by=told.told_by)
            )
    return tuple(exclusions.values())


def scoped_cues(query: QueryText) -> tuple[list[ScopedCue], list[Veto]]:
    """Return the cues that exclude, with their scopes, from left to right, and why the others exclude nothing."""
    by_sign = [
        ScopedCue(sign.start, sign.end, sign.operands, "operator", sign.sign, scope=(sign.start, sign.end))
        for sign in operators(query.text)
    ]
    by_word, vetoes = _worded_cues(query, by_sign[0].start if by_sign else len(query.text))
    return [*by_word, *by_sign], vetoes


def _worded_cues(query: QueryText, end: int) -> tuple[list[ScopedCue], list[Veto]]:
    readings = [(cue, veto_of(query, cue)) for cue in query.candidates(end)]
    cues = [cue for cue, veto in readings if veto is None]
    limits = [cue.start for cue in cues[1:]] + [end] * bool(cues)
    scoped: list[ScopedCue] = []
    for cue, limit in zip(cues, limits, strict=True):
        candidate = (_with_opposite if cue.kind == "counterpart" else _with_scope)(query, cue, limit)
        if candidate.items and (not scoped or candidate.start >= scoped[-1].end):
            scoped.append(candidate)
    return scoped, [veto for _, veto in readings if veto is not None]


def _with_scope(query: QueryText, cue: Cue, limit: int) -> ScopedCue:
    scope = scope_of(query, cue, limit)
    text, words = query.text[scope.start : scope.end], query.words_of(cue)
    return ScopedCue(
        min(scope.start, cue.start),
        scope.following,
        split_items(text, query.patterns),
        cue.kind,
        words,
        told=relation_of(words, text, query.patterns),
        scope=(scope.start, scope.end),
    )


def _with_opposite(query: QueryText, cue: Cue, limit: int) -> ScopedCue:
    """Return "not illegal in Utah" as what is wanted, "legal", with "illegal in Utah" as the trap."""
    words = query.words_of(cue)
    denied = words.rsplit(maxsplit=1)[-1]
    end = scope_of(query, cue, limit).end
    items = split_items(query.text[cue.end - len(denied) : end], query.patterns)
    before = query.patterns.denial.sub(" ", words[: -len(denied)]).split()
    replacement = " ".join((*before, query.patterns.counterparts[denied.lower()]))
    told = ToldRelation("has", words)
    return ScopedCue(cue.start, cue.end, items, cue.kind, words, replacement, told, (cue.start, end))


def _is_empty(target: str, patterns: LexiconPatterns) -> bool:
    """Whether nothing but question words and the like is left."""
    return len(target) < _LONGEST_EMPTY and patterns.lexicon.empty_words.issuperset(_WORDS.findall(target.lower()))


def _without_exclusion(query: str, language: str, vetoes: list[Veto]) -> Decomposition:
    if not vetoes and (sign := POSSIBLE.search(query)):
        vetoes = [Veto(sign[0], "may be an operator or an option", UNSURE)]
    if not vetoes and language == OTHER:
        return Decomposition(
            query, (), UNSURE, "its language has no table; name one, or ask a language model", _BY_RULES
        )
    if not vetoes:
        return Decomposition(query, (), 1.0, _NO_CUE, _BY_RULES)
    weakest = min(vetoes, key=lambda veto: veto.confidence)
    return Decomposition(query, (), weakest.confidence, f"“{weakest.cue}”: {weakest.why}", _BY_RULES)
