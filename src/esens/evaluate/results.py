"""The results of an evaluation, with everything they depend on: the records that every report is made of."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.evaluate.statistics import Comparison, Interval, Intervals


@dataclass(frozen=True, slots=True)
class Setup:
    """The inputs of an evaluation. Two runs with the same setup give the same figures."""

    dataset: str
    dataset_hash: str
    queries: int
    documents: int
    version: str
    embedder: str = ""
    """Empty, as is the next, where another system produced the rankings."""
    decomposer: str = ""
    queries_with_trap: int = 0
    """The number of queries in which the decomposer found an exclusion; the others are ranked plainly."""
    queries_with_answer: int = 0
    """The number of queries that figures of recall are of."""
    queries_with_excluded: int = 0
    """The number of queries that figures of violation are of."""
    notes: tuple[str, ...] = ()
    """What a reader must know, such as queries left out."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """The measures of one method, with intervals."""

    method: str
    measures: Mapping[str, Interval]
    """By the names of :mod:`esens.evaluate.measures`: ``avg_recall``, ``violation@5``, ``rr``, …"""
    against_plain: Mapping[str, Comparison] = field(default_factory=dict)
    """The difference from plain retrieval on the same queries; empty for plain retrieval itself."""
    about: str = ""
    """What the method does, in a line; empty where nobody said, as of a run that was made elsewhere."""
    is_default: bool = False
    """Whether it is what a search does unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A score over many betas: the paper's, for one choice of positive weights, or the default one."""

    variant: str
    betas: npt.NDArray[np.float64]
    measures: Mapping[str, Intervals]
    """Arrays with an entry a beta."""
    against_zero: Mapping[str, Intervals] = field(default_factory=dict)
    """The difference from beta 0 on the same queries, where it was measured: arrays with an entry a beta."""

    def at(self, beta: float, measure: str) -> Interval:
        """Return a measure at one beta of the grid."""
        return self.measures[measure].at(int(np.argmin(np.abs(self.betas - beta))))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Methods side by side, and the frontier of scores over beta; or the mean of several evaluations."""

    setup: Setup
    methods: tuple[MethodResult, ...]
    curves: tuple[Curve, ...] = ()
    parts: tuple["Evaluation", ...] = ()
    """Of a mean over several datasets, what each has; else empty."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            **asdict(self.setup),
            "methods": {result.method: _method(result) for result in self.methods},
            "frontier": {curve.variant: _curve(curve) for curve in self.curves},
            **({"datasets": {part.setup.dataset: part.to_dict() for part in self.parts}} if self.parts else {}),
        }


def _method(result: MethodResult) -> dict[str, Any]:
    return {
        **_means_and_intervals(result.measures),
        "against_plain": {
            name: {**_difference(comparison.difference), "p": comparison.p}
            for name, comparison in result.against_plain.items()
        },
    }


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "beta": _rounded(curve.betas),
        **_means_and_intervals(curve.measures),
        "against_zero": {name: _difference(change) for name, change in curve.against_zero.items()},
    }


def _means_and_intervals(measures: Mapping[str, Interval] | Mapping[str, Intervals]) -> dict[str, Any]:
    means = {name: _rounded(measure.mean) for name, measure in measures.items()}
    return {**means, "intervals": {name: _rounded(measure[1:]) for name, measure in measures.items()}}


def _difference(difference: Interval | Intervals) -> dict[str, Any]:
    return {"difference": _rounded(difference.mean), "interval": _rounded(difference[1:])}


def _rounded(values: npt.ArrayLike) -> Any:
    """Return a figure, or many, with six decimals: more than any interval leaves room for."""
    return np.asarray(values, float).round(6).tolist()
