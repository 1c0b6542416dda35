"""The quality of a decomposer, as tables."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from esens.evaluate.decomposers import EndToEnd, FalsePositives, Quality, SplitAgreement
from esens.evaluate.report.table import MISSING, ReportTable


def tables(
    quality: Sequence[Quality],
    agreement: Sequence[SplitAgreement],
    false_positives: Sequence[FalsePositives],
    searched: Sequence[EndToEnd],
    milliseconds: Iterable[tuple[str, str, float]],
) -> list[ReportTable]:
    """Return a table for each kind of measurement; a table without rows is left out."""
    every = [
        _quality(quality),
        *(
            _agreement(f"{benchmark}, {decomposer}", list(rows))
            for (benchmark, decomposer), rows in groupby(agreement, key=lambda row: row[:2])
        ),
        _false_positives(false_positives),
        _searched(searched),
        _speed(milliseconds),
    ]
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


def _agreement(benchmark: str, measured: Sequence[SplitAgreement]) -> ReportTable:
    rows = tuple(
        (
            f"{m.group} ({m.excluding:,} + {m.plain:,})",
            *(str(share or MISSING) for share in (m.found, m.exact, m.trap_f1, m.target_f1, m.invented)),
        )
        for m in measured
    )
    return ReportTable(
        f"Beside a person's splits: {benchmark}",
        ("queries", "found", "exact", "trap F1", "target F1", "invented"),
        rows,
        "Queries: so many exclude something, so many nothing. Found: a trap where something is excluded. Exact: "
        "the same traps, but for case and articles. F1 of words, where a trap was found. Invented: a trap where "
        "nothing is excluded. The rows named by a relation are the queries for which the decomposer told it.",
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
