"""Recall against violation: the paper's variants along beta, and every method as a point.

Where the first places were measured, it is what is wanted of them against what is excluded.

Methods crowd where retrieval is good, so their names stand in a legend, and each has a sign of its own.
"""

from collections.abc import Sequence
from itertools import cycle, product
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, EXCLUDED, WANTED, ks_of_places
from esens.evaluate.report.plots.style import (
    FONT,
    INK,
    LABEL_SIZE,
    LINE_WIDTH,
    LINES,
    PAPER,
    SERIES,
    no_closer,
    places,
)
from esens.evaluate.results import Curve, Evaluation, MethodResult
from esens.evaluate.statistics import Interval
from esens.text.plain import single_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE = (5.7, 3.4)
_AXES = (0.095, 0.125, 0.56, 0.855)
_MARKED_BETAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_METHOD_SIGNS = "DsoX^vP<>*phd8"
_MAX_NAME = 23
# In points: the distance of a beta from its curve, and the space that it takes.
_OFFSET, _WIDE, _HIGH = 4.0, 13.0, 18.0


class _Sides(NamedTuple):
    """What is drawn against what: two measures, and what they are called."""

    bad: str
    good: str
    bad_name: str
    good_name: str


def frontier_plot(evaluation: Evaluation) -> "Figure | None":
    """Return Avg. R over Avg. V, or W over E, with intervals; None where neither methods nor curves have both."""
    from matplotlib.figure import Figure

    sides = _sides(evaluation)
    curves = [curve for curve in evaluation.curves if {AVG_RECALL, AVG_VIOLATION} <= curve.measures.keys()]
    methods = [method for method in evaluation.methods if _is_drawable(method, sides)]
    if not curves and not methods:
        return None
    figure = Figure(figsize=_SIZE, facecolor=PAPER)
    axes = figure.add_axes(_AXES)
    for curve, colour, style in zip(curves, cycle(SERIES), cycle(LINES), strict=False):
        _draw_curve(axes, curve, colour, style)
    for method, (fill, sign) in zip(methods, cycle(product((PAPER, INK), _METHOD_SIGNS)), strict=False):
        _draw_method(axes, method, sides, sign, fill)
    _frame(axes, sides)
    written: list[tuple[float, float]] = []
    for number, (curve, colour) in enumerate(zip(curves, cycle(SERIES), strict=False)):
        written += _write_betas(axes, curve, colour, written, above=number % 2 == 1)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0, frameon=False, fontsize=LABEL_SIZE)
    return figure


def _sides(evaluation: Evaluation) -> _Sides:
    ks = ks_of_places(name for method in evaluation.methods for name in method.measures)
    if not ks:
        return _Sides(AVG_VIOLATION, AVG_RECALL, "Avg. V", "Avg. R")
    return _Sides(f"{EXCLUDED}{ks[-1]}", f"{WANTED}{ks[-1]}", f"E@{ks[-1]}", f"W@{ks[-1]}")


def _draw_curve(axes: "Axes", curve: Curve, colour: str, style: Any) -> None:
    violation, recall = _means(curve)
    axes.plot(
        violation,
        recall,
        color=colour,
        linestyle=style,
        linewidth=LINE_WIDTH,
        label=f"{_legend_text(curve.variant)}, by β",
    )
    for beta in _marked(curve):
        where = curve.at(beta, AVG_VIOLATION), curve.at(beta, AVG_RECALL)
        _cross(axes, *where, colour)
        axes.plot(where[0].mean, where[1].mean, color=colour, linestyle="none", marker=".", markersize=5, zorder=3)


def _draw_method(axes: "Axes", method: MethodResult, sides: _Sides, sign: str, fill: str) -> None:
    bad, good = method.measures[sides.bad], method.measures[sides.good]
    _cross(axes, bad, good, INK)
    axes.plot(
        bad.mean,
        good.mean,
        color=INK,
        linestyle="none",
        marker=sign,
        markersize=4,
        markerfacecolor=fill,
        markeredgewidth=0.7,
        zorder=4,
        label=_legend_text(method.method),
    )


def _cross(axes: "Axes", violation: Interval, recall: Interval, colour: str) -> None:
    """Draw the two intervals of a point."""
    bars: dict[str, Any] = {"color": colour, "linewidth": 0.5, "alpha": 0.6}
    axes.plot([violation.low, violation.high], [recall.mean, recall.mean], **bars)
    axes.plot([violation.mean, violation.mean], [recall.low, recall.high], **bars)


def _frame(axes: "Axes", sides: _Sides) -> None:
    """Set names, limits and ticks."""
    axes.set_xlabel(f"{sides.bad_name} (lower is better)")
    axes.set_ylabel(f"{sides.good_name} (higher is better)")
    axes.margins(0.05, 0.06)
    axes.set_xlim(*no_closer(*axes.get_xlim()))
    axes.set_ylim(*no_closer(*axes.get_ylim()))
    axes.locator_params(nbins=6)


def _write_betas(
    axes: "Axes", curve: Curve, colour: str, others: Sequence[tuple[float, float]], *, above: bool
) -> list[tuple[float, float]]:
    """Write betas along a curve, all on the same side of it, where there is room; return their places."""
    from matplotlib.patheffects import withStroke

    place, side, written = places(axes), _OFFSET if above else -_OFFSET, list[tuple[float, float]]()
    for beta in reversed(_marked(curve)):
        at = curve.at(beta, AVG_VIOLATION).mean, curve.at(beta, AVG_RECALL).mean
        x, y = place(*at)
        if any(abs(x - left) < _WIDE and abs(y + side - low) < _HIGH for left, low in (*others, *written)):
            continue
        written.append((x, y + side))
        axes.annotate(
            f"{beta:g}",
            at,
            xytext=(0, side),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            size=LABEL_SIZE,
            color=colour,
            path_effects=[withStroke(linewidth=1.5, foreground=PAPER)],
            zorder=5,
        )
    return written


def _marked(curve: Curve) -> Sequence[float]:
    """Return the betas to mark; of a curve that has none of them, all there are."""
    return [beta for beta in _MARKED_BETAS if np.isclose(curve.betas, beta).any()] or list(curve.betas)


def _means(curve: Curve) -> tuple[Any, Any]:
    """Return Avg. V and Avg. R along beta."""
    return curve.measures[AVG_VIOLATION].mean, curve.measures[AVG_RECALL].mean


def _is_drawable(method: MethodResult, sides: _Sides) -> bool:
    both = (method.measures.get(name) for name in (sides.good, sides.bad))
    return all(measure is not None and isfinite(measure.mean) for measure in both)


def _legend_text(name: str) -> str:
    """Return a name as it is drawn: on one line, not too long, in letters that the font has."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont(FONT))
    line = "".join(sign if font.get_char_index(ord(sign)) else "□" for sign in single_line(name))
    line = line.replace("$", r"\$")  # not the beginning of a formula
    return line if len(line) <= _MAX_NAME else f"{line[: _MAX_NAME - 1]}…"
