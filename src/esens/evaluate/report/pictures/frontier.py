"""Recall against violation: the paper's variants along beta, and every method as a point."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from esens.evaluate.intervals import Interval
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION
from esens.evaluate.report.pictures.labels import Label, Numbers, clusters, near, placed
from esens.evaluate.report.pictures.style import (
    FONT,
    INK,
    LABEL_SIZE,
    LINE_HEIGHT,
    LINE_WIDTH,
    LINES,
    NAME_AT,
    PAPER,
    QUIET,
    SERIES,
    WIDTH,
    Place,
    no_closer,
    places,
    size,
)
from esens.evaluate.results import Curve, Evaluation
from esens.table import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = "os^v"
_MARKED_BETAS = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)
_NAME_SHOWN = 32
# In points: how near two methods share a label, and how far off a label needs a line that leads there.
_ONE_PLACE, _FAR = 6.0, 7.0


def frontier_plot(evaluation: Evaluation) -> "Figure | None":
    """Return Avg. R over Avg. V, with intervals; None where neither methods nor curves have both."""
    curves = [curve for curve in evaluation.curves if {AVG_RECALL, AVG_VIOLATION} <= curve.measures.keys()]
    methods = _points(evaluation)
    return _frontier(curves, methods) if curves or methods else None


@dataclass(frozen=True, slots=True)
class _Point:
    """Something at a place of the frontier: a name, a violation and a recall."""

    name: str
    violation: Interval
    recall: Interval
    colour: str = INK
    marker: str = "D"


def _frontier(curves: Sequence[Curve], methods: Sequence[_Point]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.4), facecolor=PAPER)
    axes = figure.add_axes((0.155, 0.115, 0.815, 0.865))
    named, marked = [], []
    for curve, colour, style, marker in zip(curves, cycle(SERIES), cycle(LINES), cycle(_MARKERS), strict=False):
        x, y = _means(curve)
        axes.plot(x, y, color=colour, linestyle=style, linewidth=LINE_WIDTH)
        marked += _along(curve, colour, marker)
        named.append(_middle(curve, colour))
    for point in (*marked, *methods):
        _cross(axes, point)
    _frame(axes)
    _label_points(axes, [*named, *marked, *_together(axes, methods)], _drawn(axes, curves, [*marked, *methods]))
    return figure


def _frame(axes: "Axes") -> None:
    """Set names, limits and ticks."""
    axes.set_xlabel("Avg. V (lower is better)")
    axes.set_ylabel("Avg. R (higher is better)")
    axes.yaxis.set_label_coords(NAME_AT, 0.5)
    axes.margins(0.08, 0.1)
    axes.set_xlim(*no_closer(*axes.get_xlim()))
    axes.set_ylim(*no_closer(*axes.get_ylim()))
    axes.locator_params(nbins=6)


def _together(axes: "Axes", points: Sequence[_Point]) -> list[_Point]:
    """Give points at nearly the same place one label, a line each."""
    place = places(axes)
    found = clusters([place(point.violation.mean, point.recall.mean) for point in points], _ONE_PLACE)
    return [
        replace(points[numbers[0]], name="\n".join(points[number].name for number in numbers)) for numbers in found
    ]


def _points(evaluation: Evaluation) -> list[_Point]:
    measured = [
        (one.method, one.measures[AVG_VIOLATION], one.measures[AVG_RECALL])
        for one in evaluation.methods
        if {AVG_RECALL, AVG_VIOLATION} <= one.measures.keys()
    ]
    return [
        _Point(_shown(name), violation, recall)
        for name, violation, recall in measured
        if isfinite(violation.mean) and isfinite(recall.mean)
    ]


def _along(curve: Curve, colour: str, marker: str) -> list[_Point]:
    """Return the betas to mark; of a curve that has none of them, all there are."""
    wanted = [beta for beta in _MARKED_BETAS if np.isclose(curve.betas, beta).any()] or list(curve.betas)
    names = [f"β = {wanted[0]:g}", *(f"{beta:g}" for beta in wanted[1:])]
    return [
        _Point(name, curve.at(beta, AVG_VIOLATION), curve.at(beta, AVG_RECALL), colour, marker)
        for name, beta in zip(names, wanted, strict=True)
    ]


def _middle(curve: Curve, colour: str) -> _Point:
    """Return where a curve's own name belongs: halfway along its violation."""
    violation, _ = _means(curve)
    nearest = int(np.argmin(np.abs(violation - (violation.min() + violation.max()) / 2)))
    measures = curve.measures
    return _Point(
        _shown(curve.variant), measures[AVG_VIOLATION].at(nearest), measures[AVG_RECALL].at(nearest), colour
    )


