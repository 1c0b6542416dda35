"""Why a cue excludes nothing: it is quoted, part of a title or a fixed phrase, or it states a fact."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from esens.decompose.rules.antecedents import antecedent_of
from esens.decompose.rules.query_text import COMMAS, LONGEST_LEAD, LONGEST_SPAN, Cue, QueryText

# These exclude in a request only; the others, wherever they stand in what is no claim.
WEAK = frozenset({"request", "relative", "additive", "likely", "counterpart", "doubtful"})
SURE, UNSURE = 0.9, 0.6
_OUTWEIGHED = frozenset({"topic", "fact"})
# Classes of what people look for; where one is named, what is missing may be a wish.
_LOOKED_FOR = ("sought", "product", "dish", "wish", "genre", "tool")


class Veto(NamedTuple):
    """A cue that excludes nothing: why, and how sure that is."""

    cue: str
    why: str
    confidence: float
    is_final: bool = False
    """Whether nothing can speak for the cue: it is quoted, or part of a title."""


class VetoRule(NamedTuple):
    """When a cue excludes nothing, why, and how sure that is."""

    name: str
    applies: Callable[[QueryText, Cue], bool]
    why: str
    confidence: float
    is_final: bool = False

    def veto(self, query: QueryText, cue: Cue) -> Veto:
        """Return the veto of a cue that this applies to."""
        return Veto(query.words_of(cue), self.why, self.confidence, self.is_final)


def veto_of(query: QueryText, cue: Cue) -> Veto | None:
    """Return why a cue excludes nothing, by the first rule that applies; None if it excludes."""
    return next((rule.veto(query, cue) for rule in VETO_RULES if rule.applies(query, cue)), None)


def doubts_of(query: QueryText, cue: Cue) -> list[VetoRule]:
    """Return all rules that speak against a cue, for a model that weighs them; only the first that is final."""
    doubts: list[VetoRule] = []
    for rule in VETO_RULES:
        if rule.applies(query, cue):
            doubts.append(rule)
            if rule.is_final:
                return [rule]
    return doubts


def is_sure(query: QueryText, cue: Cue, doubts: Sequence[VetoRule]) -> bool:
    """Whether a weak cue needs no weighing: it says what the things asked for are not, and no rule objects."""
    if antecedent_of(query, cue) is not None:
        return all(doubt.name in _OUTWEIGHED for doubt in doubts)
    if not query.before(cue).strip() and query.patterns.others.search(query.lower, cue.end):
        return all(doubt.name in _OUTWEIGHED for doubt in doubts)  # "Without Ann being involved, what else …"
    if query.lower.startswith(query.patterns.lexicon.never_of_members, cue.start):
        return False
    # "Orchids of Myanmar but not Flora of India" is a list of names; in a title the cue would have a capital.
    outweighed = _OUTWEIGHED | {"title"} if query.lower.startswith(("but not", "not "), cue.start) else _OUTWEIGHED
    if any(doubt.name not in outweighed for doubt in doubts) or query.text[cue.start].isupper():
        return False
    return _lists_members(query, cue)


def _lists_members(query: QueryText, cue: Cue) -> bool:
    """Whether this cue says what the members of a list are not."""
    match = query.patterns.members.match(query.lower, 0, cue.start + LONGEST_SPAN)
    return match is not None and cue.start < match.end() <= cue.end


def _is_quoted(query: QueryText, cue: Cue) -> bool:
    return query.is_quoted(cue.start)


def _is_in_title(query: QueryText, cue: Cue) -> bool:
    """Whether a capital inside a sentence makes this part of a title: "The Man Without a Past"."""
    words = query.words_of(cue).lstrip(",(")
    if query.is_upper:
        return False
    if not words[:1].isupper():
        return cue.kind in WEAK and query.is_headline
    return not (query.opens_clause(cue) or query.patterns.capitalised.match(words))


def _is_in_name(query: QueryText, cue: Cue) -> bool:
    """Whether the cue has a capital inside a sentence whose other words have none."""
    if cue.inner is not None or query.is_headline or query.text.istitle():
        return False
    return query.words_of(cue)[:1].isupper() and _is_in_title(query, cue)


def _is_in_title_case(query: QueryText, cue: Cue) -> bool:
    """Whether every word has a capital, which then tells little: "Countries In Asia Except China"."""
    return query.text.istitle() and _is_in_title(query, cue)


def _is_fixed(query: QueryText, cue: Cue) -> bool:
    """Whether a fixed phrase holds the cue, or a part of one that is not clear by itself."""
    return _is_held(query.patterns.fixed, query, cue)


def _is_topic(query: QueryText, cue: Cue) -> bool:
    """Whether the cue belongs to a phrase that is mostly the topic itself."""
    return _is_held(query.patterns.topics, query, cue)


def _is_held(pattern: re.Pattern[str], query: QueryText, cue: Cue) -> bool:
    starts = query.words_before(cue)
    phrases = [match for start in starts if (match := pattern.match(query.lower, start))]
    if cue.kind in WEAK:
        return any(phrase.end() > cue.start for phrase in phrases)
    return any(phrase.start() <= cue.start and phrase.end() >= cue.end for phrase in phrases)


def _is_lack_asked(query: QueryText, cue: Cue) -> bool:
    """Whether the lack itself is asked about: "what is a gluten-free diet", "people without cars statistics"."""
    if cue.kind in WEAK and (
        query.patterns.lack_measured.match(query.lower, cue.start) or _is_outcome_asked(query, cue)
    ):
        return True
    if not query.is_before_noun(cue):
        return False
    is_told = query.patterns.lack_told.search(query.lower, cue.end, cue.end + LONGEST_SPAN) is not None
    return is_told or query.patterns.lack_asked.match(query.text[: cue.start]) is not None


def _is_outcome_asked(query: QueryText, cue: Cue) -> bool:
    """Whether the sentence of a cue asks what comes of something: "what happens if you bake without soda"."""
    asked = query.patterns.outcome_asked.match(query.lower)
    return asked is not None and not query.patterns.sentence_end.search(query.text, 0, cue.start)


def _is_complaint(query: QueryText, cue: Cue) -> bool:
    """Whether somebody misses what should have come, and looks for nothing: "strong smell but no leak"."""
    if query.patterns.refusing.match(query.lower, cue.start):
        return query.patterns.troubled.search(query.lower, 0, min(cue.start, LONGEST_SPAN)) is not None
    if not query.patterns.complaining.match(query.lower, cue.start):
        return False
    lexicon = query.patterns.lexicon
    words = query.patterns.word.findall(query.lower, cue.end, cue.end + LONGEST_LEAD)
    missed = next((word for word in words[:2] if word in lexicon.outcomes), None)
    if missed is None:
        return False
    before = query.patterns.word.findall(query.lower, max(0, cue.start - LONGEST_SPAN), cue.start)
    return not any(word in lexicon.classes[name] for word in before for name in _LOOKED_FOR)


def _is_mishap(query: QueryText, cue: Cue) -> bool:
    """Whether a cue names what must not happen on the way to what is asked for, which leaves out nothing."""
    word = query.patterns.word.match(query.lower, cue.end + 1) if cue.kind in WEAK else None
    return word is not None and word[0] in query.patterns.lexicon.mishaps


def _is_statement(query: QueryText, cue: Cue) -> bool:
    """Whether the query is one sentence with a full stop that claims something."""
    return query.is_sentence and _is_claim(query, cue)


def _is_claim(query: QueryText, cue: Cue) -> bool:
    """Whether the query states something instead of asking for it."""
    opens = cue.start == 0
    if query.is_request or (opens and query.patterns.bare_question.search(query.text)):
        return False
    is_weak, is_stated = cue.kind in WEAK or opens, _has_predicate(query, cue)
    if query.is_sentence and not is_stated and _lists_members(query, cue):
        return False  # "Aquatic reptiles that are not prehistoric." is no claim for its full stop
    if query.is_sentence and (is_weak or is_stated or not query.before(cue).endswith(COMMAS)):
        return True
    if query.has_question:  # ", are": a question that is not written as one
        return False
    return _is_contrast(query, cue) or (is_stated and (is_weak or _has_main_verb(query, cue)))


def _has_predicate(query: QueryText, cue: Cue) -> bool:
    """Whether what stands around a cue has a verb that states something."""
    patterns, around = query.patterns, query.around(cue, instead=_verb(query, cue))
    if patterns.finite.search(around):
        return True
    return (query.text[:1].isupper() or cue.start == 0) and patterns.claims.search(around) is not None


def _has_main_verb(query: QueryText, cue: Cue) -> bool:
    """Whether the verb of the claim stands before the cue, or in it."""
    finite = query.patterns.finite
    return bool(finite.search(query.before(cue)) or (not cue.inner and finite.search(_verb(query, cue))))


def _verb(query: QueryText, cue: Cue) -> str:
    """Return the words of a cue that may hold a claim's verb: "is not", but nothing of "that is not"."""
    words = query.words_of(cue)
    return "" if query.patterns.joining.match(words) else words


