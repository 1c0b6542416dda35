"""Tables over beta: the paper's appendix grids, its main table, and ours compared with the published ones."""

from collections.abc import Mapping, Sequence
from itertools import chain
from math import isclose, nan

import numpy as np

from esens.evaluate.measures import (
    AVERAGED_KS,
    AVG_RECALL,
    AVG_VIOLATION,
    EXCLUDED,
    WANTED,
    ks_of_places,
)
from esens.evaluate.report.table import MISSING, Cell, ColumnGroup, ReportTable, best_marked, cell, change
from esens.evaluate.results import Curve
from esens.evaluate.statistics import Interval, Intervals

GRID_BETAS = tuple(step / 10 for step in range(11))
CHECKPOINTS = (0.0, 0.1, 0.2, 0.3)

_HEADINGS = {
    **{f"recall@{k}": f"R@{k}" for k in AVERAGED_KS},
    **{f"violation@{k}": f"V@{k}" for k in AVERAGED_KS},
    AVG_RECALL: "Avg. R",
    AVG_VIOLATION: "Avg. V",
}
_GROUPS = {f"k = {k}": {f"recall@{k}": "R", f"violation@{k}": "V"} for k in AVERAGED_KS} | {
    "Avg.": {AVG_RECALL: "R", AVG_VIOLATION: "V"}
}
_SHARES = (
    "W is the share of the first k places that wanted documents take, higher is better; E that of excluded ones, "
    "lower is better."
)
_AVERAGED = f"Avg. is the mean over k in {{{', '.join(map(str, AVERAGED_KS))}}}."


def beta_grid(curve: Curve) -> ReportTable:
    """Return a row a beta, as in the paper's appendix: R and V at each k and on average, or W and E.

    A beta that the curve was not measured at has no row, and what was not measured no column. Of a curve that
    goes beyond the paper's betas, each has a row.
    """
    betas = GRID_BETAS if curve.betas.max() <= GRID_BETAS[-1] else curve.betas.tolist()
    places = _places(curve)
    groups = {
        name: {measure: short for measure, short in columns.items() if measure in curve.measures}
        for name, columns in (places or _GROUPS).items()
    }
    measures = list(chain.from_iterable(groups.values()))
    return ReportTable(
        f"{curve.variant} over β",
        ("β", *(_heading(measure) for measure in measures)),
        tuple(
            (
                f"{beta:.1f}" if isclose(beta, round(beta, 1)) else f"{beta:g}",
                *(_value(curve, beta, measure) for measure in measures),
            )
            for beta in betas
            if _position(curve, beta) is not None
        ),
        _SHARES if places else f"R is recall, higher is better; V is violation, lower is better. {_AVERAGED}",
        (
            ColumnGroup("", ("β",)),
            *(ColumnGroup(name, tuple(columns.values())) for name, columns in groups.items() if columns),
        ),
    )


def _places(curve: Curve) -> dict[str, dict[str, str]]:
    """Return the columns where first places were measured; else none."""
    return {f"k = {k}": {f"{WANTED}{k}": "W", f"{EXCLUDED}{k}": "E"} for k in ks_of_places(curve.measures)}


def _heading(measure: str) -> str:
    return _HEADINGS.get(measure) or measure.replace(WANTED, "W@").replace(EXCLUDED, "E@")


def main_table(curves: Mapping[str, Curve], betas: Sequence[float] = CHECKPOINTS) -> ReportTable:
    """Return the paper's main table: a block a retriever (the mapping's keys), a row a beta.

    The differences from beta 0 have intervals where the curve brings them along; those of two means would be too
    wide, because the queries are the same.
    """
    blocks = [_block(retriever, curve, betas) for retriever, curve in curves.items()]
    starts = np.cumsum([len(block) for block in blocks])[:-1]
    return ReportTable(
        "Fixed β checkpoints",
        ("retriever", "β", "R@5 ↑", "V@5 ↓", "Avg. R ↑", "ΔAvg. R", "Avg. V ↓", "ΔAvg. V ↓"),
        tuple(chain.from_iterable(blocks)),
        f"{' and '.join(dict.fromkeys(curve.variant for curve in curves.values()))}. R is recall, V is violation. "
        f"{_AVERAGED} Differences are relative to β = 0 for the same retriever. Bold marks the best value within "
        "each block.",
        blocks=tuple(map(int, starts)),
    )


