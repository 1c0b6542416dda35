"""Recall against violation: scores along beta, and every method as a point.

Where the first places were measured, it is what is wanted of them against what is excluded.

Methods crowd where retrieval is good, so their names stand in a legend, and each has a sign of its own: a shape
and a filling, so that no colour is needed to tell it. The default search has the largest. A method that lies far
from all others stands at the edge with its figures, so that the others keep their room.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, product
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, EXCLUDED, WANTED, ks_of_places
from esens.evaluate.report.methods import row_name
from esens.evaluate.report.plots.style import (
    FONT,
    INK,
    LABEL_SIZE,
    LINE_WIDTH,
    LINES,
    PAPER,
    QUIET,
    SERIES,
    core,
    no_closer,
    places,
)
from esens.evaluate.results import Curve, Evaluation, MethodResult
from esens.evaluate.statistics import Interval, short
from esens.text.plain import single_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# In inches: the picture, grown where the legend needs it; the place of the axes; a line of the legend.
_WIDTH, _LEAST_HEIGHT, _LINE_HEIGHT = 5.7, 3.4, 0.14
_LEFT, _BOTTOM, _TOP, _AXES_WIDTH = 0.54, 0.43, 0.06, 3.19
_MARKED_BETAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 3.0, 5.0)
_FEW_BETAS = 21
_SHAPES, _FILLINGS = "oDs^vPX<>", (PAPER, INK, QUIET)
_DEFAULT_SHAPE, _DEFAULT_SIZE, _SIZE = "*", 9.5, 4.3
_MAX_NAME = 24
# In points: the distance of a beta from its curve, and the space that it takes.
_OFFSET, _WIDE, _HIGH = 4.0, 13.0, 18.0
# Shares of an axis: what is left free beyond the outermost interval, and how far from the edge an outlier stands.
_ROOM, _EDGE = 0.05, 0.03


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
    curves = [curve for curve in evaluation.curves if {sides.good, sides.bad} <= curve.measures.keys()]
    methods = [method for method in evaluation.methods if _is_drawable(method, sides)]
    if not curves and not methods:
        return None
    height = max(_LEAST_HEIGHT, _LINE_HEIGHT * (len(curves) + len(methods)) + _TOP)
    figure = Figure(figsize=(_WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((_LEFT / _WIDTH, _BOTTOM / height, _AXES_WIDTH / _WIDTH, 1 - (_BOTTOM + _TOP) / height))
    colours = {curve.variant: colour for curve, colour in zip(curves, cycle(SERIES), strict=False)}
    _frame(axes, sides, curves, methods)
    for curve, style in zip(curves, cycle(LINES), strict=False):
        _draw_curve(axes, curve, sides, colours[curve.variant], style)
    written: list[tuple[float, float]] = []
    for method, sign in zip(methods, _signs(methods, colours), strict=True):
        written += _draw_method(axes, method, sides, sign)
    for number, curve in enumerate(curves):
        written += _write_betas(axes, curve, sides, colours[curve.variant], written, above=number % 2 == 1)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0, frameon=False, fontsize=LABEL_SIZE)
    return figure


def _signs(methods: Sequence[MethodResult], colours: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield how each method is drawn: in ink, or in the colour of the curve that its score has."""
    signs = cycle(product(_FILLINGS, _SHAPES))
    for method in methods:
        colour = colours.get(method.method.partition(":")[0], INK)
        if method.is_default:
            yield {"marker": _DEFAULT_SHAPE, "markersize": _DEFAULT_SIZE, "color": colour, "zorder": 6}
            continue
        filling, shape = next(signs)
        yield {
            "marker": shape,
            "markersize": _SIZE,
            "color": colour,
            "markerfacecolor": colour if filling == INK else filling,
            "zorder": 4,
        }


def _sides(evaluation: Evaluation) -> _Sides:
    ks = ks_of_places(name for method in evaluation.methods for name in method.measures)
    if not ks:
        return _Sides(AVG_VIOLATION, AVG_RECALL, "Avg. V", "Avg. R")
    return _Sides(f"{EXCLUDED}{ks[-1]}", f"{WANTED}{ks[-1]}", f"E@{ks[-1]}", f"W@{ks[-1]}")


