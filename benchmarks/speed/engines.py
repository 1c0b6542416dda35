"""What an exclusion costs over each engine, and what the engine's approximation loses.

    .venv/bin/python benchmarks/speed/engines.py --write

A server of your own joins by its spec, as in ``--also qdrant://localhost:6333/bench``, which it makes anew.
``--only faiss`` measures the engines with that in their names alone.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import Timing, in_turn, report, table

from esens import Decomposition, Document, MemoryIndex, Results, Searcher
from esens.index import Index, open_index, prepare_index
from esens.search.retrieve import CANDIDATES_PER_PROBE

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tests know how to start a PostgreSQL

COUNT, DIMENSION, QUERIES, K = 20_000, 384, 20, 10
FEW = 2_000  # for the modes that are made for trying things out, and slow
CLUSTERS, WITHIN = 200, 0.6
ROUNDS, REPEATS = 5, 1
WAYS: dict[str, dict[str, object]] = {
    "plain": {"beta": 0},
    "linear": {"score": "linear"},
    "contrast": {"score": "contrast"},
    "relational": {},
}
SEAMS = ("query", "draw_sample", "_exact_ranges")
"""Where an adapter asks its engine in a search."""


class World(NamedTuple):
    """Clustered documents, and queries near one cluster that exclude another."""

    documents: Sequence[Document]
    vectors: np.ndarray
    texts: dict[str, np.ndarray]
    queries: Sequence[str]
    split: Sequence[Decomposition]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self.texts[text] for text in texts])


def world(count: int, *, seed: int = 0) -> World:
    random = np.random.default_rng(seed)
    centres = _unit(random.standard_normal((CLUSTERS, DIMENSION)))
    clusters = random.integers(0, CLUSTERS, count)
    vectors = np.empty((count, DIMENSION), np.float32)
    for start in range(0, count, 10_000):
        part = slice(start, start + 10_000)
        noise = _unit(random.standard_normal((len(clusters[part]), DIMENSION)))
        vectors[part] = _unit(WITHIN * centres[clusters[part]] + (1 - WITHIN) * noise)
    documents = [Document(f"d{i:07}", f"Document {i} of cluster {c}") for i, c in enumerate(clusters)]
    texts: dict[str, np.ndarray] = {}
    split = []
    for number in range(QUERIES):
        wanted, excluded = centres[random.choice(CLUSTERS, 2, replace=False)]
        near = _unit(random.standard_normal((3, DIMENSION)))
        names = [f"{what} {number}" for what in ("query", "target", "trap")]
        for name, centre, noise in zip(names, (wanted + 0.7 * excluded, wanted, excluded), near, strict=True):
            texts[name] = _unit(_unit(centre) + 0.4 * noise)
        split.append(Decomposition(names[1], (names[2],)))
    return World(documents, vectors, texts, [f"query {n}" for n in range(QUERIES)], split)


def specs(folder: Path, stack: ExitStack) -> Iterator[tuple[str, str]]:
    """Yield the engines that can be had here: a name, and the spec of an index that is not there yet."""
    from tests.postgres import postgres_server, programs

    yield "lance, exact", str(folder / "exact.lance")
    if (found := programs()) is not None:
        postgres = stack.enter_context(postgres_server(found))
        yield "PostgreSQL, HNSW", f"{postgres}?table=sampled"
        yield "PostgreSQL, HNSW, exact ranges", f"{postgres}?table=exact&extents=exact"
    yield "faiss, flat", f"faiss:{folder / 'x.faiss'}"
    yield "usearch, HNSW", f"usearch:{folder / 'x.usearch'}"
    yield from ((spec, spec) for at, spec in enumerate(sys.argv) if at and sys.argv[at - 1] == "--also")


def local_modes(folder: Path) -> Iterator[tuple[str, str]]:
    yield "Qdrant, the client's local mode", f"qdrant:{folder / 'qdrant'}?collection=docs"
    yield "Milvus Lite", f"milvus:{folder / 'milvus.db'}?collection=docs"


def filled(spec: str, made: World) -> Index:
    if spec.startswith(("faiss:", "usearch:")):
        write_files(spec, made)
        return open_index(spec)
    index = prepare_index(spec, dimension=DIMENSION)
    for start in range(0, len(made.documents), 1000):
        part = slice(start, start + 1000)
        index.upsert(made.documents[part], made.vectors[part])
    if optimise := getattr(index, "optimise", None):
        optimise()
    return index


def write_files(spec: str, made: World) -> None:
    """Write what esens only reads, as its users do."""
    scheme, _, path = spec.partition(":")
    if scheme == "faiss":
        import faiss

        vectors = faiss.IndexFlatIP(DIMENSION)
        vectors.add(made.vectors)
        faiss.write_index(vectors, path)
    else:
        from usearch.index import Index as UsearchGraph

        graph = UsearchGraph(ndim=DIMENSION, metric="cos", dtype="f32")
        graph.add(np.arange(len(made.vectors)), made.vectors, threads=1)
        graph.save(path)
    with Path(f"{path}.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": one.id, "text": one.text}) + "\n" for one in made.documents)


class Bench:
    """The product over one engine; the vectors of all texts are known before."""

    def __init__(self, index: Index, made: World) -> None:
        self._searcher = Searcher(index, embedder=made.embed)
        self._index, self._made = index, made

    def search(self, way: str) -> list[Results]:
        found: list[Results] = []
        for query, split in zip(self._made.queries, self._made.split, strict=True):
            options = {"k": K, "decomposition": split, **WAYS[way]}
            found.append(self._searcher.search(query, **options))  # type: ignore[call-overload]
        return found

    def contestants(self) -> dict[str, Callable[[], object]]:
        searches: dict[str, Callable[[], object]] = {way: partial(self.search, way) for way in WAYS}
        return {**searches, "request of plain": self._ask_plainly, "request": self._ask}

    def requests(self, way: str) -> float:
        """Return how often the engine is asked in a search, once its sample is kept."""
        if not hasattr(self._index, "query"):
            return 0
        count = 0

        def counted(ask: Callable[..., object], *arguments: object, **options: object) -> object:
            nonlocal count
            count += 1
            return ask(*arguments, **options)

        seams = [name for name in SEAMS if hasattr(self._index, name)]
        for name in seams:
            setattr(self._index, name, partial(counted, getattr(self._index, name)))
        self.search(way)
        for name in seams:
            delattr(self._index, name)
        return count / QUERIES

    def _ask_plainly(self) -> None:
        """Ask for what a plain search needs, and do nothing with it."""
        for query in self._made.queries:
            self._index.nearest(self._made.embed([query]), K)

    def _ask(self) -> None:
        """Ask for what a search with an exclusion needs, and do nothing with it."""
        for query, split in zip(self._made.queries, self._made.split, strict=True):
            rows = self._made.embed([query, split.target])
            self._index.nearest(rows, CANDIDATES_PER_PROBE, with_vectors=True)


def recall(found: Sequence[Results], exact: Sequence[Results]) -> float:
    return float(np.mean([len(set(a.ids) & set(b.ids)) / K for a, b in zip(found, exact, strict=True)]))


def row(name: str, bench: Bench, oracle: Bench) -> list[str]:
    timings = in_turn(bench.contestants(), rounds=ROUNDS, repeats=REPEATS)
    plain = timings["plain"]
    cells = [f"{plain.median / QUERIES:.2f}", f"{recall(bench.search('plain'), oracle.search('plain')):.3f}"]
    for way in WAYS:
        if way != "plain":
            cells.append(_ratio(timings[way], plain))
            cells.append(f"{recall(bench.search(way), oracle.search(way)):.3f}")
    cells.append(" / ".join(f"{bench.requests(way):g}" for way in WAYS if way != "plain"))
    cells.append(_ratio(timings["request"], timings["request of plain"]))
    print(name, *cells, sep="  ", file=sys.stderr, flush=True)
    return [name, *cells]


def _ratio(timing: Timing, base: Timing) -> str:
    ratio, low, high = timing.ratio(base)
    return f"{ratio:.2f} ({low:.2f}–{high:.2f})"


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def main() -> None:
    made, few = world(COUNT), world(FEW)
    oracle, of_few = (Bench(MemoryIndex(one.documents, one.vectors), one) for one in (made, few))
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    rows = [row("memory, exact", oracle, oracle)] if only in "memory, exact" else []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, spec in specs(folder, stack):
            if only in name:
                rows.append(row(name, Bench(filled(spec, made), made), oracle))
        for name, spec in local_modes(folder):
            if only in name:
                rows.append(row(f"{name}, {FEW:,} documents", Bench(filled(spec, few), few), of_few))
    scores = [cell for way in list(WAYS)[1:] for cell in (f"{way} / plain", "recall@10")]
    header = ["engine", "plain, ms", "recall@10", *scores, "requests a search", "request / plain's request"]
    body = (
        f"{COUNT:,} made-up clustered vectors of {DIMENSION} dimensions, {QUERIES} queries that exclude another "
        f"cluster, k = {K}, through `Searcher.search`, every vector of a text known before. Ratios to the same "
        "engine's plain search in the same run, 95 % bootstrap intervals over rounds; recall@10 is the share of "
        "the oracle's top 10 by the same score. `linear` is the paper's score, `relational` the default. "
        "Requests are counted for these three, once the engine's sample is kept. The last column is the bound: "
        f"what the engine and its client take to give {CANDIDATES_PER_PROBE} neighbours of two vectors, with "
        f"their texts and vectors, to what they take to give {K} of one without vectors; nothing is done with "
        "either.\n\n" + table(header, rows)
    )
    report("engines", "What an exclusion costs over each engine", body)


if __name__ == "__main__":
    main()
