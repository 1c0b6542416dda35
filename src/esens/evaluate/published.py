"""The figures that the paper prints: recall and violation of four retrievers, two variants, betas from 0 to 1.

They are the appendix tables of Kim, Myung and Han, "E-SENS: Exclusion-Sensitive Penalization for
Negative-Constraint Retrieval": GPT-4o mini as the decomposer, all 3,452 queries and 90,406 documents of ExcluIR,
and the 323 queries and 646 documents of BoolQuestions' ``not`` part.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from esens.errors import ArgumentError
from esens.evaluate.measures import AVERAGED_KS, AVG_RECALL, AVG_VIOLATION

EXCLUIR, BOOLQUESTIONS = "excluir", "boolquestions-not"
SIZES = {EXCLUIR: (3452, 90_406), BOOLQUESTIONS: (323, 646)}
"""Queries and documents of the paper's experiments."""

Cells = Mapping[tuple[float, str], float]


@dataclass(frozen=True, slots=True)
class PublishedGrid:
    """What was published for one retriever and variant: a figure for each beta and measure."""

    dataset: str
    retriever: str
    variant: str
    cells: Cells


@cache
def published() -> tuple[PublishedGrid, ...]:
    """Return all grids, in the paper's order."""
    grids: dict[tuple[str, str, str], dict[tuple[float, str], float]] = {}
    for row in _rows():
        grid = grids.setdefault((row.pop("dataset"), row.pop("retriever"), row.pop("variant")), {})
        beta = float(row.pop("beta"))
        cells = {name: float(value) for name, value in row.items()}
        for average, measure in ((AVG_RECALL, "recall"), (AVG_VIOLATION, "violation")):
            cells[average] = sum(cells[f"{measure}@{k}"] for k in AVERAGED_KS) / len(AVERAGED_KS)
        grid.update({(beta, name): value for name, value in cells.items()})
    return tuple(PublishedGrid(*names, cells) for names, cells in grids.items())


def retrievers() -> tuple[str, ...]:
    """Return the retrievers of the paper, in its order."""
    return tuple(dict.fromkeys(grid.retriever for grid in published()))


def published_grid(dataset: str, retriever: str, variant: str) -> PublishedGrid:
    """Return the grid of one dataset, retriever and variant."""
    if retriever not in retrievers():
        raise ArgumentError("retriever", f"the paper has no {retriever!r}; it has: {', '.join(retrievers())}")
    wanted = (dataset, retriever, variant)
    return next(grid for grid in published() if (grid.dataset, grid.retriever, grid.variant) == wanted)


def _rows() -> Iterator[dict[str, str]]:
    file = resources.files("esens.evaluate") / "data" / "published.csv"
    return csv.DictReader(file.read_text(encoding="utf-8").splitlines())
