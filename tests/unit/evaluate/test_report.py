"""Reports say what was measured: every format is read back and compared with the record it was made of."""

import csv
import io
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from math import isnan
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.evaluations import (
    EVALUATION,
    METHODS,
    ONE_METHOD,
    PAIRS_ONLY,
    PLAIN,
    SETUP,
    WITHOUT_EXCLUSIONS,
    curve,
    method_result,
    only_at,
)

from esens.errors import MissingExtraError
from esens.evaluate.published import published_grid
from esens.evaluate.report import (
    ReportTable,
    beta_grid,
    comparison_tables,
    curves_csv,
    evaluation_tables,
    html_page,
    latex,
    main_table,
    markdown,
    methods_csv,
    methods_tables,
    plots,
    png,
    svg,
    terminal,
)
from esens.evaluate.report.latex import latex_table, latex_text
from esens.evaluate.report.table import Cell, best_marked, cell, change
from esens.evaluate.results import Curve, Evaluation, MethodResult
from esens.evaluate.statistics import Comparison, Interval

COMMAND = "esens evaluate data/excluir --html 'a b.html'"
EVIL = "<script>alert('|')</script> & \\_{$%#~^}* [x] `y` 茶"
EMPTY = Evaluation(SETUP, ())
NO_CURVES = replace(EVALUATION, curves=())
NO_METHODS = replace(EVALUATION, methods=())
ONE_BETA = replace(EVALUATION, curves=(only_at(curve(), [0.3]),))
NAMED_BY_ENEMIES = Evaluation(
    replace(SETUP, dataset=EVIL, embedder=EVIL, decomposer=EVIL, notes=(EVIL,)),
    (method_result(EVIL, 0.9, 0.5, plain=None), method_result(EVIL * 3, 0.8, 0.4, plain=PLAIN)),
    (curve(EVIL),),
)
ALL = {
    "usual": EVALUATION,
    "no curves": NO_CURVES,
    "no methods": NO_METHODS,
    "no exclusions": WITHOUT_EXCLUSIONS,
    "pairs": PAIRS_ONLY,
    "one method": ONE_METHOD,
    "one beta": ONE_BETA,
    "enemies": NAMED_BY_ENEMIES,
    "nothing": EMPTY,
}

every_evaluation = pytest.mark.parametrize("evaluation", ALL.values(), ids=ALL.keys())
needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="the extra evaluate is absent")


def column(table: ReportTable, name: str) -> list[str | Cell]:
    return [row[table.header.index(name)] for row in table.rows]


def printed(renderable: object, width: int = 100) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(renderable)
    return out.getvalue().splitlines()


# Tables


def test_a_row_a_method_with_its_figures() -> None:
    trade_off, order = methods_tables(EVALUATION)
    assert trade_off.header == ("method", "Avg. R ↑", "ΔAvg. R ↑", "Avg. V ↓", "ΔAvg. V ↓", "R@5 ↑", "V@5 ↓")
    assert order.header == ("method", "R@1 ↑", "RR ↑", "MRR@10 ↑", "nDCG@10 ↑", "ΔR@1 ↑", "first V ↑")
    for table in (trade_off, order):
        assert column(table, "method") == ["plain", *METHODS]
    recalls = column(trade_off, "Avg. R ↑")
    assert [one.value for one in recalls if isinstance(one, Cell)] == [
        one.measures["avg_recall"] for one in EVALUATION.methods
    ]


def test_plain_retrieval_has_no_difference_from_itself() -> None:
    assert column(methods_tables(EVALUATION)[0], "ΔAvg. V ↓")[0] == "–"


def test_marks_are_of_corrected_p_values() -> None:
    def compared(p: float) -> MethodResult:
        difference = Comparison(Interval(-0.1, -0.2, 0.0), p)
        return MethodResult(str(p), {"avg_recall": Interval(0.5, 0.4, 0.6)}, {"avg_recall": difference})

    methods = [MethodResult("plain", {"avg_recall": Interval(0.6, 0.5, 0.7)})]
    table = methods_tables(Evaluation(SETUP, (*methods, *map(compared, (0.0001, 0.004, 0.02, 0.04, 0.9)))))[0]
    marks = [one.mark if isinstance(one, Cell) else one for one in column(table, "ΔAvg. R ↑")]
    assert marks == ["–", "***", "*", "", "", ""]
    assert "Holm" in table.note


