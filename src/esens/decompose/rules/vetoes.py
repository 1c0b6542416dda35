"""Why a cue excludes nothing: it is quoted, part of a title or a fixed phrase, or it states a fact."""

from typing import NamedTuple

from esens.decompose.rules.query_text import COMMAS, LONGEST_LEAD, Asked, Cue

# These exclude in a request only; the others, wherever they stand in what is no claim.
WEAK = frozenset({"request", "relative", "additive", "likely", "counterpart", "doubtful"})
SURE, UNSURE = 0.9, 0.6


class Doubt(NamedTuple):
    """A cue that excludes nothing: why, and how sure that is."""

    cue: str
    why: str
    confidence: float


def doubt(asked: Asked, cue: Cue) -> Doubt | None:
    """Return why a cue excludes nothing; None if it excludes."""
    said = asked.said(cue)
    if asked.is_quoted(cue.start):
        return Doubt(said, "stands in quotation marks", SURE)
    if _is_in_title(asked, cue):
        # Where every word has a capital, it tells little: "Countries In Asia Except China".
        return Doubt(said, "stands in a title", UNSURE if asked.text.istitle() else SURE)
    if _is_fixed(asked, cue):
        return Doubt(said, "belongs to a fixed phrase", SURE)
    if _is_claim(asked, cue):
        return Doubt(said, "states a fact; nothing is asked to be left out", SURE)
    if cue.kind == "doubtful" or (cue.kind in WEAK and _states_a_fact(asked, cue)):
        return Doubt(said, "may say what is asked about instead of what is to be left out", UNSURE)
    return None


def _is_in_title(asked: Asked, cue: Cue) -> bool:
    """Whether a capital inside a sentence makes this part of a title: "The Man Without a Past"."""
    said = asked.said(cue).lstrip(",(")
    if asked.is_upper:
        return False
    if not said[:1].isupper():
        return cue.kind in WEAK and asked.is_headline
    return not (asked.opens_clause(cue) or asked.cues.capitalised.match(said))


def _is_fixed(asked: Asked, cue: Cue) -> bool:
    """Whether a fixed phrase holds the cue, or a part of one that is not clear by itself."""
    starts = asked.words_before(cue)
    found = [match for start in starts if (match := asked.cues.fixed.match(asked.lower, start))]
    if cue.kind in WEAK:
        return any(match.end() > cue.start for match in found)
    return any(match.start() <= cue.start and match.end() >= cue.end for match in found)


def _is_claim(asked: Asked, cue: Cue) -> bool:
    """Whether the query states something instead of asking for it."""
    cues, opens = asked.cues, cue.start == 0
    if asked.is_request or (opens and cues.bare_question.search(asked.text)):
        return False
    weak = cue.kind in WEAK or opens
    verb = "" if cues.joining.match(asked.said(cue)) else asked.said(cue)
    rest = asked.around(cue, own=verb)
    finite = cues.finite.search(rest)
    states = finite or ((asked.text[:1].isupper() or opens) and cues.claims.search(rest))
    if asked.is_sentence and (weak or states or not asked.before(cue).endswith(COMMAS)):
        return True
    if asked.asks:  # ", are": a question that is not written as one
        return False
    if asked.text[:1].isupper() and cues.contrasting.match(asked.said(cue)):
        return True
    main = cues.finite.search(asked.before(cue)) or (not cue.inner and cues.finite.search(verb))
    return bool(states) and (weak or bool(main))


def _states_a_fact(asked: Asked, cue: Cue) -> bool:
    """Whether a weak cue says what is asked about: "how to survive without water"."""
    cues, before = asked.cues, asked.text[max(0, cue.start - LONGEST_LEAD) : cue.start]
    if not asked.before(cue) and cue.inner is None and not (asked.asks or cues.bare_question.search(asked.text)):
        return True
    if cue.kind == "additive":
        return not (asked.opens(cue.start) or _is_beside_other(asked, cue))
    if cue.kind == "relative" and not (asked.asks or cues.restricts.search(before)):
        return True
    if cues.condition.match(asked.text, cue.start) and cues.manner.match(asked.text):
        return True
    return bool(
        cues.fact_before.search(before)
        or cues.facts.match(asked.text, cue.start)
        or cues.comparing.match(asked.text)
    )


def _is_beside_other(asked: Asked, cue: Cue) -> bool:
    """Whether there is an "other" or "else", or a comma in a question: "…, in addition to Ghana?"."""
    return asked.has_other or (asked.asks and asked.before(cue).endswith(COMMAS))
