"""What a document is named for: the words of its title, and those that its text opens with.

A title says what a document is about, and the subject of a text stands in its first words; the rest mentions much
else. The words of an excluded thing are therefore looked for there and nowhere else: a document that mentions the
thing is not named for it, and one about a kind of it ("red wine vinegar") is.
"""

import html
import re
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from esens.text.sentences import sentences_of
from esens.text.tokens import WORD, content_words, singular
from esens.types import Document

OPENING = 6
"""Words that a text opens with; those of its first sentence, or of a heading above it, if that is shorter."""
_OPENING_SIGNS = 400  # enough for six words, and a bound on what is read of a long text

# "Dressings without vinegar" is not named for vinegar, nor is "Vinegar-free dressings". What is a word of another
# language only counts as it is written there: "Original Sin" denies nothing.
_DENIED = re.compile(
    r"(?<=\S)\s+(?:(?i:without|with no|free of|free from|instead of|rather than|alternatives? to|"
    r"substitutes? for|except|excluding|minus)|ohne|sans|sin)\s+\w[^,;:.()]*"
    r"|\b[^\W_]+(?:[-\u2010-\u2013](?i:free)|\s(?:free|FREE))\b"
)
# A letter names a vitamin, a hepatitis or a war, unless it begins a text or is what an apostrophe left.
_LETTER = re.compile(r"(?<=[\s-])(?:[A-Z]\b|[a-z]$)")

Words = frozenset[str]
Name = tuple[Words, Words]
"""The words of the title, and those of the opening."""
Shares = npt.NDArray[np.float64]
Lookup = Callable[[Sequence[int]], Sequence[Document]]


class Names:
    """The words that documents are named for, read from each on first need, and kept as long as this is."""

    def __init__(self, lookup: Lookup) -> None:
        """Take what gives the documents at some positions of the corpus order."""
        self._lookup = lookup
        self._known: dict[int, Name] = {}

    def shares(self, things: Sequence[Words], positions: Sequence[int]) -> Shares:
        """Return how much of each thing (a row) each document (a column) is named for, from 0 to 1."""
        self._read([position for position in positions if position not in self._known])
        named = [self._known[position] for position in positions]
        return np.array([[_share(thing, name) for name in named] for thing in things]).reshape(len(things), -1)

    def _read(self, positions: list[int]) -> None:
        found = self._lookup(positions) if positions else ()
        self._known |= {at: name_of(document) for at, document in zip(positions, found, strict=True)}


def name_of(document: Document) -> Name:
    """Return the words that a document is named for.

    >>> title, opening = name_of(Document("a", "Made of grapes, it keeps for years.", "Red wine vinegars"))
    >>> sorted(title), sorted(opening)
    (['red', 'vinegar', 'wine'], ['grape', 'keep', 'made'])
    """
    return _named(html.unescape(document.title)), _named(_opening(document.text))


def words_of(text: str) -> Words:
    """Return the words of a text that say something, in the singular.

    >>> sorted(words_of("It's vitamin D"))
    ['d', 'vitamin']
    """
    words = (*content_words(text), *(letter.casefold() for letter in _LETTER.findall(text)))
    return frozenset(map(singular, words))


def _named(text: str) -> Words:
    return words_of(_DENIED.sub(" ", text))


def _opening(text: str) -> str:
    line = next(iter(text[:_OPENING_SIGNS].strip().splitlines()), "")
    sentence = sentences_of(line)[0]
    words = [match.end() for match in islice(WORD.finditer(sentence), OPENING)]
    return sentence[: words[-1]] if words else ""


def _share(thing: Words, name: Name) -> float:
    return max(len(thing & words) for words in name) / len(thing) if thing else 0.0
