"""What one request over an engine finds of what the exact index finds.

Reads a folder with excluir-23k and everyday in it:

    .venv/bin/python benchmarks/quality/one_request.py ../shared/data --write
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from setting import EXCLUIR, RESULTS, markdown

from esens import Contrast, Decomposition, Linear, MemoryIndex, Relational, Results, Scorer, Searcher
from esens.arrays.ranges import ScoreRange
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment, read_dataset
from esens.evaluate.statistics import interval
from esens.index.base import Vectors
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, KeptSample, Sample
from esens.testing import EngineDouble
from esens.types import Document

K, DEPTHS = 10, (30, 50, 60, 80, 100)


class Engine(EngineDouble):
    """Exact neighbours, ranges from a sample: what a server's adapter does, without its approximation."""

    def __init__(self, documents: Sequence[Document], vectors: Vectors) -> None:
        super().__init__(documents, vectors)
        size = min(SAMPLE, len(vectors))
        drawn = np.random.default_rng(0).choice(len(vectors), size, replace=False)
        self._sample = KeptSample(Sample(np.ascontiguousarray(vectors[drawn]), len(vectors)))

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        del where
        return self._sample.ranges(vectors)


class Queries(NamedTuple):
    """The queries of some sets that exclude something, each with the searchers over its set."""

    exact: Sequence[Searcher]
    engine: Sequence[Searcher]
    texts: Sequence[list[str]]
    splits: Sequence[Sequence[Decomposition]]

    @classmethod
    def read(cls, folders: Sequence[Path], embedder: CachedEmbedder, fold: int) -> "Queries":
        exact, engine, texts, splits = [], [], [], []
        for folder in folders:
            dataset = read_dataset(folder)
            vectors = embed_corpus(dataset.corpus, embedder)
            experiment = Experiment.prepare(dataset, embedder=embedder, decomposer="rules", documents=vectors)
            pairs = zip(experiment.dataset.texts, experiment.decompositions, strict=True)
            chosen = [(text, split) for text, split in pairs if split.traps][::fold]
            exact.append(Searcher(MemoryIndex(dataset.corpus, vectors), embedder=embedder))
            engine.append(Searcher(Engine(dataset.corpus, vectors), embedder=embedder))
            texts.append([text for text, _ in chosen])
            splits.append([split for _, split in chosen])
        return cls(exact, engine, texts, splits)

    def __len__(self) -> int:
        return sum(map(len, self.texts))

    def top(self, searchers: Sequence[Searcher], scorer: Scorer) -> list[Results]:
        sets = zip(searchers, self.texts, self.splits, strict=True)
        return [
            results
            for searcher, texts, splits in sets
            for results in searcher.search(texts, k=K, decomposition=splits, score=scorer)
        ]

    def rows(self) -> Iterator[list[str]]:
        for scorer in (Linear(), Contrast(), Relational()):
            exact = self.top(self.exact, scorer)
            yield [scorer.name, "the default", *self.found(scorer, exact)]
            if isinstance(scorer, Contrast):
                for depth in DEPTHS:
                    yield [scorer.name, str(depth), *self.found(replace(scorer, depth=depth), exact)]

    def found(self, scorer: Scorer, exact: Sequence[Results]) -> list[str]:
        """Return the share of the exact results that are found, in each half of the queries and the requests."""
        asked = [searcher.index.requested_k for searcher in self.engine if isinstance(searcher.index, Engine)]
        before = sum(map(len, asked))
        shares = _shares(self.top(self.engine, scorer), exact)
        over = interval(shares)
        whole = f"{shares.mean():.3f} ({over.low:.3f}–{over.high:.3f})"
        halves = " / ".join(f"{half.mean():.3f}" for half in (shares[::2], shares[1::2]))
        return [whole, halves, f"{(sum(map(len, asked)) - before) / len(self):.2f}"]


def _shares(found: Sequence[Results], exact: Sequence[Results]) -> npt.NDArray[np.float64]:
    pairs = zip(found, exact, strict=True)
    return np.array([len({*some.ids} & {*best.ids}) / max(1, len(best)) for some, best in pairs])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--fold", type=int, default=1, help="only every so-many-th query")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TruncatedTextWarning)
    embedder = CachedEmbedder(options.embedder)
    everyday = sorted(path for path in (options.folder / "everyday").iterdir() if path.is_dir())
    lines = [
        "# What one request finds",
        "",
        f"The share of the exact top {K} by the same score that a search over an engine finds, and the requests "
        "it takes: so many neighbours of the query and of the target, with ranges from a sample of "
        f"{SAMPLE:,} vectors and from the candidates. The defaults: {3 * K} neighbours of a composed vector "
        f"for the paper's score; for contrast {Contrast().candidates} of the most relevant; "
        f"where others may score as high, a second request for {Contrast().wide.depth} of query and target; "
        f"{Relational().candidates} of query and target for the default score. In the first two what is "
        "nearest to each trap comes with them. Neighbours are exact here, so what is lost is lost by the request "
        f"and not by an engine. Vectors of {options.embedder}, the rules' splits, 95 % bootstrap intervals; "
        "the halves are every second query, from the first and from the second. The sets of everyday have "
        "fewer documents than the sample: there, ranges are exact.",
        "",
    ]
    for name, folders in ((EXCLUIR, [options.folder / EXCLUIR]), ("everyday", everyday)):
        queries = Queries.read(folders, embedder, options.fold)
        lines += [f"## {name}: {len(queries)} queries", ""]
        lines += list(
            markdown(["score", "neighbours", f"of the exact top {K}", "halves", "requests"], queries.rows())
        )
    arguments = f"../shared/data --embedder {options.embedder}" + (f" --fold {options.fold}" * (options.fold > 1))
    lines += [f"Command: `.venv/bin/python benchmarks/quality/one_request.py {arguments} --write`", ""]
    text = "\n".join(lines)
    print(text)
    if options.write:
        (RESULTS / "one_request.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
