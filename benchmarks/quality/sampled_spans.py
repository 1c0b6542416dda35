"""What it does to a ranking that an engine estimates how far raw scores reach.

Reads a folder with excluir-23k in it:

    .venv/bin/python benchmarks/quality/sampled_spans.py ../shared/data --write
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from setting import EXCLUIR, RESULTS, markdown, prepared

from esens import MemoryIndex, Searcher
from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment
from esens.evaluate.statistics import interval
from esens.index.base import Neighbours, Vectors
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE
from esens.types import Document, Results

K, SIZES, DRAWS = 10, (256, 1024, SAMPLE), 3
SCORES = {"the paper's, beta 0.5": "linear", "contrast": "contrast"}


class Sampled:
    """An engine: exact neighbours from memory, spans from a sample, as a server's would be."""

    embedder_id = None

    def __init__(self, index: MemoryIndex, sample: Vectors | None, *, both_ends: bool = False) -> None:
        self._index = index
        self._sample = sample
        self._both_ends = both_ends

    @property
    def dimension(self) -> int:
        return self._index.dimension

    def __len__(self) -> int:
        return len(self._index)

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        return self._index.nearest(vectors, k, where=where, with_vectors=with_vectors)

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        if self._sample is None:
            return self._index.score_ranges(vectors, where=where)
        ranges = [score_range(scores) for scores in scan(self._sample, vectors)]
        if self._both_ends:
            return ranges
        top = [near.scores for near in self._index.nearest(vectors, 2, where=where)]
        return [
            over._replace(high=float(high), second=float(second))
            for over, (high, second) in zip(ranges, top, strict=True)
        ]

    max_neighbours: int | None = None

    def close(self) -> None:
        self._index.close()

    def vectors(self, ids: Sequence[str]) -> Vectors:
        return self._index.vectors(ids)

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        return self._index.documents(ids)


class Ranked(NamedTuple):
    """For every query: the share of the exact top 10 found, and whether answer and excluded are in the top 10."""

    overlap: np.ndarray
    recall: np.ndarray
    violation: np.ndarray

    def cells(self) -> list[str]:
        return [_with_interval(values) for values in self]


class Bench:
    """The queries that exclude something, over one matrix."""

    def __init__(self, experiment: Experiment, embedder: CachedEmbedder) -> None:
        self._embedder = embedder
        corpus = experiment.dataset.corpus
        self.matrix = embed_corpus(corpus, embedder)
        self.index = MemoryIndex(corpus, self.matrix)
        chosen = [at for at, split in enumerate(experiment.decompositions) if split.traps]
        self._queries = [experiment.dataset.queries[at] for at in chosen]
        self._split = [experiment.decompositions[at] for at in chosen]

    def __len__(self) -> int:
        return len(self._queries)

    def top(self, engine: Sampled, score: str) -> list[Results]:
        searcher = Searcher(engine, embedder=self._embedder)
        texts = [query.text for query in self._queries]
        return searcher.search(texts, k=K, decomposition=self._split, score=score)

    def ranked(self, found: Sequence[Results], exact: Sequence[Results]) -> Ranked:
        ids = [set(one.ids) for one in found]
        overlap = [len(mine & set(one.ids)) / K for mine, one in zip(ids, exact, strict=True)]
        judged = list(zip(ids, self._queries, strict=True))
        recall = [bool(mine & set(query.relevant)) for mine, query in judged]
        violation = [bool(mine & set(query.excluded)) for mine, query in judged]
        return Ranked(*(np.array(values, float) for values in (overlap, recall, violation)))

    def rows(self, score: str) -> Iterator[list[str]]:
        exact = self.top(Sampled(self.index, None), score)
        yield ["exact", "–", *self.ranked(exact, exact).cells()]
        for both_ends in (False, True):
            for size in SIZES:
                found = [self._drawn(size, draw, score, exact, both_ends=both_ends) for draw in range(DRAWS)]
                means = Ranked(*(np.mean(values, axis=0) for values in zip(*found, strict=True)))
                ends = "least and greatest" if both_ends else "least"
                yield [f"{ends} from a sample", f"{size:,}", *means.cells()]

    def _drawn(self, size: int, draw: int, score: str, exact: Sequence[Results], *, both_ends: bool) -> Ranked:
        rows = np.random.default_rng([size, draw]).choice(len(self.matrix), size, replace=False)
        engine = Sampled(self.index, unit_rows(self.matrix[rows]), both_ends=both_ends)
        return self.ranked(self.top(engine, score), exact)


def _with_interval(values: np.ndarray) -> str:
    found = interval(values)
    return f"{values.mean():.3f} ({found.low:.3f}–{found.high:.3f})"


def main() -> None:
    warnings.simplefilter("ignore", TruncatedTextWarning)
    folder = Path(sys.argv[1])
    bench = Bench(prepared(folder, EXCLUIR, "rules", "minilm"), CachedEmbedder("minilm"))
    head = (
        "An engine that cannot look at every document finds the greatest raw scores of a text by searching, and "
        "takes the least from a uniform sample of document vectors (`esens.index.ranges`). The error rescales "
        f"beta a little and nothing else. Measured on the {len(bench)} queries of {EXCLUIR} that the rules split, "
        f"among {len(bench.index):,} documents: the share of the exact top {K} that is found, and whether the "
        f"answer and the excluded document are among the first {K}; means over queries and {DRAWS} samples, 95 % "
        f"bootstrap intervals over queries. The product draws {SAMPLE:,} vectors. The last rows show why the "
        "greatest is searched for and not sampled, too. Neighbours are exact here: what is measured is the "
        "estimate alone."
    )
    lines = ["# What estimated spans do to a ranking", "", head, ""]
    for name, score in SCORES.items():
        lines += [f"## {name}", ""]
        header = ["spans", "sample", f"of the exact top {K}", f"R@{K}", f"V@{K}"]
        lines += list(markdown(header, bench.rows(score)))
    lines += [f"Command: `.venv/bin/python benchmarks/quality/sampled_spans.py {' '.join(sys.argv[1:])}`", ""]
    text = "\n".join(lines)
    print(text)
    if "--write" in sys.argv:
        (RESULTS / "sampled_spans.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
