"""Tables say what was measured: every figure is that of the record."""

from collections.abc import Callable
from dataclasses import replace
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluations import (
    EVALUATION,
    METHODS,
    ONE_METHOD,
    OUTLIER,
    PAIRS_ONLY,
    PLACES,
    SETUP,
    WITH_DEFAULT,
    WITHOUT_EXCLUSIONS,
    curve,
    only_at,
)

from esens.evaluate.published import published_grid
from esens.evaluate.report import (
    ReportTable,
    beta_grid,
    comparison_tables,
    main_table,
    methods_tables,
)
from esens.evaluate.report.table import Cell, best_marked, cell, change
from esens.evaluate.results import Evaluation, MethodResult
from esens.evaluate.statistics import Comparison, Interval


def column(table: ReportTable, name: str) -> list[str | Cell]:
    return [row[table.header.index(name)] for row in table.rows]


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


def _bold(table: ReportTable, name: str) -> list[str | Cell]:
    cells = zip(column(table, "method"), column(table, name), strict=True)
    return [method for method, one in cells if isinstance(one, Cell) and one.is_best]


def test_whoever_finds_next_to_nothing_is_the_best_of_no_column() -> None:
    trade_off, order = methods_tables(WITH_DEFAULT)
    least = min(WITH_DEFAULT.methods, key=lambda method: method.measures["avg_violation"].mean)
    assert least.method == OUTLIER  # so that it would be the best, were it compared
    assert _bold(trade_off, "Avg. V ↓") == _bold(order, "first V ↑") == ["esens (default)"]
    assert "among the methods whose Avg. R is at most 0.05 below the highest" in trade_off.note
    without = methods_tables(replace(WITH_DEFAULT, methods=WITH_DEFAULT.methods[1:3]))[0]
    assert "among the methods" not in without.note  # all of them are comparable


def test_of_first_places_those_are_compared_that_find_enough_of_what_is_wanted() -> None:
    plain, target = PLACES.methods
    assert plain.measures["wanted@5"].mean < target.measures["wanted@5"].mean - 0.05
    few = replace(plain, method="few", measures={**plain.measures, "excluded@5": Interval(0.01, 0.0, 0.02)})
    some = replace(target, method="some", measures={**target.measures, "excluded@5": Interval(0.3, 0.2, 0.4)})
    table = methods_tables(replace(PLACES, methods=(few, target, some)))[0]
    assert _bold(table, "E@5 ↓") == ["target-only"]
    assert "whose W@5 is at most 0.05 below the highest" in table.note


def test_the_default_is_named_and_marked() -> None:
    for table in methods_tables(WITH_DEFAULT):
        assert [row[0] for row in table.rows if "default" in str(row[0])] == ["esens (default)"]
        assert [table.rows[number][0] for number in table.marked] == ["esens (default)"]
    assert all(not table.marked for table in methods_tables(EVALUATION))


def test_a_curve_beyond_the_papers_betas_has_a_row_for_each() -> None:
    found = curve("esens")
    wide = replace(found, betas=found.betas * 5)
    few = only_at(wide, [0.0, 0.25, 2.0, 5.0])
    assert [row[0] for row in beta_grid(few).rows] == ["0.0", "0.25", "2.0", "5.0"]


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


@pytest.mark.parametrize("write", [change, lambda value: str(cell(Interval(value, 0.0, 0.0)))[:5]])
@given(value=st.floats(-0.99, 0.99))
def test_three_decimals(write: Callable[[float], str], value: float) -> None:
    shown = float(write(value).replace("−", "-").strip(" ("))
    assert not isnan(shown)
    assert abs(shown - value) <= 0.00051
