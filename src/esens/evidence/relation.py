"""Whether an exclusion is the subject of other documents, or a property of those that are wanted.

The query tells it by its cue ("without X", "not about X") or leaves it open; the candidates know more. What is the
title of a document is a subject: "without Dayton International Airport" does not ask for documents that lack one.
What many of the most relevant documents have, and is the title of none, is a property, whatever the cue: "sights
in European cities other than Lisbon" asks for those that are elsewhere. And where few words name a class
("museums", "red wines"), an exclusion selects from it, whatever the cue; a question of many words asks for one
answer, and what it excludes is another subject.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from esens.evidence.denials import lacked_by
from esens.evidence.kinds import kinds_of
from esens.text.terms import TermSet, query_terms
from esens.types import LIKE, Exclusion

_MANY = 0.15
"""The share of the most relevant documents that have a property; see decision 16 for what it was tried on."""
_CLASS_TERMS, _OPEN_TERMS, _QUESTION_TERMS = 2, 3, 5
"""So few terms name a class, also where the cue speaks of subjects; or where it leaves that open; so many ask."""
_PROPERTY_TERMS = 4
_LIST = re.compile(r"\s*[,;/]\s*(?:or\s+)?|\s+or\s+")
_LISTED = 3
"""Fewer parts are no list: Cache, Oklahoma."""
_PARTS = 5
"""So many parts make a place."""


class CandidateSigns(NamedTuple):
    """What the candidates show of an exclusion."""

    share: Callable[[], float]
    """Gives the share of the most relevant that affirm it, or a kind of it. Asked only where that decides."""
    is_title: bool
    """Whether it is the title of one."""


def is_property(exclusion: Exclusion, wanted: TermSet, signs: CandidateSigns) -> bool:
    """Return whether documents that have the thing are to go, rather than those that are about it."""
    if exclusion.is_literal or exclusion.field or exclusion.relation == LIKE or lacked_by(exclusion.text):
        return True  # no document is about what is not there
    if exclusion.is_decided and exclusion.relation != "open":
        return exclusion.relation == "has"
    terms = _count_terms(exclusion.text)
    if terms > _PROPERTY_TERMS or (signs.is_title and not _is_place(exclusion)):
        return False
    return _is_by_words(exclusion.relation, terms, len(wanted)) or signs.share() > _MANY


def _is_by_words(relation: str, terms: int, wanted: int) -> bool:
    """Return whether the words of the query alone make it a property."""
    if wanted >= _QUESTION_TERMS:
        return False
    if relation == "about":
        return max(wanted, terms) <= _CLASS_TERMS
    return relation == "has" or wanted <= _OPEN_TERMS


def _count_terms(text: str) -> int:
    """Return how many terms name a thing; of a list, those of its longest part: "honey, beeswax or other wax"."""
    parts = _LIST.split(text)
    return max(len(query_terms(part)) for part in (parts if len(parts) >= _LISTED else [text]))


def _is_place(exclusion: Exclusion) -> bool:
    """Return whether this is something with parts that is written as a name is: Africa.

    One of many documents may bear that name. Those that are from there are to go all the same, unless the query
    says that documents *about* it are.
    """
    is_name = " " not in exclusion.text and exclusion.text[:1].isupper()
    return is_name and exclusion.relation != "about" and len(kinds_of(exclusion.text)) >= _PARTS
