"""The tuned beta, and its effect on the queries that were not used to choose it."""

from esens.evaluate.measures import DELTA_R1
from esens.evaluate.report.methods import HEADINGS, stars
from esens.evaluate.report.setup import INTERVALS, setup_text
from esens.evaluate.report.table import Cell, ReportTable, cell, change
from esens.evaluate.statistics import Comparison
from esens.evaluate.tuning import Tuned

# What R@1 and RR say already.
_LEFT_OUT = (DELTA_R1,)


def choice(tuned: Tuned) -> str:
    """Return the choice in a sentence, with how sure it is."""
    low, high = tuned.likely
    sure = f"{low:g}" if low == high else f"between {low:g} and {high:g}"
    return (
        f"score {tuned.score}, beta {tuned.beta:g}: {tuned.rule}, on {tuned.chosen_on:,} queries. In 95 of 100 "
        f"resamples of them the choice is {sure}."
    )


def tuned_table(tuned: Tuned) -> ReportTable:
    """Return every measure of the other queries, without and with the penalty, and the difference."""
    rows = tuple(
        (HEADINGS[name], cell(tuned.before[name]), cell(tuned.after[name]), _changed(tuned.change[name]))
        for name in HEADINGS
        if name in tuned.after and name not in _LEFT_OUT
    )
    return ReportTable(
        f"On the other {tuned.reported_on:,} queries",
        ("measure", "beta 0", f"beta {tuned.beta:g}", "difference"),
        rows,
        "* p < .05, ** p < .01, *** p < .001 by a paired randomisation test, each measure by itself. "
        f"{setup_text(tuned.setup)} {INTERVALS}",
    )


def _changed(comparison: Comparison) -> str | Cell:
    return cell(comparison.difference, change, stars(comparison.p))