def _cross(axes: "Axes", point: _Point) -> None:
    """Draw a point with its two intervals."""
    x, y = point.violation, point.recall
    bars: dict[str, Any] = {"color": point.colour, "linewidth": 0.6, "alpha": 0.75}
    axes.plot([x.low, x.high], [y.mean, y.mean], **bars)
    axes.plot([x.mean, x.mean], [y.low, y.high], **bars)
    face = PAPER if point.colour == INK else point.colour
    axes.plot(
        x.mean,
        y.mean,
        color=point.colour,
        linestyle="none",
        marker=point.marker,
        markersize=3.2,
        markerfacecolor=face,
        markeredgecolor=point.colour,
        markeredgewidth=0.7,
        zorder=4,
    )


def _label_points(axes: "Axes", points: Sequence[_Point], marks: Numbers) -> None:
    from matplotlib.patheffects import withStroke

    place, (width, height) = places(axes), size(axes)
    labels = [Label(*place(point.violation.mean, point.recall.mean), *_extent(point.name)) for point in points]
    for point, label, (x, y) in zip(points, labels, placed(labels, marks, width, height), strict=True):
        _leader(axes, label, x, y)
        axes.annotate(
            point.name,
            (x / width, y / height),
            xycoords="axes fraction",
            va="bottom",
            size=LABEL_SIZE,
            color=point.colour,
            parse_math=False,
            linespacing=LINE_HEIGHT,
            path_effects=[withStroke(linewidth=1.5, foreground=PAPER)],
            zorder=6,
        )


def _leader(axes: "Axes", label: Label, x: float, y: float) -> None:
    """Lead from a point to its label, if that had to go far."""
    there = near(label.x, label.y, np.array([[x, y, x + label.width, y + label.height]]))[0]
    if np.hypot(there[0] - label.x, there[1] - label.y) > _FAR:
        width, height = size(axes)
        xs, ys = (label.x / width, there[0] / width), (label.y / height, there[1] / height)
        axes.plot(xs, ys, transform=axes.transAxes, color=QUIET, linewidth=0.4, zorder=1.5)


def _drawn(axes: "Axes", curves: Sequence[Curve], points: Sequence[_Point]) -> Numbers:
    """Return boxes around all that labels should leave free: markers, interval bars, and the curves."""
    place = places(axes)
    boxes = [box for point in points for box in _around(point, place)]
    boxes += [(x - 1.5, y - 1.5, x + 1.5, y + 1.5) for curve in curves for x, y in _steps(curve, place)]
    return np.array([box for box in boxes if np.isfinite(box).all()]).reshape(-1, 4)


def _around(point: _Point, place: Place) -> list[tuple[float, float, float, float]]:
    """Return a box around the marker, and one around each bar."""
    x, y = place(point.violation.mean, point.recall.mean)
    left, bottom = place(point.violation.low, point.recall.low)
    right, top = place(point.violation.high, point.recall.high)
    bars = [(left, y - 0.5, right, y + 0.5), (x - 0.5, bottom, x + 0.5, top)]
    return [(x - 2.5, y - 2.5, x + 2.5, y + 2.5), *bars]


def _steps(curve: Curve, place: Place) -> list[tuple[float, float]]:
    """Return places along the drawn line, close enough to keep labels off it between two betas as well."""
    betas = np.arange(len(curve.betas))
    fine = np.linspace(0, len(betas) - 1, 300)
    x, y = (np.interp(fine, betas, means) for means in _means(curve))
    return [place(float(one), float(other)) for one, other in zip(x, y, strict=True)]


def _extent(text: str) -> tuple[float, float]:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=LABEL_SIZE)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines]
    return float(max(widths)) + 1.0, LABEL_SIZE * LINE_HEIGHT * len(lines)


def _means(curve: Curve) -> tuple[Any, Any]:
    """Return Avg. V and Avg. R along beta."""
    return curve.measures[AVG_VIOLATION].mean, curve.measures[AVG_RECALL].mean


def _shown(name: str) -> str:
    """Return a name as it is drawn: on one line, not too long, in letters that the font has."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont(FONT))
    line = "".join(sign if font.get_char_index(ord(sign)) else "□" for sign in one_line(name))
    return line if len(line) <= _NAME_SHOWN else f"{line[: _NAME_SHOWN - 1]}…"