@pytest.mark.parametrize(("highest", "expected"), [(True, [1, 2]), (False, [0])])
def test_the_best_are_marked_as_they_read(highest: bool, expected: list[int]) -> None:
    means = (0.5, 0.7004, 0.7001)
    marked = best_marked([*(cell(Interval(mean, 0, 1)) for mean in means), "–"], highest)
    assert [number for number, one in enumerate(marked) if isinstance(one, Cell) and one.is_best] == expected


def test_nothing_is_best_where_all_are_the_same() -> None:
    assert all(not one.is_best for table in methods_tables(ONE_METHOD) for one in table.rows[0][1:])  # type: ignore[union-attr]


def test_what_was_not_measured_has_no_column_and_no_invented_value() -> None:
    assert [table.header for table in methods_tables(PAIRS_ONLY)] == [("method", "pairs ↑")]
    recall, order = methods_tables(WITHOUT_EXCLUSIONS)
    assert recall.title == "Recall"
    assert not any("V" in name for name in (*recall.header, *order.header))
    mixed = replace(
        PAIRS_ONLY, methods=(*PAIRS_ONLY.methods, MethodResult("odd", {"recall@1": Interval(0.5, 0.4, 0.6)}))
    )
    (table,) = methods_tables(mixed)
    assert column(table, "pairs ↑")[2] == column(table, "R@1 ↑")[0] == "–"
    assert cell(Interval(float("nan"), 0, 0)) == "–"


def test_the_grid_has_the_papers_layout() -> None:
    table = beta_grid(curve())
    assert table.header[:3] == ("β", "R@3", "V@3")
    assert table.header[-2:] == ("Avg. R", "Avg. V")
    assert [row[0] for row in table.rows] == [f"{step / 10:.1f}" for step in range(11)]
    assert [group.name for group in table.groups] == ["", "k = 3", "k = 5", "k = 7", "k = 9", "Avg."]
    there = column(table, "V@5")[3]
    assert isinstance(there, Cell)
    assert there.value == curve().at(0.3, "violation@5")


def test_a_beta_that_was_not_measured_is_not_read_off_a_neighbour() -> None:
    few = only_at(curve(), [0.0, 0.3])
    assert [row[0] for row in beta_grid(few).rows] == ["0.0", "0.3"]
    assert [row[1] for row in main_table({"minilm": few}).rows] == ["0.00", "0.30"]
    beside = comparison_tables(
        few, published_grid("excluir", "text-embedding-3-small", few.variant).cells, "small"
    )
    assert [[row[0] for row in table.rows] for table in beside] == [["0.0", "0.3"]] * 2


def test_the_main_table_has_a_block_a_retriever() -> None:
    table = main_table({"one": curve(), "two": curve(start=0.9)})
    assert column(table, "retriever") == ["one", "", "", "", "two", "", "", ""]
    assert table.blocks == (4,)
    changes = column(table, "ΔAvg. V ↓")
    assert changes[0] == changes[4] == "–"
    found = curve().measures["avg_violation"].mean
    assert isinstance(changes[3], Cell)
    assert changes[3].value.mean == pytest.approx(found[30] - found[0])
    assert changes[3].is_best
    assert changes[3].has_interval


def test_a_difference_whose_interval_is_unknown_has_none() -> None:
    change_at = column(main_table({"x": only_at(curve(), [0.0, 0.1])}), "ΔAvg. R")[1]
    assert isinstance(change_at, Cell)
    assert not change_at.has_interval
    assert str(change_at) == "+.000"
    assert column(main_table({"x": only_at(curve(), [0.1])}), "ΔAvg. R") == ["–"]


def test_ours_beside_the_published() -> None:
    ours, grid = curve(), published_grid("excluir", "text-embedding-3-small", "baseline-minus-trap")
    recall, violation = comparison_tables(ours, grid.cells, grid.retriever)
    assert recall.header == ("β", *(name for k in (3, 5, 7, 9) for name in (f"R@{k}", "publ.", "diff.")))
    assert [row[0] for row in violation.rows] == [f"{step / 10:.1f}" for step in range(11)]
    found = violation.rows[3][4:7]
    assert all(isinstance(one, Cell) for one in found)
    ours_here, theirs, difference = (one.value.mean for one in found if isinstance(one, Cell))
    assert (ours_here, theirs) == (ours.at(0.3, "violation@5").mean, 0.5426)
    assert difference == pytest.approx(ours_here - theirs)
    assert "of 44 published figures lie within our intervals" in violation.note


