"""The first results of a search, by the search's own code: what is measured is what is shipped.

From its plan on, a query goes the way of ``Searcher.search``. Only what all methods share is not computed again:
the vectors of its texts, and their raw scores over the corpus. A search reads the documents that can be among its
first results, and only those; behind them, documents keep the order that an evaluation gives them by itself. Where
documents that deny what is excluded stand deeper, the search goes as deep as they stand in plain retrieval.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import places_of, ranks
from esens.evaluate.dataset import Dataset
from esens.evaluate.methods.base import HasStage, SplitScores
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.index.words import WordIndex
from esens.score.base import Scorer
from esens.score.hybrid import Hybrid, fuse_plainly
from esens.score.normalise import Array, min_max
from esens.search.candidates import CandidateSet, WordScores
from esens.search.evidence import TextScorer
from esens.search.pipeline import run
from esens.search.plan import compared_traps, plan_query
from esens.search.second_stage import NO_STAGE
from esens.types import Decomposition, Document, Hit, Results

DEPTH = 100
"""How many results a search is asked for: more than anybody reads."""

TextScorers = Callable[[npt.NDArray[np.float32]], TextScorer]
"""Makes, of the vectors of a query's texts, what compares other texts with them."""


@dataclass(frozen=True)
class ShippedSearch:
    """Searches a corpus that is split and embedded."""

    dataset: Dataset
    decompositions: Sequence[Decomposition]
    vectors: QueryVectors
    text_scorers: TextScorers

    def scores(
        self,
        number: int,
        scorer: Scorer,
        raw: SplitScores,
        distinct: Array,
        behind: Callable[[], Array],
        staged: HasStage | None = None,
        hybrid: Hybrid | None = None,
    ) -> Array:
        """Return numbers that rank the documents for a query as a search does, and the rest as ``behind`` does.

        What the mode "hard" leaves out is not ranked, −∞.
        """
        hard = scorer.mode == "hard"
        scores = np.full(len(self.dataset.corpus), -np.inf) if hard else behind()
        for k in sorted(self._depths(number, raw, staged), reverse=True):
            results = self._results(number, scorer, raw, distinct, k, staged, hybrid)
            scores = self._merged(results, scores)
        if staged is not None and results.note:
            staged.notes.append(results.note)
        return scores

    def _depths(self, number: int, raw: SplitScores, staged: HasStage | None) -> set[int]:
        """Return how many results are asked for; once where models are asked, and as many as they score."""
        if staged is not None and staged.stage.relevance is not None:
            return {staged.stage.rescore}
        depths = {DEPTH, self._deepest_denied(number, raw)}
        return depths if staged is None else {max(depths)}

    def _deepest_denied(self, number: int, raw: SplitScores) -> int:
        """Return the last plain place of a document that denies the thing: deeper, it can only have fallen."""
        positions = np.array([self._position[id_] for id_ in self.dataset.queries[number].denied], np.intp)
        return int(places_of(positions, raw.query).max(initial=DEPTH))

    def _merged(self, results: Sequence[Hit], behind: Array) -> Array:
        """Return the ranks of results, and behind them those of the rest, as numbers below 0."""
        merged = np.where(np.isneginf(behind), -np.inf, -(len(results) + ranks(behind).astype(np.float64)))
        last = behind[self._position[results[-1].id]] if results else -np.inf
        if np.isfinite(last):  # others may tie with the last result
            merged[behind == last] = -results[-1].rank
        merged[[self._position[hit.id] for hit in results]] = [-hit.rank for hit in results]
        return merged

    def _results(
        self,
        number: int,
        scorer: Scorer,
        raw: SplitScores,
        distinct: Array,
        k: int,
        staged: HasStage | None = None,
        hybrid: Hybrid | None = None,
    ) -> Results:
        split, places = self.decompositions[number], self.vectors.traps_of(number)
        plan = plan_query(self.dataset.texts[number], split, scorer, k=k, hybrid=hybrid)
        texts = [
            *compared_traps(split),
            *split.traps,
            split.target,
            self.dataset.texts[number],
        ]
        row = {text: at for at, text in enumerate(texts)}
        chosen = [row[text] for text in plan.texts.flat()]
        scores = np.concatenate([distinct, raw.traps, raw.target[None], raw.query[None]])
        vectors = np.concatenate(
            [
                self.vectors.distinct[places],
                self.vectors.traps[places],
                self.vectors.target[[number]],
                self.vectors.query[[number]],
            ]
        )
        candidates = CandidateSet.whole(plan.texts, scores[chosen], self._documents, folds_passages=False)
        if hybrid is not None:
            words = WordScores(*map(self._word_index.scores, plan.word_texts))
            candidates = candidates.with_words(hybrid, words)
        stage = NO_STAGE if staged is None else staged.stage
        return run(plan, [candidates], self.text_scorers(vectors[chosen]), stage)

    def plain_hybrid(self, number: int, hybrid: Hybrid, query: Array) -> Array:
        """Return what a hybrid search ranks all documents by for a query that excludes nothing."""
        return fuse_plainly(hybrid, min_max(query), self._word_index.scores(self.dataset.texts[number]))

    def word_relevance(self, number: int, hybrid: Hybrid) -> Array:
        """Return how well the words of all documents match what a query wants."""
        return hybrid.word_relevance(self._word_index.scores(self.decompositions[number].target))

    @cached_property
    def _word_index(self) -> WordIndex:
        return WordIndex([document.content for document in self.dataset.corpus])

    def _documents(self, positions: Sequence[int]) -> list[Document]:
        return [self.dataset.corpus[position] for position in positions]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {document.id: position for position, document in enumerate(self.dataset.corpus)}
