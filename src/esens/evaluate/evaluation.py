"""Methods side by side, and the paper's curves, with intervals: what ``esens evaluate`` prints."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from esens.evaluate.experiment import Experiment
from esens.evaluate.frontier import GRID
from esens.evaluate.intervals import Comparison, Interval, compare, intervals, median_interval
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, FIRST_VIOLATION, RR, Measures, Values
from esens.evaluate.methods.base import Method
from esens.evaluate.results import Curve, Evaluation, Measured
from esens.evaluate.store import Ranks
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
    return Evaluation(experiment.setup, measured(ranks, experiment.measures), curves)


def measured(ranks: Mapping[str, Ranks], measures: Measures) -> tuple[Measured, ...]:
    """Return every measure of every method, and where plain retrieval is among them, the difference from it."""
    values = {name: measures.all(one) for name, one in ranks.items()}
    found = [Measured(name, {m: _interval(m, table) for m, table in one.items()}) for name, one in values.items()]
    if PLAIN not in values:
        return tuple(found)
    return tuple(_against(one, values[one.method], values[PLAIN], len(values) - 1) for one in found)


def curve(
    experiment: Experiment, name: str, alpha: float, gamma: float, betas: npt.NDArray[np.floating] = GRID
) -> Curve:
    """Return every measure at every beta."""
    values = experiment.measures.all(experiment.frontier(alpha=alpha, gamma=gamma, betas=betas))
    found = {measure: intervals(table) for measure, table in values.items() if measure != FIRST_VIOLATION}
    return Curve(name, np.asarray(betas, float), found)


def _interval(measure: str, table: Values) -> Interval:
    # A mean rank is the rank of the worst few; the median says where the first violation usually stands.
    return median_interval(table[:, 0]) if measure == FIRST_VIOLATION else intervals(table).at(0)


def _against(one: Measured, ours: Mapping[str, Values], plain: Mapping[str, Values], rivals: int) -> Measured:
    if one.method == PLAIN:
        return one
    names = [name for name in COMPARED if name in ours]
    return replace(one, against_plain={name: _compared(ours[name], plain[name], rivals) for name in names})


def _compared(ours: Values, plain: Values, rivals: int) -> Comparison:
    found = compare(ours, plain)[0]
    return found._replace(p=min(1.0, found.p * rivals))