def _is_contrast(query: QueryText, cue: Cue) -> bool:
    return query.text[:1].isupper() and query.patterns.contrasting.match(query.words_of(cue)) is not None


def _may_state_a_fact(query: QueryText, cue: Cue) -> bool:
    return cue.kind == "doubtful" or (cue.kind in WEAK and _states_a_fact(query, cue))


def _states_a_fact(query: QueryText, cue: Cue) -> bool:
    """Whether a weak cue says what the query is about: "how to survive without water"."""
    patterns, before = query.patterns, query.lower[max(0, cue.start - LONGEST_LEAD) : cue.start]
    if _opens_no_question(query, cue):
        return True
    if cue.kind == "additive":
        return not (query.opens(cue.start) or _has_alternative(query, cue))
    if cue.kind == "relative" and not (query.has_question or patterns.restricts.search(before)):
        return True
    if patterns.condition.match(query.text, cue.start) and patterns.manner.match(query.text):
        return True
    return bool(
        patterns.fact_before.search(before)
        or patterns.facts.match(query.text, cue.start)
        or patterns.comparing.match(query.text)
    )


def _opens_no_question(query: QueryText, cue: Cue) -> bool:
    """Whether a cue opens a query that asks nothing."""
    if query.before(cue) or cue.inner is not None:
        return False
    return not (query.has_question or query.patterns.bare_question.search(query.text))


