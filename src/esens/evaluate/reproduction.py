"""The paper's experiments with any retriever, compared with the published figures."""

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
    """Both variants on one of the paper's datasets, and the published grids to compare them with."""

    setup: Setup
    dataset: str
    curves: tuple[Curve, ...]
    published_retriever: str
    """The retriever whose published figures ours are compared with."""

    def published(self, variant: str) -> PublishedGrid:
        """Return the published figures of a variant."""
        return published_grid(self.dataset, self.published_retriever, variant)

    def main_curves(self, variant: str) -> dict[str, Curve]:
        """Return the published curves of a variant by their retrievers, and ours."""
        ours = next(curve for curve in self.curves if curve.variant == variant)
        theirs = {
            f"{grid.retriever} (published)": _without_intervals(grid)
            for grid in published()
            if (grid.dataset, grid.variant) == (self.dataset, variant)
        }
        return {**theirs, f"{self.setup.embedder} (ours)": ours}


def reproduce(experiment: Experiment, dataset: str, published_retriever: str | None = None) -> Reproduction:
    """Measure both variants of the paper's score on one of its datasets.

    ``published_retriever`` is the paper's retriever to compare with; by default, the one that the embedder is.
    """
    curves = tuple(curve(experiment, name, *weights) for name, weights in VARIANTS.items())
    notes = (*experiment.setup.notes, *_part(experiment.setup, dataset))
    return Reproduction(
        setup=replace(experiment.setup, notes=notes),
        dataset=dataset,
        curves=curves,
        published_retriever=published_retriever or like(experiment.setup.embedder),
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
    means = {measure: np.array([grid.cells[beta, measure] for beta in betas]) for measure in measures}
    intervals = {measure: Intervals(mean, unknown, unknown) for measure, mean in means.items()}
    return Curve(grid.variant, np.array(betas), intervals)
