"""Recall and violation over beta; where the first places were measured, what is wanted and excluded of them."""

from typing import TYPE_CHECKING

from esens.evaluate.measures import AVERAGED_KS, EXCLUDED, WANTED, ks_of_places
from esens.evaluate.report.plots.style import (
    LABEL_SIZE,
    LINE_WIDTH,
    LINES,
    NAME_AT,
    PAPER,
    SERIES,
    WIDTH,
    no_closer,
)
from esens.evaluate.results import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def beta_plot(curve: Curve) -> "Figure | None":
    """Return R@k above V@k, or W@k above E@k, a line a k; None where there is no line to draw."""
    from matplotlib.figure import Figure

    panels = _panels(curve)
    if not panels or len(curve.betas) < 2:
        return None
    figure = Figure(figsize=(WIDTH, 0.45 + 1.65 * len(panels)), facecolor=PAPER)
    figure.subplots_adjust(left=0.15, right=0.83, top=0.97, bottom=0.4 / figure.get_figheight(), hspace=0.12)
    grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
    for axes, (name, measures) in zip(grid[:, 0], panels.items(), strict=True):
        _panel(axes, curve, measures)
        axes.set_ylabel(name)
        axes.yaxis.set_label_coords(NAME_AT, 0.5)
    grid[-1, 0].set_xlabel("β")
    return figure


def _panels(curve: Curve) -> dict[str, dict[str, str]]:
    """Return what each panel shows: its measures, each with its label."""
    places = ks_of_places(curve.measures)
    wanted = {
        "W@k (higher is better)": {f"{WANTED}{k}": f"k = {k}" for k in places},
        "E@k (lower is better)": {f"{EXCLUDED}{k}": f"k = {k}" for k in places},
    }
    wanted = (
        wanted
        if places
        else {
            "R@k (higher is better)": {f"recall@{k}": f"k = {k}" for k in AVERAGED_KS},
            "V@k (lower is better)": {f"violation@{k}": f"k = {k}" for k in AVERAGED_KS},
        }
    )
    panels = {
        name: {key: label for key, label in labels.items() if key in curve.measures}
        for name, labels in wanted.items()
    }
    return {name: labels for name, labels in panels.items() if labels}


def _panel(axes: "Axes", curve: Curve, measures: dict[str, str]) -> None:
    for (measure, label), colour, style in zip(measures.items(), SERIES, LINES, strict=False):
        values = curve.measures[measure]
        axes.fill_between(curve.betas, values.low, values.high, color=colour, alpha=0.16, linewidth=0)
        axes.plot(curve.betas, values.mean, color=colour, linestyle=style, linewidth=LINE_WIDTH, label=label)
    axes.margins(x=0.02, y=0.06)
    axes.set_ylim(*no_closer(*axes.get_ylim()))
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        reverse=True,  # as the lines stand: the greatest k is the highest
        handlelength=1.6,
        frameon=False,
        fontsize=LABEL_SIZE,
    )
