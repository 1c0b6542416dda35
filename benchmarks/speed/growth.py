"""How the cost of a search grows with the corpus: compared with every document, and through an approximate index.

    .venv/bin/python benchmarks/speed/growth.py --write

It makes a million vectors and an index of them, which takes minutes and 8 GB of memory; ``--most 100000`` stops there.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from engines import DIMENSION, K, QUERIES, Bench, filled, recall, world
from measure import Timing, in_turn, report, table

from esens.index import lance, open_index

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS = 5
EXACT, APPROXIMATE = "exact", "approximate"


def measured(count: int, folder: Path) -> list[tuple[str, Timing, float, float]]:
    """Return for each way of asking both ways of searching: name, timing, and recall of plain and contrast."""
    made = world(count)
    spec = str(folder / f"{count}.lance")
    lance.ANN_ABOVE = 0  # so that an approximate index is made, whatever the size
    filled(spec, made)
    approximate = Bench(open_index(spec), made)
    exact_searches = {}
    found = {}
    with _exact():
        exact = Bench(open_index(spec), made)
        exact_searches = {way: exact.search(way) for way in ("plain", "contrast")}
    for way in ("plain", "contrast"):
        found[way] = recall(approximate.search(way), exact_searches[way])
    timings = in_turn(
        {
            f"{kind} {way}": _search(bench, way, kind)
            for kind, bench in ((EXACT, exact), (APPROXIMATE, approximate))
            for way in ("plain", "contrast")
        },
        rounds=ROUNDS,
        repeats=1,
    )
    return [(name, timing, found[name.split()[1]], 1.0) for name, timing in timings.items()]


class _exact:  # noqa: N801 - reads as a verb
    """Compare with every document, although there is an approximate index."""

    def __enter__(self) -> None:
        self._before, lance.ANN_ABOVE = lance.ANN_ABOVE, sys.maxsize

    def __exit__(self, *_: object) -> None:
        lance.ANN_ABOVE = self._before


def _search(bench: Bench, way: str, kind: str):  # type: ignore[no-untyped-def]
    def run() -> None:
        if kind == EXACT:
            with _exact():
                bench.search(way)
        else:
            bench.search(way)

    return run


def main() -> None:
    most = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else SIZES[-1]
    rows: list[list[str]] = []
    before: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in (size for size in SIZES if size <= most):
            for name, timing, found, _ in measured(count, Path(folder)):
                growth = f"{timing.median / before[name]:.1f}" if name in before else "–"
                before[name] = timing.median
                kind, way = name.split()
                shown = f"{found:.3f}" if kind == APPROXIMATE else "1"
                rows.append([f"{count:,}", kind, way, f"{timing.median / QUERIES:.1f}", growth, shown])
    rows.sort(key=lambda row: (row[1], row[2]))
    body = (
        f"Made-up clustered vectors of {DIMENSION} dimensions in a Lance index, {QUERIES} queries that exclude "
        f"something, k = {K}, through `Searcher.search`, warm, every vector of a text known before. Growth is the "
        "ratio to the row of a tenth of the documents: 10 is linear. Recall is the share of the exact top 10. "
        f"An index makes its approximate index above {_ann_above():,} documents.\n\n"
        + table(["documents", "search", "score", "ms", "growth", "recall@10"], rows)
    )
    report("growth", "How the cost of a search grows", body)


def _ann_above() -> int:
    import importlib

    return int(importlib.reload(lance).ANN_ABOVE)


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
