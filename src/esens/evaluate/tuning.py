"""Beta chosen on one part of the queries under a stated rule, and reported on the rest."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.evaluate.dataset import Gold
from esens.evaluate.experiment import Experiment
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, FIRST_VIOLATION, Measures, Values
from esens.evaluate.methods.contrast import CONTRAST_GRID
from esens.evaluate.ranks.frontier import GRID
from esens.evaluate.ranks.rank_cache import Ranks
from esens.evaluate.results import Setup
from esens.evaluate.statistics import Comparison, Interval, compare, intervals_of, resampled
from esens.score.base import Scorer
from esens.search.options import parameters_of, scorer_of

DEFAULT_LOSS = 0.005
DEFAULT_PART = 0.5
SEED = 0


@dataclass(frozen=True, slots=True)
class Tuned:
    """The beta that the rule chose, how sure that choice is, and what it does to queries that chose nothing."""

    setup: Setup
    score: str
    alpha: float
    gamma: float
    beta: float
    loss: float
    chosen_on: int
    likely: tuple[float, float]
    """Where the choice falls for 95 % of resampled validation parts."""
    reported_on: int
    before: dict[str, Interval]
    after: dict[str, Interval]
    change: dict[str, Comparison]

    @property
    def rule(self) -> str:
        """The rule in words."""
        return f"least Avg. V with at most {100 * self.loss:g} points of Avg. R lost"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            **asdict(self),
            "rule": self.rule,
            "before": {name: list(interval) for name, interval in self.before.items()},
            "after": {name: list(interval) for name, interval in self.after.items()},
            "change": {
                name: {"difference": list(comparison.difference), "p": comparison.p}
                for name, comparison in self.change.items()
            },
        }


def tune(
    experiment: Experiment,
    *,
    scorer: Scorer | str | None = None,
    loss: float = DEFAULT_LOSS,
    part: float = DEFAULT_PART,
    seed: int = SEED,
    betas: npt.NDArray[np.floating] | None = None,
) -> Tuned:
    """Choose beta on a part of the queries, drawn by the seed; measure it on the others.

    ``scorer`` is what a search takes as its score, and by default what a search has by default.

    The rule looks at Avg. R and Avg. V of the part alone: of the betas that lose at most ``loss`` of the recall at
    beta 0, the one with the least violation, and of equals the smallest.
    """
    chosen_scorer = scorer_of(scorer)
    if betas is None:
        betas = GRID if chosen_scorer.is_linear else CONTRAST_GRID
    if not np.any(betas == 0):
        raise ArgumentError("betas", "the grid must hold 0, which recall is compared with")
    if not (np.isfinite(loss) and loss >= 0):
        raise ArgumentError("loss", f"must be a finite number of at least 0, got {loss}")
    both = _queries_with_both(experiment)
    chosen, rest = _parts(int(both.sum()), part, seed)  # before anything is ranked, which takes long
    values = _values_of(experiment, experiment.sweep(chosen_scorer, betas), both)
    start = int(np.flatnonzero(betas == 0)[0])
    recall, violation = values[AVG_RECALL][chosen], values[AVG_VIOLATION][chosen]
    best = _choose(recall.mean(axis=0)[None], violation.mean(axis=0)[None], start, loss)[0]
    again = _choose(resampled(recall), resampled(violation), start, loss)
    low, high = np.percentile(betas[again], (2.5, 97.5), method="nearest")
    before, after = _at(values, rest, start), _at(values, rest, best)
    parameters = parameters_of(chosen_scorer)
    return Tuned(
        setup=experiment.setup,
        score=chosen_scorer.name,
        alpha=float(parameters["alpha"]),
        gamma=float(parameters["gamma"]),
        beta=float(betas[best]),
        loss=loss,
        chosen_on=len(chosen),
        likely=(float(low), float(high)),
        reported_on=len(rest),
        before={name: interval.at(0) for name, interval in intervals_of(before).items()},
        after={name: interval.at(0) for name, interval in intervals_of(after).items()},
        change=dict(zip(after, compare(_beside(after), _beside(before)), strict=True)),
    )


def _queries_with_both(experiment: Experiment) -> npt.NDArray[np.bool_]:
    """Return which queries have an answer and an excluded document; only they trade."""
    both = np.array([bool(query.relevant and query.excluded) for query in experiment.dataset.queries])
    if not both.any():
        raise ArgumentError("dataset", "no query has both an answer and an excluded document to tune beta on")
    return both


def _values_of(experiment: Experiment, ranks: Ranks, both: npt.NDArray[np.bool_]) -> dict[str, Values]:
    """Return the measures of some queries, given the ranks of all."""
    gold, queries = experiment.dataset.gold, experiment.dataset.queries
    judged_rows = both[gold.query]
    renumbered = (np.cumsum(both) - 1)[gold.query[judged_rows]]
    pairs = tuple(query.pair for query, has_both in zip(queries, both, strict=True) if has_both)
    measures = Measures(
        Gold(renumbered, gold.position[judged_rows], gold.grade[judged_rows]), int(both.sum()), pairs
    )
    values = measures.all(ranks[judged_rows])
    return {name: table for name, table in values.items() if name != FIRST_VIOLATION}


def _choose(recall: Values, violation: Values, start: int, loss: float) -> npt.NDArray[np.intp]:
    """Return which beta the rule picks, for each row of means."""
    allowed = recall >= recall[:, start : start + 1] - loss - 1e-12
    return np.asarray(np.where(allowed, violation, np.inf).argmin(axis=1))


def _parts(queries: int, part: float, seed: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    size = round(part * queries) if np.isfinite(part) else 0
    if seed < 0:
        raise ArgumentError("seed", f"must be at least 0, got {seed}")
    if not 0 < size < queries:
        raise ArgumentError("part", f"{part:g} of {queries} queries leaves one side empty; give a share between")
    order = np.random.default_rng(seed).permutation(queries)
    return np.sort(order[:size]), np.sort(order[size:])


def _beside(values: dict[str, Values]) -> Values:
    return np.concatenate(list(values.values()), axis=1)


def _at(values: dict[str, Values], rows: npt.NDArray[np.intp], column: int) -> dict[str, Values]:
    """Return the measures of some queries at one beta."""
    return {name: table[rows][:, column : column + 1] for name, table in values.items()}
