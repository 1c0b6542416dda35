"""A whole evaluation as one text: for a terminal, as Markdown, as LaTeX, as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from esens.evaluate.report.grid import beta_grid
from esens.evaluate.report.latex import latex_table
from esens.evaluate.report.methods import described_methods, methods_tables
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import ReportTable, in_markdown, without_tags
from esens.evaluate.results import Evaluation
from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import Group

METHODS_CSV = ("method", "measure", "mean", "low", "high", "difference", "difference_low", "difference_high", "p")
# OWASP, "CSV injection": what a cell that is a formula begins with.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
CURVES_CSV = ("variant", "beta", "measure", "mean", "low", "high")


def evaluation_tables(evaluation: Evaluation) -> list[ReportTable]:
    """Return the methods side by side, then a grid over beta for each curve; of a mean, then its parts."""
    return [
        *methods_tables(evaluation),
        *(beta_grid(curve) for curve in evaluation.curves),
        *tables_of_parts(evaluation),
    ]


def tables_of_parts(evaluation: Evaluation) -> list[ReportTable]:
    """Return the tables of each dataset of a mean, named by it; what the columns mean was said above."""
    return [
        replace(table, title=f"{part.setup.dataset}: {table.title[:1].lower()}{table.title[1:]}", note="")
        for part in evaluation.parts
        for table in methods_tables(part)
    ]


def terminal(evaluation: Evaluation) -> "Group":
    """Return what to print on a rich console: the setup, then the tables."""
    from rich.console import Group
    from rich.text import Text

    head = Text(single_line(f"{setup_text(evaluation.setup)} {INTERVALS}"))
    tables = [part for table in evaluation_tables(evaluation) for part in (Text(), table)]
    return Group(head, *tables)


def markdown(evaluation: Evaluation, command: str) -> str:
    """Return a page with the setup, the command that measured, and the tables."""
    setup = without_tags(setup_text(evaluation.setup))
    head = [f"# {without_tags(evaluation.setup.dataset)}, measured", f"{setup} {INTERVALS}", f"    {command}"]
    tables = (table.markdown() for table in evaluation_tables(evaluation))
    return "\n\n".join([*head, *tables, *_methods_in_markdown(evaluation)]) + "\n"


def _methods_in_markdown(evaluation: Evaluation) -> list[str]:
    lines = [f"- {in_markdown(name)}: {in_markdown(about)}" for name, about in described_methods(evaluation)]
    return ["## What the methods do", "\n".join(lines)] if lines else []


def latex(evaluation: Evaluation) -> str:
    """Return the tables for a document that loads booktabs; each caption says where its figures come from."""
    about = f"{setup_text(evaluation.setup)} {INTERVALS}"
    tables = [replace(table, note=f"{table.note} {about}".strip()) for table in evaluation_tables(evaluation)]
    return "\n".join(latex_table(table) for table in tables)


def methods_csv(evaluation: Evaluation) -> str:
    """Return a row a method and measure.

    The fields from ``difference`` to ``p`` compare it with plain retrieval on the same queries; p is not corrected
    for the number of comparisons. Numbers are not rounded; a missing one is an empty field.
    """
    return _csv(evaluation, METHODS_CSV, _method_rows(evaluation))


def curves_csv(evaluation: Evaluation) -> str:
    """Return a row a variant, beta and measure. Numbers are not rounded."""
    rows = (
        (curve.variant, float(beta), name, *values.at(number))
        for curve in evaluation.curves
        for number, beta in enumerate(curve.betas)
        for name, values in curve.measures.items()
    )
    return _csv(evaluation, CURVES_CSV, rows)


def _method_rows(evaluation: Evaluation) -> Iterable[Sequence[str | float]]:
    for result in evaluation.methods:
        for name, value in result.measures.items():
            compared = result.against_plain.get(name)
            yield (result.method, name, *value, *((*compared.difference, compared.p) if compared else ("",) * 4))


def _csv(evaluation: Evaluation, header: Sequence[str], rows: Iterable[Sequence[str | float]]) -> str:
    """Write rows, each with the hash of what it was measured on, so that none is taken for another's."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*header, "dataset_hash"])
    writer.writerows([*map(_field, row), evaluation.setup.dataset_hash] for row in rows)
    return out.getvalue()


def _field(value: str | float) -> str | float:
    """Return a cell; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA_SIGNS) else value
    return "" if isnan(value) else value
