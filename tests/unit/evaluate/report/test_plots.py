"""Plots show what there is, in the same bytes each time."""

import re
import sys
from xml.etree import ElementTree

import pytest
from tests.evaluations import (
    EMPTY,
    EVALUATION,
    NAMED_BY_ENEMIES,
    NO_CURVES,
    NO_METHODS,
    ONE_BETA,
    ONE_METHOD,
    PAIRS_ONLY,
    SETUP,
    WITHOUT_EXCLUSIONS,
    curve,
    needs_matplotlib,
)

from esens.errors import MissingExtraError
from esens.evaluate.report import (
    html_page,
    plots,
    png,
    svg,
)
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
@pytest.mark.parametrize("evaluation", [EVALUATION, NO_CURVES, ONE_BETA, NAMED_BY_ENEMIES])
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
