"""The ranks of the judged documents by any method, all methods in one pass over the corpus."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from esens.arrays.pack import pack
from esens.arrays.rank import places_of, ranks_of, top_k
from esens.embed.corpus import Progress
from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset
from esens.evaluate.measures import NOT_RANKED
from esens.evaluate.methods.base import (
    CombinesScores,
    FusesWords,
    HasStage,
    LeavesOut,
    Method,
    MovesQuery,
    RanksByScorer,
    ReadsTexts,
    SplitScores,
    SplitVectors,
)
from esens.evaluate.ranks.corpus_evidence import CorpusEvidence
from esens.evaluate.ranks.matmul import Corpus, Matrix
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evaluate.ranks.shipped_search import ShippedSearch
from esens.score.base import QueryTexts, RawScores, Readings, Scorer
from esens.score.hybrid import Hybrid, fit_hybrid
from esens.score.normalise import Array

Ranks = npt.NDArray[np.int32]
_QUERY, _TARGET = "query", "target"


def method_ranks(
    methods: Sequence[Method],
    dataset: Dataset,
    corpus: Corpus,
    vectors: QueryVectors,
    evidence: CorpusEvidence,
    progress: Progress | None = None,
    *,
    search: ShippedSearch | None = None,
) -> dict[str, Ranks]:
    """Return, by the name of each method, the rank of every judged document.

    What ranks by a scorer goes by ``search``; without one, where texts cannot be compared, by the same formulas.

    A query without a trap is ranked plainly by every method that goes by vectors: none of them has anything to
    leave out there. Where the first places count, each document has a place of its own, as in a list of results:
    of equal scores the first in corpus order stands first. Elsewhere equal scores share a rank.
    """
    gold = dataset.gold
    place = places_of if gold.judges_sets else ranks_of
    starts = np.searchsorted(gold.query, np.arange(len(vectors) + 1))
    ranks = {method.name: np.empty(len(gold.query), np.int32) for method in methods}
    for number, name, scores in _all_scores(methods, dataset, corpus, vectors, evidence, search):
        golds = slice(int(starts[number]), int(starts[number + 1]))
        ranks[name][golds] = place(gold.position[golds], scores)
        ranks[name][golds][np.isneginf(scores[gold.position[golds]])] = NOT_RANKED
        if progress is not None:
            progress(number + 1, len(vectors))
    return ranks


def method_runs(
    methods: Sequence[Method],
    dataset: Dataset,
    corpus: Corpus,
    vectors: QueryVectors,
    evidence: CorpusEvidence,
    depth: int,
    *,
    search: ShippedSearch | None = None,
) -> dict[str, dict[str, list[tuple[str, float]]]]:
    """Return, by the name of each method, the first documents of every query with numbers that rank them.

    What a method leaves out is not in its run. A method that searches gives places, as numbers below 0.
    """
    runs: dict[str, dict[str, list[tuple[str, float]]]] = {method.name: {} for method in methods}
    for number, name, scores in _all_scores(methods, dataset, corpus, vectors, evidence, search):
        best = [int(at) for at in top_k(scores, depth) if not np.isneginf(scores[at])]
        runs[name][dataset.queries[number].id] = [(dataset.corpus[at].id, float(scores[at])) for at in best]
    return runs


def run_ranks(run: Mapping[str, Sequence[tuple[str, float]]], dataset: Dataset) -> Ranks:
    """Return the ranks of the judged documents in a run; what the run does not hold is not ranked at all."""
    place = places_of if dataset.gold.judges_sets else ranks_of
    ranked: dict[str, dict[str, int]] = {}
    for query, found in run.items():
        scores = dict(found)
        ranks = place(np.arange(len(scores)), np.array(list(scores.values()), float))
        ranked[query] = dict(zip(scores, ranks.tolist(), strict=True))
    ids = [query.id for query in dataset.queries]
    of_judged = (ranked.get(ids[number], {}).get(document, NOT_RANKED) for number, document, _ in dataset.judged)
    return np.fromiter(of_judged, np.int32, len(dataset.gold.query))


def _all_scores(
    methods: Sequence[Method],
    dataset: Dataset,
    corpus: Corpus,
    vectors: QueryVectors,
    evidence: CorpusEvidence,
    search: ShippedSearch | None,
) -> Iterator[tuple[int, str, Array]]:
    """Yield the scores of all documents, for each query and method by number and name."""
    by_vectors = [method for method in methods if not isinstance(method, ReadsTexts)]
    for method in methods:
        if isinstance(method, ReadsTexts):
            score = method.over(dataset.corpus)
            yield from ((number, method.name, score(text)) for number, text in enumerate(dataset.texts))
    left_out = {
        method.name: method.leaves_out(dataset.corpus) for method in by_vectors if isinstance(method, LeavesOut)
    }
    if by_vectors:
        for number, raw in _raw_scores(by_vectors, corpus, vectors):
            for name, scores in _scores(by_vectors, raw, evidence, search, number):
                if name in left_out:
                    scores = np.where(left_out[name](evidence.traps(number)), -np.inf, scores)
                yield number, name, scores


def _raw_scores(
    methods: Sequence[Method], corpus: Corpus, vectors: QueryVectors
) -> Iterator[tuple[int, Sequence[Matrix]]]:
    """Yield the raw scores of each query, in the groups of :func:`_vectors`."""
    groups = [_vectors(methods, vectors, number) for number in range(len(vectors))]
    for part in pack([sum(map(len, group)) for group in groups], corpus.rows_at_once()):
        numbers = range(part.start, part.stop)
        raw = corpus.scored(np.concatenate([rows for number in numbers for rows in groups[number]])).whole()
        height = 0
        for number in numbers:
            ends = height + np.cumsum([len(rows) for rows in groups[number]])
            yield number, np.split(raw[height : ends[-1]], ends[:-1] - height)
            height = int(ends[-1])


def _vectors(methods: Sequence[Method], vectors: QueryVectors, number: int) -> list[Matrix]:
    """Return what is compared for a query: itself; its target, traps, distinct traps, and the moved vectors."""
    query, target, places = vectors.query[number], vectors.target[number], vectors.traps_of(number)
    traps = vectors.traps[places]
    if not len(traps):
        return [query[None]]
    split = SplitVectors(query, target, traps)
    moved = [np.asarray(method.vector(split), np.float32) for method in methods if isinstance(method, MovesQuery)]
    return [
        query[None],
        target[None],
        traps,
        vectors.distinct[places],
        np.array(moved, np.float32).reshape(-1, len(query)),
    ]


def _scores(
    methods: Sequence[Method],
    groups: Sequence[Matrix],
    evidence: CorpusEvidence,
    search: ShippedSearch | None,
    number: int,
) -> Iterator[tuple[str, Array]]:
    query = groups[0][0]
    if len(groups) == 1:
        yield from ((method.name, _plainly(method, groups[0], search, number)) for method in methods)
        return
    (target,), traps, distinct, moved = groups[1:]
    split, by_scorer, vectors = SplitScores(query, target, traps), None, iter(moved)
    for method in methods:
        if isinstance(method, CombinesScores):
            yield method.name, method.scores(split)
        elif isinstance(method, RanksByScorer):
            by_scorer = by_scorer or _ByScorer(split, distinct, evidence, search, number)
            staged = method if isinstance(method, HasStage) else None
            hybrid = method.hybrid if isinstance(method, FusesWords) else None
            yield method.name, by_scorer.scores(method.scorer, staged, hybrid)
        elif isinstance(method, LeavesOut):
            yield method.name, query
        else:
            yield method.name, next(vectors)


def _plainly(method: Method, rows: Matrix, search: ShippedSearch | None, number: int) -> Array:
    """Return plain retrieval's scores; those of both legs, or of a relevance model, where a method has such."""
    query: Array = rows[0]
    if isinstance(method, FusesWords):
        return _needed(search).plain_hybrid(number, method.hybrid, query)
    if not isinstance(method, HasStage) or method.stage.relevance is None:
        return query
    split = SplitScores(query, query, rows[:0])
    return _needed(search).scores(number, method.scorer, split, rows[:0], lambda: query, method)


