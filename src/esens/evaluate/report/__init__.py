"""What was measured, as something to read. All functions here are pure: writing files is the caller's."""

from esens.evaluate.report.decomposers import tables
from esens.evaluate.report.formats import (
    curves_csv,
    evaluation_tables,
    latex,
    markdown,
    methods_csv,
    terminal,
)
from esens.evaluate.report.grid import beside_published, beta_grid, main_table
from esens.evaluate.report.html import html_page
from esens.evaluate.report.methods import methods_tables
from esens.evaluate.report.plots import plots, png, svg
from esens.evaluate.report.table import ReportTable

__all__ = [
    "ReportTable",
    "beside_published",
    "beta_grid",
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
