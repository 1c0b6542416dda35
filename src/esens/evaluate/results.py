"""What an evaluation found, with all that it depends on: the record that every report is made of."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.evaluate.statistics import Comparison, Interval, Intervals


@dataclass(frozen=True, slots=True)
class Setup:
    """What produced the figures. Two runs with the same setup give the same figures."""

    dataset: str
    dataset_hash: str
    queries: int
    documents: int
    version: str
    embedder: str = ""
    """Empty, as is the next, where rankings were made elsewhere."""
    decomposer: str = ""
    queries_with_trap: int = 0
    """How many of the queries the decomposer found to exclude something; the others are ranked plainly."""
    notes: tuple[str, ...] = ()
    """What a reader must know, such as queries left out."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """One method, measured."""

    method: str
    measures: Mapping[str, Interval]
    """By the names of :mod:`esens.evaluate.measures`: ``avg_recall``, ``violation@5``, ``rr``, …"""
    against_plain: Mapping[str, Comparison] = field(default_factory=dict)
    """The difference from plain retrieval on the same queries; empty for plain retrieval itself."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The paper's score over all betas, for one choice of positive weights."""

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
    """Methods side by side, and the frontier of the paper's variants."""

    setup: Setup
    methods: tuple[MethodResult, ...]
    curves: tuple[Curve, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            **asdict(self.setup),
            "methods": {one.method: _method(one) for one in self.methods},
            "frontier": {curve.variant: _curve(curve) for curve in self.curves},
        }


def _method(measured: MethodResult) -> dict[str, Any]:
    return {
        **{name: _rounded(found.mean) for name, found in measured.measures.items()},
        "intervals": {name: _rounded(found[1:]) for name, found in measured.measures.items()},
        "against_plain": {
            name: {
                "difference": _rounded(one.difference.mean),
                "interval": _rounded(one.difference[1:]),
                "p": one.p,
            }
            for name, one in measured.against_plain.items()
        },
    }


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "beta": _rounded(curve.betas),
        **{name: _rounded(found.mean) for name, found in curve.measures.items()},
        "intervals": {name: _rounded(found[1:]) for name, found in curve.measures.items()},
        "against_zero": {
            name: {"difference": _rounded(found.mean), "interval": _rounded(found[1:])}
            for name, found in curve.against_zero.items()
        },
    }


def _rounded(values: npt.ArrayLike) -> Any:
    """Return a figure, or many, with six decimals: more than any interval leaves room for."""
    return np.asarray(values, float).round(6).tolist()
