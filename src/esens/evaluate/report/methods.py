"""Methods side by side: what they find, what they let through, and where they put it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from esens.evaluate.measures import (
    AVERAGED_KS,
    AVG_RECALL,
    AVG_VIOLATION,
    DELTA_R1,
    DENIED_KEPT,
    EXCLUDED,
    EXCLUDED_FIRST,
    FIRST_VIOLATION,
    LOST,
    MRR,
    NDCG,
    PAIRWISE,
    RR,
    WANTED,
    ks_of_places,
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
_ORDER_OF_SETS = (
    _MeasureColumn(
        "E first ↓", EXCLUDED_FIRST, "E first: how often an excluded document is first.", highest_is_best=False
    ),
    _MeasureColumn("ΔE first ↓", EXCLUDED_FIRST, highest_is_best=False, is_difference=True),
    _MeasureColumn(
        "denied ↑",
        DENIED_KEPT,
        "Denied: of the documents that say that they lack what is excluded, those not below their plain place.",
    ),
    *(column for column in _ORDER if column.measure not in ("recall@1", DELTA_R1)),
)
HEADINGS = {column.measure: column.heading for column in (*_TRADE_OFF, *_ORDER) if not column.is_difference}
"""What each measure is called at the head of a column."""


def methods_tables(evaluation: Evaluation) -> list[ReportTable]:
    """Return a row a method: the trade-off, then the order; what was not measured of any method is left out."""
    tables = [_table(title, columns, evaluation.methods) for title, columns in _layout(evaluation.methods)]
    return [table for table in tables if len(table.header) > 1]


def _layout(methods: Sequence[MethodResult]) -> Iterator[tuple[str, Sequence[_MeasureColumn]]]:
    """Yield the titles and columns of the tables: where the first places count, one for each k."""
    measures = {measure for method in methods for measure in method.measures}
    ks = ks_of_places(measures)
    if ks:
        yield from ((f"The first {k} places", _places(k)) for k in ks)
        yield "Order", _ORDER_OF_SETS
    else:
        yield "Recall and violation" if AVG_VIOLATION in measures else "Recall", _TRADE_OFF
        yield "Order", _ORDER


def _places(k: int) -> Sequence[_MeasureColumn]:
    shares = f"E and W: the shares of the first {k} places that excluded and wanted documents take."
    lost = f"Lost: the share of the wanted documents in plain retrieval's first {k} that are there no more."
    excluded, wanted = f"{EXCLUDED}{k}", f"{WANTED}{k}"
    return (
        _MeasureColumn(f"E@{k} ↓", excluded, shares, highest_is_best=False),
        _MeasureColumn(f"ΔE@{k} ↓", excluded, highest_is_best=False, is_difference=True),
        _MeasureColumn(f"W@{k} ↑", wanted),
        _MeasureColumn(f"ΔW@{k} ↑", wanted, is_difference=True),
        _MeasureColumn(f"lost@{k} ↓", f"{LOST}{k}", lost, highest_is_best=False),
    )


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
            f"{_differences(columns)} from plain retrieval on the same queries: * p < .05, ** p < .01, "
            "*** p < .001 by a paired randomisation test, corrected for the number of methods (Holm)."
        )
    if any(isinstance(cell, Cell) and cell.is_best for cells in columns.values() for cell in cells):
        explained.append("Bold is the best of a column, however narrowly.")
    return " ".join(explained)


def _differences(columns: Iterable[_MeasureColumn]) -> str:
    names = [column.heading.rpartition(" ")[0] for column in columns if column.is_difference]
    if names[0].startswith("ΔAvg."):
        return "ΔAvg. is the difference"
    return f"{' and '.join(names)} {'is the difference' if len(names) == 1 else 'are the differences'}"


def _marks(comparisons: Sequence[Comparison | None]) -> list[str]:
    """Return the stars of each comparison, none where there is no comparison."""
    corrected = iter(holm([comparison.p for comparison in comparisons if comparison]))
    return [stars(next(corrected)) if comparison else "" for comparison in comparisons]


def stars(p: float) -> str:
    """Return how a p is marked."""
    return next((signs for level, signs in _LEVELS if p < level), "")
