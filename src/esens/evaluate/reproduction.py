"""The paper's experiments with any retriever, compared with the published figures."""

from dataclasses import dataclass, replace

import numpy as np

from esens.evaluate.evaluation import curve
from esens.evaluate.experiment import Experiment
from esens.evaluate.published import SIZES, PublishedGrid, published_grid, retrievers
from esens.evaluate.results import Curve, Setup
from esens.evaluate.statistics import Intervals
from esens.score.linear import VARIANTS

SOURCES = {
    "excluir": "https://github.com/zwh-sdu/ExcluIR (corpus.json and test_manual_final.json)",
    "boolquestions-not": "https://huggingface.co/datasets/ustc-zhangzm/BoolQuestions",
}


@dataclass(frozen=True)
class Reproduction:
    """Both variants on one of the paper's datasets, and whose published figures may stand beside them."""

    setup: Setup
    dataset: str
    curves: tuple[Curve, ...]
    published_retriever: str | None
    """The retriever whose published figures stand beside ours; none where it would be another one, unasked."""

    @property
    def is_same_retriever(self) -> bool:
        """Whether the published figures are those of the retriever that was run."""
        return self.published_retriever == like(self.setup.embedder)

    def published(self, variant: str) -> PublishedGrid | None:
        """Return the published figures of a variant, where there are any to stand beside ours."""
        if self.published_retriever is None:
            return None
        return published_grid(self.dataset, self.published_retriever, variant)

    def main_curves(self, variant: str) -> dict[str, Curve]:
        """Return the published curve of a variant, if there is one to stand beside ours, and ours."""
        ours = next(curve for curve in self.curves if curve.variant == variant)
        grid = self.published(variant)
        theirs = {f"{grid.retriever} (published)": _without_intervals(grid)} if grid else {}
        return {**theirs, f"{self.setup.embedder} (ours)": ours}


def reproduce(experiment: Experiment, dataset: str, published_retriever: str | None = None) -> Reproduction:
    """Measure both variants of the paper's score on one of its datasets.

    ``published_retriever`` is the paper's retriever to compare with; by default, the one that the embedder is, and
    none where the paper does not have it: two retrievers side by side look like a replication, and are none.
    """
    setup = experiment.setup
    published = published_retriever or like(setup.embedder)
    curves = tuple(curve(experiment, name, *weights) for name, weights in VARIANTS.items())
    notes = (*setup.notes, *_retrievers(setup, published), *_part(setup, dataset))
    return Reproduction(replace(setup, notes=notes), dataset, curves, published)


def like(embedder: str) -> str | None:
    """Return the paper's retriever that an embedder is, if it is one.

    >>> like("sentence-transformers:Qwen/Qwen3-Embedding-0.6B")
    'Qwen3-Embedding-0.6B'
    >>> like("minilm:int8")
    """
    return next((name for name in retrievers() if name in embedder), None)


def _retrievers(setup: Setup, published: str | None) -> tuple[str, ...]:
    """Say what the published figures beside ours are worth, or why there are none."""
    if published is None:
        return (
            "The paper does not have this retriever, so none of its figures stands beside ours: what can be "
            "compared is the change along beta, and --compare-to RETRIEVER shows another retriever's figures.",
        )
    if published != like(setup.embedder):
        return (
            f"{setup.embedder} is not {published}: the published figures are another retriever's, and this is no "
            "replication.",
        )
    return (
        f"Queries are split by {setup.decomposer} here, and in the paper by GPT-4o mini with a prompt of its own.",
    )


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
