"""The queries that the penalty hurt: how many show which pattern, and some of them in full."""

from typing import TYPE_CHECKING

from esens.evaluate.failures import BOTH, GROUPS, MENTION, NEIGHBOUR, NEIGHBOURS, NEITHER, Case, Failures
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import ReportTable, cell
from esens.text.plain import single_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Group

MEANING = {
    BOTH: "mentions it and is a near neighbour",
    MENTION: "mentions what is excluded",
    NEIGHBOUR: "is a near neighbour of the excluded document",
    NEITHER: "shows neither",
}
_LENGTH = 160


def failures_table(failures: Failures) -> ReportTable:
    """Return how often each pattern shows among the hurt and among all."""
    rows = tuple(
        (
            MEANING[group],
            f"{sum(case.group == group for case in failures.cases):,}",
            *map(cell, failures.share(group)),
        )
        for group in GROUPS
    )
    return ReportTable(
        f"{len(failures.cases):,} of {len(failures.all_groups):,} answers pushed down by {failures.score} "
        f"at beta {failures.beta:g}, {failures.helped:,} lifted",
        ("the answer …", "hurt", "share of the hurt", "share of all"),
        rows,
        f"Near: the excluded document is among the {NEIGHBOURS} documents nearest to the answer. Mentions: its "
        "text holds the words of a trap, or of the excluded title, in a row. "
        f"{setup_text(failures.setup)} {INTERVALS}",
    )


def cases(failures: Failures, most: int) -> "Iterator[Group]":
    """Yield some cases of each pattern, the worst first, to print on a rich console."""
    for group in GROUPS:
        for case in [case for case in failures.cases if case.group == group][:most]:
            yield _case(case)


def _case(case: Case) -> "Group":
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    lines = Grid.grid(padding=(0, 2))
    for name, text in _lines(case):
        lines.add_row(Text(f"  {name}", "dim"), Text(single_line(text)))
    return Group(Text(single_line(case.query), "bold"), lines)


def _lines(case: Case) -> "Iterator[tuple[str, str]]":
    yield "pattern", f"the answer {MEANING[case.group]}"
    if case.decomposition.traps:  # where only vectors were supplied there is no text
        yield "excluded", "; ".join(case.decomposition.traps)
    yield "answer", f"rank {case.rank_before:,} → {case.rank_after:,}: {_shorten(case.answer.content)}"
    if case.mention:
        yield "mention", case.mention
    yield "to leave out", _shorten(case.excluded.content)
    yield "nearness", f"cosine {case.similarity:.2f}; it is neighbour {case.neighbour:,} of the answer"


def _shorten(text: str) -> str:
    line = single_line(text)
    return line if len(line) <= _LENGTH else f"{line[:_LENGTH]}…"
