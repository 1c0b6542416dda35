"""Candidates for a query: every document where an index can compare them all, or what an engine finds nearest.

Plain retrieval is the engine's own. With an exclusion, candidates are the neighbours of a few probes. They come in
one request, with their texts and vectors, and are scored exactly. How far raw scores reach is estimated from a
sample that the index keeps, and from the candidates themselves. Where these do not hold enough, deeper sets
follow, up to an end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import Positions, top_k
from esens.arrays.unit import Vectors, unit_rows
from esens.index.base import (
    Index,
    Neighbours,
    Pool,
    ScannableIndex,
    pool_by_vectors,
    pool_of,
    scannable,
    without_words,
    word_searching,
)
from esens.score.base import RawScores, Scorer, ScoreRanges, TextVectors
from esens.score.hybrid import Hybrid
from esens.score.normalise import Array
from esens.search.candidates import CandidateSet, DocumentReader, WordScores
from esens.search.plan import QueryPlan
from esens.search.preselect import is_preselectable, preselected
from esens.types import Document

DEEPEST = 3_200
"""Neighbours of each probe beyond which nobody looks, unless more results are wanted."""
_GROWTH = 4
_SPARE = 3
"""How many times more neighbours than results: of a vector that is composed."""


def retrieve(
    index: Index, plan: QueryPlan, vectors: Vectors, *, may_preselect: bool = True
) -> Iterator[CandidateSet]:
    """Yield candidate sets, each deeper than the one before, given the vectors of the plan's texts.

    With ``may_preselect`` the first may be the few of all documents that can be among the best.
    """
    rows = unit_rows(vectors, argument="query vectors", dimension=index.dimension)
    comparing = scannable(index)
    if comparing is not None:
        yield from _scan(comparing, plan, rows, may_preselect)
    elif plan.hybrid is not None:
        yield from _hybrid_pools(index, plan, rows)
    elif plan.is_plain:
        yield from _nearest(index, plan, rows)
    else:
        yield from _pools(index, plan, rows)


def _scan(index: ScannableIndex, plan: QueryPlan, rows: Vectors, may_preselect: bool) -> Iterator[CandidateSet]:
    scanned = index.scan(rows, where=plan.where)
    if may_preselect and is_preselectable(plan) and (few := preselected(plan, scanned)) is not None:
        yield few
    candidates = CandidateSet.whole(plan.texts, scanned.raw, scanned.lookup, folds_passages=scanned.has_passages)
    if plan.hybrid is not None:
        if scanned.match is None:
            raise without_words(index)
        candidates = candidates.with_words(plan.hybrid, WordScores(*map(scanned.match, plan.word_texts)))
    depth = plan.scorer.depth
    if depth is not None and not plan.is_plain and plan.scorer.mode != "flag":
        probes = plan.scorer.probes(TextVectors.of(plan.texts, rows), candidates.ranges)
        near = [*scanned.compare(probes, None), *(() if candidates.raw.words is None else (candidates.raw.words,))]
        while depth < scanned.raw.shape[1]:
            yield replace(candidates, pool=_union([top_k(scores, depth) for scores in near]), is_complete=False)
            depth *= _GROWTH
    yield candidates


def _union(positions: Sequence[Positions]) -> Positions:
    return np.unique(np.concatenate(positions))


def _nearest(index: Index, plan: QueryPlan, rows: Vectors) -> Iterator[CandidateSet]:
    """Yield the engine's own neighbours of the query, with its own scores."""
    for depth in _depths(index, plan, first=plan.k):
        (near,) = index.nearest(rows[:1], depth, where=plan.where)
        raw = RawScores.of(plan.texts, near.scores[None])
        is_complete = len(near.documents) < depth
        yield CandidateSet(raw, raw.ranges(), _reader(near.documents), is_complete=is_complete)


def _pools(index: Index, plan: QueryPlan, rows: Vectors) -> Iterator[CandidateSet]:
    """Yield the neighbours of the score's probes, scored by their own vectors."""
    texts = plan.texts
    estimates = index.score_ranges(rows, where=plan.where)
    ranges = ScoreRanges.of(texts, estimates)
    is_estimate = not all(each.is_exact for each in estimates)
    for scorer, depth in _requests(index, plan, is_estimate=is_estimate):
        probes = scorer.probes(TextVectors.of(texts, rows), ranges)
        sought = _sought(scorer, estimates, len(texts.traps))
        pool = pool_of(index, probes, rows, depth, plan.where, rows[sought])
        if sought and pool.raw.size and hasattr(index, "keep_ends"):
            index.keep_ends(rows[sought], [score_range(pool.raw[at]) for at in sought], plan.where)
        raw = RawScores.of(texts, pool.raw, pool.lengths)._replace(is_part=not pool.is_complete)
        ranges = _joined_ranges(plan, estimates, pool)
        ends = np.array(pool.ends, np.intp)
        has_query = any(np.array_equal(probe, rows[0]) for probe in probes)
        yield CandidateSet(
            raw,
            ranges,
            DocumentReader(pool.lookup),
            plain_depth=None if pool.is_complete else depth if has_query else 0,
            is_complete=pool.is_complete,
            ceiling=scorer.ceiling(raw.at(ends), ranges) if len(pool.ends) == len(probes) else -np.inf,
            folds_passages=pool.has_passages,
        )


