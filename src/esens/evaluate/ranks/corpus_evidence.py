"""What all documents of a corpus say of what each query excludes: a search's evidence, for every document at once.

A search reads the few documents that can still matter. An evaluation wants the rank of any document, so here words
are looked up in postings, the other way round; what they mean is decided by the same functions.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import top_k
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evaluate.ranks.shipped_search import TextScorers
from esens.evidence.lead_match import lead_of
from esens.score.base import RawScores, Scorer, ScoreRanges
from esens.score.contrast import Contrast
from esens.score.normalise import Scores
from esens.search.evidence import EvidenceReader, may_spare_mentions
from esens.search.plan import QueryPlan, plan_query
from esens.text.terms import TermSet, terms_of
from esens.types import Decomposition, Document

Postings = dict[str, npt.NDArray[np.intp]]


class CorpusEvidence:
    """The names and the mentions in all documents, read once, and what each query asks of them."""

    def __init__(
        self,
        corpus: Sequence[Document],
        decompositions: Sequence[Decomposition],
        vectors: QueryVectors,
        text_scorers: TextScorers | None = None,
    ) -> None:
        """Take what was split and embedded; without ``text_scorers`` no mention can be spared."""
        self._corpus, self._decompositions, self._vectors = corpus, decompositions, vectors
        self._text_scorers = text_scorers

    def traps(self, number: int) -> tuple[str, ...]:
        """Return the texts of a query's traps; none where only their vectors are known."""
        return self._decompositions[number].traps

    def count_traps(self, number: int) -> int:
        """Return how many traps a query has."""
        rows = self._vectors.traps_of(number)
        return len(range(rows.start, rows.stop))

    def names(self, number: int) -> Scores:
        """Return, for each trap of a query (a row), how much of it each document is named for.

        Where only the vectors of the traps are known, no document is named for any.
        """
        terms = self._plan(number).trap_terms
        if not terms:
            return np.zeros((self.count_traps(number), len(self._corpus)))
        return np.stack([self._overlap(trap_terms) for trap_terms in terms])

    def reader(self, number: int) -> EvidenceReader | None:
        """Return what reads documents for one query; None where nothing can be read or compared."""
        plan = self._plan(number)
        if self._text_scorers is None or not plan.trap_terms:
            return None
        vectors, traps = self._vectors, self._vectors.traps_of(number)
        rows = np.stack([vectors.query[number], vectors.target[number], *vectors.distinct[traps]])
        return EvidenceReader(plan, self._text_scorers(rows))

    def spare_mentions(
        self,
        number: int,
        scorer: Scorer,
        raw: RawScores,
        ranges: ScoreRanges,
        names: Scores,
        reader: EvidenceReader,
    ) -> RawScores:
        """Return the raw scores as they are without mentions in passing: those that a search would spare, too."""
        terms = scorer.terms(raw, ranges)
        may_mention = self._may_mention(self._plan(number).trap_terms) & (names == 0).any(axis=0)
        columns = np.flatnonzero(may_mention & may_spare_mentions(scorer, terms))
        columns = columns[top_k(terms.relevance[columns], len(columns))]
        documents, may_spare = (
            [self._corpus[column] for column in columns.tolist()],
            np.ones(len(columns), np.bool_),
        )
        sparing = reader.spare_mentions(documents, raw.at(columns), names[:, columns], may_spare)
        traps = raw.traps.copy()
        traps[:, columns] = sparing.raw.traps
        return raw._replace(traps=traps)

    def _plan(self, number: int) -> QueryPlan:
        split = self._decompositions[number]
        return plan_query(split.target, split, Contrast(), k=0)

    def _overlap(self, terms: TermSet) -> Scores:
        """As ``Lead.overlap``, from the documents that have a term instead of the terms of a document."""
        counts = np.zeros((2, len(self._corpus)))
        for row, postings in enumerate(self._lead_postings):
            for term in terms & postings.keys():
                counts[row, postings[term]] += 1
        return np.asarray(counts.max(axis=0) / max(1, len(terms)), np.float64)

    def _may_mention(self, traps: Sequence[TermSet]) -> npt.NDArray[np.bool_]:
        """Return which documents hold all terms of a trap."""
        holds = np.zeros(len(self._corpus), np.bool_)
        for terms in traps:
            counts = np.zeros(len(self._corpus), np.intp)
            for term in terms & self._text_postings.keys():
                counts[self._text_postings[term]] += 1
            holds |= (counts == len(terms)) & (len(terms) > 0)
        return holds

    @cached_property
    def _lead_postings(self) -> tuple[Postings, Postings]:
        """Where each term stands in a title, and where in an opening."""
        leads = [lead_of(document) for document in self._corpus]
        return _postings(lead.title for lead in leads), _postings(lead.opening for lead in leads)

    @cached_property
    def _text_postings(self) -> Postings:
        return _postings(terms_of(document.text) for document in self._corpus)


def _postings(term_sets: Iterable[TermSet]) -> Postings:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, terms in enumerate(term_sets):
        for term in terms:
            positions[term].append(position)
    return {term: np.array(places, np.intp) for term, places in positions.items()}
