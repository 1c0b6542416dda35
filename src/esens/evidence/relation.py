"""Whether an exclusion is the subject of other documents, or a property of those that are wanted.

The query tells it by its cue ("without X", "not about X") or leaves it open; the candidates know more. What is the
title of a document is a subject: "without Dayton International Airport" does not ask for documents that lack one.
What many of the most relevant documents have is a property, whatever the cue: "laptops other than Asus". And where
few words name a class ("museums", "red wines"), an exclusion selects from it; a question of many words asks for
one answer, and what it excludes is another subject.
"""

from typing import NamedTuple

from esens.text.terms import TermSet, terms_of
from esens.text.tokens import fold_case
from esens.types import Document, Exclusion

_MANY = 0.1
"""The share of the most relevant documents that have a property."""
_CLASS_TERMS, _OPEN_TERMS, _QUESTION_TERMS = 2, 3, 5
"""So few terms name a class, also where the cue speaks of subjects; or where it leaves that open; so many ask."""
_PROPERTY_TERMS = 4


class CandidateSigns(NamedTuple):
    """What the candidates show of an exclusion."""

    share: float
    """The share of the most relevant that affirm it, by its own name."""
    is_title: bool
    """Whether it is the title of one."""


def is_property(exclusion: Exclusion, wanted: TermSet, signs: CandidateSigns) -> bool:
    """Return whether documents that have the thing are to go, rather than those that are about it."""
    if exclusion.is_literal:
        return True
    if signs.is_title or len(wanted) >= _QUESTION_TERMS or len(terms_of(exclusion.text)) > _PROPERTY_TERMS:
        return False
    few = _OPEN_TERMS if exclusion.relation == "open" else _CLASS_TERMS
    return exclusion.relation == "has" or signs.share > _MANY or len(wanted) <= few


def has_title(document: Document, terms: TermSet) -> bool:
    """Return whether a document's title is a name of these terms, apart from what is in parentheses.

    >>> has_title(Document("a", "…", "Mercury (planet)"), frozenset({"mercury"}))
    True
    """
    if not terms or not document.title:
        return False
    title = fold_case(document.title.partition("(")[0])
    # Most titles have other words: three letters tell, whatever the number of a word.
    return all(term[:3] in title for term in terms) and terms_of(title) == terms