def _sought(scorer: Scorer, estimates: Sequence[ScoreRange], traps: int) -> list[int]:
    """Return the traps, among all texts, whose greatest raw scores are to be searched for: once for each."""
    first = len(estimates) - traps
    unknown = [at for at, over in enumerate(estimates) if at >= first and not over.has_ends]
    return unknown if scorer.seeks_traps else []


def _hybrid_pools(index: Index, plan: QueryPlan, rows: Vectors) -> Iterator[CandidateSet]:
    """Yield the neighbours of query and target, and the documents whose words match these best."""
    searching = word_searching(index)
    estimates = index.score_ranges(rows, where=plan.where)
    probes = rows[: 1 if plan.texts.target is None else 2]
    wide = plan.scorer.wide
    for depth in _depths(index, plan, first=max(plan.k, wide.depth or wide.candidates)):
        matching = searching.matching(list(dict.fromkeys(plan.word_texts)), depth, where=plan.where)
        near = index.nearest(probes, depth, where=plan.where, with_vectors=True)
        pool = pool_by_vectors([*near, *matching], rows, depth)
        raw = RawScores.of(plan.texts, pool.raw, pool.lengths)._replace(is_part=not pool.is_complete)
        candidates = CandidateSet(
            raw,
            _joined_ranges(plan, estimates, pool),
            DocumentReader(pool.lookup),
            plain_depth=depth,
            is_complete=pool.is_complete,
        )
        words = WordScores(*(_in_columns(matching[at], pool) for at in (0, -1)))
        yield candidates.with_words(plan.hybrid or Hybrid(), words)


def _joined_ranges(plan: QueryPlan, estimates: Sequence[ScoreRange], pool: Pool) -> ScoreRanges:
    """Return how far raw scores reach: by a sample, and by what was found."""
    if not pool.raw.size:
        return ScoreRanges.of(plan.texts, estimates)
    pairs = zip(estimates, map(score_range, pool.raw), strict=True)
    return ScoreRanges.of(plan.texts, [estimate.joined(over) for estimate, over in pairs])


def _in_columns(matching: Neighbours, pool: Pool) -> Array:
    """Return the scores of a search by words at the columns of its documents, and 0 elsewhere."""
    scores = dict(zip(matching.ids, matching.scores.tolist(), strict=True))
    return np.array([scores.get(document.id, 0.0) for document in pool.lookup(range(pool.raw.shape[1]))])


def _requests(index: Index, plan: QueryPlan, *, is_estimate: bool) -> Iterator[tuple[Scorer, int]]:
    """Yield by which score an engine is asked, and how deep."""
    scorer, wide = plan.scorer, plan.scorer.wide
    if wide is not scorer and not plan.candidates:
        # So many more than results, since of the most relevant some score less than others behind them may.
        yield scorer, next(_depths(index, plan, first=max(_SPARE * plan.k, scorer.candidates)))
    for depth in _depths(index, plan, first=_first_depth(plan, wide, is_estimate=is_estimate)):
        yield wide, depth


def _first_depth(plan: QueryPlan, scorer: Scorer, *, is_estimate: bool) -> int:
    """Return how deep to look first: as deep as is wanted where the order of a probe is that of the score."""
    if scorer.is_linear and len(plan.texts.traps) <= 1:
        return _SPARE * plan.k if is_estimate else plan.k
    return max(plan.k, scorer.depth or scorer.candidates)


def _depths(index: Index, plan: QueryPlan, *, first: int) -> Iterator[int]:
    """Yield how deep to look, deeper each time; the last is as deep as the engine goes, or as is sensible."""
    bound = index.max_neighbours
    last = max(DEEPEST, first, _GROWTH * plan.k)
    last = max(plan.k, last if bound is None else min(bound, last))
    depth = min(first, last)
    while True:
        yield depth
        if not plan.k or depth >= last:
            return
        depth = min(_GROWTH * depth, last)


def _reader(documents: Sequence[Document]) -> DocumentReader:
    return DocumentReader(lambda positions: [documents[position] for position in positions])