def _draw_curve(axes: "Axes", curve: Curve, sides: _Sides, colour: str, style: Any) -> None:
    axes.plot(
        curve.measures[sides.bad].mean,
        curve.measures[sides.good].mean,
        color=colour,
        linestyle=style,
        linewidth=LINE_WIDTH,
        label=f"{_legend_text(curve.variant)}, by β",
    )
    marked = _marked(curve)
    for beta in marked:
        _cross(axes, curve.at(beta, sides.bad), curve.at(beta, sides.good), colour)
    # Where few betas were measured, each has a dot: what is between them is a guess.
    for beta in curve.betas if len(curve.betas) <= _FEW_BETAS else marked:
        at = curve.at(beta, sides.bad).mean, curve.at(beta, sides.good).mean
        axes.plot(*at, color=colour, linestyle="none", marker=".", markersize=5, zorder=3)


def _draw_method(
    axes: "Axes", method: MethodResult, sides: _Sides, sign: dict[str, Any]
) -> list[tuple[float, float]]:
    """Draw a point with its intervals; or at the edge, with its figures, whose place is returned."""
    bad, good = method.measures[sides.bad], method.measures[sides.good]
    at = _inside(bad.mean, *axes.get_xlim()), _inside(good.mean, *axes.get_ylim())
    is_inside = at == (bad.mean, good.mean)
    if is_inside:
        _cross(axes, bad, good, sign["color"])
    axes.plot(*at, linestyle="none", markeredgewidth=0.7, label=_legend_text(row_name(method)), **sign)
    return [] if is_inside else [_write_figures(axes, at, bad.mean, good.mean, sides)]


def _inside(value: float, low: float, high: float) -> float:
    """Return the value; of one beyond the limits, a place just within."""
    room = _EDGE * (high - low)
    return value if low <= value <= high else min(max(value, low + room), high - room)


def _write_figures(
    axes: "Axes", at: tuple[float, float], bad: float, good: float, sides: _Sides
) -> tuple[float, float]:
    """Write the figures of a point that lies elsewhere beside its sign, towards the middle."""
    x, y = places(axes)(*at)
    is_left = at[0] < sum(axes.get_xlim()) / 2
    beyond = _arrow(bad, at[0], "←→") + _arrow(good, at[1], "↓↑")
    axes.annotate(
        f"{beyond} {sides.good_name} {short(good)}, {sides.bad_name} {short(bad)}",
        at,
        xytext=(6 if is_left else -6, 0),
        textcoords="offset points",
        ha="left" if is_left else "right",
        va="center",
        size=LABEL_SIZE,
    )
    return x, y


def _arrow(value: float, shown: float, arrows: str) -> str:
    """Return whither a value lies from where it is shown."""
    return "" if value == shown else arrows[int(value > shown)]


def _cross(axes: "Axes", violation: Interval, recall: Interval, colour: str) -> None:
    """Draw the two intervals of a point."""
    bars: dict[str, Any] = {"color": colour, "linewidth": 0.5, "alpha": 0.6}
    axes.plot([violation.low, violation.high], [recall.mean, recall.mean], **bars)
    axes.plot([violation.mean, violation.mean], [recall.low, recall.high], **bars)


def _frame(axes: "Axes", sides: _Sides, curves: Sequence[Curve], methods: Sequence[MethodResult]) -> None:
    """Set names, limits and ticks."""
    axes.set_xlabel(f"{sides.bad_name} (lower is better)")
    axes.set_ylabel(f"{sides.good_name} (higher is better)")
    axes.set_xlim(*_limits(sides.bad, curves, methods))
    axes.set_ylim(*_limits(sides.good, curves, methods))
    axes.locator_params(nbins=6)


def _limits(measure: str, curves: Sequence[Curve], methods: Sequence[MethodResult]) -> tuple[float, float]:
    """Return limits that hold the intervals of all but those who lie far outside."""
    intervals = [curve.at(beta, measure) for curve in curves for beta in _marked(curve)]
    intervals += [method.measures[measure] for method in methods]
    least, most = core([interval.mean for interval in intervals])
    kept = [interval for interval in intervals if least <= interval.mean <= most]
    low, high = min(interval.low for interval in kept), max(interval.high for interval in kept)
    room = _ROOM * (high - low)
    return no_closer(low - room, high + room)


def _write_betas(
    axes: "Axes",
    curve: Curve,
    sides: _Sides,
    colour: str,
    others: Sequence[tuple[float, float]],
    *,
    above: bool,
) -> list[tuple[float, float]]:
    """Write betas along a curve, all on the same side of it, where there is room; return their places."""
    from matplotlib.patheffects import withStroke

    place, side, written = places(axes), _OFFSET if above else -_OFFSET, list[tuple[float, float]]()
    for beta in reversed(_marked(curve)):
        at = curve.at(beta, sides.bad).mean, curve.at(beta, sides.good).mean
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
