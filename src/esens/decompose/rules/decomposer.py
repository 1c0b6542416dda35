"""A decomposer without a model: cues from a lexicon, the scope of each, and what is left of the query.

It would rather miss an exclusion than invent one. A cue that may state a fact, stand in a title or belong to a
fixed phrase excludes nothing, and the decomposition says so, with a lower confidence where the reading could be
another.
"""

import re
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from esens.decompose.rules.antecedents import antecedent_of
from esens.decompose.rules.cue_model import cue_model
from esens.decompose.rules.entities import head_entity, split_items
from esens.decompose.rules.lexicon import OTHER
from esens.decompose.rules.lexicon.language import language_of
from esens.decompose.rules.lexicon.patterns import LexiconPatterns, patterns_of
from esens.decompose.rules.operators import POSSIBLE, operators
from esens.decompose.rules.query_text import Cue, QueryText, TypedQuery
from esens.decompose.rules.relation import OPEN, ToldRelation, relation_of
from esens.decompose.rules.residual import residual_of
from esens.decompose.rules.scope import scope_of
from esens.decompose.rules.vetoes import UNSURE, WEAK, Veto, doubts_of, is_sure, veto_of
from esens.types import Decomposition, Exclusion, Provenance

# How sure a reading is by the kind of its cue, and why. The kinds are those of the lexicon.
READINGS = {
    "operator": (0.95, "is an operator that leaves out"),
    "clear": (0.95, "says what is to be left out"),
    "opening": (0.95, "says what is to be left out"),
    "verdict": (0.95, "says what is not relevant"),
    "rest": (0.85, "takes something from a whole"),
    "request": (0.85, "says in a request what is to be left out; in a claim it would state a fact"),
    "relative": (0.85, "says what the wanted is not"),
    "additive": (0.85, "sets apart what is known already"),
    "counterpart": (0.85, "is said of the opposite of what is wanted"),
    "likely": (0.6, "mostly says what is to be left out, but not always"),
    "doubtful": (0.6, "says what is to be left out rather than what is asked about"),
}
_BY_RULES = Provenance("rules")
_NO_CUE = "no word in it excludes anything"
_WORDS = re.compile(r"\w+|[^\s!-/:-@\[-`{-~]+")
_BARE = frozenset(("no", "not", "without"))
"""Cues that may stand for each other in a list."""
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
    confidence: float = 0.95


LONGEST_READ = 8192
MOST_CUES = 64
"""A query has one or two; one with more than this is no query, and is read by its beginning."""


