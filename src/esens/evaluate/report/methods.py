"""Methods side by side: what they find, what they let through, and where they put it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan

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
MOST_LESS = 0.05
"""Of two methods whose recall differs by more, fewer violations are no merit of the one."""
_LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class _MeasureColumn:
    heading: str
    measure: str
    explained: str = ""
    write: Callable[[float], str] = short
    highest_is_best: bool = True
    is_difference: bool = False

    def cells(self, methods: Sequence[MethodResult], comparable: Sequence[bool]) -> list[str | Cell]:
        cells = self._differences(methods) if self.is_difference else self._values(methods)
        return best_marked(cells, self.highest_is_best, comparable)

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
    tables = [
        _table(title, columns, evaluation.methods, good) for title, columns, good in _layout(evaluation.methods)
    ]
    return [table for table in tables if len(table.header) > 1]


def row_name(method: MethodResult) -> str:
    """Return what a method is called in tables and plots: the default one is marked as such."""
    return f"{method.method} (default)" if method.is_default else method.method


def described_methods(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return what each method is called and does; of those of which nobody said it, nothing."""
    return [(row_name(method), method.about) for method in evaluation.methods if method.about]


def _layout(methods: Sequence[MethodResult]) -> Iterator[tuple[str, Sequence[_MeasureColumn], _MeasureColumn]]:
    """Yield the titles and columns of the tables: where the first places count, one for each k.

    The last of each three is what a method must have enough of to be compared.
    """
    measures = {measure for method in methods for measure in method.measures}
    ks = ks_of_places(measures)
    if ks:
        wanted = {k: _MeasureColumn(f"W@{k} ↑", f"{WANTED}{k}") for k in ks}
        yield from ((f"The first {k} places", _places(k), wanted[k]) for k in ks)
        yield "Order", _ORDER_OF_SETS, wanted[ks[-1]]
    else:
        recall = _TRADE_OFF[0]
        yield "Recall and violation" if AVG_VIOLATION in measures else "Recall", _TRADE_OFF, recall
        yield "Order", _ORDER, recall


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


def _table(
    title: str, columns: Sequence[_MeasureColumn], methods: Sequence[MethodResult], good: _MeasureColumn
) -> ReportTable:
    comparable = _comparable(methods, good.measure)
    filled = [(column, column.cells(methods, comparable)) for column in columns]
    filled = [(column, cells) for column, cells in filled if any(isinstance(cell, Cell) for cell in cells)]
    names = [row_name(method) for method in methods]
    return ReportTable(
        title,
        ("method", *(column.heading for column, _ in filled)),
        tuple(zip(names, *(cells for _, cells in filled), strict=True)),
        _note(dict(filled), "" if all(comparable) else good.heading.rpartition(" ")[0]),
        marked=tuple(number for number, method in enumerate(methods) if method.is_default),
    )


def _comparable(methods: Sequence[MethodResult], good: str) -> list[bool]:
    """Return which methods find about as much as the one that finds most; all where that was not measured.

    Whoever finds nothing lets nothing through: without this, the worst method would be the best of a column.
    """
    found = {method.method: method.measures[good].mean for method in methods if good in method.measures}
    least = max(found.values(), default=nan) - MOST_LESS
    return [not found.get(method.method, least) < least for method in methods]


def _note(columns: Mapping[_MeasureColumn, Sequence[str | Cell]], good: str) -> str:
    explained = [column.explained for column in columns if column.explained]
    if any(column.is_difference for column in columns):
        explained.append(
            f"{_differences(columns)} from plain retrieval on the same queries: * p < .05, ** p < .01, "
            "*** p < .001 by a paired randomisation test, corrected for the number of methods (Holm)."
        )
    if any(isinstance(cell, Cell) and cell.is_best for cells in columns.values() for cell in cells):
        whose = f" among the methods whose {good} is at most {MOST_LESS:g} below the highest" if good else ""
        explained.append(f"Bold is the best of a column{whose}, however narrowly.")
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
