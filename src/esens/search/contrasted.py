"""Hits by the score contrast, in its three modes.

``soft`` ranks by the score. ``hard`` does too, and leaves out every document whose degree reaches the threshold.
``flag`` ranks as plain retrieval does, and marks those documents.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from esens.about.names import Names
from esens.about.own import own_name
from esens.score.bounded import best_by_bound
from esens.score.candidates import candidates
from esens.score.contrast import Contrast, Extents, Raw, Terms, contrast
from esens.score.normalise import Array, Scores
from esens.score.rank import Positions, ranks_of, top_k
from esens.search.hits import Found, Lookup
from esens.search.scoring import Scoring
from esens.types import Decomposition, Explanation, Hit

_DEEPER = 4


def contrasted(
    weights: Contrast, scoring: Scoring, decomposition: Decomposition, lookup: Lookup, raw: Array, k: int
) -> Found:
    """Return the k best documents, and what the mode "hard" left out, given a row of raw scores a text."""
    judge = _Judge.of(decomposition, weights, lookup, Raw(raw[0], raw[1], raw[2:]))
    nearest = top_k(judge.raw.query, k)
    if scoring.mode == "flag":
        return Found(tuple(judge.marked(nearest, scoring.threshold)))
    limit = scoring.threshold if scoring.mode == "hard" else np.inf
    removed = tuple(hit for hit in judge.marked(nearest, limit) if hit.explanation.is_excluded)
    return Found(tuple(judge.hits(*judge.found(scoring.depth, k, limit))), removed)


class _Known(NamedTuple):
    """All that is known of some documents, names included."""

    terms: Terms
    names: Scores


@dataclass(frozen=True)
class _Judge:
    """What says of any document how relevant it is, and how far it is about what is excluded."""

    traps: Sequence[str]
    weights: Contrast
    lookup: Lookup
    raw: Raw
    over: Extents
    shares: Callable[[Sequence[int]], Scores]

    @classmethod
    def of(cls, decomposition: Decomposition, weights: Contrast, lookup: Lookup, raw: Raw) -> "_Judge":
        things = [own_name(trap, decomposition.target) for trap in decomposition.traps]
        names = Names(lookup)
        return cls(
            decomposition.traps,
            weights,
            lookup,
            raw,
            raw.extents(),
            lambda positions: names.shares(things, positions),
        )

    def found(self, depth: int | None, k: int, limit: float) -> "_Ranked":
        """Return the k best of the documents within a depth, or of more where those do not make k."""
        size = self.raw.query.size
        while depth is not None and depth < size:
            pool = candidates(self.weights, self.raw, over=self.over, depth=depth)
            best = self.best(pool, k, limit)
            if len(best.positions) == k:
                return best
            depth *= _DEEPER
        return self.best(np.arange(size), k, limit)

    def known(self, positions: Positions) -> _Known:
        names = self.shares(positions.tolist())
        return _Known(contrast(self.weights, self.raw.at(positions), over=self.over, names=names), names)

    def best(self, pool: Positions, k: int, limit: float) -> "_Ranked":
        """Return the k best of some documents, without those whose degree reaches the limit."""

        def exact(inside: Positions) -> Scores:
            terms = self.known(pool[inside]).terms
            return np.where(terms.degree >= limit, -np.inf, terms.score)

        # Without names a document pays at most as much, so these are upper bounds.
        upper = contrast(self.weights, self.raw.at(pool), over=self.over).score
        inside, scores = best_by_bound(upper, exact, k)
        kept = np.flatnonzero(np.isfinite(scores))
        best = kept[top_k(scores[kept], k)]
        return _Ranked(pool[inside[best]], ranks_of(best, scores))

    def hits(self, positions: Positions, ranks: Positions) -> Iterator[Hit]:
        """Yield the documents at these positions as hits with these ranks."""
        terms, names = self.known(positions)
        raw, before = self.raw.at(positions), ranks_of(positions, self.raw.query)
        for i, document in enumerate(self.lookup(positions.tolist())):
            relevance, degree, trap = float(terms.relevance[i]), float(terms.degree[i]), int(terms.trap[i])
            why = Explanation(
                relevance=relevance,
                exclusion=relevance * degree,
                rank_before=int(before[i]),
                rank_after=int(ranks[i]),
                query_similarity=float(raw.query[i]),
                trap=self.traps[trap],
                trap_similarity=float(raw.traps[trap, i]),
                target_similarity=float(raw.target[i]),
                degree=degree,
                named=float(names[trap, i]),
            )
            yield Hit(document, float(terms.score[i]), why)

    def marked(self, nearest: Positions, limit: float) -> Iterator[Hit]:
        """Yield the documents that are nearest to the query, as plain retrieval ranks and scores them, marked."""
        for hit in self.hits(nearest, ranks_of(nearest, self.raw.query)):
            why, cosine = hit.explanation, hit.explanation.query_similarity
            excluded = why.degree is not None and why.degree >= limit
            yield replace(
                hit,
                score=cosine,
                explanation=replace(why, relevance=cosine, exclusion=0.0, is_excluded=excluded),
            )


class _Ranked(NamedTuple):
    """Positions, best first, and their ranks."""

    positions: Positions
    ranks: Positions
