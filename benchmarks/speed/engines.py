"""What an exclusion costs over each engine, and what the engine's approximation loses.

    .venv/bin/python benchmarks/speed/engines.py --write

A server of your own joins by its spec, as in ``--also qdrant://localhost:6333/bench``, which it makes anew.
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

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tests know how to start a PostgreSQL

COUNT, DIMENSION, QUERIES, K = 20_000, 384, 20, 10
FEW = 2_000  # for the modes that are made for trying things out, and slow
CLUSTERS, WITHIN = 200, 0.6
ROUNDS, REPEATS = 5, 1
WAYS: dict[str, dict[str, object]] = {
    "plain": {"beta": 0},
    "linear": {"score": "linear"},
    "contrast": {},
}


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
        yield "PostgreSQL, HNSW, exact spans", f"{postgres}?table=exact"
        yield "PostgreSQL, HNSW, sampled spans", f"{postgres}?table=sampled&extents=sample"
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
        self._made = made

    def search(self, way: str) -> list[Results]:
        found: list[Results] = []
        for query, split in zip(self._made.queries, self._made.split, strict=True):
            options = {"k": K, "decomposition": split, **WAYS[way]}
            found.append(self._searcher.search(query, **options))  # type: ignore[call-overload]
        return found

    def contestants(self, name: str) -> dict[str, Callable[[], object]]:
        return {f"{name}: {way}": partial(self.search, way) for way in WAYS}


def recall(found: Sequence[Results], exact: Sequence[Results]) -> float:
    return float(np.mean([len(set(a.ids) & set(b.ids)) / K for a, b in zip(found, exact, strict=True)]))


def row(name: str, bench: Bench, oracle: Bench) -> list[str]:
    timings = in_turn(bench.contestants(name), rounds=ROUNDS, repeats=REPEATS)
    plain = timings[f"{name}: plain"]
    cells = [f"{plain.median / QUERIES:.2f}"]
    for way in WAYS:
        cells.append(f"{recall(bench.search(way), oracle.search(way)):.3f}")
        if way != "plain":
            cells.append(_ratio(timings[f"{name}: {way}"], plain))
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
    rows = [row("memory, exact", oracle, oracle)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rows += [row(name, Bench(filled(spec, made), made), oracle) for name, spec in specs(folder, stack)]
        for name, spec in local_modes(folder):
            rows.append(row(f"{name}, {FEW:,} documents", Bench(filled(spec, few), few), of_few))
    header = ["engine", "plain, ms", "recall@10", "linear / plain", "recall@10", "contrast / plain", "recall@10"]
    ordered = [[r[0], r[1], r[2], r[4], r[3], r[6], r[5]] for r in rows]
    body = (
        f"{COUNT:,} made-up clustered vectors of {DIMENSION} dimensions, {QUERIES} queries that exclude another "
        f"cluster, k = {K}, through `Searcher.search`, every vector of a text known before. Ratios to the same "
        "engine's plain search in the same run, 95 % bootstrap intervals over rounds; recall@10 is the share of "
        "the oracle's top 10 by the same score. `linear` is the paper's score, one query with a composed vector "
        "once the spans are known; `contrast` the default, with candidates of three vectors, scored exactly.\n\n"
        + table(header, ordered)
    )
    report("engines", "What an exclusion costs over each engine", body)


if __name__ == "__main__":
    main()
