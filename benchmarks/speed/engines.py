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
from typing import Any, NamedTuple

import numpy as np
from measure import Claim, Timing, in_turn, processor_clock, report, table

from esens import Contrast, Decomposition, Document, MemoryIndex, Relational, Results, Searcher
from esens.index import Index, open_index, prepare_index
from esens.index.base import scannable
from esens.index.files.index import FileIndex

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tests know how to start a PostgreSQL

COUNT, DIMENSION, QUERIES, K = 20_000, 384, 20, 10
FEW = 2_000  # for the modes that are made for trying things out, and slow
CLUSTERS, WITHIN = 200, 0.6
ROUNDS, FEW_ROUNDS, REPEATS = 7, 3, 1
MOST, LEAST_RECALL = 1.5, 0.98
WAYS: dict[str, dict[str, object]] = {
    "plain": {"beta": 0},
    "linear": {"score": "linear"},
    "contrast": {"score": "contrast"},
    "relational": {},
}
SEAMS = ("query", "pool", "draw_sample", "_exact_ranges")
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
    centres = made_centres(random)
    clusters = random.integers(0, CLUSTERS, count)
    vectors = np.empty((count, DIMENSION), np.float32)
    for start in range(0, count, 10_000):
        part = slice(start, start + 10_000)
        noise = unit(random.standard_normal((len(clusters[part]), DIMENSION)))
        vectors[part] = unit(WITHIN * centres[clusters[part]] + (1 - WITHIN) * noise)
    documents = [Document(f"d{i:07}", f"Document {i} of cluster {c}") for i, c in enumerate(clusters)]
    texts, split = made_queries(centres, random)
    return World(documents, vectors, texts, [f"query {n}" for n in range(QUERIES)], split)


def made_centres(random: np.random.Generator) -> np.ndarray:
    return unit(random.standard_normal((CLUSTERS, DIMENSION)))


def made_queries(
    centres: np.ndarray, random: np.random.Generator
) -> tuple[dict[str, np.ndarray], list[Decomposition]]:
    """Return the vectors of all texts, and how each query is split."""
    texts: dict[str, np.ndarray] = {}
    split = []
    for number in range(QUERIES):
        wanted, excluded = centres[random.choice(CLUSTERS, 2, replace=False)]
        near = unit(random.standard_normal((3, DIMENSION)))
        names = [f"{what} {number}" for what in ("query", "target", "trap")]
        for name, centre, noise in zip(names, (wanted + 0.7 * excluded, wanted, excluded), near, strict=True):
            texts[name] = unit(unit(centre) + 0.4 * noise)
        split.append(Decomposition(names[1], (names[2],)))
    return texts, split


def specs(folder: Path, stack: ExitStack) -> Iterator[tuple[str, str]]:
    """Yield the engines that can be had here: a name, and the spec of an index that is not there yet."""
    from tests.postgres import postgres_server, programs

    yield "lance, exact", str(folder / "exact.lance")
    yield "lance, IVF-RQ", f"{folder / 'approximate.lance'}?search=approximate"
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
        if self.keeps_ranges:
            searches |= {f"new {way}": partial(self.search_anew, way) for way in WAYS if way != "plain"}
        return searches | {f"bare {way}": partial(self.ask, way) for way in WAYS}

    @property
    def keeps_ranges(self) -> bool:
        """Whether the index keeps how far the raw scores of texts reach."""
        return scannable(self._index) is None and hasattr(self._index, "_sample")

    def search_anew(self, way: str) -> None:
        """Search with the sample, and with nothing that was found of a text before."""
        self._index._sample(None)._ranges.clear()  # type: ignore[attr-defined]
        self.search(way)

    def ask(self, way: str) -> None:
        """Ask the engine for what a search of this kind asks for, without raw scores, and do nothing with it."""
        for query, split in zip(self._made.queries, self._made.split, strict=True):
            rows = self._made.embed([query, split.target, *split.traps])
            if comparing := scannable(self._index):
                scanned = comparing.scan(rows[: 1 if way == "plain" else len(rows)])
                assert scanned.raw.size if scanned.rough is None else scanned.rough.raw.size
            else:
                self._ask(*_request(way, *rows))

    def _ask(self, probes: np.ndarray, depth: int) -> None:
        if isinstance(self._index, FileIndex):
            self._index._vectors.search(probes, depth)
        elif type(self._index).__name__ == "PgVectorIndex":  # rows, of which no document is made
            from esens.index.pgvector.index import _NearestRequest

            index: Any = self._index
            index._search(probes, _NearestRequest.of_neighbours(len(probes), depth, False), None)
        else:
            self._index.nearest(probes, depth)

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


