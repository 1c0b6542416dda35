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

_REMEMBERED, _TEXTS = 64, 2048
_LONGEST_KEPT = 4096
"""Signs of a text whose words are kept: of longer ones they would take much memory."""


def coverage(documents: Sequence[Document], target: str) -> list[float]:
    """Return the share of the target's words that each document has, in one of their forms; from 0 to 1.

    >>> films = [Document("a", "A film of horrors."), Document("b", "A comedy")]
    >>> coverage(films, "horror films")
    [1.0, 0.0]
    """
    wanted = _wanted(target)
    return [_share(_words(document.content), wanted) for document in documents]


class _WantedWord(NamedTuple):
    """A word in its forms, each between spaces, and what all of them begin with."""

    beginning: str
    forms: tuple[str, ...]


def _share(words: str, wanted: Sequence[_WantedWord]) -> float:
    # As a rule nothing begins like a word, and there are no forms to look for.
    likely = [forms for beginning, forms in wanted if beginning in words]
    return sum([any(form in words for form in forms) for forms in likely]) / len(wanted) if likely else 0.0


def _words(content: str) -> str:
    return _kept_words(content) if len(content) <= _LONGEST_KEPT else spaced_words(fold_letters(content))


@lru_cache(maxsize=_TEXTS)
def _kept_words(content: str) -> str:
    """Return the words of a text that was read lately: the most relevant for one query are so for the next."""
    return spaced_words(fold_letters(content))


@lru_cache(maxsize=_REMEMBERED)
def _wanted(target: str) -> tuple[_WantedWord, ...]:
    """Return each word that says something, and no word twice."""
    words = dict.fromkeys(map(word_forms, content_words(fold_letters(target))))
    return tuple(_WantedWord(f" {_beginning(forms)}", tuple(f" {form} " for form in forms)) for forms in words)


def _beginning(forms: frozenset[str]) -> str:
    """Return what all forms begin with: the first and the last in order differ the soonest."""
    first, last = min(forms), max(forms)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
