"""The paper's tables beside ours, for a terminal and as Markdown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from esens.evaluate.report.grid import beside_published, main_table
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import ReportTable
from esens.evaluate.reproduction import Reproduction
from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import Group


def reproduction_tables(found: Reproduction) -> list[ReportTable]:
    """Return the main table of each variant, then R and V at every k beside the published figures."""
    tables = []
    for curve in found.curves:
        title = f"{found.dataset}, {curve.variant}: checkpoints of β"
        tables.append(replace(main_table(found.main_curves(curve.variant)), title=title))
        tables += beside_published(curve, found.published(curve.variant).cells, found.beside)
    return tables


def terminal(found: Reproduction) -> "Group":
    """Return what to print on a rich console."""
    from rich.console import Group
    from rich.text import Text

    head = Text(single_line(f"{setup_text(found.setup)} {INTERVALS}"))
    return Group(head, *(part for table in reproduction_tables(found) for part in (Text(), table)))


def markdown(found: Sequence[Reproduction], command: str) -> str:
    """Return a page with the tables of every dataset, and the command that measured them."""
    parts = ["# The paper's experiments, reproduced", f"    {command}"]
    for one in found:
        parts.append(f"# {one.dataset}\n\n{setup_text(one.setup)} {INTERVALS}")
        parts += [table.markdown() for table in reproduction_tables(one)]
    return "\n\n".join(parts) + "\n"


def latex(found: Sequence[Reproduction]) -> str:
    """Return the tables of every dataset for a document that loads booktabs."""
    tables = [
        replace(table, note=f"{table.note} {setup_text(one.setup)} {INTERVALS}".strip())
        for one in found
        for table in reproduction_tables(one)
    ]
    return "\n".join(table.latex() for table in tables)
