"""What a document is named for: the terms of its title, and those that its text opens with.

A title says what a document is about, and the subject of a text stands in its first words; the rest mentions much
else. The terms of an excluded thing are therefore looked for there and nowhere else: a document that mentions the
thing is not named for it, and one about a kind of it ("red wine vinegar") is.
"""

import html
import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from esens.text.sentences import sentences_of
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import WORD
from esens.types import SILENT, Document, Evidence

OPENING = 6
"""Words that a text opens with; those of its first sentence, or of a heading above it, if that is shorter."""
_OPENING_SIGNS = 400  # enough for six words, and a bound on what is read of a long text
_REMEMBERED = 8192  # leads, some kilobytes each at most

# "Dressings without vinegar" is not named for vinegar, nor is "Vinegar-free dressings". What is a word of another
# language only counts as it is written there: "Original Sin" denies nothing.
_DENIED = re.compile(
    r"(?<=\S)\s+(?:(?i:without|with no|free of|free from|instead of|rather than|alternatives? to|"
    r"substitutes? for|except|excluding|minus)|ohne|sans|sin)\s+\w[^,;:.()]*"
    r"|\b[^\W_]+(?:[-\u2010-\u2013](?i:free)|\s(?:free|FREE))\b"
)


class Lead(NamedTuple):
    """The terms of a document's title, and those of its opening."""

    title: TermSet
    opening: TermSet

    def overlap(self, terms: TermSet) -> float:
        """Return how much of these terms the title, or the opening, holds: from 0 to 1."""
        return max(len(terms & self.title), len(terms & self.opening)) / len(terms) if terms else 0.0


def lead_of(document: Document) -> Lead:
    """Return the terms that a document is named for.

    >>> title, opening = lead_of(Document("a", "Made of grapes, it keeps for years.", "Red wine vinegars"))
    >>> sorted(title), sorted(opening)
    (['red', 'vinegar', 'wine'], ['grape', 'keep', 'made'])
    """
    return _lead(document.title, document.text[:_OPENING_SIGNS])


def naming_words(document: Document, terms: TermSet) -> Evidence:
    """Return the words by which a document is named for these terms: its title, or its opening.

    >>> print(naming_words(Document("a", "Made of grapes.", "Red wine vinegars"), frozenset({"vinegar"})))
    affirmed: “Red wine vinegars”
    >>> print(naming_words(Document("a", "Vinegar is an acid that cooks use."), frozenset({"vinegar"})))
    affirmed: “Vinegar is an acid that cooks”
    """
    lead = lead_of(document)
    in_title, in_opening = len(terms & lead.title), len(terms & lead.opening)
    if not in_title and not in_opening:
        return SILENT
    if in_title >= in_opening:
        return title_words(document)
    opening = _opening(document.text[:_OPENING_SIGNS])
    before = len(document.title) + 1 if document.title else 0
    return Evidence("affirmed", opening, before + max(0, document.text.find(opening)))


def title_words(document: Document) -> Evidence:
    """Return the title of a document as the words that name it."""
    return Evidence("affirmed", " ".join(document.title.split()), 0)


@lru_cache(maxsize=_REMEMBERED)
def _lead(title: str, beginning: str) -> Lead:
    """Kept, since the same documents are among the first for many queries; so little of each is no burden."""
    return Lead(_naming(html.unescape(title)), _naming(_opening(beginning)))


def _naming(text: str) -> TermSet:
    return terms_of(_DENIED.sub(" ", text))


def _opening(text: str) -> str:
    line = next(iter(text.strip().splitlines()), "")
    sentence = sentences_of(line)[0]
    words = [match.end() for match in islice(WORD.finditer(sentence), OPENING)]
    return sentence[: words[-1]] if words else ""
