"""Fewer like this: what one example of the unwanted does to the others, where no word says what it is.

.venv/bin/python benchmarks/quality/by_example.py ../shared/data/everyday --fold 2/2 --write
"""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
from setting import arguments, markdown, publish

from esens import Decomposition, Example, Searcher
from esens.embed.cache import CachedEmbedder
from esens.evaluate import read_dataset
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.report.methods import stars
from esens.evaluate.statistics import compare_over_sets, holm, intervals_over_sets, short

K = 10
SCORES = {
    "without the example": None,
    "linear": "linear",
    "contrast": "contrast",
    "relational, the default": "relational",
}
MEASURES = ("E@10 ↓", "W@10 ↑", "E first ↓")


def main() -> None:
    parser = arguments()
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--fold", default="2/2", metavar="I/N")
    options = parser.parse_args()
    publish(page(options), "by_example.md", write=options.write)


def page(options: argparse.Namespace) -> Iterator[str]:
    embedder = CachedEmbedder(options.embedder)
    paths = sorted(path for path in options.folder.iterdir() if path.is_dir())
    datasets = [read_dataset(path).fold(*map(int, options.fold.split("/"))) for path in paths]
    measured = {name: [_measure(each, embedder, score) for each in datasets] for name, score in SCORES.items()}
    sets = [len(values) for values in next(iter(measured.values()))]
    yield from (
        "# Excluding by example",
        "",
        f"{len(sets)} everyday sets, {sum(sets)} queries (fold {options.fold}); {options.embedder}. What is "
        "wanted is asked for without a word of what is not; the example is the first excluded document that this "
        "finds. E and W are the shares of the first ten places that the *other* excluded documents and the wanted "
        "ones take, E first how often an excluded one is first; the example itself is taken out of every ranking. "
        "Means over the sets with 95 % bootstrap intervals; stars are paired tests against the first row (Holm).",
        "",
    )
    yield from markdown(("score", *MEASURES), [_row(name, measured) for name in SCORES])
    typed = f"{options.folder} --embedder {options.embedder} --fold {options.fold} --write"
    yield f"Command: `.venv/bin/python benchmarks/quality/by_example.py {typed}`"
    yield ""


def _row(name: str, measured: dict[str, list[np.ndarray]]) -> list[str]:
    ours, theirs = measured[name], measured[next(iter(SCORES))]
    found = intervals_over_sets(ours)
    is_first = ours is theirs
    p = [1.0] * len(MEASURES) if is_first else holm([each.p for each in compare_over_sets(ours, theirs)])
    marks = [stars(value) for value in p]
    cells = [
        f"{short(found.at(at).mean)}{marks[at]} ({short(found.at(at).low)}–{short(found.at(at).high)})"
        for at in range(len(MEASURES))
    ]
    return [name, *cells]


def _measure(dataset: Dataset, embedder: CachedEmbedder, score: str | None) -> np.ndarray:
    """Return E@10, W@10 and E first of every query that has an example and others like it."""
    searcher = Searcher.from_documents(dataset.corpus, embedder=embedder)
    rows = [_of_query(searcher, query, score) for query in dataset.queries if len(query.excluded) > 1]
    return np.array([row for row in rows if row is not None], float).reshape(-1, len(MEASURES))


def _of_query(searcher: Searcher, query: Query, score: str | None) -> Sequence[float] | None:
    assert query.split is not None
    target = query.split.target
    whole = searcher.search(target, k=200, decomposition=Decomposition(target))
    example = next((id_ for id_ in whole.ids if id_ in query.excluded), None)
    if example is None:
        return None
    if score is not None:
        whole = searcher.search(
            target, k=K + 1, decomposition=Decomposition(target), exclude=[Example(example)], score=score
        )
    first = [id_ for id_ in whole.ids if id_ != example][:K]
    excluded = [id_ in query.excluded for id_ in first]
    return sum(excluded) / K, sum(id_ in query.relevant for id_ in first) / K, float(excluded[0])


if __name__ == "__main__":
    main()
