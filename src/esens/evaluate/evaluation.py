"""Methods side by side, and the paper's curves, with intervals: what ``esens evaluate`` prints."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
import numpy.typing as npt

from esens.evaluate.dataset import Dataset
from esens.evaluate.experiment import Experiment
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, FIRST_VIOLATION, RR, Measures, Values
from esens.evaluate.methods.base import Method
from esens.evaluate.ranks.frontier import GRID
from esens.evaluate.ranks.rank_cache import Ranks
from esens.evaluate.results import Curve, Evaluation, MethodResult, Setup
from esens.evaluate.statistics import Comparison, Interval, compare, intervals_of, median_interval
from esens.score.linear import VARIANTS

PLAIN = "plain"
COMPARED = (AVG_RECALL, AVG_VIOLATION, "recall@1", RR)


def evaluation_of(
    experiment: Experiment,
    methods: Sequence[Method],
    *,
    variants: Mapping[str, tuple[float, float]] = VARIANTS,
    betas: npt.NDArray[np.floating] = GRID,
    runs: Mapping[str, Ranks] | None = None,
) -> Evaluation:
    """Measure the methods, runs that were made elsewhere, and the variants at every beta.

    ``variants`` are pairs of positive weights, alpha and gamma, by name.
    """
    ranks = {**experiment.ranks(methods), **(runs or {})}
    curves = tuple(curve(experiment, name, *weights, betas) for name, weights in variants.items())
    return Evaluation(experiment.setup, measure(ranks, experiment.measures), curves)


def evaluation_of_runs(dataset: Dataset, runs: Mapping[str, Ranks]) -> Evaluation:
    """Measure rankings that were made elsewhere, of which nothing is known but the ranks."""
    setup = Setup(
        dataset=dataset.name,
        dataset_hash=dataset.hash,
        queries=len(dataset.queries),
        documents=len(dataset.corpus),
        version=version("esens"),
        notes=dataset.notes,
    )
    return Evaluation(setup, measure(runs, Measures.of(dataset)))


def measure(ranks: Mapping[str, Ranks], measures: Measures) -> tuple[MethodResult, ...]:
    """Return every measure of every method, and where plain retrieval is among them, the difference from it."""
    values = {name: measures.all(method_ranks) for name, method_ranks in ranks.items()}
    against = _against_plain(values) if PLAIN in values else {}
    return tuple(
        MethodResult(name, _intervals(values_of_method), against.get(name, {}))
        for name, values_of_method in values.items()
    )


def curve(
    experiment: Experiment, name: str, alpha: float, gamma: float, betas: npt.NDArray[np.floating] = GRID
) -> Curve:
    """Return every measure at every beta."""
    values = experiment.measures.all(experiment.frontier(alpha=alpha, gamma=gamma, betas=betas))
    means = {measure: table for measure, table in values.items() if measure != FIRST_VIOLATION}
    zero = np.flatnonzero(np.asarray(betas) == 0)
    return Curve(
        name,
        np.asarray(betas, float),
        intervals_of(means),
        intervals_of({measure: table - table[:, zero] for measure, table in means.items() if len(zero)}),
    )


def _intervals(values: Mapping[str, Values]) -> dict[str, Interval]:
    """Return each measure's mean with its interval.

    A mean rank is the rank of the worst few, so of the first violation it is the median; one that a run does not
    hold for most queries has none.
    """
    means = {name: table for name, table in values.items() if name != FIRST_VIOLATION}
    intervals = {name: interval.at(0) for name, interval in intervals_of(means).items()}
    if FIRST_VIOLATION in values:
        median = median_interval(values[FIRST_VIOLATION][:, 0])
        intervals |= {FIRST_VIOLATION: median} if np.isfinite(median.high) else {}
    return intervals


def _against_plain(values: Mapping[str, Mapping[str, Values]]) -> dict[str, dict[str, Comparison]]:
    """Compare each method with plain retrieval; what is measured on equally many queries is compared together."""
    plain = values[PLAIN]
    against: dict[str, dict[str, Comparison]] = {name: {} for name in values if name != PLAIN}
    measures = [name for name in COMPARED if name in plain]
    for size in {len(plain[measure]) for measure in measures}:
        cells = [(name, measure) for name in against for measure in measures if len(plain[measure]) == size]
        ours = [values[name][measure] for name, measure in cells]
        theirs = [plain[measure] for _, measure in cells]
        comparisons = compare(np.concatenate(ours, axis=1), np.concatenate(theirs, axis=1)) if cells else []
        for (name, measure), comparison in zip(cells, comparisons, strict=True):
            against[name][measure] = comparison
    return against
