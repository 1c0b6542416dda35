"""What an exclusion says beyond the wish it belongs to.

Language models tend to write the whole wish into the excluded side: "members of the Tower Commission" is wanted,
and "members of the Tower Commission such as Brent Scowcroft" excluded. Such a text is near to everything wanted.
What only the exclusion says, "Brent Scowcroft", is what sets the two apart.
"""

from esens.evidence.lead_match import Words, words_of

_REPEATED = 0.5
"""With more than this share of the target's words a trap repeats it; with less, the two have a word in common."""
_LEAST_REPEATED = 2
"""One word in common repeats nothing: of "bears", "polar bears" are a kind."""
_LEADING_IN = frozenset(("such", "like", "namely", "aside", "besides", "during", "related", "regarding"))


def own_words(trap: str, target: str) -> str:
    """Return what the trap says that the target does not, if it repeats the target; else the trap as it is.

    >>> own_words("members of the Tower Commission such as Brent Scowcroft", "members of the Tower Commission")
    'Brent Scowcroft'
    >>> own_words("the University of Washington", "universities in Seattle")
    'the University of Washington'
    """
    wanted = words_of(target)
    shared = len(wanted & words_of(trap))
    if shared < _LEAST_REPEATED or shared <= _REPEATED * len(wanted):
        return trap
    own = [word for word in trap.split() if not words_of(word) <= wanted]
    while own and _leads_in(own[0]):
        own.pop(0)
    return " ".join(own).strip() or trap


def own_name(trap: str, target: str) -> Words:
    """Return the words that name what is excluded: the trap's without the target's.

    Where none is left the target says all of the trap and perhaps more. If more, the trap's words are its name; if
    not, no document can be told by its name: all that is wanted has it.

    >>> sorted(own_name("vitamin D", "vitamins")), sorted(own_name("the Beatles", "albums like the Beatles'"))
    (['d'], ['beatle'])
    >>> sorted(own_name("the bears", "bears"))
    []
    """
    words, wanted = words_of(own_words(trap, target)), words_of(target)
    return words - wanted or (words_of(trap) if words_of(trap) < wanted else frozenset())


def _leads_in(word: str) -> bool:
    return word.casefold().strip(",.;:") in _LEADING_IN
