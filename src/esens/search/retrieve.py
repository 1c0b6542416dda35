"""Candidates for a query: every document where an index can compare them all, or what an engine finds nearest.

Plain retrieval is the engine's own. By a linear score with one trap, the best documents are the nearest of one
composed vector. By any other, candidates are the neighbours of a few probes, and are scored exactly: their vectors
come along. Where they do not hold enough, deeper sets follow, up to an end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from esens.arrays.rank import Positions, top_k
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, unit_rows
from esens.index.base import Index, Neighbours, ScannableIndex, scannable
from esens.score.base import RawScores, ScoreRanges, TextVectors
from esens.score.normalise import Array
from esens.search.candidates import CandidateSet, DocumentReader
from esens.search.plan import QueryPlan
from esens.types import Document

CANDIDATES_PER_PROBE = 50
"""Neighbours of each probe; benchmarks/results/candidate_depth.md says what that finds."""
DEEPEST = 3_200
"""Neighbours of each probe beyond which nobody looks, unless more results are wanted."""
_GROWTH = 4
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
    ranges = ScoreRanges.of(texts, index.score_ranges(rows, where=plan.where))
    probes = scorer.probes(TextVectors.of(texts, rows), ranges)
    is_exact = scorer.is_linear and len(probes) == 1
    first = plan.k if is_exact else max(plan.k, scorer.depth or CANDIDATES_PER_PROBE)
    holds_plain = np.array_equal(probes[0], rows[0])
    for depth in _depths(index, plan, first=first):
        near = index.nearest(probes, depth, where=plan.where, with_vectors=True)
        documents, matrix = _pool(near, rows.shape[1])
        raw = RawScores.of(texts, scan(matrix, rows), _lengths(matrix))
        column = {document.id: number for number, document in enumerate(documents)}
        ends = np.array([column[neighbours.ids[-1]] for neighbours in near if neighbours.ids], np.intp)
        yield CandidateSet(
            raw,
            ranges,
            _reader(documents),
            plain_depth=depth if holds_plain else 0,
            is_complete=all(len(neighbours.documents) < depth for neighbours in near),
            ceiling=scorer.ceiling(raw.at(ends), ranges) if len(ends) == len(probes) else -np.inf,
        )


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


def _pool(near: Sequence[Neighbours], dimension: int) -> tuple[list[Document], Vectors]:
    """Return the documents near to any of the probes, each once, and their vectors."""
    pool: dict[str, tuple[Document, Vectors]] = {}
    for neighbours in near:
        assert neighbours.vectors is not None  # noqa: S101 - they were asked for
        for document, row in zip(neighbours.documents, neighbours.vectors, strict=True):
            pool.setdefault(document.id, (document, row))
    matrix = np.array([row for _, row in pool.values()], np.float32).reshape(-1, dimension)
    return [document for document, _ in pool.values()], matrix


def _lengths(matrix: Vectors) -> Array | None:
    """Return how long the vectors are, where they are compared by their inner product; None at unit length."""
    lengths = np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))
    is_unit = (np.abs(lengths - 1.0) <= _UNIT) | (lengths == 0.0)
    return None if is_unit.all() else lengths


def _reader(documents: Sequence[Document]) -> DocumentReader:
    return DocumentReader(lambda positions: [documents[position] for position in positions])
