"""The paper's tables for a retriever, compared where it is the paper's: for a terminal, Markdown and LaTeX."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from esens.evaluate.report.grid import beta_grid, comparison_tables, main_table
from esens.evaluate.report.latex import latex_table
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import ReportTable
from esens.evaluate.reproduction import Reproduction
from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import Group


def reproduction_tables(reproduction: Reproduction) -> list[ReportTable]:
    """Return for each variant the main table, then R and V at every k: compared with published figures, if any."""
    tables = []
    for curve in reproduction.curves:
        title = f"{reproduction.dataset}, {curve.variant}: checkpoints of β"
        tables.append(replace(main_table(reproduction.main_curves(curve.variant)), title=title))
        published = reproduction.published(curve.variant)
        if published is None:
            tables.append(beta_grid(curve))
        else:
            same = reproduction.is_same_retriever
            tables += comparison_tables(curve, published.cells, published.retriever, is_same=same)
    return tables


def terminal(reproduction: Reproduction) -> "Group":
    """Return what to print on a rich console."""
    from rich.console import Group
    from rich.text import Text

    head = Text(single_line(f"{setup_text(reproduction.setup)} {INTERVALS}"))
    return Group(head, *(part for table in reproduction_tables(reproduction) for part in (Text(), table)))


def markdown(reproductions: Sequence[Reproduction], command: str) -> str:
    """Return a page with the tables of every dataset, and the command that measured them."""
    parts = ["# The paper's experiments, run by us", f"    {command}"]
    for reproduction in reproductions:
        parts.append(f"# {reproduction.dataset}\n\n{setup_text(reproduction.setup)} {INTERVALS}")
        parts += [table.markdown() for table in reproduction_tables(reproduction)]
    return "\n\n".join(parts) + "\n"


def latex(reproductions: Sequence[Reproduction]) -> str:
    """Return the tables of every dataset for a document that loads booktabs."""
    tables = [
        replace(table, note=f"{table.note} {setup_text(reproduction.setup)} {INTERVALS}".strip())
        for reproduction in reproductions
        for table in reproduction_tables(reproduction)
    ]
    return "\n".join(latex_table(table) for table in tables)
