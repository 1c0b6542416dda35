"""The ranks of the judged documents by any method, all methods in one pass over the corpus."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import ranks_of
from esens.evaluate.dataset import Dataset
from esens.evaluate.measures import NOT_RANKED
from esens.evaluate.methods.base import (
    Asked,
    CombinesScores,
    ComparesSides,
    Method,
    MovesQuery,
    Raw,
    ReadsTexts,
    Sides,
)
from esens.evaluate.ranks.lead_overlap import NamesOfQueries
from esens.evaluate.ranks.matmul import Corpus, Matrix, in_blocks
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.score.normalise import Array
from esens.search import Progress

Ranks = npt.NDArray[np.int32]

_GIVEN = 2  # the rows that every query has: its own and its target's; then come its traps, and their own words


def method_ranks(
    methods: Sequence[Method],
    dataset: Dataset,
    corpus: Corpus,
    asked: QueryVectors,
    names: NamesOfQueries,
    progress: Progress | None = None,
) -> dict[str, Ranks]:
    """Return, by the name of each method, the rank of every judged document.

    A query without a trap is ranked plainly, whatever the method: none of them has anything to leave out there.
    """
    gold = dataset.gold
    starts = np.searchsorted(gold.query, np.arange(len(asked) + 1))
    ranks = {method.name: np.empty(len(gold.query), np.int32) for method in methods}
    for number, name, scores in _all_scores(methods, dataset, corpus, asked, names):
        golds = slice(int(starts[number]), int(starts[number + 1]))
        ranks[name][golds] = ranks_of(gold.position[golds], scores)
        if progress is not None:
            progress(number + 1, len(asked))
    return ranks


def run_ranks(run: Mapping[str, Sequence[tuple[str, float]]], dataset: Dataset) -> Ranks:
    """Return the ranks of the judged documents in a run; what the run does not hold is not ranked at all."""
    scores = {query: dict(found) for query, found in run.items()}
    sorted_scores = {query: np.sort(list(found.values())) for query, found in scores.items()}
    ranks = np.full(len(dataset.gold.query), NOT_RANKED, np.int32)
    for row, (number, document, _) in enumerate(dataset.judged):
        query = dataset.queries[number].id
        if document in scores.get(query, ()):
            ordered = sorted_scores[query]
            above = len(ordered) - np.searchsorted(ordered, scores[query][document], side="right")
            ranks[row] = 1 + above
    return ranks


def _all_scores(
    methods: Sequence[Method], dataset: Dataset, corpus: Corpus, asked: QueryVectors, names: NamesOfQueries
) -> Iterator[tuple[int, str, Array]]:
    """Yield the scores of all documents, for each query and method by number and name."""
    by_vectors = [method for method in methods if not isinstance(method, ReadsTexts)]
    for method in methods:
        if isinstance(method, ReadsTexts):
            read = method.over(dataset.corpus)
            yield from ((number, method.name, read(text)) for number, text in enumerate(dataset.texts))
    if by_vectors:
        for number, raw in _raw_scores(by_vectors, corpus, asked):
            yield from ((number, *scored) for scored in _scores(by_vectors, raw, names, number))


def _raw_scores(methods: Sequence[Method], corpus: Corpus, asked: QueryVectors) -> Iterator[tuple[int, Matrix]]:
    """Yield the raw scores of each query: its own, its target's, its traps', then those of the moved vectors."""
    vectors = [_vectors(methods, asked, number) for number in range(len(asked))]
    for numbers in in_blocks([len(rows) for rows in vectors], corpus.rows_at_once()):
        raw = corpus.scored(np.concatenate([vectors[number] for number in numbers])).whole()
        height = 0
        for number in numbers:
            yield number, raw[height : height + len(vectors[number])]
            height += len(vectors[number])


def _vectors(methods: Sequence[Method], asked: QueryVectors, number: int) -> Matrix:
    query, target, places = asked.query[number], asked.target[number], asked.traps_of(number)
    traps, own = asked.traps[places], asked.own[places] if _compare_sides(methods) else asked.own[:0]
    if not len(traps):
        return asked.query[number : number + 1]
    one = Asked(query, target, traps)
    moved = [np.asarray(m.vector(one), np.float32) for m in methods if isinstance(m, MovesQuery)]
    rows: Matrix = np.stack([query, target, *traps, *own, *moved])
    return rows


def _scores(
    methods: Sequence[Method], raw: Matrix, names: NamesOfQueries, number: int
) -> Iterator[tuple[str, Array]]:
    count = names.count(number)
    if not count:
        yield from ((method.name, raw[0]) for method in methods)
        return
    given, rest = Raw(raw[0], raw[1], raw[_GIVEN : _GIVEN + count]), raw[_GIVEN + count :]
    sides = None
    if _compare_sides(methods):
        sides, rest = Sides(given, rest[:count], names.shares(number)), rest[count:]
    moved = iter(rest)
    for method in methods:
        if isinstance(method, CombinesScores):
            yield method.name, method.scores(given)
        elif isinstance(method, ComparesSides) and sides is not None:
            yield method.name, method.scores_of(sides)
        else:
            yield method.name, next(moved)


def _compare_sides(methods: Sequence[Method]) -> bool:
    return any(isinstance(method, ComparesSides) for method in methods)
