"""Methods side by side: what they find, what they let through, and where they put it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from esens.evaluate.measures import (
    AVERAGED_KS,
    AVG_RECALL,
    AVG_VIOLATION,
    DELTA_R1,
    FIRST_VIOLATION,
    MRR,
    NDCG,
    PAIRWISE,
    RR,
)
from esens.evaluate.report.table import Cell, ReportTable, best_marked, cell, change, rank
from esens.evaluate.results import Evaluation, MethodResult
from esens.evaluate.statistics import Comparison, holm, short

_AVERAGED = ", ".join(map(str, AVERAGED_KS))
_LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class _MeasureColumn:
    heading: str
    measure: str
    explained: str = ""
    write: Callable[[float], str] = short
    highest_is_best: bool = True
    is_difference: bool = False

    def cells(self, methods: Sequence[MethodResult]) -> list[str | Cell]:
        cells = self._differences(methods) if self.is_difference else self._values(methods)
        return best_marked(cells, self.highest_is_best)

    def _values(self, methods: Sequence[MethodResult]) -> list[str | Cell]:
        return [cell(method.measures.get(self.measure), self.write) for method in methods]

    def _differences(self, methods: Sequence[MethodResult]) -> list[str | Cell]:
        comparisons = [method.against_plain.get(self.measure) for method in methods]
        return [
            cell(comparison.difference if comparison else None, change, mark)
            for comparison, mark in zip(comparisons, _marks(comparisons), strict=True)
        ]


_TRADE_OFF = (
    _MeasureColumn("Avg. R ↑", AVG_RECALL, f"Avg. is the mean over k in {{{_AVERAGED}}}."),
    _MeasureColumn("ΔAvg. R ↑", AVG_RECALL, is_difference=True),
    _MeasureColumn("Avg. V ↓", AVG_VIOLATION, highest_is_best=False),
    _MeasureColumn("ΔAvg. V ↓", AVG_VIOLATION, highest_is_best=False, is_difference=True),
    _MeasureColumn("R@5 ↑", "recall@5"),
    _MeasureColumn("V@5 ↓", "violation@5", highest_is_best=False),
)
_ORDER = (
    _MeasureColumn("R@1 ↑", "recall@1"),
    _MeasureColumn("RR ↑", RR, "RR: how often the best answer stands above all that is excluded."),
    _MeasureColumn("MRR@10 ↑", MRR),
    _MeasureColumn("nDCG@10 ↑", NDCG),
    _MeasureColumn("ΔR@1 ↑", DELTA_R1, "ΔR@1 is R@1 − V@1.", change),
    _MeasureColumn("first V ↑", FIRST_VIOLATION, "First V: the median rank of the first excluded document.", rank),
    _MeasureColumn("pairs ↑", PAIRWISE, "Pairs: how often both queries of a pair are ranked right."),
)
HEADINGS = {column.measure: column.heading for column in (*_TRADE_OFF, *_ORDER) if not column.is_difference}
"""What each measure is called at the head of a column."""


def methods_tables(evaluation: Evaluation) -> list[ReportTable]:
    """Return a row a method: the trade-off, then the order; what was not measured of any method is left out."""
    excludes = any(AVG_VIOLATION in method.measures for method in evaluation.methods)
    title = "Recall and violation" if excludes else "Recall"
    tables = [_table(title, _TRADE_OFF, evaluation.methods), _table("Order", _ORDER, evaluation.methods)]
    return [table for table in tables if len(table.header) > 1]


def _table(title: str, columns: Sequence[_MeasureColumn], methods: Sequence[MethodResult]) -> ReportTable:
    filled = [(column, column.cells(methods)) for column in columns]
    filled = [(column, cells) for column, cells in filled if any(isinstance(cell, Cell) for cell in cells)]
    names = [method.method for method in methods]
    return ReportTable(
        title,
        ("method", *(column.heading for column, _ in filled)),
        tuple(zip(names, *(cells for _, cells in filled), strict=True)),
        _note(dict(filled)),
    )


def _note(columns: Mapping[_MeasureColumn, Sequence[str | Cell]]) -> str:
    explained = [column.explained for column in columns if column.explained]
    if any(column.is_difference for column in columns):
        explained.append(
            "ΔAvg. is the difference from plain retrieval on the same queries: * p < .05, ** p < .01, "
            "*** p < .001 by a paired randomisation test, corrected for the number of methods (Holm)."
        )
    if any(isinstance(cell, Cell) and cell.is_best for cells in columns.values() for cell in cells):
        explained.append("Bold is the best of a column, however narrowly.")
    return " ".join(explained)


def _marks(comparisons: Sequence[Comparison | None]) -> list[str]:
    """Return the stars of each comparison, none where there is no comparison."""
    corrected = iter(holm([comparison.p for comparison in comparisons if comparison]))
    return [stars(next(corrected)) if comparison else "" for comparison in comparisons]


def stars(p: float) -> str:
    """Return how a p is marked."""
    return next((signs for level, signs in _LEVELS if p < level), "")
