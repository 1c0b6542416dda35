"""Why a cue excludes nothing: it is quoted, part of a title or a fixed phrase, or it states a fact."""

from typing import NamedTuple

from esens.decompose.asked import COMMAS, LONGEST_LEAD, Asked, Cue

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
    if any(start <= cue.start < end for start, end in asked.quoted):
        return Doubt(said, "stands in quotation marks", SURE)
    if _is_in_title(asked, cue):
        return Doubt(said, "stands in a title", SURE)
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
    is_own = asked.text.isupper() or asked.opens_clause(cue) or asked.cues.capitalised.match(said)
    return said[:1].isupper() and not is_own


def _is_fixed(asked: Asked, cue: Cue) -> bool:
    """Whether a fixed phrase holds the cue, or a part of one that is not clear by itself."""
    near = (start for _, start in asked.words if cue.start - LONGEST_LEAD <= start < cue.end)
    found = [match for start in near if (match := asked.cues.fixed.match(asked.lower, start))]
    if cue.kind in WEAK:
        return any(match.end() > cue.start for match in found)
    return any(match.start() <= cue.start and match.end() >= cue.end for match in found)


def _is_claim(asked: Asked, cue: Cue) -> bool:
    """Whether the query states something instead of asking for it."""
    text, cues = asked.text, asked.cues
    if text.endswith(("?", "？")) or cues.asking.match(text) or cues.question.search(text):
        return False
    if cue.start == 0 and cues.bare_question.search(text):
        return False
    weak = cue.kind in WEAK or cue.start == 0
    if asked.is_sentence and (weak or not asked.before(cue).endswith(COMMAS)):
        return True
    verb = "" if cues.joining.match(asked.said(cue)) else asked.said(cue)
    rest = f"{text[: cue.start]} {verb} {text[cue.end :]}"
    states = cues.finite.search(rest) or ((text[:1].isupper() or cue.start == 0) and cues.claims.search(rest))
    return bool(states) and (weak or (not cue.inner and bool(cues.finite.search(verb))))


def _states_a_fact(asked: Asked, cue: Cue) -> bool:
    """Whether a weak cue says what is asked about: "how to survive without water"."""
    cues, before = asked.cues, asked.text[: cue.start]
    if not before.strip() and cue.inner is None and not (asked.asks or cues.bare_question.search(asked.text)):
        return True
    if cue.kind == "additive":
        return not (asked.opens(cue.start) or _is_beside_other(asked, cue))
    if cue.kind == "relative" and not (asked.asks or cues.restricts.search(before)):
        return True
    return bool(
        cues.fact_before.search(before[-LONGEST_LEAD:])
        or cues.facts.match(asked.text, cue.start)
        or cues.comparing.match(asked.text)
    )


def _is_beside_other(asked: Asked, cue: Cue) -> bool:
    """Whether there is an "other" or "else", or a comma in a question: "…, in addition to Ghana?"."""
    return bool(asked.cues.other_words.search(asked.text)) or (asked.asks and asked.before(cue).endswith(COMMAS))
