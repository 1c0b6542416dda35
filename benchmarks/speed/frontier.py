"""What all ranks at 101 betas cost beside one beta, beside a loop over the betas, and in memory."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
from measure import Claim, Timing, in_turn, option, report, table
from memory import resident

from esens.evaluate.dataset import Gold
from esens.evaluate.measures import Measures
from esens.evaluate.ranks.frontier import GRID, frontier
from esens.evaluate.ranks.matmul import Corpus
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evaluate.statistics import intervals

QUERIES, DOCUMENTS, DIMENSION, CLUSTERS = 3_452, 90_406, 384, 600
BLOCK, ROUNDS, BETA = 64, 5, 0.3
MANY, FEW = 1_000_000, 64


class Made:
    """Clustered documents; every query is half its answer, half what it excludes."""

    def __init__(self, documents: int = DOCUMENTS, queries: int = QUERIES, folder: str = "") -> None:
        """Make them; in a folder, the documents are a file in half precision that is mapped, not loaded."""
        random = np.random.default_rng(0)
        centres = _unit(random.standard_normal((CLUSTERS, DIMENSION), dtype=np.float32))
        path, kind = f"{folder}/vectors.npy", np.float16
        self.matrix = (
            np.lib.format.open_memmap(path, "w+", kind, (documents, DIMENSION))
            if folder
            else np.empty((documents, DIMENSION), np.float32)
        )
        for start in range(0, documents, DOCUMENTS):
            size = min(DOCUMENTS, documents - start)
            noise = random.standard_normal((size, DIMENSION), dtype=np.float32)
            noise *= 0.045
            noise += centres[random.integers(0, CLUSTERS, size)]
            self.matrix[start : start + size] = _unit(noise)
        self.gold = random.integers(0, documents, (queries, 2))
        near = [
            _unit(self.matrix[at] + 0.03 * random.standard_normal((queries, DIMENSION), dtype=np.float32))
            for at in self.gold.T
        ]
        self.query, self.target, self.trap = _unit(near[0] + near[1]), near[0], near[1]

    def frontier(self, betas: np.ndarray) -> np.ndarray:
        asked = QueryVectors.of(self.query, self.target, self.trap)
        owners = np.repeat(np.arange(len(self.gold)), 2)
        gold = Gold(owners, self.gold.ravel(), np.tile([1, 0], len(self.gold)))
        return frontier(Corpus(self.matrix), asked, gold, betas)

    def loop(self, betas: np.ndarray) -> np.ndarray:
        """Score every document at one beta after another, in numpy, a block of queries at a time."""
        ranks = np.empty((QUERIES, 2, len(betas)), np.int32)
        for start, wanted, excluded in self._normalised():
            gold = self.gold[start : start + BLOCK]
            for number, beta in enumerate(betas):
                scores = wanted - np.float32(beta) * excluded
                own = np.take_along_axis(scores, gold, axis=1)
                for which in (0, 1):
                    above = np.count_nonzero(scores > own[:, which : which + 1], axis=1)
                    ranks[start : start + BLOCK, which, number] = 1 + above
        return ranks.reshape(-1, len(betas))

    def _normalised(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        for start in range(0, QUERIES, BLOCK):
            both = [self.query[start : start + BLOCK], self.trap[start : start + BLOCK]]
            raw = np.concatenate(both) @ self.matrix.T
            raw -= raw.min(axis=1, keepdims=True)
            raw /= raw.max(axis=1, keepdims=True)
            yield start, raw[: len(both[0])], raw[len(both[0]) :]


def timings(made: Made) -> tuple[dict[str, Timing], float]:
    contestants: dict[str, Callable[[], object]] = {
        "one beta, plain numpy": lambda: made.loop(np.array([BETA])),
        "one beta, `frontier`": lambda: made.frontier(np.array([BETA])),
        "**101 betas, `frontier`**": lambda: made.frontier(GRID),
    }
    found = in_turn(contestants, rounds=ROUNDS, repeats=1)
    start = time.perf_counter()
    ranks = made.loop(GRID)
    seconds = time.perf_counter() - start
    agree = np.mean(ranks == made.frontier(GRID))
    assert agree > 0.99, agree  # the loop is in single precision: among thousands, near ties change places
    return found, seconds


def bootstrap() -> float:
    """Return the seconds of 1,000 samples over all queries and betas, drawn anew."""
    ranks = np.random.default_rng(0).integers(1, 20, (QUERIES * 2, len(GRID)))
    gold = Gold(np.repeat(np.arange(QUERIES), 2), np.zeros(2 * QUERIES, int), np.tile([1, 0], QUERIES))
    values = Measures(gold, QUERIES).all(ranks)["avg_recall"]
    start = time.perf_counter()
    intervals(values, samples=1000)
    return time.perf_counter() - start


def main() -> None:
    if "--memory" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            Made(option("--memory", 0), option("--queries", 0), folder).frontier(GRID)
            print(resident("VmHWM"))
        return
    found, loop = timings(Made())
    base = found["one beta, plain numpy"]
    rows = []
    for name, timing in found.items():
        ratio, low, high = timing.ratio(base)
        rows.append([name, f"{timing.median / 1000:.1f}", f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    whole = found["**101 betas, `frontier`**"].median / 1000
    rows.append(
        ["101 betas, plain numpy, one after another (once)", f"{loop:.1f}", f"{1000 * loop / base.median:.1f}", ""]
    )
    peak, peak_of_many = _peak(DOCUMENTS, QUERIES), _peak(MANY, FEW)
    body = (
        f"Ranks of the answer and of the excluded document of {QUERIES:,} queries over {DOCUMENTS:,} × "
        f"{DIMENSION} float32 (made-up, clustered), from the same vectors. Aims: 101 betas at most 1.5 times one "
        "beta, and at least 5 times faster than the loop over betas; the whole run under 2 GB.\n\n"
        f"{table(['', 's', 'ratio', '95 %'], rows)}\n\n"
        f"The loop takes {loop / whole:.1f} times as long as the frontier. Peak memory of a process that makes "
        f"the data, as a file in half precision that is mapped, and the frontier: {peak:.2f} GiB; over {MANY:,} "
        f"documents, with {FEW} queries (memory does not depend on their number, for they come in blocks): "
        f"{peak_of_many:.2f} GiB, the pages of the file included. 1,000 bootstrap samples over {QUERIES:,} "
        f"queries × {len(GRID)} betas: {bootstrap():.2f} s."
    )
    betas = found["**101 betas, `frontier`**"]
    claims = [
        Claim.ratio("ranks at 101 betas", betas, base, "plain numpy at one beta", aim=1.5),
        Claim("101 betas one after another in numpy", loop / whole, None, "`frontier`", aim=5, is_most=False),
        Claim(f"peak memory of the frontier over {MANY:,} documents", peak_of_many, None, "–", "GiB", 2),
    ]
    report("frontier", "The frontier", body, claims)


def _peak(documents: int, queries: int) -> float:
    """Return the peak memory in GiB of a process that does it once."""
    command = [sys.executable, __file__, "--memory", str(documents), "--queries", str(queries)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 2**30


def _unit(rows: np.ndarray) -> np.ndarray:
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


if __name__ == "__main__":
    main()
