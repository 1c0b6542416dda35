"""What exact E-SENS costs beside a plain dot-product top 10 over the same matrix, with the same threads."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from measure import Claim, Timing, in_turn, option, report, table

from esens import Decomposition, Linear, MemoryIndex, Results, Searcher

ROWS, DIMENSION, CLUSTERS, K = 90_406, 384, 500, 10
ROUNDS, REPEATS = 12, 5
PLAIN, PLAIN_ESENS = "plain numpy: `matrix @ q`, argpartition", "plain esens: `search(…, beta=0)`"
LINEAR = 'E-SENS, query and trap: `search(…, score="linear")`'
CONTRAST, DEFAULT = 'contrast: `search(…, score="contrast")`', "relational, the default: `search(…)`"
DECOMPOSITION = Decomposition("target", ("trap",))


def corpus() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return made-up clustered vectors, a target near one cluster, a trap near another, and a query near both."""
    random = np.random.default_rng(0)
    centres = random.standard_normal((CLUSTERS, DIMENSION))
    matrix = centres[random.integers(0, CLUSTERS, ROWS)] + 0.7 * random.standard_normal((ROWS, DIMENSION))
    matrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    asked = {"query": centres[0] + 0.7 * centres[1], "target": centres[0], "trap": centres[1]}
    texts = {name: vector + 0.5 * random.standard_normal(DIMENSION) for name, vector in asked.items()}
    return matrix, {name: (vector / np.linalg.norm(vector)).astype(np.float32) for name, vector in texts.items()}


def contestants(threads: int) -> dict[str, Callable[[], object]]:
    matrix, texts = corpus()
    query, both, three = texts["query"], np.stack([texts["query"], texts["trap"]]), np.stack(list(texts.values()))

    def embed(names: Sequence[str]) -> np.ndarray:
        return np.stack([texts[name] for name in names])

    index = MemoryIndex([f"document {i}" for i in range(ROWS)], matrix, threads=threads)
    searcher = Searcher(index, embedder=embed)

    def plain() -> np.ndarray:
        scores = matrix @ query
        best = np.argpartition(-scores, K)[:K]
        return best[np.argsort(-scores[best])]

    def search(alpha: float = 1, gamma: float = 0, beta: float = 0.3) -> Results:
        score = Linear(alpha=alpha, gamma=gamma, beta=beta)
        return searcher.search("query", k=K, decomposition=DECOMPOSITION, score=score)

    def by_name(score: str) -> Results:
        return searcher.search("query", k=K, decomposition=DECOMPOSITION, score=score)

    assert search(beta=0).ids == tuple(str(i) for i in plain())
    found: dict[str, Callable[[], object]] = {
        PLAIN: plain,
        PLAIN_ESENS: lambda: search(beta=0),
        LINEAR: search,
        "E-SENS, query, target and trap: `search(…, score=Linear(alpha=0.75, gamma=0.25))`": lambda: search(
            alpha=0.75, gamma=0.25
        ),
        CONTRAST: lambda: by_name("contrast"),
        DEFAULT: lambda: by_name("relational"),
        "of which the raw scores of three vectors, rounded": lambda: index.scan(three).rough,
        "for comparison: the same, exactly": lambda: index.scan(three).raw,
        "for comparison: the two products alone by one thin BLAS call": lambda: matrix @ both.T,
        "for comparison: three products, a vector each: `matrix @ q`": lambda: [matrix @ text for text in three],
    }
    return found | faiss_contestants(matrix, query, both, threads)


def faiss_contestants(
    matrix: np.ndarray, query: np.ndarray, both: np.ndarray, threads: int
) -> dict[str, Callable[[], object]]:
    try:
        import faiss
    except ImportError:
        return {}
    faiss.omp_set_num_threads(threads)
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(matrix)
    return {
        "faiss IndexFlatIP, plain top 10": lambda: flat.search(query[None], K),
        "faiss IndexFlatIP, top 10 of query and of trap (no score yet)": lambda: flat.search(both, K),
    }


def rows(timings: Mapping[str, Timing]) -> list[list[str]]:
    base = next(iter(timings.values()))
    found = []
    for name, timing in timings.items():
        ratio, low, high = timing.ratio(base)
        found.append([name, f"{timing.median:.2f}", f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    return found


def claims(timings: Mapping[str, Timing], threads: int) -> list[Claim]:
    aims = {PLAIN_ESENS: ("without an exclusion", None), LINEAR: ("by the paper's score", 1.1)}
    aims |= {CONTRAST: ("by contrast", 1.3), DEFAULT: ("by the default", None)}
    where = f"{ROWS:,} × {DIMENSION}, {threads} threads"
    return [
        Claim.ratio(f"exact search {how}, {where}", timings[name], timings[PLAIN], "numpy's plain top 10", aim=aim)
        for name, (how, aim) in aims.items()
    ]


def timings_of(threads: int) -> dict[str, Timing]:
    """Return what a process of so many threads measured: libraries read their number once."""
    limits = {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [sys.executable, __file__, "--threads", str(threads)]
    done = subprocess.run(command, env=os.environ | limits, capture_output=True, text=True, check=True)
    return {name: Timing(np.array(rounds)) for name, rounds in json.loads(done.stdout).items()}


def main() -> None:
    if threads := option("--threads", 0):
        timings = in_turn(contestants(threads), rounds=ROUNDS, repeats=REPEATS)
        print(json.dumps({name: timing.rounds.tolist() for name, timing in timings.items()}))
        return
    parts = []
    for threads in dict.fromkeys((1, os.cpu_count() or 1)):
        timings = timings_of(threads)
        found = table(["", "ms", "ratio", "95 %"], rows(timings))
        parts.append(f"## {threads} thread{'s' * (threads > 1)}\n\n{found}")
    head = (
        f"Top {K} over {ROWS:,} × {DIMENSION} float32 (made-up, clustered). E-SENS includes the ranges, the "
        "score, the ranks before and after and the explanations; it reads the matrix once. The vectors are known, "
        "and no text is embedded. Aim: contrast at most 1.3, E-SENS 1.1."
    )
    report("exact_search", "Exact search", "\n\n".join([head, *parts]), claims(timings, threads))


if __name__ == "__main__":
    main()