# Terminal


@every_evaluation
@pytest.mark.parametrize("width", [100, 80])
def test_it_fits_a_terminal(evaluation: Evaluation, width: int) -> None:
    lines = printed(terminal(evaluation), width)
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)


def test_a_wide_terminal_shows_bounds_and_a_narrow_one_widths() -> None:
    assert any(".929–.945" in line for line in printed(terminal(EVALUATION)))
    narrow = printed(terminal(EVALUATION), 80)
    assert any("±.008" in line for line in narrow)
    assert not any(".929–.945" in line for line in narrow)


def test_names_do_not_steer_the_terminal() -> None:
    table = ReportTable("[red]t", ("a",), (("[bold]x[/bold]\x1b[31m",),), "[n]")
    text = "\n".join(printed(table))
    assert "[bold]x[/bold]" in text
    assert "[red]t" in text
    assert "\x1b" not in text


# Markdown


@every_evaluation
def test_markdown_rows_have_as_many_cells_as_their_header(evaluation: Evaluation) -> None:
    page = markdown(evaluation, COMMAND)
    blocks = re.findall(r"(?:^\|.*\|\n?)+", page, re.MULTILINE)
    tables = evaluation_tables(evaluation)
    assert len(blocks) == len(tables)
    for block, table in zip(blocks, tables, strict=True):
        lines = block.splitlines()
        assert len(lines) == len(table.rows) + 2
        assert {line.count("|") for line in lines} == {len(table.header) + 1}
    assert f"    {COMMAND}" in page
    assert "<script" not in page


def test_markdown_shows_the_figure_the_interval_and_the_best() -> None:
    row = next(line for line in markdown(EVALUATION, COMMAND).splitlines() if line.startswith("| linear:0.5"))
    assert "| **.251** (.237–.266) | **−.628**\\*\\*\\* (−.634, −.622) |" in row


# LaTeX


@every_evaluation
def test_latex_is_well_formed(evaluation: Evaluation) -> None:
    source = latex(evaluation)
    for name in ("table*", "tabular"):
        assert source.count(f"\\begin{{{name}}}") == source.count(f"\\end{{{name}}}") == _tables(evaluation)
    assert _without_escapes(source).count("{") == _without_escapes(source).count("}")
    assert _without_escapes(source).count("$") % 2 == 0
    assert source.isascii() or evaluation is NAMED_BY_ENEMIES
    for columns, body in re.findall(
        r"\\begin\{tabular\}\{@\{\}(\w+)@\{\}\}\n(.*?)\\end\{tabular\}", source, re.DOTALL
    ):
        assert _rules(body)[0] == "\\toprule"
        assert _rules(body)[-1] == "\\bottomrule"
        for row in re.findall(r"^(.*) \\\\$", body, re.MULTILINE):
            spans = [int(number) - 1 for number in re.findall(r"\\multicolumn\{(\d+)\}", row)]
            assert _without_escapes(row).count("&") + sum(spans) == len(columns) - 1


def _tables(evaluation: Evaluation) -> int:
    return len(evaluation_tables(evaluation))


def _rules(body: str) -> list[str]:
    return re.findall(r"^\\(?:top|mid|bottom)rule", body, re.MULTILINE)


def _without_escapes(source: str) -> str:
    return re.sub(r"\\[\\{}$&#%_]", "", source)


def test_the_grid_in_latex_groups_by_k() -> None:
    source = latex_table(beta_grid(curve()))
    assert r" & \multicolumn{2}{c}{k = 3} & \multicolumn{2}{c}{k = 5} &" in source
    assert r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}" in source
    assert r"$\beta$ & R & V & R & V & R & V & R & V & R & V \\" in source


def test_the_main_table_in_latex_looks_like_the_papers() -> None:
    source = latex_table(main_table({"qwen_3": curve(), "two": curve(start=0.9)}))
    assert r"R@5 $\uparrow$ & V@5 $\downarrow$" in source
    assert source.count(r"\midrule") == 2
    assert r"qwen\_3 & 0.00 & \textbf{.937}" in source
    assert r"{\scriptsize .929--.945}" in source