def decompose(query: str, *, language: str | None = None, longest: int = LONGEST_READ) -> Decomposition:
    """Split a query into what is wanted and what is excluded; without a language, its words tell which it is.

    Of a query of more than ``longest`` characters only the beginning is read for exclusions. The rest stays in the
    target, and the reason says so.
    """
    if len(query) > longest:
        end = query.rfind(" ", longest // 2, longest)  # between words, where there are any
        beginning, rest = (query[:end], query[end:]) if end > 0 else (query[:longest], query[longest:])
        split = (
            decompose(beginning, language=language, longest=longest) if beginning.strip() else Decomposition(query)
        )
        note = f"only the first {longest:,} of its {len(query):,} characters were read for exclusions"
        reason = f"{split.reason}; {note}" if split.reason else note
        target = split.target + rest if split.traps else query
        return replace(split, target=target, reason=reason, confidence=min(split.confidence, UNSURE))
    text = QueryText(" ".join(query.split()), patterns_of(language or language_of(query)))
    cues, vetoes = scoped_cues(text)
    target = residual_of(text.text, [(cue.start, cue.end, cue.replacement) for cue in cues], text.patterns)
    if cues and _is_empty(target, text.patterns):
        cues, vetoes = [], [Veto(cues[0].words, "nothing would be left to look for", UNSURE)]
    if not cues:
        return _without_exclusion(query, text.patterns.lexicon.language, vetoes)
    exclusions = _exclusions(query, text, cues, target)
    weakest = min(cues, key=lambda cue: cue.confidence)
    reason = f"“{weakest.words}” {READINGS[weakest.kind][1]}"
    return Decomposition(target, (), weakest.confidence, reason, _BY_RULES, exclusions=exclusions)


def _exclusions(query: str, text: QueryText, cues: list[ScopedCue], target: str) -> tuple[Exclusion, ...]:
    """Return what the cues exclude, each thing once, with its place in the query as it was typed."""
    exclusions: dict[str, Exclusion] = {}
    typed, wanted = TypedQuery(query) if query != text.text else None, target.lower()
    for cue in cues:
        told, is_literal = cue.told, cue.kind == "operator"
        is_verbatim = is_literal and cue.words != "NOT"  # -"made in Italy" is about that phrase, not about Italy
        for item in cue.items:
            trap = item if is_verbatim else head_entity(item, wanted, text.patterns)
            start = text.text.find(trap, *cue.scope)
            span = (start, start + len(trap)) if start >= 0 else cue.scope
            span = typed.span(*span) if typed else span
            exclusions.setdefault(
                trap,
                Exclusion(
                    trap,
                    told.relation,
                    span=span,
                    told_by=told.told_by,
                    is_literal=is_literal,
                    phrase="" if item == trap or is_literal else item,
                ),
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
    candidates = islice(query.candidates(end), MOST_CUES)
    readings = _with_equals([(cue, read_cue(query, cue)) for cue in candidates], query)
    cues = _outer([(cue, reading) for cue, reading in readings if isinstance(reading, float)], query)
    limits = [cue.start for cue, _ in cues[1:]] + [end] * bool(cues)
    vetoes = [reading for _, reading in readings if isinstance(reading, Veto)]
    scoped: list[ScopedCue] = []
    for (cue, confidence), limit in zip(cues, limits, strict=True):
        candidate = (_with_opposite if cue.kind == "counterpart" else _with_scope)(query, cue, limit)
        while scoped and cue.kind == "verdict" and scoped[-1].start >= candidate.start:
            scoped.pop()  # "Outsourcing to countries besides India is not relevant."
        if (
            not candidate.items
            and scoped
            and query.patterns.dangling.fullmatch(query.text, scoped[-1].end, cue.start)
        ):
            # ", already seen the old ones so leave those out": said again of what is left out already.
            scoped[-1] = scoped[-1]._replace(end=max(scoped[-1].end, candidate.end))
        elif not candidate.items:
            vetoes.append(Veto(candidate.words, "names nothing that could be left out", UNSURE))
        elif not scoped or candidate.start >= scoped[-1].end:
            scoped.append(candidate._replace(confidence=confidence))
    return scoped, vetoes


def _outer(cues: list[tuple[Cue, float]], query: QueryText) -> list[tuple[Cue, float]]:
    """Return the cues that are no part of what a clear cue before them excludes: "excluding sugar-free drinks"."""
    outer: list[tuple[Cue, float]] = []
    for cue, confidence in cues:
        before = outer[-1][0] if outer else None
        is_inside = before is not None and before.kind not in WEAK and cue.kind in WEAK and before.inner is None
        if not (
            is_inside
            and before is not None
            and not query.patterns.break_.search(query.text, before.end, cue.start)
        ):
            outer.append((cue, confidence))
    return outer


def _with_equals(readings: list[tuple[Cue, float | Veto]], query: QueryText) -> list[tuple[Cue, float | Veto]]:
    """Return the readings where cues that are listed side by side exclude together: "not php, no react"."""
    equal = list(readings)
    for number, ((before, first), (cue, second)) in enumerate(pairwise(readings)):
        words = {query.words_of(before).lower(), query.words_of(cue).lower()}
        is_same = len(words) == 1 or words <= _BARE
        if is_same and isinstance(first, Veto) != isinstance(second, Veto):
            veto, at = (first, number) if isinstance(first, Veto) else (second, number + 1)
            sure = second if isinstance(first, Veto) else first
            is_listed = query.patterns.break_.search(query.text, before.end, cue.start) is not None
            if is_listed and isinstance(veto, Veto) and not veto.is_final:
                equal[at] = (readings[at][0], sure)
    return equal


def read_cue(query: QueryText, cue: Cue) -> float | Veto:
    """Return how sure it is that a cue excludes something, or why it does not.

    A cue that means nothing else ("excluding") excludes unless there is a veto. One that may mean something else
    ("without") is left to the model of the language, where it has one, but never excludes in quotation marks or in
    a title.
    """
    model = cue_model(query.patterns.lexicon.language)
    if model is None or cue.kind not in WEAK:
        return veto_of(query, cue) or READINGS[cue.kind][0]
    doubts = doubts_of(query, cue)
    if doubts and doubts[0].is_final:
        return doubts[0].veto(query, cue)
    if is_sure(query, cue, doubts):
        return READINGS["relative"][0]
    probability = model.probability(query, cue, doubts)
    if probability >= model.threshold:
        return probability
    why = doubts[0].why if doubts else "more likely says what is asked about than what is to be left out"
    return Veto(query.words_of(cue), why, 1 - probability)


def _with_scope(query: QueryText, cue: Cue, limit: int) -> ScopedCue:
    if meant := antecedent_of(query, cue):
        words, span = query.words_of(cue), (meant.start, meant.end)
        name = query.text[slice(*span)]
        return ScopedCue(cue.start, meant.following, (name,), cue.kind, words, told=meant.told, scope=span)
    scope = scope_of(query, cue, limit)
    text, words = query.text[scope.start : scope.end], query.words_of(cue)
    return ScopedCue(
        min(scope.start, cue.start),
        scope.following,
        split_items(text, query.patterns, cue="" if cue.inner else words),
        cue.kind,
        words,
        # "what are the best gluten-free foods" keeps its verb.
        replacement=" " if query.is_before_noun(cue) and query.before(cue)[-1:].isalnum() else "",
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
