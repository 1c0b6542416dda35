"""The quality of a decomposer, as tables."""

from collections.abc import Iterable, Sequence

from esens.evaluate.decomposers import EndToEnd, FalsePositives, Quality
from esens.evaluate.report.table import MISSING, ReportTable


def tables(
    quality: Sequence[Quality],
    false_positives: Sequence[FalsePositives],
    searched: Sequence[EndToEnd],
    milliseconds: Iterable[tuple[str, str, float]],
) -> list[ReportTable]:
    """Return a table for each kind of measurement; a table without rows is left out."""
    every = [_quality(quality), _false_positives(false_positives), _searched(searched), _speed(milliseconds)]
    return [table for table in every if table.rows]


def _quality(measured: Sequence[Quality]) -> ReportTable:
    rows = tuple(
        (
            q.benchmark,
            q.decomposer,
            f"{q.queries:,}",
            str(q.detected),
            str(q.token_f1),
            str(q.similarity or MISSING),
        )
        for q in measured
    )
    f1 = [f"{q.f1_of_detected} ({q.decomposer}, {q.benchmark})" for q in measured if q.f1_of_detected is not None]
    of_detected = f" Where a trap was found, token F1 is {'; '.join(f1)}." if f1 else ""
    return ReportTable(
        "Exclusions found",
        ("benchmark", "decomposer", "queries", "trap found", "token F1", "similarity"),
        rows,
        "Token F1 and cosine similarity are of the trap and the title of the excluded document; a query without a "
        "trap counts as 0 in both. Of several traps, all words count in F1 and the nearest in "
        f"similarity.{of_detected}",
    )


def _false_positives(measured: Sequence[FalsePositives]) -> ReportTable:
    rows = tuple(
        (m.benchmark, m.decomposer, f"{m.queries:,}", f"{len(m.traps)} ({len(m.traps) / m.queries:.1%})")
        for m in measured
    )
    examples = [text for m in measured for text in m.traps]
    note = f"They are: {'; '.join(examples[:20])}" if examples else ""
    return ReportTable(
        "Exclusions invented, where nothing is excluded",
        ("benchmark", "decomposer", "queries", "false"),
        rows,
        note,
    )


def _searched(measured: Sequence[EndToEnd]) -> ReportTable:
    rows = tuple(
        (m.benchmark, m.decomposer, f"{m.queries:,}", m.method, str(m.recall), str(m.violation)) for m in measured
    )
    return ReportTable(
        "Search with them",
        ("benchmark", "decomposer", "queries", "method", "Avg. R", "Avg. V"),
        rows,
        "Methods as in esens evaluate; R@k and V@k averaged over k in {3, 5, 7, 9}.",
    )


def _speed(measured: Iterable[tuple[str, str, float]]) -> ReportTable:
    rows = tuple((name, on, f"{value:.2f}") for name, on, value in measured)
    return ReportTable("Time", ("decomposer", "queries of", "median ms a query"), rows)
