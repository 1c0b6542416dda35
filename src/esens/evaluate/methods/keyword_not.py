"""Keyword NOT: plain retrieval without the documents that contain the excluded words, as search boxes do it.

The ``must_not`` of a phrase in Elasticsearch and its like: the words of a trap, one after the other, in whatever
case. A document that only mentions the thing is dropped, one that uses another word for it is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from esens.text.tokens import WORD, fold_case
from esens.types import Document


@dataclass(frozen=True, slots=True)
class KeywordNot:
    """Plain retrieval without the documents that contain the excluded words, as NOT in a search box."""

    @property
    def name(self) -> str:
        """Its name."""
        return "keyword-not"

    def leaves_out(self, corpus: Sequence[Document]) -> Callable[[Sequence[str]], npt.NDArray[np.bool_]]:
        """Read the corpus once, and return what says which documents contain one of some traps."""
        texts = [_words(document.content) for document in corpus]

        def contain(traps: Sequence[str]) -> npt.NDArray[np.bool_]:
            phrases = [phrase for trap in traps if (phrase := _words(trap)) != _words("")]
            return np.array([any(phrase in text for phrase in phrases) for text in texts], np.bool_)

        return contain


def _words(text: str) -> str:
    """Return the words of a text with a space around each, so that a phrase is found as whole words."""
    return f" {' '.join(WORD.findall(fold_case(text)))} "
