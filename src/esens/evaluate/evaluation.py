"""Methods side by side, and curves over beta, with intervals: what ``esens evaluate`` prints."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from inspect import getdoc

import numpy as np
import numpy.typing as npt

from esens.evaluate.dataset import Dataset
from esens.evaluate.experiment import Experiment
from esens.evaluate.measures import (
    AVG_RECALL,
    AVG_VIOLATION,
    EXCLUDED,
    FIRST_VIOLATION,
    RR,
    WANTED,
    Measures,
    Values,
)
from esens.evaluate.methods.base import Method
from esens.evaluate.methods.contrast import CURVE_GRID, DefaultSearch
from esens.evaluate.ranks.frontier import GRID
from esens.evaluate.ranks.rank_cache import Ranks
from esens.evaluate.results import Curve, Evaluation, MethodResult, Setup
from esens.evaluate.statistics import (
    Comparison,
    Interval,
    compare_over_sets,
    intervals_of,
    intervals_over_sets,
    median_interval,
)
from esens.score.linear import VARIANTS

PLAIN = "plain"
_DEFAULT = DefaultSearch()
COMPARED = (AVG_RECALL, AVG_VIOLATION, "recall@1", RR)

MethodValues = Mapping[str, Mapping[str, Values]]
"""By method and measure, a value a query."""


def evaluation_of(
    experiment: Experiment,
    methods: Sequence[Method],
    *,
    variants: Mapping[str, tuple[float, float]] = VARIANTS,
    betas: npt.NDArray[np.floating] = GRID,
    runs: Mapping[str, Ranks] | None = None,
) -> Evaluation:
    """Measure the methods, runs that were made elsewhere, and the variants at every beta.

    ``variants`` are pairs of positive weights, alpha and gamma, by name. Where first places are measured, they
    have no curves. The default search has one where it is among the methods.
    """
    ranks = {**experiment.ranks(methods), **(runs or {})}
    drawn = {} if experiment.dataset.gold.judges_sets else variants
    curves = [curve(experiment, name, *weights, betas) for name, weights in drawn.items()]
    if _DEFAULT in methods:
        curves.insert(0, _default_curve(experiment))
    results = _described(measure(ranks, experiment.measures), methods)
    return Evaluation(experiment.setup, results, tuple(curves))


def evaluation_of_sets(experiments: Iterable[Experiment], methods: Sequence[Method]) -> Evaluation:
    """Measure the methods on several datasets: their mean, in which every dataset counts the same, and each."""
    setups, values = [], []
    for experiment in experiments:
        setups.append(experiment.setup)
        values.append(_values(experiment.ranks(methods), experiment.measures))
    parts = tuple(
        Evaluation(setup, _described(_results([each]), methods))
        for setup, each in zip(setups, values, strict=True)
    )
    return Evaluation(_setup_of_all(setups), _described(_results(values), methods), parts=parts)


def evaluation_of_runs(dataset: Dataset, runs: Mapping[str, Ranks]) -> Evaluation:
    """Measure rankings that were made elsewhere, of which nothing is known but the ranks."""
    setup = Setup(
        dataset=dataset.name,
        dataset_hash=dataset.hash,
        queries=len(dataset.queries),
        documents=len(dataset.corpus),
        version=version("esens"),
        queries_with_answer=dataset.queries_with_answer,
        queries_with_excluded=dataset.queries_with_excluded,
        notes=dataset.notes,
    )
    return Evaluation(setup, measure(runs, Measures.of(dataset)))


def measure(ranks: Mapping[str, Ranks], measures: Measures) -> tuple[MethodResult, ...]:
    """Return every measure of every method, and where plain retrieval is among them, the difference from it."""
    return _results([_values(ranks, measures)])


def curve(
    experiment: Experiment, name: str, alpha: float, gamma: float, betas: npt.NDArray[np.floating] = GRID
) -> Curve:
    """Return every measure at every beta."""
    return _curve_of(experiment, name, experiment.frontier(alpha=alpha, gamma=gamma, betas=betas), betas)


def _default_curve(experiment: Experiment) -> Curve:
    """Return every measure of the default search, at betas around its own."""
    return _curve_of(experiment, _DEFAULT.name, experiment.sweep(_DEFAULT.scorer, CURVE_GRID), CURVE_GRID)


def _curve_of(experiment: Experiment, name: str, ranks: Ranks, betas: npt.NDArray[np.floating]) -> Curve:
    values = experiment.measures.all(ranks)
    means = {measure: table for measure, table in values.items() if measure != FIRST_VIOLATION}
    zero = np.flatnonzero(np.asarray(betas) == 0)
    return Curve(
        name,
        np.asarray(betas, float),
        intervals_of(means),
        intervals_of({measure: table - table[:, zero] for measure, table in means.items() if len(zero)}),
    )


def _described(results: Sequence[MethodResult], methods: Sequence[Method]) -> tuple[MethodResult, ...]:
    """Return the results with what their methods do: the first line of each one's own description."""
    about = {method.name: (getdoc(type(method)) or "").partition("\n")[0] for method in methods}
    return tuple(
        replace(
            result,
            about=about.get(result.method, ""),
            is_default=result.method in about and result.method == _DEFAULT.name,
        )
        for result in results
    )


