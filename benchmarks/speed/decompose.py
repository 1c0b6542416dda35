"""How long the rules take to read a query: the median over real ones, and long ones beside short ones.

.venv/bin/python benchmarks/speed/decompose.py ../shared/data/real-queries --write
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from measure import Claim, report, table

from esens.decompose import Decomposer, decomposer_of

ROUNDS = 15
SHORT, LONG = 500, 100_000
SHAPES = ("tea, not coffee ", "without ", "no sugar, no milk, ", "neither tea nor coffee nor ", "(not -x) ")


def main() -> None:
    decompose = decomposer_of("rules")
    lines = (Path(sys.argv[1]) / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["text"] for line in lines]
    decompose("tea, not coffee")  # tables are loaded
    rounds = np.array([[_milliseconds(decompose, query) for query in queries] for _ in range(ROUNDS)])
    rows = [
        ["the first time that it is read", *_figures(rounds[0])],
        ["each query's quietest reading", *_figures(rounds.min(axis=0))],
    ]
    growths = {shape: growth(decompose, shape) for shape in SHAPES}
    rows_of_growth = [[repr(shape.strip()), f"{ratio:.0f}"] for shape, ratio in growths.items()]
    body = (
        f"{len(queries)} real queries, {ROUNDS} rounds, one process; what is known of a word is kept, so that the "
        f"first round is the slowest. Aim: a median of 0.2.\n\n{table(['ms a query', 'median', '95 %'], rows)}\n\n"
        f"A query of {LONG:,} characters beside one of {SHORT}, which is {LONG // SHORT} times as long. Aim: at "
        f"most 300.\n\n{table(['repeated', 'ratio'], rows_of_growth)}"
    )
    rival = f"one of {SHORT} characters, a {LONG // SHORT}th as long"
    longest = Claim(f"a query of {LONG:,} characters is read", max(growths.values()), None, rival, aim=300)
    median = float(np.median(rounds.min(axis=0)))
    claims = [Claim("reading a query by the rules, median", median, None, "–", unit="ms", aim=0.2), longest]
    report("decompose", "How long the rules take", body, claims)


def _figures(milliseconds: np.ndarray) -> list[str]:
    return [f"{value:.3f}" for value in np.percentile(milliseconds, [50, 95])]


def _milliseconds(decompose: Decomposer, query: str) -> float:
    started = time.perf_counter()
    decompose(query)
    return (time.perf_counter() - started) * 1000


def growth(decompose: Decomposer, shape: str) -> float:
    texts = [(shape * (size // len(shape) + 1))[:size] for size in (SHORT, LONG)]
    short, long = (min(_milliseconds(decompose, text) for _ in range(3)) for text in texts)
    return long / short


if __name__ == "__main__":
    main()
