"""How the cost of a search grows with the corpus: compared with every document, and through approximate indexes.

    .venv/bin/python benchmarks/speed/growth.py --write

Ten million vectors and an index of Lance take 40 GB of disk and 8 GB of memory and, by what a million took, half
an hour of two cores; a graph of usearch would take hours more, so say ``--usearch 100000``. ``--most 1000000``
stops earlier. ``--folder FOLDER`` says where they are made. What stands there is not made again, so that a run
which was interrupted goes on; with ``--keep`` it stays there, else it is removed. ``--lance 1000000`` and
``--usearch 1000000`` are the most of which either index is built.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from engines import DIMENSION, QUERIES, WAYS, WITHIN, Bench, K, World, made_centres, made_queries, unit
from measure import Claim, Timing, option, report, table
from memory import resident

from esens.arrays.rank import Positions
from esens.arrays.scan import cores, scan
from esens.arrays.unit import Vectors, unit_rows
from esens.index import open_index, prepare_index
from esens.index.base import BaseIndex, Neighbours, Scan
from esens.index.filters import Filter
from esens.index.lance.index import ANN_ABOVE
from esens.index.ranges import Sample
from esens.index.uri import IndexURI
from esens.types import Document

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
BLOCK, BATCH = 25_000, 50_000
ROUNDS = 5
EXACT_MEMORY, EXACT_DISK, LANCE, USEARCH = "exact, Lance", "exact, a file", "IVF-RQ, Lance", "HNSW, usearch"
IN_MEMORY_MOST = 1_000_000
"""Beyond, an exact search by Lance takes more memory than 8 GB: 1.5 GB a million."""
FEW = 2
"""Queries by which the file is timed: it is read through for each of them."""


class Corpus:
    """Made-up clustered vectors in one file, in half precision; a smaller corpus is its beginning."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "vectors.f16"
        self._row = DIMENSION * 2

    def make(self, count: int) -> None:
        """Add what the file lacks of so many vectors, block by block; every block has numbers of its own."""
        centres = made_centres(np.random.default_rng(0))
        present = self._path.stat().st_size // (self._row * BLOCK) if self._path.exists() else 0
        with self._path.open("r+b" if present else "wb") as file:
            file.seek(present * BLOCK * self._row)
            for block in range(present, -(-count // BLOCK)):
                random = np.random.default_rng([1, block])
                noise = unit(random.standard_normal((BLOCK, DIMENSION), np.float32))
                own = centres[random.integers(0, len(centres), BLOCK)]
                unit(WITHIN * own + (1 - WITHIN) * noise).astype(np.float16).tofile(file)

    def blocks(self, count: int, size: int = BLOCK) -> Iterator[tuple[int, Vectors]]:
        """Yield the vectors at unit length, in single precision, and where each block of them begins."""
        with self._path.open("rb") as file:
            for start in range(0, count, size):
                yield start, self._read(file, min(size, count - start))

    def _read(self, file: BinaryIO, count: int) -> Vectors:
        # Read, not mapped: pages of a mapped file would count as memory of this process.
        halves = np.fromfile(file, np.float16, count * DIMENSION).reshape(count, DIMENSION)
        return unit_rows(halves.astype(np.float32))


class FileScan(BaseIndex):
    """An index that reads the file through for every search: exact, in little memory, for any number."""

    dimension, is_scannable = DIMENSION, True

    def __init__(self, corpus: Corpus, count: int) -> None:
        super().__init__(IndexURI.parse("file:vectors.f16"))
        self._corpus, self._count = corpus, count
        self._known: dict[bytes, Vectors] = {}

    def __len__(self) -> int:
        return self._count

    def scan(self, vectors: Vectors, *, where: Filter | None = None) -> Scan:
        del where
        return Scan(unit_rows(vectors), self._compare_some, documents)

    def remember(self, vectors: Vectors) -> None:
        """Compare many vectors in one pass, and keep what comes of it."""
        probes = unit_rows(vectors)
        self._known |= dict(zip((probe.tobytes() for probe in probes), self._compare(probes), strict=True))

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> list[Neighbours]:
        raise NotImplementedError  # a search that compares all asks for no neighbours

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        raise NotImplementedError  # nor for a sample

    def _compare_some(self, probes: Vectors, columns: Positions | None) -> Vectors:
        known = [self._known.get(probe.tobytes()) for probe in probes]
        found = [row for row in known if row is not None]
        raw = np.stack(found) if len(found) == len(probes) else self._compare(probes)
        return raw if columns is None else raw[:, columns]

    def _compare(self, probes: Vectors) -> Vectors:
        raw = np.empty((len(probes), self._count), np.float32)
        for start, rows in self._corpus.blocks(self._count):
            raw[:, start : start + len(rows)] = scan(rows, probes, threads=cores())
        return raw


def documents(positions: Sequence[int]) -> list[Document]:
    return [Document(f"d{at:08}", f"Document {at}") for at in positions]


def world() -> World:
    random = np.random.default_rng(0)
    texts, split = made_queries(made_centres(random), random)
    return World((), np.zeros((0, DIMENSION), np.float32), texts, [f"query {n}" for n in range(QUERIES)], split)


def build_lance(folder: Path, count: int) -> dict[str, float]:
    """Write the documents and their vectors by the product's own calls, and have it make its indexes."""
    path, corpus = folder / f"{count}.lance", Corpus(folder)
    shutil.rmtree(path, ignore_errors=True)
    started = time.perf_counter(), time.process_time()
    index = prepare_index(f"{path}?search=approximate", dimension=DIMENSION)
    for first, rows in corpus.blocks(count, BATCH):
        index.upsert(documents(range(first, first + len(rows))), rows)
    index.optimise()  # type: ignore[attr-defined]
    return _built(path, *started)


def build_usearch(folder: Path, count: int) -> dict[str, float]:
    from usearch.index import Index as UsearchGraph

    path, corpus = folder / f"{count}.usearch", Corpus(folder)
    started = time.perf_counter(), time.process_time()
    with Path(f"{path}.jsonl").open("w", encoding="utf-8") as file:
        lines = (json.dumps({"id": one.id, "text": one.text}) for one in documents(range(count)))
        file.writelines(f"{line}\n" for line in lines)
    graph = UsearchGraph(ndim=DIMENSION, metric="cos", dtype="f16")
    for first, rows in corpus.blocks(count, BATCH):
        graph.add(np.arange(first, first + len(rows)), rows, threads=cores())
    graph.save(str(path))
    return _built(path, *started)


def _built(path: Path, clock: float, processor: float) -> dict[str, float]:
    """Return what it took since then, by the clock and of all processors, and how large it is."""
    files = path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.name}*")
    disk = sum(file.stat().st_size for file in files if file.is_file())
    taken = {"clock": time.perf_counter() - clock, "processor": time.process_time() - processor}
    return {**taken, "disk": disk, **_memory()}


def search(folder: Path, count: int, how: str) -> dict[str, Any]:
    """Search in every way, and return milliseconds a query, a round each, what was found, and the peak memory."""
    made = world()
    specs = {
        EXACT_MEMORY: f"{folder / f'{count}.lance'}?search=exact",
        LANCE: f"{folder / f'{count}.lance'}?search=approximate",
        USEARCH: f"usearch:{folder / f'{count}.usearch'}",
    }
    if how == EXACT_DISK:
        return search_file(folder, count, made)
    bench = Bench(open_index(specs[how]), made)
    found = {way: [list(one.ids) for one in bench.search(way)] for way in WAYS}
    return {"ms": {way: processor_time(bench, way, ROUNDS, QUERIES) for way in WAYS}, "found": found, **_memory()}


def search_file(folder: Path, count: int, made: World) -> dict[str, Any]:
    """Search by reading the file through: few queries, for each takes seconds; one pass more for what is found."""
    index = FileScan(Corpus(folder), count)
    few = Bench(index, made._replace(queries=made.queries[:FEW], split=made.split[:FEW]))
    rounds = ROUNDS if count < IN_MEMORY_MOST else 2 if count == IN_MEMORY_MOST else 1
    milliseconds = {way: processor_time(few, way, rounds, FEW) for way in ("plain", "relational")}
    memory = _memory()
    index.remember(np.stack(list(made.texts.values())))
    found = {way: [list(one.ids) for one in Bench(index, made).search(way)] for way in WAYS}
    return {"ms": milliseconds, "found": found, **memory}


def processor_time(bench: Bench, way: str, rounds: int, queries: int) -> list[float]:
    """Return milliseconds of the processors a query, a round each: of all threads, whoever else is at work."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        bench.search(way)
        found.append(1000 * (time.process_time() - start) / queries)
    return found


def _memory() -> dict[str, int]:
    return {"peak": resident("VmHWM")}


def child(kind: str, folder: Path, count: int) -> Any:
    """Do one thing in a process of its own, whose peak of memory is that of this alone; keep what it says."""
    said = folder / f"{count} {kind.replace(', ', ' ')}.json"
    if not said.exists():
        command = [sys.executable, __file__, "--child", kind, "--folder", str(folder), "--count", str(count)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        said.write_text(done.stdout, encoding="utf-8")
    return json.loads(said.read_text(encoding="utf-8"))


def run_child(kind: str) -> None:
    folder, count = Path(option("--folder", "")), option("--count", 0)
    builders = {"build Lance": build_lance, "build usearch": build_usearch}
    done = builders[kind](folder, count) if kind in builders else search(folder, count, kind)
    print(json.dumps(done))


def measured(
    folder: Path, sizes: Sequence[int], *, lance_most: int, usearch_most: int
) -> Iterator[tuple[int, str, Any, Any]]:
    """Yield for every size and way of searching what the search said, and what building the index did."""
    for size in sizes:
        Corpus(folder).make(size)
        exact = child(EXACT_DISK, folder, size)
        yield size, EXACT_DISK, exact, None
        if size <= lance_most:
            lance = child("build Lance", folder, size)
            if size <= IN_MEMORY_MOST:
                yield size, EXACT_MEMORY, child(EXACT_MEMORY, folder, size), None
            yield size, LANCE, child(LANCE, folder, size), lance
        if size <= usearch_most:
            graph = child("build usearch", folder, size)
            yield size, USEARCH, child(USEARCH, folder, size), graph
        print(f"{size:,} documents done", file=sys.stderr, flush=True)


def recall(found: Sequence[Sequence[str]], exact: Sequence[Sequence[str]]) -> float:
    return float(np.mean([len({*a} & {*b}) / K for a, b in zip(found, exact, strict=True)]))


def main() -> None:
    if kind := option("--child", ""):
        run_child(kind)
        return
    most, lance_most, usearch_most = (option(name, SIZES[-1]) for name in ("--most", "--lance", "--usearch"))
    folder = Path(option("--folder", "") or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    try:
        sizes = [size for size in SIZES if size <= most]
        found = list(measured(folder, sizes, lance_most=lance_most, usearch_most=usearch_most))
    finally:
        if "--keep" not in sys.argv:
            shutil.rmtree(folder)
    report("growth", "How the cost of a search grows", page(found), claims(found))


def claims(found: Sequence[tuple[int, str, Any, Any]]) -> list[Claim]:
    """Return how the default search grows from one size to the next, and the recall and memory of the largest."""
    sizes = {(size, how): one for size, how, one, _ in found}
    exact = {size: one["found"] for (size, how), one in sizes.items() if how == EXACT_DISK}
    made = []
    for (size, how), one in sizes.items():
        before = sizes.get((size // 10, how))
        if before is not None and how != EXACT_MEMORY:
            timings = [Timing(np.array(each["ms"]["relational"])) for each in (one, before)]
            # A file that is too large for several rounds is timed once.
            interval = (
                timings[0].ratio(timings[1])[1:] if len({len(each.rounds) for each in timings}) == 1 else None
            )
            growth, aim = timings[0].median / timings[1].median, 11 if how == EXACT_DISK else 10
            made.append(
                Claim(f"{how}: {size:,} documents", growth, interval, f"{size // 10:,} documents", aim=aim)
            )
    size, how = max((key for key in sizes if key[1] == LANCE), default=(0, ""))
    if size:
        share = recall(sizes[size, how]["found"]["relational"], exact[size]["relational"])
        rival = "exact search by the same score"
        made.append(Claim(f"{how}, {size:,} documents: recall@10", share, None, rival, "share", is_most=False))
        memory = sizes[size, how]["peak"] / 2**20
        made.append(Claim(f"{how}, {size:,} documents: peak memory of a search", memory, None, "–", "MiB"))
    return made


def page(found: Sequence[tuple[int, str, Any, Any]]) -> str:
    searches, builds = table(SEARCH_HEADER, search_rows(found)), table(BUILD_HEADER, build_rows(found))
    return "\n\n".join(part for part in (HEAD, searches, BUILDING, builds, unmeasured(found)) if part)


def unmeasured(found: Sequence[tuple[int, str, Any, Any]]) -> str:
    """Return which sizes this run left out, and what they would need."""
    largest = {how: max(size for size, which, _, _ in found if which == how) for how in {one[1] for one in found}}
    short = sorted(f"{how} ends at {size:,}" for how, size in largest.items() if size < SIZES[-1])
    if not short:
        return ""
    return (
        f"Not measured in this run: {'; '.join(short)}. {SIZES[-1]:,} documents are 7.7 GB in the file, 15 GB in "
        "an exact search by Lance and in its folder, and as much again there while files are joined."
    )


HEAD = (
    f"Made-up clustered vectors of {DIMENSION} dimensions, rounded to half precision, {QUERIES} queries that "
    f"exclude something, k = {K}, through `Searcher.search`, warm, every vector of a text known before. Growth is "
    "the ratio to a tenth of the documents: 10 is linear. Times are those of all processors together, which "
    "others disturb less than the clock. Recall is the share of the exact top 10 by the same score. Peak memory "
    "is that of a process that opens the index and searches. “Exact, a file” reads the vectors from disk "
    f"in half precision for every search ({FEW} queries are timed), “exact, Lance” holds them in memory in single "
    "precision, 1.5 GB a million, which is why it ends at a million here. Left to itself, a Lance index searches "
    f"approximately above {ANN_ABOVE:,} documents. Within a cluster these vectors have no structure that an index "
    "could use, so recall is that of a hard case."
)
SEARCH_HEADER = ["search", "score", "documents", "ms of processor", "growth", "recall@10", "peak, MiB"]
BUILDING = (
    "What building takes: writing documents and vectors, and making the index, by the clock and in the time of "
    "all processors together. What Lance joined into one file it keeps beside it for ten minutes: then the disk "
    "holds vectors twice."
)
BUILD_HEADER = ["index", "documents", "s by the clock", "s of processors", "growth", "disk, MiB", "peak, MiB"]


def search_rows(found: Sequence[tuple[int, str, Any, Any]]) -> list[list[str]]:
    exact = {size: one["found"] for size, how, one, _ in found if how == EXACT_DISK}
    medians = {(how, way, size): np.median(ms) for size, how, one, _ in found for way, ms in one["ms"].items()}
    rows = []
    for size, how, one, _ in found:
        for way, milliseconds in one["ms"].items():
            before = medians.get((how, way, size // 10))
            growth = "–" if before is None else f"{np.median(milliseconds) / before:.1f}"
            share = "1" if how == EXACT_DISK else f"{recall(one['found'][way], exact[size][way]):.3f}"
            cells = [how, way, f"{size:,}", f"{np.median(milliseconds):.1f}", growth, share]
            rows.append([*cells, f"{one['peak'] / 2**20:,.0f}"])
    hows, ways = [EXACT_DISK, EXACT_MEMORY, LANCE, USEARCH], list(WAYS)
    return sorted(rows, key=lambda row: (hows.index(row[0]), ways.index(row[1]), int(row[2].replace(",", ""))))


def build_rows(found: Sequence[tuple[int, str, Any, Any]]) -> list[list[str]]:
    rows, before = [], dict[tuple[str, int], float]()
    for size, how, _, built in found:
        if built is None:
            continue
        processor = before[how, size] = built["processor"]
        growth = f"{processor / before[how, size // 10]:.1f}" if (how, size // 10) in before else "–"
        sizes = [f"{built[part] / 2**20:,.0f}" for part in ("disk", "peak")]
        rows.append([how, f"{size:,}", f"{built['clock']:.1f}", f"{processor:.1f}", growth, *sizes])
    return sorted(rows, key=lambda row: row[0] != LANCE)


if __name__ == "__main__":
    main()
