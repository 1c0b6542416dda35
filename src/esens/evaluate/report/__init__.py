"""What was measured, as something to read. All functions here are pure: writing files is the caller's."""

from esens.evaluate.report.decomposers import tables
from esens.evaluate.report.table import Table

__all__ = ["Table", "tables"]
