"""Hits by the score contrast, in its three modes.

``soft`` ranks by the score. ``hard`` does too, and leaves out every document whose degree reaches the threshold.
``flag`` ranks as plain retrieval does, and marks those documents.

Where sentences are asked for, the best documents are read once more, sentence by sentence, and put in a new order.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from esens.about.names import Names
from esens.about.own import own_name
from esens.about.sentences import sentences_of
from esens.score.bounded import best_by_bound
from esens.score.candidates import candidates
from esens.score.contrast import Best, Contrast, Extents, Raw, Terms, contrast, with_sentences
from esens.score.normalise import Array, Scores
from esens.score.rank import Positions, ranks_of, top_k
from esens.search.hits import Found, Lookup
from esens.search.scoring import Scoring
from esens.types import Decomposition, Explanation, Hit

Read = Callable[[Sequence[str]], Array]
"""Scores texts: a row for the query, one for the target, a column a text."""


def contrasted(
    weights: Contrast,
    scoring: Scoring,
    decomposition: Decomposition,
    lookup: Lookup,
    raw: Array,
    k: int,
    read: Read,
) -> Found:
    """Return the k best documents, and what the mode "hard" left out, given a row of raw scores a text."""
    judge = _Judge.of(decomposition, weights, lookup, Raw(raw[0], raw[1], raw[2:]))
    nearest = top_k(judge.raw.query, k)
    if scoring.mode == "flag":
        return Found(tuple(judge.marked(nearest, scoring.threshold)))
    limit = scoring.threshold if scoring.mode == "hard" else np.inf
    removed = tuple(hit for hit in judge.marked(nearest, limit) if hit.explanation.is_excluded)
    pool = np.arange(judge.raw.query.size) if scoring.depth is None else judge.pool(scoring.depth)
    ranked = judge.best(pool, max(k, scoring.sentences), limit)
    if scoring.sentences and len(ranked.positions):
        return Found(tuple(judge.reread(ranked.positions, read))[:k], removed)
    return Found(tuple(judge.hits(*ranked))[:k], removed)


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

    def pool(self, depth: int) -> Positions:
        return candidates(self.weights, self.raw, over=self.over, depth=depth)

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

    def reread(self, positions: Positions, read: Read) -> Iterator[Hit]:
        """Yield the documents in a new order: half of their relevance is that of their best sentences."""
        sentences = [sentences_of(document.text) for document in self.lookup(positions.tolist())]
        raw = read([sentence for of_one in sentences for sentence in of_one])
        starts = np.cumsum([0, *map(len, sentences)])[:-1]
        best = Best(*np.maximum.reduceat(raw, starts, axis=1))
        known = self.known(positions)
        known = known._replace(terms=with_sentences(known.terms, best, over=self.over))
        everywhere = np.arange(len(positions))
        hits = list(self._hits(positions, ranks_of(everywhere, known.terms.score), known))
        for place in top_k(known.terms.score, len(positions)):
            nearest = int(raw[1, starts[place] :][: len(sentences[place])].argmax())
            why = replace(hits[place].explanation, sentence=sentences[place][nearest])
            yield replace(hits[place], explanation=why)

    def hits(self, positions: Positions, ranks: Positions) -> Iterator[Hit]:
        """Yield the documents at these positions as hits with these ranks."""
        return self._hits(positions, ranks, self.known(positions))

    def _hits(self, positions: Positions, ranks: Positions, known: _Known) -> Iterator[Hit]:
        terms, names = known
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
