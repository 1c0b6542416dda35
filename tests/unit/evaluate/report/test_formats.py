"""A terminal, Markdown and CSV: each is read back and compared with the record it was made of."""

import csv
import io
import re

import pytest
from rich.console import Console
from tests.evaluations import (
    EVALUATION,
    SETUP,
    every_evaluation,
)

from esens.evaluate.report import (
    ReportTable,
    curves_csv,
    evaluation_tables,
    markdown,
    methods_csv,
    terminal,
)
from esens.evaluate.report.table import Cell
from esens.evaluate.results import Evaluation, MethodResult
from esens.evaluate.statistics import Interval

COMMAND = "esens evaluate data/excluir --html 'a b.html'"


def column(table: ReportTable, name: str) -> list[str | Cell]:
    return [row[table.header.index(name)] for row in table.rows]


def printed(renderable: object, width: int = 100) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(renderable)
    return out.getvalue().splitlines()


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


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"])
def test_no_cell_of_the_csv_is_a_formula(name: str) -> None:
    odd = Evaluation(SETUP, (MethodResult(name, {"rr": Interval(-0.5, float("nan"), 0.5)}),))
    (row,) = csv.DictReader(io.StringIO(methods_csv(odd)))
    assert row["method"] == f"'{name}"
    assert row["mean"] == "-0.5"
