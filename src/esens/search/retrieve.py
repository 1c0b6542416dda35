"""Search over an engine that cannot be asked for the score of every document.

Plain retrieval is the engine's own. By the paper's score with one trap, the best documents are the nearest of one
composed vector, so that is one query. By any other score, candidates come from the engine and are scored exactly:
their vectors come along. Where they do not hold k documents, or may not hold the best, more are asked for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.index.base import Index, Vectors
from esens.index.filters import Filter
from esens.score.compose import compose
from esens.score.contrast import Contrast
from esens.score.linear import DEFAULT_BETA, Weights
from esens.score.normalise import Extent, Scores
from esens.search.hits import linear_scores
from esens.search.judge import Read
from esens.search.plan import Ask
from esens.search.scored import Scored
from esens.types import Document, Results

DEFAULT_DEPTH = 50
"""Neighbours of each vector; benchmarks/results/candidate_depth.md says what that finds."""
_DEEPER = 4


def results_over(
    index: Index, ask: Ask, vectors: Vectors, k: int, read: Read, *, where: Filter | None = None
) -> Results:
    """Return the k best documents for a query, given the vectors of its texts."""
    engine = _Engine(index, unit_rows(vectors, argument="query vectors", dimension=index.dimension), where)
    weights = ask.scoring.weights
    if ask.is_plain:
        return engine.results(ask, k, read, found=engine.plain, depth=k)
    spans = index.score_ranges(engine.vectors, where=where)
    if isinstance(weights, Contrast):
        depth = max(k, ask.scoring.depth or DEFAULT_DEPTH)
        return engine.results(ask, k, read, found=partial(engine.candidates, weights, spans), depth=depth)
    ways = _composed(weights, engine.vectors, spans, has_target=weights.gamma > 0)
    found = partial(engine.pooled, ways, spans, seen=0)
    if len(ways) == 1:  # the composed vector's nearest are the best
        return engine.results(ask, k, read, found=found, depth=k)
    depth, bound = max(k, DEFAULT_DEPTH), partial(_bound, weights)
    return engine.results(ask, k, read, found=found, depth=depth, bound=bound)


@dataclass(frozen=True)
class _Engine:
    index: Index
    vectors: Vectors
    where: Filter | None

    def results(
        self,
        ask: Ask,
        k: int,
        read: Read,
        *,
        found: "Callable[[int], _Found]",
        depth: int,
        bound: "Callable[[_Found], float] | None" = None,
    ) -> Results:
        """Return results over what is found at a depth, or deeper: while they are too few, or may not be the best.

        ``bound`` is what no document that was not found scores more than.
        """
        while True:
            one = found(depth)
            results = ask.results(one.scored, k, read)
            if one.is_all or not k:
                return results
            if len(results) == k and (bound is None or results[-1].score >= bound(one)):
                return results
            depth *= _DEEPER

    def plain(self, depth: int) -> "_Found":
        """Return the engine's own neighbours of the query, with its own scores."""
        (near,) = self.index.nearest(self.vectors[:1], depth, where=self.where)
        return _Found(Scored(_lookup(near.documents), near.scores[None]), len(near.documents) < depth)

    def candidates(self, weights: Contrast, spans: Sequence[ScoreRange], depth: int) -> "_Found":
        """Return the neighbours of the query, of the target, and of both without each trap."""
        composed = _composed(
            Weights(weights.alpha, weights.gamma, DEFAULT_BETA), self.vectors, spans, has_target=True
        )
        return self.pooled(np.concatenate([self.vectors[:2], composed]), spans, depth, seen=depth)

    def pooled(self, ways: Vectors, spans: Sequence[ScoreRange], depth: int, *, seen: int) -> "_Found":
        """Return the neighbours of all these vectors, scored by their own vectors."""
        near = self.index.nearest(ways, depth, where=self.where, with_vectors=True)
        documents: dict[str, tuple[Document, Vectors]] = {}
        for one in near:
            assert one.vectors is not None  # noqa: S101 - they were asked for
            documents |= {
                document.id: (document, row)
                for document, row in zip(one.documents, one.vectors, strict=True)
                if document.id not in documents
            }
        rows = np.array([row for _, row in documents.values()], np.float32).reshape(-1, self.vectors.shape[1])
        lookup = _lookup([document for document, _ in documents.values()])
        scored = Scored(lookup, scan(rows, self.vectors), spans, seen)
        ends = [list(documents).index(one.ids[-1]) for one in near if one.ids]
        return _Found(scored, all(len(one.documents) < depth for one in near), ends)


@dataclass(frozen=True)
class _Found:
    """What an engine found, whether that is all it has, and where the last neighbour of each vector stands."""

    scored: Scored
    is_all: bool
    ends: Sequence[int] = ()


def _bound(weights: Weights, found: _Found) -> float:
    """Return what no document that was not found scores more than by the paper's score.

    The worst trap counts, so the score is at most that with any one trap; and by that one, whatever was not found
    is behind the last that was.
    """
    scored, first_trap = found.scored, 1 + (weights.gamma > 0)
    over = scored.linear_extents(has_target=weights.gamma > 0)
    bounds = []
    for number, end in enumerate(found.ends):
        rows = [*range(first_trap), first_trap + number]
        alone = scored._replace(raw=scored.raw[rows][:, [end]])
        bounds.append(linear_scores(weights, alone, over._replace(traps=(over.traps[number],)))[0])
    return float(min(bounds))


def _composed(weights: Weights, vectors: Vectors, spans: Sequence[ScoreRange], *, has_target: bool) -> Vectors:
    """Return a composed vector for every trap, or one of what is wanted where there are none, at unit length."""
    wanted = 1 + has_target
    nothing = (np.zeros(vectors.shape[1]), Extent(0.0, 0.0))
    parts = [(vector, _extent(span)) for vector, span in zip(vectors, spans, strict=True)]
    target = parts[1] if has_target else nothing
    ways = [compose(weights, query=parts[0], target=target, trap=trap) for trap in parts[wanted:] or [nothing]]
    return unit_rows(_nonzero(np.stack(ways), vectors[0]), argument="composed vector")


def _nonzero(ways: Scores, query: Vectors) -> Scores:
    """Where all documents score alike nothing is left of a composed vector: any will do, and some want one."""
    return np.where(np.any(ways, axis=1, keepdims=True), ways, query)


def _extent(span: ScoreRange) -> Extent:
    return Extent(span.low, span.high)


def _lookup(documents: Sequence[Document]) -> Callable[[Sequence[int]], Sequence[Document]]:
    return lambda positions: [documents[position] for position in positions]
