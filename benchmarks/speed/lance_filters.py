"""What a filter costs in a Lance index of a million documents, in time and in memory.

    .venv/bin/python benchmarks/speed/lance_filters.py --write

It takes minutes and 4 GB of disk; ``--documents 100000`` takes fewer. ``--only time`` or ``--only memory`` is half
of it, and ``--folder NAME`` keeps the indexes there, to measure them again.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from measure import Claim, Timing, option, report, table
from memory import resident

from esens import Decomposition, Document, Searcher
from esens.index import open_index, prepare_index
from esens.index.filters import parse_filter

DIMENSION, K, QUERIES, VALUES = 64, 10, 10, 100
ROUNDS = 21
BATCH = 20_000
MORE, LONG = 10, 1500  # fields beside those that are filtered by, and characters of another
NO_FILTER = "none"
Contestant = tuple[str, str]
Times = dict[Contestant, list[float]]
FILTERS: dict[str, Callable[[int], Any] | None] = {
    NO_FILTER: None,
    "text: `topic=t7`": lambda n: {"topic": f"t{n}"},
    "number: `year=1907`": lambda n: {"year": 1900 + n},
    "range: `price>=7`, `price<8`": lambda n: {"price": {">=": n, "<": n + 1}},
    "list: `tags=tag7`": lambda n: {"tags": f"tag{n}"},
    "group: `topic=t7` and not `year=1950`": lambda n: {"topic": f"t{n}", "not": {"year": 1950 if n != 50 else 0}},
}


def documents(start: int, stop: int, *, is_large: bool) -> Iterator[Document]:
    """Yield documents whose fields hold one of a hundred values each, every field another."""
    random = np.random.default_rng(start)
    for number in range(start, stop):
        metadata = {
            "topic": f"t{number % VALUES}",
            "year": 1900 + number // VALUES % VALUES,
            "price": (number * 7919 % 10_000) / 100,
            "open": number % 2 == 0,
            "tags": [f"tag{number * 31 % VALUES}", "all"],
            "source": f"file {number % 1000}",
        }
        if is_large:
            metadata["summary"] = random.bytes(LONG // 2).hex()
            metadata |= {f"more {n}": f"{number * n} {n}" for n in range(MORE)}
        yield Document(f"d{number}", f"Document {number}", metadata=metadata)


def unit_vectors(count: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def fill(spec: str, count: int, *, is_large: bool) -> None:
    index = prepare_index(spec, dimension=DIMENSION)
    for start in range(0, count, BATCH):
        stop = min(start + BATCH, count)
        index.upsert(list(documents(start, stop, is_large=is_large)), unit_vectors(stop - start, start))
    index.optimise()  # type: ignore[attr-defined]


class FilteredSearch:
    """Searches of one index, every time with another filter, so that nothing of the last is of use."""

    def __init__(self, spec: str) -> None:
        self.index = open_index(spec)
        self.vectors = unit_vectors(2 * QUERIES, -1 % 2**32)
        texts = {f"{name} {n}": self.vectors[2 * n + at] for n in range(QUERIES) for at, name in enumerate("qt")}
        self._searcher = Searcher(self.index, embedder=lambda asked: np.stack([texts[text] for text in asked]))
        self._values = cycle(range(VALUES))

    def plain(self, where: Callable[[int], Any] | None) -> None:
        for n in range(QUERIES):
            self._search(f"q {n}", Decomposition(f"q {n}", ()), where)

    def excluding(self, where: Callable[[int], Any] | None) -> None:
        for n in range(QUERIES):
            self._search(f"q {n}", Decomposition(f"q {n}", (f"t {n}",)), where)

    def _search(self, query: str, split: Decomposition, where: Callable[[int], Any] | None) -> None:
        self._searcher.search(query, k=K, decomposition=split, where=where and where(next(self._values)))

    def recall(self, exact: "FilteredSearch", where: Callable[[int], Any] | None) -> float:
        shares = []
        for n, vector in enumerate(self.vectors):
            wanted = parse_filter(where(n)) if where else None
            hits, best = (index.nearest(vector[None], K, where=wanted)[0] for index in (self.index, exact.index))
            shares.append(len({*hits.ids} & {*best.ids}) / K)
        return float(np.mean(shares))


def time_rows(spec: str) -> tuple[list[list[str]], list[Claim]]:
    searches, exact = FilteredSearch(f"{spec}?search=approximate"), FilteredSearch(f"{spec}?search=exact")
    contestants = {("plain", name): partial(searches.plain, where) for name, where in FILTERS.items()}
    name, where = list(FILTERS.items())[1]
    contestants["with an exclusion", NO_FILTER] = partial(searches.excluding, None)
    contestants["with an exclusion", name] = partial(searches.excluding, where)
    wall, cpu = time_all(contestants)
    rows, claims = [], []
    for kind, name in contestants:
        base = (kind, NO_FILTER)
        if name != NO_FILTER:
            filtered, free = (Timing(np.array(cpu[one])) for one in ((kind, name), base))
            claim, rival = f"a filter, {name}, search {kind}", "the same without a filter"
            claims.append(Claim.ratio(claim, filtered, free, rival))
        costs = ["1", "1"] if name == NO_FILTER else [ratio(times, (kind, name), base) for times in (cpu, wall)]
        recall = f"{searches.recall(exact, FILTERS[name]):.3f}" if kind == "plain" else "–"
        milliseconds = Timing(np.array(cpu[kind, name])).median / QUERIES
        rows.append([kind, name, f"{milliseconds:.1f}", *costs, recall])
    return rows, claims


def time_all(contestants: Mapping[Contestant, Callable[[], None]]) -> tuple[Times, Times]:
    """Return milliseconds by the clock and of the processors, for every contestant in every round."""
    wall: Times = {name: [] for name in contestants}
    cpu: Times = {name: [] for name in contestants}
    for number in range(ROUNDS + 1):
        for name, search in contestants.items():
            start = time.perf_counter(), time.process_time()
            search()
            if number:  # the first round warms up
                wall[name].append(1000 * (time.perf_counter() - start[0]))
                cpu[name].append(1000 * (time.process_time() - start[1]))
    return wall, cpu


def ratio(times: Times, contestant: Contestant, base: Contestant) -> str:
    middle, low, high = Timing(np.array(times[contestant])).ratio(Timing(np.array(times[base])))
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def peak_of_searches(spec: str) -> None:
    """Search with filters, and print how much memory that took: what a child process does."""
    searches = FilteredSearch(f"{spec}?search=approximate")
    before = resident("VmRSS")
    for where in filter(None, FILTERS.values()):
        searches.plain(where)
        searches.excluding(where)
    print(json.dumps((resident("VmHWM") - before) / 2**20))


def memory_row(spec: str, name: str) -> list[str]:
    command = [sys.executable, __file__, "--child", spec]
    peak = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    metadata = sum(path.stat().st_size for path in Path(spec).rglob("*.lance") if path.parent.name == "data")
    return [name, f"{metadata / 2**20:,.0f}", f"{peak:,.0f}"]


def main() -> None:
    if spec := option("--child", ""):
        peak_of_searches(spec)
        return
    count, only = option("--documents", 1_000_000), option("--only", "")
    with tempfile.TemporaryDirectory() as temporary:
        folder = option("--folder", temporary)  # to measure again what stands there
        if only != "memory":
            report_time(index_of(folder, count, is_large=False), count)
        if only != "time":
            small, large = (index_of(folder, count, is_large=is_large) for is_large in (False, True))
            report_memory(small, large, count)


def index_of(folder: str, count: int, *, is_large: bool) -> str:
    """Return the spec of an index of so many documents; fill it where it is not there yet."""
    spec = f"{folder}/{'large' if is_large else 'small'}.lance"
    if not Path(spec).exists():
        fill(f"{spec}?search=approximate", count, is_large=is_large)
    return spec


def report_time(spec: str, count: int) -> None:
    rows, claims = time_rows(spec)
    body = (
        f"{count:,} documents with random unit vectors of {DIMENSION} dimensions (for an approximate index the "
        f"worst case) and 6 fields of metadata in a Lance index that is searched approximately; k = {K}, through "
        "`Searcher.search`, every vector of a text known before. Every filter keeps 1 % of the documents and is "
        "new to the process. Cost is the ratio to the same search without a filter, in turn in the same run, with "
        "its 95 % bootstrap interval over rounds: of processor time on all cores, and by the clock, which says "
        "little on a busy machine. Recall is the share of the exact top 10.\n\n"
        + table(["search", "filter", "ms of processor", "cost", "cost by the clock", "recall@10"], rows)
    )
    report("lance_filters", "What a filter costs in a Lance index", body, claims)


def report_memory(small: str, large: str, count: int) -> None:
    searches = 2 * (len(FILTERS) - 1) * QUERIES
    rows = [
        memory_row(small, "6 fields"),
        memory_row(large, f"{6 + MORE} fields, and one of {LONG:,} characters"),
    ]
    body = (
        f"Memory of a process that searches a Lance index of {count:,} documents {searches} times with filters, "
        "beyond what it took to open the index.\n\n"
        + table(["metadata", "files of the index, MiB", "peak, MiB"], rows)
    )
    report("lance_filters_memory", "What memory a filter takes in a Lance index", body)


if __name__ == "__main__":
    main()