def _has_alternative(query: QueryText, cue: Cue) -> bool:
    """Whether there is an "other" or "else", or a comma in a question: "…, in addition to Ghana?"."""
    return query.has_other or (query.has_question and query.before(cue).endswith(COMMAS))


# The first that applies is the veto.
VETO_RULES = (
    VetoRule("quoted", _is_quoted, "stands in quotation marks", SURE, is_final=True),
    VetoRule("name", _is_in_name, "stands in a title", SURE, is_final=True),
    VetoRule("title case", _is_in_title_case, "stands in a title", UNSURE),
    VetoRule("title", _is_in_title, "stands in a title", SURE),
    VetoRule("fixed phrase", _is_fixed, "belongs to a fixed phrase", SURE, is_final=True),
    VetoRule("lack asked", _is_lack_asked, "is what is asked about", SURE, is_final=True),
    VetoRule(
        "complaint", _is_complaint, "says what is missing; nothing is asked to be left out", SURE, is_final=True
    ),
    VetoRule("mishap", _is_mishap, "is what must not happen, and no document has it", SURE),
    VetoRule("statement", _is_statement, "states a fact; nothing is asked to be left out", SURE, is_final=True),
    VetoRule("topic", _is_topic, "belongs to a phrase that is mostly what is asked about", SURE),
    VetoRule("claim", _is_claim, "states a fact; nothing is asked to be left out", SURE),
    VetoRule("fact", _may_state_a_fact, "may say what is asked about instead of what is to be left out", UNSURE),
)
