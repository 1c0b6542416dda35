"""How many neighbours must be looked at for the score contrast to find what it would find in the whole corpus.

Reads a benchmark in any form of docs/datasets.md:

    .venv/bin/python benchmarks/quality/candidate_depth.py ../shared/data/excluir-23k --write
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from esens import Contrast, Decomposition, MemoryIndex, Searcher
from esens.arrays.rank import top_k
from esens.arrays.unit import Vectors
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment, read_dataset
from esens.score import linear
from esens.score.base import ScoreRanges, TextVectors
from esens.score.compose import compose
from esens.score.contrast import DEFAULT_BETA

K, DEPTHS, ENOUGH = 10, (10, 20, 30, 50, 75, 100, 150, 200, 300, 500), 0.99
DECOMPOSERS = {"rules": "rules", "GPT-4o mini's splits": "recorded:gpt4o_mini"}
SOURCES = ("the query", "the target", "the composed vector")
RESULTS = Path(__file__).parents[1] / "results"
_Z = 1.959964


@dataclass(frozen=True, kw_only=True)
class OfSources(Contrast):
    """The score of the product, whose candidates are the neighbours of some of its probes alone."""

    sources: tuple[str, ...] = SOURCES
    probed: list[Vectors] = field(default_factory=list, compare=False, repr=False)
    """The probes of each query."""

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        """Return the probes of these sources; the composed vectors are one source, one for each trap."""
        composed = compose(linear.DEFAULT_BETA, self.alpha, self.gamma, vectors=vectors, ranges=ranges)
        every = Contrast.probes(self, vectors, ranges)
        by_source = dict(zip(SOURCES, (every[:1], every[1:2], composed), strict=True))
        self.probed.append(np.concatenate([by_source[source] for source in self.sources]))
        return self.probed[-1]


class Found(NamedTuple):
    """How many queries have the exact top 10, out of how many, and how many documents were looked at for each."""

    equal: int
    queries: int
    looked_at: float

    @property
    def share(self) -> float:
        return self.equal / self.queries

    @property
    def wilson(self) -> tuple[float, float]:
        """The 95 % interval of the share. Near 1 a bootstrap would hardly ever draw what is missing."""
        n, p = self.queries, self.share
        centre, reach = p + _Z**2 / (2 * n), _Z * np.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return (centre - reach) / (1 + _Z**2 / n), (centre + reach) / (1 + _Z**2 / n)

    @property
    def cells(self) -> list[str]:
        low, high = self.wilson
        return [f"{self.share:.3f} ({low:.3f} to {high:.3f})", f"{self.looked_at:.0f}"]


class Queries:
    """The queries of a benchmark that exclude something, and the exact top 10 of each."""

    def __init__(
        self, index: MemoryIndex, searcher: Searcher, texts: Sequence[str], split: Sequence[Decomposition]
    ) -> None:
        excluding = [(text, one) for text, one in zip(texts, split, strict=True) if one.traps]
        self._index, self._searcher = index, searcher
        self._texts, self._split = [text for text, _ in excluding], [one for _, one in excluding]
        self._exact = self._top(Contrast())

    def __len__(self) -> int:
        return len(self._texts)

    def at(self, depth: int, sources: Sequence[str] = SOURCES) -> Found:
        scorer = OfSources(depth=depth, sources=tuple(sources))
        found = self._top(scorer)
        sizes = [self._pool_size(probes, depth) for probes in scorer.probed]
        equal = sum(one == exact for one, exact in zip(found, self._exact, strict=True))
        return Found(equal, len(self), float(np.mean(sizes)))

    def _top(self, scorer: Contrast) -> list[tuple[str, ...]]:
        found = self._searcher.search(self._texts, k=K, decomposition=self._split, score=scorer)
        return [results.ids for results in found]

    def _pool_size(self, probes: Vectors, depth: int) -> int:
        """Return how many documents are among the neighbours of any probe."""
        nearest = [top_k(scores, depth) for scores in self._index.scan(probes).raw]
        return len(np.unique(np.concatenate(nearest)))


def enough(found: dict[int, Found]) -> int | None:
    """Return the least depth that reaches the aim, and above which none misses it."""
    missing = [depth for depth, one in found.items() if one.share < ENOUGH]
    return next((depth for depth in DEPTHS if depth > max(missing, default=0)), None)


def without(queries: Queries, depth: int) -> Iterator[list[str]]:
    """Yield a row for all three sources, for any two, for any one, and for the best of these at the same cost."""
    whole = queries.at(depth)
    yield ["all three", *whole.cells]
    for left_out in SOURCES:
        kept = [name for name in SOURCES if name != left_out]
        yield [f"without {left_out}", *queries.at(depth, kept).cells]
    for name in SOURCES:
        yield [f"{name} alone", *queries.at(depth, [name]).cells]
    as_many = round(whole.looked_at)
    yield [f"{SOURCES[0]} alone, at depth {as_many}", *queries.at(as_many, SOURCES[:1]).cells]


def table(header: list[str], rows: Sequence[list[str]]) -> list[str]:
    return [f"| {' | '.join(line)} |" for line in (header, ["---"] * len(header), *rows)] + [""]


def section(name: str, queries: Queries) -> tuple[int | None, list[str]]:
    found = {depth: queries.at(depth) for depth in DEPTHS}
    depth = enough(found)
    rows = [[f"**{d}**" if d == depth else str(d), *one.cells] for d, one in found.items()]
    lines = [
        f"## {name}: {len(queries)} queries",
        "",
        *table(["depth", "equal top 10 (95 %)", "documents looked at"], rows),
    ]
    shown = DEPTHS[-1] if depth is None else depth
    lines += [f"The sources at depth {shown}:", ""]
    lines += table(["", "equal top 10 (95 %)", "documents looked at"], list(without(queries, shown)))
    return depth, lines


def prepared(folder: Path) -> Iterator[tuple[str, Queries]]:
    """Yield the queries of the benchmark as each decomposer splits them, over one matrix."""
    dataset, embedder = read_dataset(folder), CachedEmbedder("minilm")
    vectors = embed_corpus(dataset.corpus, embedder)
    index = MemoryIndex(dataset.corpus, vectors)
    searcher = Searcher(index, embedder=embedder)
    for name, spec in DECOMPOSERS.items():
        split = Experiment.prepare(dataset, embedder=embedder, decomposer=spec, documents=vectors)
        yield name, Queries(index, searcher, split.dataset.texts, split.decompositions)


def verdict(depths: dict[str, int | None]) -> str:
    said = [f"{'more than ' + str(DEPTHS[-1]) if d is None else d} with {name}" for name, d in depths.items()]
    return (
        f"Depth that gives the exact top {K} to at least {100 * ENOUGH:.0f} % of the queries: {', '.join(said)}."
    )


def main() -> None:
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore", TruncatedTextWarning)
    depths: dict[str, int | None] = {}
    parts: list[str] = []
    documents = len(read_dataset(folder).corpus)
    for name, queries in prepared(folder):
        depths[name], lines = section(name, queries)
        parts += lines
    head = (
        "The score contrast is not linear, so no engine can rank by it; with `depth` it is computed for the union "
        "of so many neighbours of the query, of the target and of the composed vector (the query without what is "
        f"excluded) alone. Counted here: the queries of {folder.name} that exclude something and whose top {K} at "
        f"that depth is the exact one, the same documents in the same order, among {documents:,}. Through "
        f"`Searcher.search(…, k={K}, score=Contrast(depth=…))` against `depth=None`, "
        f"all-MiniLM-L6-v2, beta {DEFAULT_BETA}; 95 % Wilson intervals. The ranges that "
        "similarities are normalised by are those of the whole corpus at every "
        "depth: what is measured is the choice of candidates alone."
    )
    command = f"Command: `.venv/bin/python benchmarks/quality/candidate_depth.py {' '.join(sys.argv[1:])}`"
    text = "\n".join(["# How deep to look", "", head, "", verdict(depths), "", *parts, command, ""])
    print(text)
    if "--write" in sys.argv:
        (RESULTS / "candidate_depth.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
