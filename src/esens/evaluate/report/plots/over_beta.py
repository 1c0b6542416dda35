"""Recall and violation over beta."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from esens.evaluate.measures import AVERAGED_KS
from esens.evaluate.report.plots.labels import spread
from esens.evaluate.report.plots.style import (
    LABEL_SIZE,
    LINE_HEIGHT,
    LINE_WIDTH,
    LINES,
    NAME_AT,
    PAPER,
    QUIET,
    SERIES,
    WIDTH,
    no_closer,
    places,
    size,
)
from esens.evaluate.results import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def beta_plot(curve: Curve) -> "Figure | None":
    """Return R@k above V@k, a line a k; None where there is no line to draw."""
    from matplotlib.figure import Figure

    panels = _panels(curve)
    if not panels or len(curve.betas) < 2:
        return None
    figure = Figure(figsize=(WIDTH, 0.45 + 1.65 * len(panels)), facecolor=PAPER)
    figure.subplots_adjust(left=0.15, right=0.88, top=0.97, bottom=0.4 / figure.get_figheight(), hspace=0.12)
    grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
    for axes, (name, measures) in zip(grid[:, 0], panels.items(), strict=True):
        _panel(axes, curve, measures)
        axes.set_ylabel(name)
        axes.yaxis.set_label_coords(NAME_AT, 0.5)
    grid[-1, 0].set_xlabel("β")
    return figure


def _panels(curve: Curve) -> dict[str, dict[str, str]]:
    """Return what each panel shows: its measures, each with its label."""
    wanted = {
        "R@k (higher is better)": {f"recall@{k}": f"k = {k}" for k in AVERAGED_KS},
        "V@k (lower is better)": {f"violation@{k}": f"k = {k}" for k in AVERAGED_KS},
    }
    there = {
        name: {key: label for key, label in own.items() if key in curve.measures} for name, own in wanted.items()
    }
    return {name: own for name, own in there.items() if own}


def _panel(axes: "Axes", curve: Curve, measures: dict[str, str]) -> None:
    ends = []
    for (measure, label), colour, style in zip(measures.items(), SERIES, LINES, strict=False):
        found = curve.measures[measure]
        axes.fill_between(curve.betas, found.low, found.high, color=colour, alpha=0.16, linewidth=0)
        axes.plot(curve.betas, found.mean, color=colour, linestyle=style, linewidth=LINE_WIDTH)
        ends.append((label, float(found.mean[-1]), colour))
    axes.margins(x=0.02, y=0.06)
    axes.set_ylim(*no_closer(*axes.get_ylim()))
    _label_ends(axes, float(curve.betas[-1]), ends)


def _label_ends(axes: "Axes", x: float, ends: Sequence[tuple[str, float, str]]) -> None:
    """Name each line to the right of its end; where the names had to make room, a thin line leads there."""
    place, (_, height) = places(axes), size(axes)
    wanted = [place(x, y)[1] for _, y, _ in ends]
    found = spread(wanted, LABEL_SIZE * LINE_HEIGHT, LABEL_SIZE / 2, height - LABEL_SIZE / 2)
    for (text, y, colour), own, there in zip(ends, wanted, found, strict=True):
        axes.annotate(
            text,
            (x, y),
            (12, there - own),
            textcoords="offset points",
            va="center",
            size=LABEL_SIZE,
            color=colour,
            arrowprops={
                "arrowstyle": "-",
                "color": QUIET,
                "linewidth": 0.4,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 1,
            },
        )
