"""What a search does around its engine: the plan, names, what texts say, the score, and the hits.

    .venv/bin/python benchmarks/speed/around.py ../shared/data --write

The engine remembers its answers, so that what is timed is all but its work. ``--profile`` prints where the time of
the default score goes, instead.
"""

import cProfile
import pstats
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from engines import COUNT, WAYS, K, World, world
from measure import Claim, in_turn, processor_clock, report, table

from esens import Document, Searcher
from esens.arrays.ranges import ScoreRange
from esens.decompose import decomposer_of
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import read_dataset
from esens.index.base import Neighbours, Vectors
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, KeptSample, Sample
from esens.testing import EngineDouble

QUERIES = 12
ROUNDS, REPEATS = 9, 5
MOST = 1.0
SETS = ("everyday/recipes", "excluir-23k")


class Remembering(EngineDouble):
    """An engine that has answered before; how far raw scores reach it knows by a sample, as servers do."""

    def __init__(self, documents: Sequence[Document], vectors: Vectors) -> None:
        super().__init__(documents, vectors)
        self._answers: dict[tuple[bytes, int], list[Neighbours]] = {}
        self._sample = KeptSample(Sample(np.ascontiguousarray(vectors[:SAMPLE]), len(vectors)))

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        del with_vectors
        key = vectors.tobytes(), k
        if key not in self._answers:
            self._answers[key] = super().nearest(vectors, k, where=where, with_vectors=True)
        return self._answers[key]

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        del where
        return self._sample.ranges(vectors)


class Bench(NamedTuple):
    """Queries that exclude something, over one corpus; every vector of a text is known before."""

    name: str
    searcher: Searcher
    queries: Sequence[str]

    def search(self, way: str) -> None:
        for query in self.queries:
            self.searcher.search(query, k=K, **WAYS[way])  # type: ignore[call-overload]


def made_up() -> Bench:
    made: World = world(COUNT)
    split = dict(zip(made.queries, made.split, strict=True))
    engine = Remembering(made.documents, made.vectors)
    searcher = Searcher(engine, embedder=made.embed, decomposer=split.__getitem__)
    return Bench(f"made up, {COUNT:,}", searcher, made.queries[:QUERIES])


def of_set(folder: Path, name: str) -> Bench:
    """Return the first queries of a set that the rules split, and its documents."""
    dataset = read_dataset(folder)
    decompose, embedder = decomposer_of("rules"), CachedEmbedder("minilm")
    texts = [text for text in dataset.texts if decompose(text).traps][:QUERIES]
    engine = Remembering(dataset.corpus, embed_corpus(dataset.corpus, embedder))
    known = Known(embedder.embed_queries)
    return Bench(f"{name}, {len(dataset.corpus):,}", Searcher(engine, embedder=known, decomposer=decompose), texts)


class Known:
    """Embeds every text once."""

    def __init__(self, embed: Callable[[Sequence[str]], Vectors]) -> None:
        self._embed = embed
        self._vectors: dict[str, np.ndarray] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors |= dict(zip(new, self._embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def measured(benches: Sequence[Bench]) -> Iterator[tuple[list[str], list[Claim]]]:
    for bench in benches:
        contestants: Mapping[str, Callable[[], object]] = {way: partial(bench.search, way) for way in WAYS}
        timings = in_turn(contestants, rounds=ROUNDS, repeats=REPEATS, clock=processor_clock())
        claims = []
        for way, timing in timings.items():
            one = timing._replace(rounds=timing.rounds / len(bench.queries))
            low, high = np.percentile(one.rounds, [2.5, 97.5])
            claim = f"around the engine, {bench.name} documents: {way}"
            claims.append(Claim(claim, one.median, (float(low), float(high)), "–", "ms of processor", MOST))
        cells = [
            f"{each.figure:.2f} ({each.interval[0]:.2f}–{each.interval[1]:.2f})"
            for each in claims
            if each.interval
        ]
        yield [bench.name, *cells], claims


def profile(benches: Sequence[Bench]) -> None:
    for bench in benches:
        bench.search("relational")
        profiler = cProfile.Profile()
        for _ in range(ROUNDS):
            profiler.runcall(bench.search, "relational")
        print(f"\n{bench.name}: {ROUNDS} times {len(bench.queries)} queries")
        pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> None:
    warnings.simplefilter("ignore", TruncatedTextWarning)
    folder = Path(sys.argv[1])
    benches = [made_up(), *(of_set(folder / name, name) for name in SETS if (folder / name).is_dir())]
    if "--profile" in sys.argv:
        profile(benches)
        return
    rows, claims = zip(*measured(benches), strict=True)
    body = (
        f"Milliseconds of processor a query, {QUERIES} queries a run, k = {K}, through `Searcher.search`, over an "
        "engine that remembers its answers: all but the engine's work and the model's. Texts were embedded "
        "before, and what is left of documents without mentions, too; how far raw scores reach tells a sample. "
        f"Brackets hold 95 % of {ROUNDS} rounds. Made-up documents have four words, and their queries are split "
        "beforehand; real ones are split and read in the search. `linear` is the paper's score, `relational` the "
        f"default. Aim: at most {MOST:g} ms.\n\n" + table(["documents", *WAYS], list(rows))
    )
    report("around", "What a search does around its engine", body, [one for each in claims for one in each])


if __name__ == "__main__":
    main()
