"""How much of what is wanted a document says in so many words.

A vector knows what a text is about, and blurs what exactly it says: of fifty documents near to "horror films from
Japan", those that say "horror" and "Japan" are the likelier ones.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from esens.evidence.word_forms import word_forms
from esens.text.tokens import content_words, fold_letters, spaced_words
from esens.types import Document

_REMEMBERED = 64


def coverage(documents: Sequence[Document], target: str) -> list[float]:
    """Return the share of the target's words that each document has, in one of their forms; from 0 to 1.

    >>> films = [Document("a", "A film of horrors."), Document("b", "A comedy")]
    >>> coverage(films, "horror films")
    [1.0, 0.0]
    """
    wanted = _wanted(target)
    return [_share(fold_letters(document.content), wanted) for document in documents]


class _WantedWord(NamedTuple):
    """A word in its forms, each between spaces, and what all of them begin with."""

    beginning: str
    forms: tuple[str, ...]


def _share(folded: str, wanted: Sequence[_WantedWord]) -> float:
    likely = [word for word in wanted if word.beginning in folded]  # as a rule few
    if not likely:
        return 0.0
    words = spaced_words(folded)
    return sum([any(form in words for form in word.forms) for word in likely]) / len(wanted)


@lru_cache(maxsize=_REMEMBERED)
def _wanted(target: str) -> tuple[_WantedWord, ...]:
    """Return each word that says something, and no word twice."""
    words = dict.fromkeys(map(word_forms, content_words(fold_letters(target))))
    return tuple(_WantedWord(_beginning(forms), tuple(f" {form} " for form in forms)) for forms in words)


def _beginning(forms: frozenset[str]) -> str:
    """Return what all forms begin with: the first and the last in order differ the soonest."""
    first, last = min(forms), max(forms)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
