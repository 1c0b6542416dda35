"""Search by words: BM25 (Robertson et al., 1994; Lucene's form, k1 = 1.5, b = 0.75), held in memory.

Computed by bm25s (Lù, 2024), with English stop words and without a stemmer.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from esens.arrays.rank import Array
from esens.errors import MissingExtraError

BM25_K1, BM25_B = 1.5, 0.75
"""The numbers of the formula, also for an engine that lets one choose them."""
_FUNCTION_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this
to was will with
"""
STOP_WORDS = _FUNCTION_WORDS.split()
"""Lucene's. Longer lists have words that name things: goose down, a list, the Who."""
_WORD = re.compile(r"\w+")


class WordIndex:
    """The words of some texts, indexed once."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Read the texts."""
        self._size = len(texts)
        words = _words(texts)
        self._index: Any = None
        if any(words):
            self._index = _bm25s().BM25(k1=BM25_K1, b=BM25_B, dtype="float64")
            self._index.index(words, show_progress=False)

    def scores(self, text: str) -> Array:
        """Return how well the words of each text match these; 0 where they share none."""
        # bm25s wants at least one word that the texts have.
        token_ids = self._index.get_tokens_ids(_words([text])[0]) if self._index is not None else []
        return (
            np.asarray(self._index.get_scores_from_ids(token_ids), np.float64)
            if token_ids
            else np.zeros(self._size)
        )


def word_library() -> str:
    """Return what counts the words, with its version; MissingExtraError where it is not installed."""
    return f"bm25s {_bm25s().__version__}"


def without_stop_words(text: str) -> str:
    """Return a text without stop words, and without what holds no word, for an engine that may not know them.

    >>> without_stop_words("The best of the Beatles, not (the) Stones!")
    'best Beatles, Stones!'
    """
    return " ".join(part for part in text.split() if set(_WORD.findall(part.lower())) - set(STOP_WORDS))


def _words(texts: Sequence[str]) -> list[list[str]]:
    tokens = _bm25s().tokenize(list(texts), stopwords=STOP_WORDS, return_ids=False, show_progress=False)
    return [list(words) for words in tokens]


def _bm25s() -> Any:
    try:
        import bm25s
    except ImportError:
        raise MissingExtraError("bm25s", "hybrid") from None
    return bm25s