def _values(ranks: Mapping[str, Ranks], measures: Measures) -> MethodValues:
    plain = ranks.get(PLAIN)
    return {name: measures.all(method_ranks, plain) for name, method_ranks in ranks.items()}


def _results(sets: Sequence[MethodValues]) -> tuple[MethodResult, ...]:
    """Return the measures of each method over one set of queries, or the mean of several sets.

    A measure that not all sets have is the mean of those that have it.
    """
    methods = list(sets[0])
    measured: dict[str, dict[str, Interval]] = {name: {} for name in methods}
    against: dict[str, dict[str, Comparison]] = {name: {} for name in methods}
    for measure in dict.fromkeys(measure for values in sets for by in values.values() for measure in by):
        tables = [_beside(values, measure) for values in sets if all(measure in by for by in values.values())]
        for name, interval in zip(methods, _intervals(measure, tables), strict=True):
            measured[name] |= {} if interval is None else {measure: interval}
        if PLAIN in methods and (measure in COMPARED or measure.startswith((EXCLUDED, WANTED))):
            plain = [table[:, [methods.index(PLAIN)]] for table in tables]
            for name, comparison in zip(methods, compare_over_sets(tables, plain), strict=True):
                against[name] |= {measure: comparison} if name != PLAIN else {}
    return tuple(MethodResult(name, measured[name], against[name]) for name in methods)


def _beside(values: MethodValues, measure: str) -> Values:
    """Return a measure with a row a query and a column a method."""
    return np.concatenate([by[measure] for by in values.values()], axis=1)


def _intervals(measure: str, tables: Sequence[Values]) -> list[Interval | None]:
    """Return the mean of each column with its interval.

    A mean rank is the rank of the worst few, so of the first violation it is the median; one that a run does not
    hold for most queries has none, and several sets have none together.
    """
    columns = range(tables[0].shape[1])
    if measure != FIRST_VIOLATION:
        means = intervals_over_sets(tables)
        return [means.at(column) for column in columns]
    if len(tables) > 1:
        return [None for _ in columns]
    medians = [median_interval(tables[0][:, column]) for column in columns]
    return [median if np.isfinite(median.high) else None for median in medians]


def _setup_of_all(setups: Sequence[Setup]) -> Setup:
    """Return what several datasets were measured with, as one."""
    hashes = "".join(setup.dataset_hash for setup in setups)
    return replace(
        setups[0],
        dataset=f"mean of {len(setups)} datasets",
        dataset_hash=hashlib.sha256(hashes.encode()).hexdigest(),
        queries=sum(setup.queries for setup in setups),
        documents=sum(setup.documents for setup in setups),
        queries_with_trap=sum(setup.queries_with_trap for setup in setups),
        queries_with_answer=sum(setup.queries_with_answer for setup in setups),
        queries_with_excluded=sum(setup.queries_with_excluded for setup in setups),
        notes=(
            "Every dataset counts the same.",
            *dict.fromkeys(f"{each.dataset}: {note}" for each in setups for note in each.notes),
        ),
    )
