"""What the measurements of the score contrast share: experiments, halves, and how tables are written."""

import argparse
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from esens import Decomposition, Document, Scorer, Searcher
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment, read_dataset
from esens.evaluate.dataset import Dataset
from esens.evaluate.measures import NOT_RANKED
from esens.index import MemoryIndex

RESULTS = Path(__file__).parents[1] / "results"
EXCLUIR, BOOLQUESTIONS = "excluir-23k", "boolquestions-not"
GPT, ORACLE = "recorded:gpt4o_mini", "oracle"
SETTINGS = ((EXCLUIR, "rules"), (EXCLUIR, GPT), (EXCLUIR, ORACLE), (BOOLQUESTIONS, "rules"))
MEASURES = ("avg_recall", "avg_violation", "recall@1")

Ranks = npt.NDArray[np.int32]


def arguments() -> argparse.ArgumentParser:
    """Return a parser of what all take: where the data is, and whether the page is to be written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser


def publish(lines: Iterable[str], name: str, *, write: bool) -> None:
    """Print a page, and write it to the results where that is wanted."""
    warnings.simplefilter("ignore", TruncatedTextWarning)
    text = "\n".join(lines)
    print(text)
    if write:
        (RESULTS / name).write_text(text, encoding="utf-8")


@cache
def prepared(folder: Path, name: str, decomposer: str, embedder: str) -> Experiment:
    """Return all queries of a benchmark, split and embedded."""
    dataset = read_dataset(folder / name)
    if decomposer == ORACLE:
        dataset = _with_oracle(dataset)
    return Experiment.prepare(
        dataset,
        embedder=CachedEmbedder(embedder),
        decomposer=f"recorded:{ORACLE}" if decomposer == ORACLE else decomposer,
    )


def _with_oracle(dataset: Dataset) -> Dataset:
    """Return the queries whose target GPT-4o mini wrote, with the excluded document's own title as their trap."""
    titles = {document.id: document.title for document in dataset.corpus}
    return replace(
        dataset,
        queries=tuple(
            replace(
                query,
                recorded={
                    ORACLE: Decomposition(query.recorded["gpt4o_mini"].target, (titles[query.excluded[0]],))
                },
            )
            for query in dataset.queries
            if "gpt4o_mini" in query.recorded
        ),
    )


def half_of(folder: Path, experiment: Experiment, half: int) -> npt.NDArray[np.bool_]:
    """Return which queries belong to a half: by their place in the whole benchmark, whoever split them."""
    place = {query.id: at for at, query in enumerate(read_dataset(folder / experiment.dataset.name).queries)}
    return np.array([place[query.id] % 2 == half for query in experiment.dataset.queries])


def values(experiment: Experiment, ranks: Ranks, chosen: npt.NDArray[np.bool_] | None = None) -> np.ndarray:
    """Return a row a query and a column a measure."""
    found = experiment.measures.all(ranks)
    table = np.concatenate([found[name] for name in MEASURES if name in found], axis=1)
    return table if chosen is None else table[chosen]


def by_search(experiment: Experiment, embedder: str, score: Scorer | None = None) -> Ranks:
    """Return the ranks that the product itself gives the judged documents, among the first ten."""
    searcher = searcher_over(embedder, experiment.dataset.corpus)
    results = searcher.search(
        list(experiment.dataset.texts),
        decomposition=list(experiment.decompositions),
        k=10,
        score=score,
    )
    found = [{hit.id: hit.rank for hit in one} for one in results]
    judged = ((found[number].get(document, NOT_RANKED)) for number, document, _ in experiment.dataset.judged)
    return np.fromiter(judged, np.int32)


@cache
def searcher_over(embedder: str, corpus: tuple[Document, ...]) -> Searcher:
    """Return the product over a corpus."""
    model = CachedEmbedder(embedder)
    return Searcher(MemoryIndex(corpus, embed_corpus(corpus, model)), embedder=model)


def reported(folder: Path, experiment: Experiment) -> npt.NDArray[np.bool_] | None:
    """Return the queries that chose nothing: the second half where the first one chose, all of them elsewhere."""
    return half_of(folder, experiment, 1) if experiment.dataset.name == EXCLUIR else None


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(header)} |"
    yield "|" + " --- |" * len(header)
    yield from (f"| {' | '.join(row).replace('*', chr(92) + '*')} |" for row in rows)
    yield ""


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+.3f}".replace("0.", ".", 1).replace("-", "−")
