"""Plots show what there is, in the same bytes each time."""

import re
import sys
from dataclasses import replace
from importlib import resources
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.evaluations import (
    EMPTY,
    EVALUATION,
    NAMED_BY_ENEMIES,
    NO_CURVES,
    NO_METHODS,
    ONE_BETA,
    ONE_METHOD,
    OUTLIER,
    PAIRS_ONLY,
    SETUP,
    WITH_DEFAULT,
    WITHOUT_EXCLUSIONS,
    curve,
    method_result,
    needs_matplotlib,
)

from esens.errors import MissingExtraError
from esens.evaluate.report import (
    html_page,
    plots,
    png,
    svg,
)
from esens.evaluate.report.plots.style import SERIES
from esens.evaluate.results import Curve, Evaluation

COMMAND = "esens evaluate data/excluir --html 'a b.html'"


@needs_matplotlib
@pytest.mark.parametrize(
    ("evaluation", "names"),
    [
        (EVALUATION, ["frontier", "beta-baseline-minus-trap", "beta-target-minus-trap"]),
        (NO_CURVES, ["frontier"]),
        (NO_METHODS, ["frontier", "beta-baseline-minus-trap", "beta-target-minus-trap"]),
        (ONE_METHOD, ["frontier"]),
        (ONE_BETA, ["frontier"]),
        (WITHOUT_EXCLUSIONS, []),
        (PAIRS_ONLY, []),
        (EMPTY, []),
    ],
)
def test_what_there_is_data_for_is_drawn(evaluation: Evaluation, names: list[str]) -> None:
    assert list(plots(evaluation)) == names


@needs_matplotlib
def test_recall_alone_is_one_panel() -> None:
    recalls = {name: found for name, found in curve().measures.items() if "recall" in name}
    drawn = plots(Evaluation(SETUP, (), (Curve("x", curve().betas, recalls),)))
    assert len(drawn["beta-x"].axes) == 1
    assert "frontier" not in drawn


@needs_matplotlib
def test_the_same_evaluation_gives_the_same_bytes() -> None:
    for one, other in zip(plots(EVALUATION).values(), plots(EVALUATION).values(), strict=True):
        assert svg(one) == svg(other)
        assert svg(one) == svg(one)
        assert png(one) == png(other)


@needs_matplotlib
def test_pictures_are_what_they_say() -> None:
    for figure in plots(NAMED_BY_ENEMIES).values():
        image = png(figure)
        assert image.startswith(b"\x89PNG\r\n\x1a\n")
        assert int.from_bytes(image[16:20]) in (1050, 1710)
        assert b"Software" not in image
        drawn = svg(figure)
        assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(r"<metadata|<image|<text|20\d\d-\d\d-\d\d", drawn)


@needs_matplotlib
def test_the_callers_settings_do_not_matter_and_stay() -> None:
    import matplotlib

    expected = svg(plots(NO_CURVES)["frontier"])
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none"}):
        assert svg(plots(NO_CURVES)["frontier"]) == expected
        assert matplotlib.rcParams["font.size"] == 30
    assert "matplotlib.pyplot" not in sys.modules


@needs_matplotlib
@pytest.mark.parametrize("evaluation", [EVALUATION, WITH_DEFAULT, NO_CURVES, ONE_BETA, NAMED_BY_ENEMIES])
def test_no_label_covers_another_or_leaves_the_picture(evaluation: Evaluation) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    for figure in plots(evaluation).values():
        canvas = FigureCanvasAgg(figure)
        renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
        figure.draw(renderer)
        legends = [axes.get_legend() for axes in figure.axes]
        texts = [text for axes in figure.axes for text in axes.texts]
        texts += [text for legend in legends if legend is not None for text in legend.get_texts()]
        boxes = [Text.get_window_extent(text, renderer) for text in texts]
        width, height = canvas.get_width_height()
        for number, box in enumerate(boxes):
            assert box.x0 >= 0 <= box.y0
            assert box.x1 <= width
            assert box.y1 <= height
            assert not any(_covers(box, other) for other in boxes[:number]), texts[number]


def _covers(one: object, other: object) -> bool:
    from matplotlib.transforms import Bbox

    assert isinstance(one, Bbox)
    assert isinstance(other, Bbox)
    shared = Bbox.intersection(one, other)
    return shared is not None and shared.width > 1 and shared.height > 1