def test_a_caption_says_where_the_figures_come_from() -> None:
    for caption in re.findall(r"\\caption\{(.*)\}", latex(EVALUATION)):
        assert "ExcluIR (SHA-256 9f86d081884c)" in caption.replace("-{}", "-")
        assert "bootstrap" in caption


@given(st.text())
def test_escaped_text_is_harmless(text: str) -> None:
    bare = _without_escapes(latex_text(text))
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert not set(bare) & set("#%_&~^\n\r")
    assert not re.search(r"\\(?!text\w+\{\}|ldots\{\}|pm|times|in\b|\w+arrow|Delta|alpha|beta|gamma|cdot)", bare)


# CSV


def test_the_csv_of_methods_has_the_very_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(methods_csv(EVALUATION))))
    assert len(rows) == sum(len(one.measures) for one in EVALUATION.methods)
    by_name = {one.method: one for one in EVALUATION.methods}
    for row in rows:
        method = by_name[row["method"]]
        assert tuple(float(row[name]) for name in ("mean", "low", "high")) == method.measures[row["measure"]]
        compared = method.against_plain.get(row["measure"])
        assert row["p"] == (str(compared.p) if compared else "")


def test_the_csv_of_curves_has_the_very_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(curves_csv(EVALUATION))))
    assert len(rows) == sum(len(one.betas) * len(one.measures) for one in EVALUATION.curves)
    by_name = {one.variant: one for one in EVALUATION.curves}
    for row in rows[:: len(rows) // 97]:
        found = by_name[row["variant"]].at(float(row["beta"]), row["measure"])
        assert tuple(float(row[name]) for name in ("mean", "low", "high")) == found


def test_missing_numbers_are_empty_fields() -> None:
    odd = Evaluation(SETUP, (MethodResult("x", {"rr": Interval(0.5, float("nan"), float("nan"))}),))
    assert methods_csv(odd).splitlines()[1] == f"x,rr,0.5,,,,,,,{odd.setup.dataset_hash}"


# Plots


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


# The page


class Checked(HTMLParser):
    """Keeps the stack of open elements, and all that a page could load or run."""

    VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "srcset", "action", "data", "xlink:href"}:
                self.references.append(value or "")
            self.references += re.findall(r"url\((.*?)\)", value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: str) -> Checked:
    checked = Checked()
    checked.feed(page)
    checked.close()
    assert not checked.open
    return checked


@needs_matplotlib
@every_evaluation
def test_the_page_is_whole_and_stands_alone(evaluation: Evaluation) -> None:
    page = html_page(evaluation, COMMAND)
    checked = parsed(page)
    assert page.startswith("<!DOCTYPE html>")
    assert not {"script", "link", "img", "iframe", "image", "metadata"} & set(checked.tags)
    assert "http" not in page
    assert "@import" not in page
    assert all(one.startswith("#") and one[1:] in checked.ids for one in checked.references)
    assert len(checked.ids) == len(set(checked.ids))
    assert checked.tags.count("svg") == len(plots(evaluation))
    assert checked.tags.count("table") == len(evaluation_tables(evaluation))
    assert evaluation.setup.dataset in checked.text
    assert COMMAND in checked.text
    for one in evaluation.methods:
        assert one.method in checked.text


@needs_matplotlib
def test_the_page_follows_light_and_dark() -> None:
    page = html_page(EVALUATION, COMMAND)
    assert "prefers-color-scheme: dark" in page
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawn)) == set()
    assert {f"--series-{number}" in page for number in range(4)} == {True}


@needs_matplotlib
def test_no_format_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html_page(NAMED_BY_ENEMIES, COMMAND)


# Numbers


@pytest.mark.parametrize("write", [change, lambda value: str(cell(Interval(value, 0.0, 0.0)))[:5]])
@given(value=st.floats(-0.99, 0.99))
def test_three_decimals(write: Callable[[float], str], value: float) -> None:
    shown = float(write(value).replace("−", "-").strip(" ("))
    assert not isnan(shown)
    assert abs(shown - value) <= 0.00051
