"""LaTeX is well formed, whatever the names."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.evaluations import (
    EVALUATION,
    NAMED_BY_ENEMIES,
    curve,
    every_evaluation,
)

from esens.evaluate.report import (
    beta_grid,
    evaluation_tables,
    latex,
    main_table,
)
from esens.evaluate.report.latex import latex_table, latex_text
from esens.evaluate.results import Evaluation


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
