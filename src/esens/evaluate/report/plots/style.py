"""What all plots share: settings, colours, and the way from values to points on the page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esens.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = Callable[[float, float], tuple[float, float]]

INK, PAPER = "#1c1c1c", "#ffffff"
SERIES = ("#2a78b5", "#cf6a1d", "#3c9150", "#9a62b8")
LINES: tuple[Any, ...] = ("solid", (0, (5, 1.5)), (0, (4, 1.5, 1, 1.5)), (0, (1, 1.2)))

WIDTH = 3.5  # inches: a column of a paper, so that the sizes of its texts are what they say
LABEL_SIZE = 6.5
LINE_WIDTH = 1.2
NAME_AT = -0.135  # of the axes' width: where the name of the vertical axis leaves room for its ticks
FONT = "DejaVu Sans"  # comes with matplotlib, so it is the same everywhere

_LEAST_SPAN = 0.1
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


def places(axes: "Axes") -> Place:
    """Return what turns values into points from the axes' lower left."""
    (left, right), (bottom, top), (width, height) = axes.get_xlim(), axes.get_ylim(), size(axes)
    return lambda x, y: ((x - left) / (right - left) * width, (y - bottom) / (top - bottom) * height)


def size(axes: "Axes") -> tuple[float, float]:
    """Return width and height of the axes in points."""
    scale = 72 / axes.figure.dpi
    return float(axes.bbox.width * scale), float(axes.bbox.height * scale)
