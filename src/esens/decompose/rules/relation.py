"""How documents stand to what a cue excludes: it is their subject, or they have it, or no word tells."""

from functools import lru_cache
from typing import NamedTuple

from esens.decompose.rules.lexicon.patterns import LexiconPatterns, patterns_of


class ToldRelation(NamedTuple):
    """A relation, and the words of the query that told it."""

    relation: str
    told_by: str


OPEN = ToldRelation("open", "")


def relation_of(cue: str, scope: str, patterns: LexiconPatterns) -> ToldRelation:
    """Return the relation by the words of a cue and those that follow it.

    What follows tells more: "excluding films about war" is about, "excluding those with nuts" has.
    """
    scope = scope.lstrip()
    for relation, pattern in (("has", patterns.has_behind), ("about", patterns.about_behind)):
        if match := pattern.match(scope):
            return ToldRelation(relation, f"{cue} {match[0]}".strip())
    return _told_by_cue(cue, patterns.lexicon.language)


@lru_cache(maxsize=1024)
def _told_by_cue(cue: str, language: str) -> ToldRelation:
    patterns = patterns_of(language)
    for relation, pattern in (("about", patterns.about), ("has", patterns.has)):
        if pattern.search(cue):
            return ToldRelation(relation, cue)
    return OPEN
