"""Whether an exclusion is the subject of other documents, or a property of those that are wanted.

The query tells it by its cue ("without X", "not about X") or leaves it open; the candidates know more. What is the
title of a document is a subject: "without Dayton International Airport" does not ask for documents that lack one.
What many of the most relevant documents have, and is the title of none, is a property, whatever the cue: "sights
in European cities other than Lisbon" asks for those that are elsewhere. And where few words name a class
("museums", "red wines"), an exclusion selects from it, whatever the cue; a question of many words asks for one
answer, and what it excludes is another subject.
"""

from typing import NamedTuple

from esens.text.terms import TermSet, terms_of
from esens.text.tokens import WORD, fold_case, singular
from esens.types import LIKE, Document, Exclusion

_MANY = 0.15
"""The share of the most relevant documents that have a property; see decision 16 for what it was tried on."""
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
    if exclusion.is_literal or exclusion.field or exclusion.relation == LIKE:
        return True
    if signs.is_title or len(terms_of(exclusion.text)) > _PROPERTY_TERMS:
        return False
    if signs.share > _MANY:
        return True
    if len(wanted) >= _QUESTION_TERMS:
        return False
    if exclusion.relation == "about":
        return max(len(wanted), len(terms_of(exclusion.text))) <= _CLASS_TERMS
    return exclusion.relation == "has" or len(wanted) <= _OPEN_TERMS


def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name, by which a title is compared: in the singular, in their order, no article.

    >>> name_words("The Beatles"), name_words("T. J. Watt")
    (('beatle',), ('t', 'j', 'watt'))
    """
    words = WORD.findall(fold_case(text))
    return tuple(map(singular, words[1:] if words[:1] in (["the"], ["a"], ["an"]) else words))


def has_title(document: Document, name: tuple[str, ...]) -> bool:
    """Return whether a document's title is this name, apart from what is in parentheses.

    >>> has_title(Document("a", "…", "Mercury (planet)"), name_words("Mercury"))
    True
    """
    if not name or not document.title:
        return False
    title = document.title.partition("(")[0]
    # Most titles begin otherwise: three letters tell, whatever the number of a word.
    return name[0][:3] in fold_case(title[:40]) and name_words(title) == name