@needs_matplotlib
def test_every_method_and_curve_is_in_the_legend_with_a_sign_of_its_own() -> None:
    legend = plots(EVALUATION)["frontier"].axes[0].get_legend()
    assert legend is not None
    names = [text.get_text() for text in legend.get_texts()]
    assert names == [
        *(f"{curve.variant}, by β" for curve in EVALUATION.curves),
        *(one.method for one in EVALUATION.methods),
    ]
    signs = [line.get_marker() for line in legend.get_lines()[len(EVALUATION.curves) :]]
    assert len(set(signs)) == len(signs)


@needs_matplotlib
def test_the_default_has_a_sign_of_its_own_in_the_colour_of_its_curve() -> None:
    axes = plots(WITH_DEFAULT)["frontier"].axes[0]
    drawn = {str(line.get_label()): line for line in axes.get_lines()}
    default = drawn["esens (default)"]
    others = [drawn[method.method] for method in WITH_DEFAULT.methods if not method.is_default]
    assert default.get_markersize() > 2 * max(line.get_markersize() for line in others)
    assert default.get_marker() not in {line.get_marker() for line in others}
    assert default.get_color() == drawn["esens, by β"].get_color()
    assert "beta-esens" in plots(WITH_DEFAULT)


@needs_matplotlib
def test_an_outlier_stands_at_the_edge_with_its_figures_and_stretches_no_axis() -> None:
    far = plots(WITH_DEFAULT)["frontier"].axes[0]
    others = tuple(method for method in WITH_DEFAULT.methods if method.method != OUTLIER)
    near = plots(replace(WITH_DEFAULT, methods=others))["frontier"].axes[0]
    assert far.get_ylim() == near.get_ylim()
    assert "↓ Avg. R .181, Avg. V .080" in [text.get_text() for text in far.texts]
    (sign,) = [line for line in far.get_lines() if line.get_label() == OUTLIER]
    assert far.get_ylim()[0] < float(sign.get_ydata()[0]) < far.get_ylim()[1]  # type: ignore[index, arg-type]


@needs_matplotlib
def test_twenty_seven_methods_differ_in_shape_or_filling() -> None:
    many = tuple(method_result(f"m{number}", 0.9, 0.5, plain=None) for number in range(27))
    legend = plots(Evaluation(SETUP, many))["frontier"].axes[0].get_legend()
    assert legend is not None
    signs = {(line.get_marker(), line.get_markerfacecolor()) for line in legend.get_lines()}
    assert len(signs) == 27


# Machado, Oliveira and Fernandes (2009): how colours look to those whose cones of one kind do not work.
SIGHTS = {
    "all cones": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def _linear(colour: str) -> np.ndarray:
    shares = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def _lab(linear: np.ndarray) -> np.ndarray:
    """Return lightness and the two axes of colour of CIELAB, in which distances are what eyes see."""
    x, y, z = np.cbrt(TO_XYZ @ np.clip(linear, 0.001, 1) / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def _series(media: str) -> list[str]:
    css = resources.files("esens.evaluate.report").joinpath("page.css").read_text(encoding="utf-8")
    found = re.findall(r"--series-\d: (#[0-9a-f]{6})", css)
    return found[:4] if media == "light" else found[4:8]


@pytest.mark.parametrize(("media", "paper"), [("light", "#ffffff"), ("dark", "#16181b")])
def test_colours_are_told_apart_by_all_and_in_grey_and_from_the_paper(media: str, paper: str) -> None:
    series = _series(media)
    assert len(set(series)) == 4
    if media == "light":
        assert tuple(series) == SERIES
    for sight, matrix in SIGHTS.items():
        seen = [_lab(matrix @ _linear(colour)) for colour in series]
        distances = [np.linalg.norm(one - other) for one, other in combinations(seen, 2)]
        assert min(distances) > 20, sight
    lightness = sorted(_lab(_linear(colour))[0] for colour in series)
    assert min(np.diff(lightness)) > 9
    for colour in series:
        dark, light = sorted(float(TO_XYZ[1] @ _linear(one)) for one in (colour, paper))
        assert (light + 0.05) / (dark + 0.05) > 3  # as WCAG wants it of graphics


@needs_matplotlib
def test_every_k_over_beta_is_in_the_legend_with_its_own_line_style() -> None:
    for axes in plots(EVALUATION)["beta-baseline-minus-trap"].axes:
        legend = axes.get_legend()
        assert legend is not None
        assert [text.get_text() for text in legend.get_texts()] == ["k = 9", "k = 7", "k = 5", "k = 3"]
        styles = {(line.get_color(), str(line.get_linestyle())) for line in axes.get_lines()}
        assert len(styles) == len(axes.get_lines()) == 4


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"esens\[evaluate\]"):
        plots(EVALUATION)
    with pytest.raises(MissingExtraError):
        html_page(EVALUATION, COMMAND)
