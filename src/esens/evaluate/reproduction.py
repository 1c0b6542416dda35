"""The paper's experiments with a retriever of one's own, beside what was published."""

from dataclasses import dataclass, replace

import numpy as np

from esens.evaluate.evaluation import curve
from esens.evaluate.experiment import Experiment
from esens.evaluate.published import SIZES, PublishedGrid, published, published_grid, retrievers
from esens.evaluate.results import Curve, Setup
from esens.evaluate.statistics import Intervals
from esens.score.linear import VARIANTS

SOURCES = {
    "excluir": "https://github.com/zwh-sdu/ExcluIR (corpus.json and test_manual_final.json)",
    "boolquestions-not": "https://huggingface.co/datasets/ustc-zhangzm/BoolQuestions",
}


@dataclass(frozen=True)
class Reproduction:
    """Both variants on one of the paper's datasets, and the published grids to hold them against."""

    setup: Setup
    dataset: str
    curves: tuple[Curve, ...]
    beside: str
    """The retriever whose published figures stand beside ours."""

    def published(self, variant: str) -> PublishedGrid:
        """Return the figures to hold a variant against."""
        return published_grid(self.dataset, self.beside, variant)

    def main_curves(self, variant: str) -> dict[str, Curve]:
        """Return the published curves of a variant by their retrievers, and ours."""
        ours = next(one for one in self.curves if one.variant == variant)
        theirs = {
            f"{grid.retriever} (published)": _without_intervals(grid)
            for grid in published()
            if (grid.dataset, grid.variant) == (self.dataset, variant)
        }
        return {**theirs, f"{self.setup.embedder} (ours)": ours}


def reproduce(experiment: Experiment, dataset: str, beside: str | None = None) -> Reproduction:
    """Measure both variants of the paper's score on one of its datasets."""
    curves = tuple(curve(experiment, name, *weights) for name, weights in VARIANTS.items())
    notes = (*experiment.setup.notes, *_part(experiment.setup, dataset))
    return Reproduction(
        setup=replace(experiment.setup, notes=notes),
        dataset=dataset,
        curves=curves,
        beside=beside or like(experiment.setup.embedder),
    )


def like(embedder: str) -> str:
    """Return the paper's retriever that an embedder is, or else its first.

    >>> like("sentence-transformers:Qwen/Qwen3-Embedding-0.6B")
    'Qwen3-Embedding-0.6B'
    """
    named = [name for name in retrievers() if name in embedder]
    return named[0] if named else retrievers()[0]


def _part(setup: Setup, dataset: str) -> tuple[str, ...]:
    queries, documents = SIZES[dataset]
    if (setup.queries, setup.documents) == (queries, documents):
        return ()
    return (
        f"The paper has {queries:,} queries over {documents:,} documents: compare the pattern, not the cells.",
    )


def _without_intervals(grid: PublishedGrid) -> Curve:
    betas = sorted({beta for beta, _ in grid.cells})
    measures = dict.fromkeys(measure for _, measure in grid.cells)
    unknown = np.full(len(betas), np.nan)
    found = {m: Intervals(np.array([grid.cells[beta, m] for beta in betas]), unknown, unknown) for m in measures}
    return Curve(grid.variant, np.array(betas), found)
