"""Is a hit's score on one scale, whether or not its query excludes something?

.venv/bin/python benchmarks/quality/score_scale.py ../shared/data --write

Each query is searched as it is, and so is what is wanted of it: the second search excludes nothing. Where both are
on one scale their first hits score alike, and a cut-off can be written once.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from setting import BOOLQUESTIONS, EXCLUIR, arguments, markdown, publish, searcher_over, signed

from esens import Decomposition, decompose
from esens.evaluate import read_dataset
from esens.evaluate.statistics import Values, intervals_over_sets

K = 10
PLACES = {"first": 0, "tenth": K - 1}


def main() -> None:
    parser = arguments()
    parser.add_argument("--embedder", default="wordllama")
    options = parser.parse_args()
    publish(page(options.folder, options.embedder), "score_scale.md", write=options.write)


def page(folder: Path, embedder: str) -> Iterator[str]:
    yield from (
        "# One scale of scores",
        "",
        "What a hit scores more (+) or less (−) beside an exclusion than the hit at the same place of a search "
        "for what is wanted alone, which excludes nothing: mean over queries with its 95 % bootstrap interval, "
        f"and standard deviation. Default score, {embedder}, splits by rules.",
        "",
    )
    names = [
        EXCLUIR,
        BOOLQUESTIONS,
        *(f"everyday/{path.name}" for path in sorted((folder / "everyday").iterdir())),
    ]
    heads = [f"{place} hit" for place in PLACES]
    yield from markdown(("set", "queries", *heads), (_row(folder / name, name, embedder) for name in names))
    yield f"Command: `.venv/bin/python benchmarks/quality/score_scale.py {folder} --write`"
    yield ""


def _row(folder: Path, name: str, embedder: str) -> list[str]:
    differences = _differences(folder, embedder)
    means, spreads = intervals_over_sets([differences]), differences.std(axis=0)
    cells = (
        f"{signed(mean.mean)} ({signed(mean.low)} to {signed(mean.high)}), sd {spread:.3f}"
        for mean, spread in zip(map(means.at, range(len(PLACES))), spreads, strict=True)
    )
    return [name, str(len(differences)), *cells]


def _differences(folder: Path, embedder: str) -> Values:
    """Return a row a query that excludes something: its scores at each place, less those of what is wanted."""
    dataset = read_dataset(folder)
    searcher = searcher_over(embedder, dataset.corpus)
    rows = []
    for text, split in zip(dataset.texts, decompose(list(dataset.texts)), strict=True):
        if split.exclusions:
            beside = searcher.search(text, k=K, decomposition=split)
            alone = searcher.search(split.target, k=K, decomposition=Decomposition(split.target))
            rows.append([beside[at].score - alone[at].score for at in PLACES.values()])
    return np.array(rows)


if __name__ == "__main__":
    main()