def _request(way: str, query: np.ndarray, target: np.ndarray, trap: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the vectors whose neighbours a search asks for, and how many of each: see decision 20."""
    if way == "linear":
        return unit(query - 0.5 * trap)[None], 3 * K
    if way == "plain":
        return query[None], K
    if way == "contrast":
        return unit(0.75 * query + 0.25 * target)[None], Contrast().candidates
    return np.stack([query, target]), Relational().candidates


def recall(found: Sequence[Results], exact: Sequence[Results]) -> float:
    return float(np.mean([len(set(a.ids) & set(b.ids)) / K for a, b in zip(found, exact, strict=True)]))


def row(name: str, bench: Bench, oracle: Bench, claims: list[Claim], rounds: int = ROUNDS) -> list[str]:
    for way in WAYS:
        bench.search(way)  # which opens connections, so that the clock knows who is at work
    timings = in_turn(bench.contestants(), rounds=rounds, repeats=REPEATS, clock=processor_clock())
    plain = timings["plain"]
    cells = [f"{plain.median / QUERIES:.2f}", f"{recall(bench.search('plain'), oracle.search('plain')):.3f}"]
    for way in WAYS:
        if way != "plain":
            found, bound = recall(bench.search(way), oracle.search(way)), timings[f"bare {way}"].ratio(plain)[0]
            claim = f"{name}: search with an exclusion, {way}, recall@10 {found:.3f}"
            rival = f"its plain search; the bare request takes {bound:.2f}"
            claims.append(Claim.ratio(claim, timings[way], plain, rival, aim=MOST))
            new = "–"
            if anew := timings.get(f"new {way}"):
                new = _ratio(anew, plain)
                claims.append(
                    Claim.ratio(f"{name}: search with a new exclusion, {way}", anew, plain, rival, aim=MOST)
                )
            cells += [_ratio(timings[way], plain), new, _ratio(timings[f"bare {way}"], plain), f"{found:.3f}"]
    cells.append(" / ".join(f"{bench.requests(way):g}" for way in WAYS if way != "plain"))
    print(name, *cells, sep="  ", file=sys.stderr, flush=True)
    return [name, *cells]


def _ratio(timing: Timing, base: Timing) -> str:
    ratio, low, high = timing.ratio(base)
    return f"{ratio:.2f} ({low:.2f}–{high:.2f})"


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def main() -> None:
    made, few = world(COUNT), world(FEW)
    oracle, of_few = (Bench(MemoryIndex(one.documents, one.vectors), one) for one in (made, few))
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    claims: list[Claim] = []
    rows = [row("memory, exact", oracle, oracle, claims)] if only in "memory, exact" else []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, spec in specs(folder, stack):
            if only in name:
                rows.append(row(name, Bench(filled(spec, made), made), oracle, claims))
        for name, spec in local_modes(folder):
            if only in name:
                title = f"{name}, {FEW:,} documents"
                rows.append(row(title, Bench(filled(spec, few), few), of_few, claims, FEW_ROUNDS))
    scores = [cell for way in list(WAYS)[1:] for cell in (f"{way} / plain", "new", "bound", "recall@10")]
    header = ["engine", "plain, ms", "recall@10", *scores, "requests a search"]
    body = (
        f"{COUNT:,} made-up clustered vectors of {DIMENSION} dimensions, {QUERIES} queries that exclude another "
        f"cluster, k = {K}, through `Searcher.search`, every vector of a text known before, and how far its raw "
        "scores reach, as where an exclusion comes again. “New” has the same without the latter: nothing is known "
        "of the texts but their vectors, and what is nearest to a trap is searched for, too. Times are those of "
        "all processors, the server's included, as ratios to the same engine's plain search in the same run, with "
        "95 % bootstrap intervals over rounds; recall@10 is the share of the oracle's top 10 by the same score. "
        "`linear` is the paper's score, `relational` the default. Requests are counted for these three, once the "
        "engine's "
        f"sample is kept. The bound is the bare request to the plain search: {Relational().candidates} neighbours "
        f"of query and target for relational, {Contrast().candidates} of a composed vector for contrast, {3 * K} "
        "of one for linear, as the engine and its client give them, without raw scores, and nothing is done with "
        "them; where all documents are compared, comparing the vectors of three texts. Aim: at most "
        f"{MOST} at a recall of {LEAST_RECALL}; where the bound is above it, no work around the request reaches "
        "it.\n\n" + table(header, rows)
    )
    report("engines", "What an exclusion costs over each engine", body, claims)


if __name__ == "__main__":
    main()
