"""The name that a pronoun behind a cue points back at: "songs like Adele's, but not by her"."""

from typing import NamedTuple

from esens.decompose.rules.query_text import LONGEST_SPAN, Cue, QueryText
from esens.decompose.rules.relation import ToldRelation, relation_of


class Antecedent(NamedTuple):
    """Where the name stands that a pronoun means, where the pronoun ends, and how documents stand to the name."""

    start: int
    end: int
    following: int
    told: ToldRelation


def antecedent_of(query: QueryText, cue: Cue) -> Antecedent | None:
    """Return the last name before a cue that others are likened to, if all that the cue excludes is a pronoun.

    Others like Adele, but not her: "her" is Adele. Where nothing is likened to a name, somebody else is meant: "I
    told Anna but not her". Of "biographies of Churchill, but not by him" he is the subject, and not the author.
    """
    pronoun = query.patterns.pronouns.match(query.lower, cue.end) if cue.inner is None else None
    if pronoun is None or query.patterns.told_of.match(query.lower) or query.patterns.comparing.match(query.text):
        return None
    told = relation_of(query.words_of(cue), query.text[cue.end : pronoun.end()], query.patterns)
    leads = [query.patterns.likened, *([query.patterns.treated] if told.relation == "has" else ())]
    near = max(0, cue.start - LONGEST_SPAN)
    names = [name for lead in leads for name in lead.finditer(query.text, near, cue.start)]
    if not names:
        return None
    last = max(names, key=lambda name: name.start())
    start, end = last.span(last.lastindex or 0)
    return Antecedent(start, end, pronoun.end(), told)
