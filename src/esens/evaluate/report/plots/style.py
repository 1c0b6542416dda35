"""What all plots share: settings, colours, and the way from values to points on the page."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esens.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = Callable[[float, float], tuple[float, float]]

INK, QUIET, PAPER = "#1c1c1c", "#8f9499", "#ffffff"
# Told apart by people who see few colours, and by their lightness where there is none: a test checks both.
SERIES = ("#0a3580", "#ab2018", "#12857a", "#cf7d08")
LINES: tuple[Any, ...] = ("solid", (0, (5, 1.5)), (0, (4, 1.5, 1, 1.5)), (0, (1, 1.2)))

WIDTH = 3.5  # inches: a column of a paper, so that the sizes of its texts are what they say
LABEL_SIZE = 6.5
LINE_WIDTH = 1.2
NAME_AT = -0.135  # of the axes' width: where the name of the vertical axis leaves room for its ticks
FONT = "DejaVu Sans"  # comes with matplotlib, so it is the same everywhere

_LEAST_SPAN = 0.1
# One value in so many may be left out, if it is so far from the next, as a share of what all others span.
_FEW, _FAR = 6, 0.5
_SETTINGS: dict[Any, Any] = {
    "font.family": FONT,
    "font.size": 7.5,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    "svg.hashsalt": "esens",
    "svg.fonttype": "path",
}


@contextmanager
def settings() -> Iterator[None]:
    """Draw with our settings, whatever the caller's are."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("matplotlib", "evaluate") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def no_closer(low: float, high: float) -> tuple[float, float]:
    """Return limits in which what lies close together is not blown up to look far apart."""
    middle, half = (low + high) / 2, max(high - low, _LEAST_SPAN) / 2
    return middle - half, middle + half


def core(values: Sequence[float]) -> tuple[float, float]:
    """Return the least and the greatest value without the few that would stretch an axis for all others.

    >>> core([0.9, 0.95, 0.93, 0.88, 0.97, 0.18])
    (0.88, 0.97)
    """
    core_values = sorted(values)
    for _ in range(len(core_values) // _FEW):
        below, above = core_values[1] - core_values[0], core_values[-1] - core_values[-2]
        rest = core_values[1:] if below >= above else core_values[:-1]
        if max(below, above) <= _FAR * max(rest[-1] - rest[0], _LEAST_SPAN):
            break
        core_values = rest
    return core_values[0], core_values[-1]


def places(axes: "Axes") -> Place:
    """Return what turns values into points from the axes' lower left."""
    (left, right), (bottom, top), (width, height) = axes.get_xlim(), axes.get_ylim(), size(axes)
    return lambda x, y: ((x - left) / (right - left) * width, (y - bottom) / (top - bottom) * height)


def size(axes: "Axes") -> tuple[float, float]:
    """Return width and height of the axes in points."""
    scale = 72 / axes.figure.dpi
    return float(axes.bbox.width * scale), float(axes.bbox.height * scale)
