"""What says of any document how relevant it is, and how far it is about what is excluded."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, ranks_of, top_k
from esens.evidence.lead_match import Lookup, Names, Words
from esens.evidence.mentions import without_mentions
from esens.evidence.trap_terms import own_name
from esens.score.bounded import best_by_bound
from esens.score.candidates import candidates
from esens.score.contrast import Best, Contrast, Extents, Raw, Terms, contrast, nearness, with_sentences
from esens.score.normalise import Array, Scores
from esens.search.scored import Scored
from esens.text.sentences import sentences_of
from esens.types import Decomposition, Explanation, Hit

_DEEPER = 4
_READ = 40  # sentences of one document: a bound on what a long one costs

Read = Callable[[Sequence[str]], Array]
"""Scores any texts as documents are scored: a row for the query, the target and each trap, a column a text."""


class Known(NamedTuple):
    """All that is known of some documents, names included."""

    terms: Terms
    names: Scores


class Ranked(NamedTuple):
    """Positions, best first, and their ranks."""

    positions: Positions
    ranks: Positions


@dataclass(frozen=True)
class Judge:
    """The raw scores of one query's texts, the names of what it excludes, and the documents."""

    traps: Sequence[str]
    things: Sequence[Words]
    weights: Contrast
    scored: Scored
    raw: Raw
    over: Extents
    names: Names
    spared: frozenset[tuple[int, int]] = frozenset()
    """Traps and positions of documents that are taken without their mentions."""

    @classmethod
    def of(cls, decomposition: Decomposition, weights: Contrast, scored: Scored) -> "Judge":
        """Take a query, and the raw scores of its texts."""
        things = [own_name(trap, decomposition.target) for trap in decomposition.traps]
        raw, over = Raw(scored.raw[0], scored.raw[1], scored.raw[2:]), scored.contrast_extents()
        return cls(decomposition.traps, things, weights, scored, raw, over, Names(scored.lookup))

    @property
    def lookup(self) -> Lookup:
        """What gives the documents at some positions."""
        return self.scored.lookup

    def sparing_mentions(self, read: Read, depth: int) -> "Judge":
        """Return a judge that takes the most relevant documents without their mentions of what is excluded.

        A document that is not named for a trap and mentions it in passing is as near to it as the rest of its
        text. Only those are read again that would pay, which are few.
        """
        near = top_k(self.everywhere.relevance, depth)
        passages = list(self._with_mentions(near[self.everywhere.degree[near] > 0]))
        if not passages:
            return self
        traps, texts = self.raw.traps.copy(), [text for _, _, text in passages]
        for column, (trap, position, _) in zip(read(texts).T, passages, strict=True):
            traps[trap, position] = min(traps[trap, position], column[2 + trap])
        spared = frozenset((trap, position) for trap, position, _ in passages)
        return replace(self, raw=self.raw._replace(traps=traps), spared=spared)

    def _with_mentions(self, positions: Positions) -> Iterator[tuple[int, int, str]]:
        """Yield trap, position and the text without mentions, of documents that would pay without being named."""
        places = positions.tolist()
        names = self.names.shares(self.things, places)
        for i, document in enumerate(self.lookup(places)):
            for trap, thing in enumerate(self.things):
                text = without_mentions(document, thing) if names[trap, i] == 0 else None
                if text is not None:
                    yield trap, places[i], text

    @cached_property
    def everywhere(self) -> Terms:
        """The terms of all documents without names: relevance as it is, and what each pays at least."""
        return contrast(self.weights, self.raw, over=self.over)

    def known(self, positions: Positions) -> Known:
        """Return what is known of the documents at these positions."""
        names = self.names.shares(self.things, positions.tolist())
        return Known(contrast(self.weights, self.raw.at(positions), over=self.over, names=names), names)

    def found(self, depth: int | None, k: int, limit: float) -> Ranked:
        """Return the k best of the documents within a depth, or of more where those do not make k."""
        size = self.raw.query.size
        while depth is not None and depth < size:
            best = self._best(candidates(self.weights, self.raw, over=self.over, depth=depth), k, limit)
            if len(best.positions) == k:
                return best
            depth *= _DEEPER
        return self._best(None, k, limit)

    def _best(self, pool: Positions | None, k: int, limit: float) -> Ranked:
        """Return the k best of some documents, or of all, without those whose degree reaches the limit."""

        def at(inside: Positions) -> Positions:
            return inside if pool is None else pool[inside]

        def exact(inside: Positions) -> Scores:
            terms = self.known(at(inside)).terms
            return np.where(terms.degree >= limit, -np.inf, terms.score)

        # Without names a document pays at most as much, so these are upper bounds.
        upper = self.everywhere.score if pool is None else self.everywhere.score[pool]
        inside, scores = best_by_bound(upper, exact, k)
        kept = np.flatnonzero(np.isfinite(scores))
        best = kept[top_k(scores[kept], k)]
        return Ranked(at(inside[best]), ranks_of(best, scores))

    def hits(self, ranked: Ranked) -> Iterator[Hit]:
        """Yield the documents as hits, explained."""
        return self._hits(ranked, self.known(ranked.positions))

    def marked(self, nearest: Positions, limit: float) -> Iterator[Hit]:
        """Yield the documents that are nearest to the query, as plain retrieval ranks and scores them, marked."""
        for hit in self.hits(Ranked(nearest, ranks_of(nearest, self.raw.query))):
            why, cosine = hit.explanation, hit.explanation.query_similarity
            is_excluded = why.degree is not None and why.degree >= limit
            why = replace(why, relevance=cosine, exclusion=0.0, is_excluded=is_excluded)
            yield replace(hit, score=cosine, explanation=why)

    def reread(self, positions: Positions, read: Read) -> Iterator[Hit]:
        """Yield the documents in a new order: half of their relevance is that of their best sentences."""
        if not len(positions):
            return
        sentences = [sentences_of(document.text)[:_READ] for document in self.lookup(positions.tolist())]
        raw = read([sentence for of_one in sentences for sentence in of_one])
        starts = np.cumsum([0, *map(len, sentences)])[:-1]
        best = Best(*np.maximum.reduceat(raw[:2], starts, axis=1))
        known = self.known(positions)
        known = known._replace(terms=with_sentences(self.weights, known.terms, best, over=self.over))
        ranks = ranks_of(np.arange(len(positions)), known.terms.score)
        hits = list(self._hits(Ranked(positions, ranks), known))
        for place in top_k(known.terms.score, len(positions)):
            nearest = int(raw[1, starts[place] :][: len(sentences[place])].argmax())
            why = replace(hits[place].explanation, sentence=sentences[place][nearest])
            yield replace(hits[place], explanation=why)

    def _hits(self, ranked: Ranked, known: Known) -> Iterator[Hit]:
        terms, names = known
        scores, traps = terms.score, terms.trap
        raw, before = self.raw.at(ranked.positions), self.scored.ranks_before(ranked.positions)
        sides = nearness(raw, over=self.over)
        for i, document in enumerate(self.lookup(ranked.positions.tolist())):
            relevance, degree, trap = float(terms.relevance[i]), float(terms.degree[i]), int(traps[i])
            why = Explanation(
                relevance=relevance,
                exclusion=relevance * degree,
                rank_before=before[i],
                rank_after=int(ranked.ranks[i]),
                query_similarity=float(raw.query[i]),
                trap=self.traps[trap],
                trap_similarity=float(raw.traps[trap, i]),
                target_similarity=float(raw.target[i]),
                target_nearness=float(sides.target[i]),
                trap_nearness=float(sides.traps[trap, i]),
                degree=degree,
                named=float(names[trap, i]),
                is_spared=(trap, int(ranked.positions[i])) in self.spared,
            )
            yield Hit(document, float(scores[i]), why)
