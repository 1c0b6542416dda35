"""Reports of an evaluation. All functions here are pure: the caller writes the files."""

from esens.evaluate.report.decomposers import tables
from esens.evaluate.report.formats import (
    curves_csv,
    evaluation_tables,
    latex,
    markdown,
    methods_csv,
    terminal,
)
from esens.evaluate.report.grid import beta_grid, comparison_tables, main_table
from esens.evaluate.report.html import html_page
from esens.evaluate.report.methods import methods_tables
from esens.evaluate.report.plots import plots, png, svg
from esens.evaluate.report.table import ReportTable

__all__ = [
    "ReportTable",
    "beta_grid",
    "comparison_tables",
    "curves_csv",
    "evaluation_tables",
    "html_page",
    "latex",
    "main_table",
    "markdown",
    "methods_csv",
    "methods_tables",
    "plots",
    "png",
    "svg",
    "tables",
    "terminal",
]
