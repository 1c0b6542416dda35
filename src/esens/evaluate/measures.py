"""Measures: a value for each query and measure, computed from the ranks of its judged documents alone.

With one answer and one excluded document, as in the paper, Recall@k and Violation@k say whether each is in the top
k. With several, Recall@k is the share of the answers there, and Violation@k whether any excluded document is
(Success@k with the excluded documents as judgements). A query without answers has no recall and one without
excluded documents no violation: it is left out of that mean, as evaluation tools leave out unjudged queries.

Where queries have many of both, the first k places of the list are what a person sees, and their shares are the
measures: what part of them is excluded, what part is wanted, which wanted ones of plain retrieval are gone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Gold

KS = (1, 3, 5, 7, 9, 10)
AVERAGED_KS = (3, 5, 7, 9)
DEPTH = 10
PLACE_KS = (5, 10)
NOT_RANKED = int(np.iinfo(np.int32).max)
"""The rank of a document that a ranking does not hold: below everything, and level with all others like it."""

AVG_RECALL, AVG_VIOLATION = "avg_recall", "avg_violation"
RR, DELTA_R1, PAIRWISE = "rr", "delta_r@1", "pairwise"
MRR, NDCG, FIRST_VIOLATION = f"mrr@{DEPTH}", f"ndcg@{DEPTH}", "first_violation"
EXCLUDED, WANTED, LOST = "excluded@", "wanted@", "lost@"
EXCLUDED_FIRST, DENIED_KEPT = f"{EXCLUDED}1", "denied_kept"

Values = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Measures:
    """The judgements of a dataset as arrays, and the measures over them.

    Every method below takes ranks, a row for each judged document and a column for each ranking (a beta or a
    method), and returns a row for each query, NaN where the measure is not defined for it.
    """

    gold: Gold
    queries: int
    pairs: tuple[str, ...] = ()
    denied: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))
    """Which of the judged documents say that they lack what is excluded; empty where none does."""
    place_ks: tuple[int, ...] = PLACE_KS
    """How many first places are looked at, where queries have several documents of both kinds."""

    @classmethod
    def of(cls, dataset: Dataset, place_ks: tuple[int, ...] = PLACE_KS) -> "Measures":
        """Take the judgements of a dataset."""
        pairs = tuple(query.pair for query in dataset.queries)
        return cls(dataset.gold, len(dataset.queries), pairs, dataset.denied, place_ks)

    def all(self, ranks: Ranks, plain: Ranks | None = None) -> dict[str, Values]:
        """Return every measure that these judgements allow, by name; some compare with the ranks of ``plain``."""
        if not len(self.gold.query):
            raise ArgumentError("dataset", "no query has a judged document, so there is nothing to measure")
        table = np.asarray(ranks).reshape(len(self.gold.query), -1)
        recalls = {k: self.recall(table, k) for k in KS}
        violations = {k: self.violation(table, k) for k in KS}
        measures = {f"recall@{k}": values for k, values in recalls.items()}
        measures |= {f"violation@{k}": values for k, values in violations.items()}
        measures[AVG_RECALL] = np.mean([recalls[k] for k in AVERAGED_KS], axis=0)
        measures[AVG_VIOLATION] = np.mean([violations[k] for k in AVERAGED_KS], axis=0)
        measures[RR] = self.right_rank(table)
        measures[DELTA_R1] = recalls[1] - violations[1]
        measures[MRR], measures[NDCG] = self.mrr(table), self.ndcg(table)
        measures[FIRST_VIOLATION] = self.first_violation(table)
        if self.gold.judges_sets:
            measures |= self._places(table, plain)
        if any(self.pairs):
            measures = {name: self._by_pair(values).mean(axis=1) for name, values in measures.items()}
            measures[PAIRWISE] = (self._by_pair(self.right_rank(table)) == 1).all(axis=1).astype(float)
        return {
            name: values[~np.isnan(values).any(axis=1)] for name, values in measures.items() if _applies(values)
        }

    def recall(self, ranks: Ranks, k: int) -> Values:
        """Return the share of a query's answers in the top k."""
        return self._reduced(np.add, ranks <= k, self._is_answer) / self._answers[:, None]

    def violation(self, ranks: Ranks, k: int) -> Values:
        """Return whether an excluded document is in the top k."""
        return self._reduced(np.maximum, ranks <= k, ~self._is_answer)

    def right_rank(self, ranks: Ranks) -> Values:
        """Return whether the best answer stands above all that is excluded; equal scores are no decision."""
        answer, excluded = self.first_answer(ranks), self.first_violation(ranks)
        undefined = np.isnan(answer) | np.isnan(excluded)
        return np.where(undefined, np.nan, (answer < excluded) & (answer != NOT_RANKED))

    def mrr(self, ranks: Ranks) -> Values:
        """Return 1 / the rank of the best answer, 0 below the top ten."""
        first = self.first_answer(ranks)
        return np.where(first > DEPTH, 0.0, 1 / first)

    def ndcg(self, ranks: Ranks) -> Values:
        """Return nDCG@10: gains are grades, discounted by log2(rank + 1) (Järvelin and Kekäläinen 2002).

        Answers that tie share a rank, and could gain more together than the best order there is; they do not.
        """
        gains = np.where(ranks <= DEPTH, self.gold.grade[:, None] / np.log2(1.0 + ranks), 0.0)
        return np.minimum(self._reduced(np.add, gains, self._is_answer) / self._ideal[:, None], 1.0)

    def first_answer(self, ranks: Ranks) -> Values:
        """Return the rank of the best answer."""
        return self._reduced(np.minimum, ranks, self._is_answer)

    def first_violation(self, ranks: Ranks) -> Values:
        """Return the rank of the first excluded document, infinite if the ranking holds none."""
        first = self._reduced(np.minimum, ranks, ~self._is_answer)
        return np.where(first == NOT_RANKED, np.inf, first)

    def excluded_places(self, ranks: Ranks, k: int) -> Values:
        """Return the share of the first k places that excluded documents take."""
        return self._reduced(np.add, ranks <= k, ~self._is_answer) / k

    def wanted_places(self, ranks: Ranks, k: int) -> Values:
        """Return the share of the first k places that wanted documents take."""
        return self._reduced(np.add, ranks <= k, self._is_answer) / k

    def lost(self, ranks: Ranks, plain: Ranks, k: int) -> Values:
        """Return the share of the wanted documents in plain retrieval's first k places that are there no more.

        A query for which plain retrieval has none there can lose none, and is left out.
        """
        shown = self._is_answer & (plain <= k)
        return self._reduced(np.add, ranks > k, shown) / self._count(shown)[:, None]

    def denied_kept(self, ranks: Ranks, plain: Ranks) -> Values:
        """Return the share of the documents that deny the thing that are not below their plain place."""
        return self._reduced(np.add, ranks <= plain[:, None], self.denied) / self._count(self.denied)[:, None]

    def _places(self, ranks: Ranks, plain: Ranks | None) -> dict[str, Values]:
        places = {f"{EXCLUDED}{k}": self.excluded_places(ranks, k) for k in (1, *self.place_ks)}
        places |= {f"{WANTED}{k}": self.wanted_places(ranks, k) for k in self.place_ks}
        if plain is not None:
            places |= {f"{LOST}{k}": self.lost(ranks, plain, k) for k in self.place_ks}
            places |= {DENIED_KEPT: self.denied_kept(ranks, plain)} if self.denied.any() else {}
        return places

    @property
    def _is_answer(self) -> Mask:
        return self.gold.grade > 0

    @property
    def _answers(self) -> Values:
        return self._count(self._is_answer)

    def _count(self, selected: Mask) -> Values:
        """Return how many of the selected rows each query has."""
        return np.bincount(self.gold.query[selected], minlength=self.queries).astype(float)

    @property
    def _ideal(self) -> Values:
        """The discounted gain of the best order there is."""
        best = np.lexsort((-self.gold.grade, self.gold.query))
        place = np.arange(len(best)) - np.searchsorted(self.gold.query, self.gold.query[best])
        gains = np.where(place < DEPTH, self.gold.grade[best] / np.log2(2.0 + place), 0.0)
        return np.bincount(self.gold.query[best], weights=gains, minlength=self.queries).astype(float)

    def _reduced(self, how: np.ufunc, values: npt.NDArray[np.generic], selected: Mask) -> Values:
        """Reduce the selected rows of each query to one; NaN for queries that have none."""
        reduced = np.full((self.queries, values.shape[1]), np.nan)
        owners, starts = np.unique(self.gold.query[selected], return_index=True)
        if len(owners):
            reduced[owners] = how.reduceat(values[selected].astype(float), starts, axis=0)
        return reduced

    def _by_pair(self, values: Values) -> Values:
        """Return the values of the queries of each pair beside each other: pairs × queries × columns."""
        order = np.argsort(self.pairs, kind="stable")
        return values[order].reshape(-1, 2, values.shape[1])


def ks_of_places(measures: Iterable[str]) -> list[int]:
    """Return how many first places were looked at, for each of the measures' k; none where they were not.

    >>> ks_of_places(["wanted@10", "wanted@5", "excluded@1", "rr"])
    [5, 10]
    """
    return sorted({int(name.removeprefix(WANTED)) for name in measures if name.startswith(WANTED)})


def _applies(values: Values) -> bool:
    return not np.isnan(values).any(axis=1).all()