def _needed(search: ShippedSearch | None) -> ShippedSearch:
    if search is None:
        raise ArgumentError("method", "reads texts, and only vectors are known; name an embedder instead")
    return search


class _ByScorer:
    """Scores all documents for one query as a search would."""

    def __init__(
        self,
        split: SplitScores,
        distinct: Matrix,
        evidence: CorpusEvidence,
        search: ShippedSearch | None,
        number: int,
    ) -> None:
        self._split, self._distinct = split, distinct
        self._evidence, self._search, self._number = evidence, search, number
        self._names = evidence.names(number)
        self._reader = evidence.reader(number)

    def scores(self, scorer: Scorer, staged: HasStage | None = None, hybrid: Hybrid | None = None) -> Array:
        """Return a score a document."""
        traps = tuple(str(trap) for trap in range(len(self._split.traps)))
        texts = scorer.texts(_QUERY, _TARGET, traps)
        if texts.is_plain and hybrid is not None:
            return _needed(self._search).plain_hybrid(self._number, hybrid, self._split.query)
        if texts.is_plain:
            return self._split.target if texts.query == _TARGET else self._split.query
        if self._search is None and staged is None and hybrid is None:
            return self._by_formula(scorer, texts)
        behind = partial(self._by_formula, scorer, texts, hybrid)
        search = _needed(self._search)
        return search.scores(self._number, scorer, self._split, self._distinct, behind, staged, hybrid)

    def _by_formula(self, scorer: Scorer, texts: QueryTexts, hybrid: Hybrid | None = None) -> Array:
        raw = self._raw(scorer, texts)
        ranges, has, readings = raw.ranges(), (False,) * len(raw.traps), Readings.of_names(self._names)
        if self._reader is not None and scorer.reads_statements:
            has = self._evidence.properties(raw, self._reader)
            readings = self._evidence.readings(self._number, self._names, self._reader, has)
        fitted = scorer.fit(raw, has)
        if self._reader is not None and hybrid is None:
            raw = self._evidence.with_coverage(raw, scorer, self._reader)
        if hybrid is not None:
            raw = raw._replace(words=_needed(self._search).word_relevance(self._number, hybrid))
            fitted = fit_hybrid(fitted, hybrid, scorer.weight, raw, ranges)
        if self._reader is not None and scorer.spare_mentions and self._evidence.compares_texts and not all(has):
            raw = self._evidence.spare_mentions(self._number, scorer, raw, ranges, self._names, self._reader, has)
        return fitted.terms(raw, ranges, readings).score

    def _raw(self, scorer: Scorer, texts: QueryTexts) -> RawScores:
        traps = self._distinct if scorer.distinct_traps else self._split.traps
        return RawScores(
            self._split.query,
            None if texts.target is None else self._split.target,
            traps if texts.traps else traps[:0],
        )
