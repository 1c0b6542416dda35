"""Candidates for a query: every document where an index can compare them all, or what an engine finds nearest.

Plain retrieval is the engine's own. With an exclusion, candidates are the neighbours of a few probes. They come in
one request, with their texts and vectors, and are scored exactly. How far raw scores reach is estimated from a
sample that the index keeps, and from the candidates themselves. Where these do not hold enough, deeper sets
follow, up to an end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from esens.arrays.ranges import score_range
from esens.arrays.rank import Positions, top_k
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, unit_rows
from esens.index.base import Index, Neighbours, ScannableIndex, scannable
from esens.score.base import RawScores, ScoreRanges, TextVectors
from esens.score.normalise import Array
from esens.search.candidates import CandidateSet, DocumentReader
from esens.search.plan import QueryPlan
from esens.types import Document

CANDIDATES_PER_PROBE = 60
"""Neighbours of each probe; docs/decisions/0020-one-request.md says what that finds."""
DEEPEST = 3_200
"""Neighbours of each probe beyond which nobody looks, unless more results are wanted."""
_GROWTH = 4
_SPARE = 2
"""How many times more neighbours than results: of a probe that is composed by estimates."""
_UNIT = 1e-4


def retrieve(index: Index, plan: QueryPlan, vectors: Vectors) -> Iterator[CandidateSet]:
    """Yield candidate sets, each deeper than the one before, given the vectors of the plan's texts."""
    rows = unit_rows(vectors, argument="query vectors", dimension=index.dimension)
    comparing = scannable(index)
    if comparing is not None:
        yield from _scan(comparing, plan, rows)
    elif plan.is_plain:
        yield from _nearest(index, plan, rows)
    else:
        yield from _pools(index, plan, rows)


def _scan(index: ScannableIndex, plan: QueryPlan, rows: Vectors) -> Iterator[CandidateSet]:
    raw, lookup, compare = index.scan(rows, where=plan.where)
    candidates, depth = CandidateSet.whole(plan.texts, raw, lookup), plan.scorer.depth
    if depth is not None and not plan.is_plain and plan.scorer.mode != "flag":
        probes = plan.scorer.probes(TextVectors.of(plan.texts, rows), candidates.ranges)
        near = compare(probes)
        while depth < raw.shape[1]:
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
    scorer, texts = plan.scorer, plan.texts
    estimates = index.score_ranges(rows, where=plan.where)
    ranges = ScoreRanges.of(texts, estimates)
    is_estimate = not all(each.is_exact for each in estimates)
    for depth in _depths(index, plan, first=_first_depth(plan, is_estimate=is_estimate)):
        own = scorer.probes(TextVectors.of(texts, rows), ranges)
        # The nearest of a composed vector are not those of its texts, which say how far their raw scores reach.
        probes = np.concatenate([own, rows]) if scorer.is_linear and is_estimate else own
        near = index.nearest(probes, depth, where=plan.where, with_vectors=True)
        column, documents, matrix = _pool(near, rows.shape[1])
        is_complete = all(len(neighbours.documents) < depth for neighbours in near)
        scores = scan(matrix, rows)
        raw = RawScores.of(texts, scores, _lengths(matrix))._replace(is_part=not is_complete)
        if len(documents):
            pairs = zip(estimates, map(score_range, scores), strict=True)
            ranges = ScoreRanges.of(texts, [estimate.joined(over) for estimate, over in pairs])
        ends = [column[neighbours.documents[-1].id] for neighbours in near[: len(own)] if neighbours.documents]
        yield CandidateSet(
            raw,
            ranges,
            _reader(documents),
            plain_depth=depth if any(np.array_equal(probe, rows[0]) for probe in probes) else 0,
            is_complete=is_complete,
            ceiling=scorer.ceiling(raw.at(np.array(ends, np.intp)), ranges) if len(ends) == len(own) else -np.inf,
        )


def _first_depth(plan: QueryPlan, *, is_estimate: bool) -> int:
    """Return how deep to look first: as deep as is wanted where the order of a probe is that of the score."""
    if plan.scorer.is_linear and len(plan.texts.traps) <= 1:
        return _SPARE * plan.k if is_estimate else plan.k
    return max(plan.k, plan.scorer.depth or CANDIDATES_PER_PROBE)


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


def _pool(near: Sequence[Neighbours], dimension: int) -> tuple[dict[str, int], list[Document], Vectors]:
    """Return the documents near to any of the probes, each once: the column of each id, and their vectors."""
    every = [document for neighbours in near for document in neighbours.documents]
    first: dict[str, int] = {}
    for at, document in enumerate(every):
        first.setdefault(document.id, at)
    rows = [neighbours.vectors for neighbours in near if neighbours.vectors is not None]
    matrix = np.concatenate([np.zeros((0, dimension), np.float32), *rows])[list(first.values())]
    column = {id_: number for number, id_ in enumerate(first)}
    return column, [every[at] for at in first.values()], matrix


def _lengths(matrix: Vectors) -> Array | None:
    """Return how long the vectors are, where they are compared by their inner product; None at unit length."""
    lengths = np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))
    is_unit = (np.abs(lengths - 1.0) <= _UNIT) | (lengths == 0.0)
    return None if is_unit.all() else lengths


def _reader(documents: Sequence[Document]) -> DocumentReader:
    return DocumentReader(lambda positions: [documents[position] for position in positions])
