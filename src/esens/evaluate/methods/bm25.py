"""BM25 over the words of the query as it is asked; see ``esens.index.words``.

What the trap's own words bring back is the point: to a sparse ranking a named exclusion is a reason to match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from esens.index.words import WordIndex, word_library
from esens.score.normalise import Array
from esens.types import Document


@dataclass(frozen=True, slots=True)
class BM25:
    """Rank by the words that a document and the whole query share; no vectors."""

    @property
    def name(self) -> str:
        """Its name."""
        return "bm25"

    @property
    def library(self) -> str:
        """What counts the words; asking for it says at once if it is not installed."""
        return word_library()

    def over(self, corpus: Sequence[Document]) -> Callable[[str], Array]:
        """Index the corpus once, and return what scores it for a query."""
        return WordIndex([document.content for document in corpus]).scores