def comparison_tables(
    curve: Curve, published: Mapping[tuple[float, str], float], retriever: str, *, is_same: bool = True
) -> list[ReportTable]:
    """Return ours, the published figure (by beta and measure) and the difference: a table of R, then one of V.

    Where the retriever is not the same, nothing is said of how many figures agree: they need not.
    """
    return [_comparison(curve, published, retriever, name, is_same) for name in ("recall", "violation")]


def _comparison(
    curve: Curve, published: Mapping[tuple[float, str], float], retriever: str, name: str, is_same: bool
) -> ReportTable:
    measures = [f"{name}@{k}" for k in AVERAGED_KS]
    betas = [beta for beta in dict.fromkeys(beta for beta, _ in published) if _position(curve, beta) is not None]
    pairs = [
        (_at(curve.measures.get(m), _position(curve, beta)), published[beta, m])
        for beta in betas
        for m in measures
    ]
    within = sum(ours is not None and ours.low <= theirs <= ours.high for ours, theirs in pairs)
    heads = [heading for measure in measures for heading in (_HEADINGS[measure], "publ.", "diff.")]
    return ReportTable(
        f"{curve.variant}: {name} beside {retriever}",
        ("β", *heads),
        tuple(
            (
                f"{beta:.1f}",
                *(figure for measure in measures for figure in _compare(curve, beta, measure, published)),
            )
            for beta in betas
        ),
        f"Publ. is what the paper has for {retriever}, diff. ours less that. "
        + (
            f"{within} of {len(pairs)} published figures lie within our intervals."
            if is_same
            else "Ours is another retriever: no replication."
        ),
        (
            ColumnGroup("", ("β",)),
            *(ColumnGroup(_HEADINGS[measure], ("ours", "publ.", "diff.")) for measure in measures),
        ),
    )


def _compare(
    curve: Curve, beta: float, measure: str, published: Mapping[tuple[float, str], float]
) -> tuple[str | Cell, str | Cell, str | Cell]:
    ours, theirs = _at(curve.measures.get(measure), _position(curve, beta)), published[beta, measure]
    difference = _alone(ours.mean - theirs) if ours is not None else None
    return cell(ours), cell(_alone(theirs)), cell(difference, change)


def _block(retriever: str, curve: Curve, betas: Sequence[float]) -> list[tuple[str | Cell, ...]]:
    there = [beta for beta in betas if _position(curve, beta) is not None]
    columns = [
        best_marked([figure(curve, beta, measure) for beta in there], highest)
        for figure, measure, highest in (
            (_value, "recall@5", True),
            (_value, "violation@5", False),
            (_value, AVG_RECALL, True),
            (_change, AVG_RECALL, True),
            (_value, AVG_VIOLATION, False),
            (_change, AVG_VIOLATION, False),
        )
    ]
    names = [retriever if number == 0 else "" for number in range(len(there))]
    return list(zip(names, (f"{beta:.2f}" for beta in there), *columns, strict=True))


def _value(curve: Curve, beta: float, measure: str) -> str | Cell:
    return cell(_at(curve.measures.get(measure), _position(curve, beta)))


def _change(curve: Curve, beta: float, measure: str) -> str | Cell:
    """Return the difference from beta 0, with its interval where the curve has one."""
    here, zero = _position(curve, beta), _position(curve, 0.0)
    measured = _at(curve.against_zero.get(measure), here)
    value, start = _at(curve.measures.get(measure), here), _at(curve.measures.get(measure), zero)
    if value is None or start is None or here == zero:
        return MISSING
    return cell(measured or _alone(value.mean - start.mean), change)


def _position(curve: Curve, beta: float) -> int | None:
    """Return where on the curve's grid a beta is: what was not measured there is never read off a neighbour."""
    where = np.flatnonzero(np.isclose(curve.betas, beta, rtol=0, atol=1e-9))
    return int(where[0]) if len(where) else None


def _at(measure: Intervals | None, position: int | None) -> Interval | None:
    return None if measure is None or position is None else measure.at(position)


def _alone(value: float) -> Interval:
    """Return a figure of which no interval is known."""
    return Interval(value, nan, nan)
