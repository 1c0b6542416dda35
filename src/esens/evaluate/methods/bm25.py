"""BM25 (Robertson et al., 1994; Lucene's form, k1 = 1.5, b = 0.75) over the words of the query as it is asked.

What the trap's own words bring back is the point: to a sparse ranking a named exclusion is a reason to match.
Computed by bm25s (Lù, 2024), with English stop words and without a stemmer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from esens.errors import MissingExtraError
from esens.score.normalise import Scores
from esens.types import Document


@dataclass(frozen=True, slots=True)
class BM25:
    """Rank by the words that a document and the query share."""

    @property
    def name(self) -> str:
        """Its name."""
        return "bm25"

    @property
    def library(self) -> str:
        """What counts the words; asking for it says at once if it is not installed."""
        return f"bm25s {_bm25s().__version__}"

    def over(self, corpus: Sequence[Document]) -> Callable[[str], Scores]:
        """Index the corpus once, and return what scores it for a query."""
        words = _words([document.content for document in corpus])
        if not any(words):
            return lambda _: np.zeros(len(corpus))
        index = _bm25s().BM25(dtype="float64")
        index.index(words, show_progress=False)

        def scores(query: str) -> Scores:
            known = index.get_tokens_ids(_words([query])[0])
            # bm25s wants at least one word that the corpus has.
            return np.asarray(index.get_scores_from_ids(known), np.float64) if known else np.zeros(len(corpus))

        return scores


def _words(texts: list[str]) -> list[list[str]]:
    tokens = _bm25s().tokenize(texts, stopwords="en", return_ids=False, show_progress=False)
    return [list(words) for words in tokens]


def _bm25s() -> Any:
    try:
        import bm25s
    except ImportError:
        raise MissingExtraError("bm25s", "evaluate") from None
    return bm25s
