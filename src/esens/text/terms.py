"""The terms of a text, and what one text says beyond another.

Language models tend to write the whole wish into the excluded side: "members of the Tower Commission" is wanted,
and "members of the Tower Commission such as Brent Scowcroft" excluded. Such a text is near to everything wanted.
What only the exclusion says, "Brent Scowcroft", is what sets the two apart.
"""

import re
from functools import lru_cache

from esens.text.tokens import content_words, singular

TermSet = frozenset[str]

# A letter names a vitamin, a hepatitis or a war, unless it begins a text or is what an apostrophe left.
_LETTER = re.compile(r"(?<=[\s-])(?:[A-Z]\b|[a-z]$)")
_REPEATED = 0.5
"""With more than this share of the target's terms a trap repeats it; with less, the two have a word in common."""
_LEAST_REPEATED = 2
"""One word in common repeats nothing: of "bears", "polar bears" are a kind."""
_REMEMBERED = 64
_LEADING_IN = frozenset(("such", "like", "namely", "aside", "besides", "during", "related", "regarding"))


def terms_of(text: str) -> TermSet:
    """Return the words of a text that say something, in the singular.

    >>> sorted(terms_of("It's vitamin D"))
    ['d', 'vitamin']
    """
    words = (*content_words(text), *(letter.casefold() for letter in _LETTER.findall(text)))
    return frozenset(map(singular, words))


def distinct_text(text: str, *, beyond: str) -> str:
    """Return what a text says beyond another, if it repeats that one; else the text as it is.

    >>> distinct_text("members of the board such as Brent Scowcroft", beyond="members of the board")
    'Brent Scowcroft'
    >>> distinct_text("the University of Washington", beyond="universities in Seattle")
    'the University of Washington'
    """
    wanted = query_terms(beyond)
    shared = len(wanted & query_terms(text))
    if shared < _LEAST_REPEATED or shared <= _REPEATED * len(wanted):
        return text
    words = [word for word in text.split() if not terms_of(word) <= wanted]
    while words and _leads_in(words[0]):
        words.pop(0)
    return " ".join(words).strip() or text


def distinct_terms(trap: str, target: str) -> TermSet:
    """Return the terms that name what is excluded: the trap's without the target's.

    Where none is left the target says all of the trap and perhaps more. If more, the trap's terms are its name; if
    not, no document can be told by its name: all that is wanted has it.

    >>> sorted(distinct_terms("vitamin D", "vitamins"))
    ['d']
    >>> sorted(distinct_terms("the Beatles", "albums like the Beatles'"))
    ['beatle']
    >>> sorted(distinct_terms("the bears", "bears"))
    []
    """
    terms, wanted = query_terms(distinct_text(trap, beyond=target)), query_terms(target)
    excluded = query_terms(trap)
    return terms - wanted or (excluded if excluded < wanted else frozenset())


@lru_cache(maxsize=_REMEMBERED)
def query_terms(text: str) -> TermSet:
    """Return the terms of target or trap, which are looked at several times for one query."""
    return terms_of(text)


def _leads_in(word: str) -> bool:
    return word.casefold().strip(",.;:") in _LEADING_IN
