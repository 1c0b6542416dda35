"""The candidate set: documents that may be found, with the raw scores of a query's texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, ranks_of, top_k
from esens.score.base import QueryTexts, RawScores, ScoreRanges
from esens.score.hybrid import Hybrid, fuse_plainly
from esens.score.normalise import Array, min_max
from esens.types import Document

Lookup = Callable[[Sequence[int]], Sequence[Document]]


class DocumentReader:
    """Gives the documents at some columns of a candidate set, and fetches each once."""

    def __init__(self, lookup: Lookup) -> None:
        """Take what fetches the documents at some columns."""
        self._lookup = lookup
        self._documents: dict[int, Document] = {}

    def at(self, positions: Sequence[int] | Positions) -> list[Document]:
        """Return the documents at these columns."""
        columns = positions.tolist() if isinstance(positions, np.ndarray) else list(positions)
        missing = [column for column in dict.fromkeys(columns) if column not in self._documents]
        if missing:
            self._documents.update(zip(missing, self._lookup(missing), strict=True))
        return [self._documents[column] for column in columns]


class WordScores(NamedTuple):
    """How well the words of documents match those of the query, and those of what is wanted; an entry each."""

    query: Array
    wanted: Array


class Beyond(NamedTuple):
    """What is known of all documents that are not candidates, where candidates were preselected."""

    depth: int = 0
    """How many of the nearest to query and to target are surely candidates."""
    end: RawScores | None = None
    """A document that is as near to each text as any of them can be, and far from every trap."""
    ceiling: float = np.inf
    """What none of them scores more than, where that is known without such a document."""
    nearest: float = np.inf
    """What none of them exceeds in plain retrieval."""


@dataclass(frozen=True)
class CandidateSet:
    """A column a document. ``ranges`` are those of all scored documents, also where these are few of them."""

    raw: RawScores
    ranges: ScoreRanges
    documents: DocumentReader
    pool: Positions | None = None
    """The columns that may be found; None: all."""
    plain_depth: int | None = None
    """How many of the first in plain retrieval are surely among the columns; None: all of them."""
    is_complete: bool = True
    """Whether no other document can be found, however deep one looks."""
    ceiling: float = -np.inf
    """What no document scores more than that is not among the columns."""
    folds_passages: bool = True
    """Whether passages of one document are one result."""
    fused: Array | None = None
    """What plain retrieval ranks by in hybrid search, from 0 to 1."""
    beyond: Beyond | None = None
    """What is known of the others, where these are few that were preselected: a deeper set may then be needed."""
    rank_plainly: Callable[[Array], list[int]] | None = None
    """Gives the ranks of raw scores in plain retrieval, where more than these documents count."""

    @classmethod
    def whole(
        cls, texts: QueryTexts, rows: Array, lookup: Lookup, *, folds_passages: bool = True
    ) -> "CandidateSet":
        """Return the set of all documents there are, from a row of raw scores for each of the flat texts."""
        raw = RawScores.of(texts, rows)
        return cls(raw, raw.ranges(), DocumentReader(lookup), folds_passages=folds_passages)

    def with_words(self, hybrid: Hybrid, words: WordScores) -> "CandidateSet":
        """Return the set with what words add: to plain retrieval by the query, and to what is wanted."""
        fused = fuse_plainly(hybrid, min_max(self.raw.query, self.ranges.query), words.query)
        return replace(self, raw=self.raw._replace(words=hybrid.word_relevance(words.wanted)), fused=fused)

    @property
    def plain(self) -> Array:
        """What plain retrieval ranks by."""
        return self.raw.query if self.fused is None else self.fused

    def plain_scores(self, positions: Positions) -> Array:
        """Return the scores of plain retrieval, on the scale of the query's raw scores."""
        if self.fused is None:
            return self.raw.query[positions]
        return self.ranges.query.low + self.ranges.query.width * self.fused[positions]

    def key(self, document: Document) -> str:
        """Return the id of the result that a document is, or is a passage of."""
        return document.whole_id if self.folds_passages else document.id

    def plain_ranks(self, positions: Positions) -> list[int | None]:
        """Return the ranks in plain retrieval, None where they are not known."""
        if self.rank_plainly is not None:
            return [*self.rank_plainly(self.plain[positions])]
        ranks = ranks_of(positions, self.plain).tolist()
        return [rank if self.plain_depth is None or rank <= self.plain_depth else None for rank in ranks]

    def plain_first(self, depth: int) -> Positions:
        """Return the first in plain retrieval, as far as they are known, with all that share the last rank."""
        raw = self.plain
        depth = min(depth, raw.size if self.plain_depth is None else self.plain_depth)
        if not depth:
            return np.zeros(0, np.intp)
        first = top_k(raw, depth)
        with_ties = int(np.count_nonzero(raw >= raw[first[-1]]))
        return first if with_ties == depth else top_k(raw, with_ties)
