"""The paper's tables and ours, compared: for a terminal, as Markdown and as LaTeX."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from esens.evaluate.report.grid import comparison_tables, main_table
from esens.evaluate.report.latex import latex_table
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import ReportTable
from esens.evaluate.reproduction import Reproduction
from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import Group


def reproduction_tables(reproduction: Reproduction) -> list[ReportTable]:
    """Return the main table of each variant, then R and V at every k compared with the published figures."""
    tables = []
    for curve in reproduction.curves:
        title = f"{reproduction.dataset}, {curve.variant}: checkpoints of β"
        tables.append(replace(main_table(reproduction.main_curves(curve.variant)), title=title))
        published = reproduction.published(curve.variant)
        tables += comparison_tables(curve, published.cells, published.retriever)
    return tables


def terminal(reproduction: Reproduction) -> "Group":
    """Return what to print on a rich console."""
    from rich.console import Group
    from rich.text import Text

    head = Text(single_line(f"{setup_text(reproduction.setup)} {INTERVALS}"))
    return Group(head, *(part for table in reproduction_tables(reproduction) for part in (Text(), table)))


def markdown(reproductions: Sequence[Reproduction], command: str) -> str:
    """Return a page with the tables of every dataset, and the command that measured them."""
    parts = ["# The paper's experiments, reproduced", f"    {command}"]
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
