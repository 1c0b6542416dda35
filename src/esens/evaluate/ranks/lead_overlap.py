"""How much of what each query excludes each document of a whole corpus is named for."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evidence.lead_match import Words, name_of
from esens.evidence.trap_terms import own_name
from esens.score.normalise import Scores
from esens.types import Decomposition, Document

Counts = np.ndarray[tuple[int], np.dtype[np.int64]]
Postings = dict[str, Counts]


class NamesOfQueries:
    """The names of all documents, read once, and what each query asks of them."""

    def __init__(
        self, corpus: Sequence[Document], decompositions: Sequence[Decomposition], asked: QueryVectors
    ) -> None:
        self._corpus, self._decompositions, self._asked = corpus, decompositions, asked

    def shares(self, number: int) -> Scores:
        """Return, for each trap of a query (a row), how much of it each document is named for.

        Where only the vectors of the traps are known, no document is named for any.
        """
        one = self._decompositions[number]
        things = [own_name(trap, one.target) for trap in one.traps]
        if not things:
            return np.zeros((self.count(number), len(self._corpus)))
        return np.stack([self._share(thing) for thing in things])

    def count(self, number: int) -> int:
        """Return how many traps a query has."""
        rows = self._asked.traps_of(number)
        return len(range(rows.start, rows.stop))

    def _share(self, thing: Words) -> Scores:
        """As ``Names.shares`` does, from the documents that have a word instead of the words of a document."""
        counts = np.zeros((2, len(self._corpus)))
        for row, postings in enumerate(self._postings):
            for word in thing & postings.keys():
                counts[row, postings[word]] += 1
        return np.asarray(counts.max(axis=0) / max(1, len(thing)), np.float64)

    @cached_property
    def _postings(self) -> tuple[Postings, Postings]:
        """Where each word stands in a title, and where in an opening."""
        found: tuple[dict[str, list[int]], ...] = (defaultdict(list), defaultdict(list))
        for position, document in enumerate(self._corpus):
            for postings, words in zip(found, name_of(document), strict=True):
                for word in words:
                    postings[word].append(position)
        titles, openings = ({word: np.array(places) for word, places in one.items()} for one in found)
        return titles, openings
