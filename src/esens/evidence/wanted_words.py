"""How much of what is wanted a document says in so many words.

A vector knows what a text is about, and blurs what exactly it says: of fifty documents near to "horror films from
Japan", those that say "horror" and "Japan" are the likelier ones.
"""

from collections.abc import Sequence
from functools import lru_cache

from esens.evidence.word_forms import word_forms
from esens.text.tokens import content_words, fold_letters, words_of
from esens.types import Document

_REMEMBERED = 64


def coverage(documents: Sequence[Document], target: str) -> list[float]:
    """Return the share of the target's words that each document has, in one of their forms; from 0 to 1.

    >>> films = [Document("a", "A film of horrors."), Document("b", "A comedy")]
    >>> coverage(films, "horror films")
    [1.0, 0.0]
    """
    wanted = _wanted(target)
    if not wanted:
        return [0.0] * len(documents)
    every = frozenset().union(*wanted)
    # A text is gone through once, and as a rule has few of them.
    named = (every.intersection(words_of(fold_letters(document.content))) for document in documents)
    return [_share(words, wanted) if words else 0.0 for words in named]


def _share(words: frozenset[str], wanted: Sequence[frozenset[str]]) -> float:
    return sum([not forms.isdisjoint(words) for forms in wanted]) / len(wanted)


@lru_cache(maxsize=_REMEMBERED)
def _wanted(target: str) -> tuple[frozenset[str], ...]:
    """Return the forms of each word that says something."""
    return tuple(dict.fromkeys(map(word_forms, content_words(fold_letters(target)))))
