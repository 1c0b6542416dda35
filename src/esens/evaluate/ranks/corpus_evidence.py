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
from esens.evidence.excluded_thing import thing_of
from esens.evidence.lead_match import lead_of
from esens.evidence.word_forms import word_forms
from esens.score.base import RawScores, Readings, Scorer, ScoreRanges
from esens.score.normalise import Array, Scores
from esens.score.relational import Relational
from esens.search.evidence import SIGNS_READ, EvidenceReader, may_spare_mentions
from esens.search.plan import QueryPlan, plan_query
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import fold_letters, words_of
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

    @property
    def compares_texts(self) -> bool:
        """Whether texts that are no documents can be compared, so that mentions can be spared."""
        return self._text_scorers is not None

    def reader(self, number: int) -> EvidenceReader | None:
        """Return what reads documents for one query; None where only the vectors of its traps are known."""
        plan = self._plan(number)
        if not plan.trap_terms:
            return None
        if self._text_scorers is None:
            return EvidenceReader(plan, _no_texts)
        vectors, traps = self._vectors, self._vectors.traps_of(number)
        rows = np.stack([vectors.query[number], vectors.target[number], *vectors.distinct[traps]])
        return EvidenceReader(plan, self._text_scorers(rows))

    def properties(self, raw: RawScores, reader: EvidenceReader) -> tuple[bool, ...]:
        """Return which traps a search would take for properties."""
        nearest, near = (
            [self._corpus[at] for at in top_k(scores, SIGNS_READ)] for scores in (_known(raw.target), raw.query)
        )
        return reader.properties(nearest, near)

    def with_coverage(self, raw: RawScores, scorer: Scorer, reader: EvidenceReader) -> RawScores:
        """Return the raw scores with how much of what is wanted the nearest documents say, where that counts."""
        if raw.target is None or not scorer.reads_wanted:
            return raw
        nearest = top_k(raw.target, scorer.reads_wanted)
        coverage = np.zeros(raw.query.size)
        coverage[nearest] = reader.coverage([self._corpus[at] for at in nearest])
        return raw._replace(coverage=coverage)

    def readings(self, number: int, names: Scores, reader: EvidenceReader, has: Sequence[bool]) -> Readings:
        """Return what all documents say of each trap."""
        readings = Readings.of_names(names)
        columns = np.array(sorted(self._may_say(number)), np.intp)
        if not len(columns):
            return readings
        documents = [self._corpus[column] for column in columns]
        said = reader.readings(documents, reader.statements(documents, has), has)
        flags = np.zeros((len(said) - 1, *names.shape), np.bool_)
        flags[:, :, columns] = said[1:]
        return Readings(names, *flags)

    def spare_mentions(
        self,
        number: int,
        scorer: Scorer,
        raw: RawScores,
        ranges: ScoreRanges,
        names: Scores,
        reader: EvidenceReader,
        has: Sequence[bool],
    ) -> RawScores:
        """Return the raw scores as they are without mentions in passing: those that a search would spare, too."""
        terms = scorer.fit(raw, has).terms(raw, ranges)
        may_mention = self._may_mention(self._plan(number).trap_terms) & (names == 0).any(axis=0)
        columns = np.flatnonzero(may_mention & may_spare_mentions(scorer, terms))
        columns = columns[top_k(terms.relevance[columns], len(columns))]
        documents, may_spare = (
            [self._corpus[column] for column in columns.tolist()],
            np.ones(len(columns), np.bool_),
        )
        sparing = reader.spare_mentions(documents, raw.at(columns), names[:, columns], may_spare, has)
        traps = raw.traps.copy()
        traps[:, columns] = sparing.raw.traps
        return raw._replace(traps=traps)

    def _plan(self, number: int) -> QueryPlan:
        split = self._decompositions[number]
        return plan_query(split.target, split, Relational(), k=0)

    def _may_say(self, number: int) -> set[int]:
        """Return the documents with a word that names an exclusion, or that says it is lacking."""
        plan, postings = self._plan(number), self._word_postings
        things = [thing_of(each) for each in plan.decomposition.exclusions]
        words = {word for thing in things for word in (*thing.names, *thing.lacking)}
        words |= {word for thing in things for word in thing.compounds_in(postings)}
        words |= {word for terms in plan.trap_terms for term in terms for word in word_forms(term)}
        return {int(at) for word in words & postings.keys() for at in postings[word]}

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
    def _word_postings(self) -> Postings:
        return _postings(frozenset(words_of(fold_letters(document.content))) for document in self._corpus)

    @cached_property
    def _text_postings(self) -> Postings:
        return _postings(terms_of(document.text) for document in self._corpus)


def _known(target: Array | None) -> Array:
    """Return the raw scores of the target, which no score that asks for properties goes without."""
    assert target is not None  # noqa: S101 - texts() asks for it
    return target


def _no_texts(texts: Sequence[str]) -> Array:
    raise AssertionError(f"{len(texts)} texts were to be compared, and no embedder is at hand")


def _postings(term_sets: Iterable[TermSet]) -> Postings:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, terms in enumerate(term_sets):
        for term in terms:
            positions[term].append(position)
    return {term: np.array(places, np.intp) for term, places in positions.items()}
