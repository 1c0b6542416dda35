"""The trade-off in pictures: recall and violation over beta, and one against the other.

Lines differ in style as well as in colour, and every interval is drawn. The same evaluation gives the same bytes.
Nothing here touches pyplot, so a caller's figures and settings stay as they are.
"""

import io
import re
from typing import TYPE_CHECKING, Any

from esens.evaluate.report.plots.frontier import frontier_plot
from esens.evaluate.report.plots.over_beta import beta_plot
from esens.evaluate.report.plots.style import settings
from esens.evaluate.results import Curve, Evaluation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FRONTIER = "frontier"

_DPI = 300


def plots(evaluation: Evaluation) -> dict[str, "Figure"]:
    """Return the figures that the evaluation has data for, by a name fit for a file."""
    with settings():
        figures = {FRONTIER: frontier_plot(evaluation)}
        figures |= {over_beta(curve): beta_plot(curve) for curve in evaluation.curves}
    return {name: figure for name, figure in figures.items() if figure is not None}


def over_beta(curve: Curve) -> str:
    """Return the name of a curve's plot over beta."""
    return f"beta-{re.sub(r'[^a-z0-9]+', '-', curve.variant.lower()).strip('-')}"


def png(figure: "Figure") -> bytes:
    """Return a figure as PNG, sharp in print."""
    return _saved(figure, format="png", dpi=_DPI, metadata={"Software": None})


def svg(figure: "Figure") -> str:
    """Return a figure as SVG, with its letters drawn as shapes, so that it needs no font."""
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    return _saved(figure, format="svg", metadata=nothing).decode()


def _saved(figure: "Figure", **options: Any) -> bytes:
    out = io.BytesIO()
    with settings():
        figure.savefig(out, **options)
    return out.getvalue()
