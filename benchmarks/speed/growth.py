"""How the cost of a search grows with the corpus: compared with every document, and through an approximate index.

    .venv/bin/python benchmarks/speed/growth.py --write

A million vectors and an index of them take minutes and several GB of memory; ``--most 100000`` stops there.
"""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from engines import DIMENSION, QUERIES, WAYS, Bench, K, filled, recall, world
from measure import in_turn, report, table

from esens.index import open_index
from esens.index.lance.index import ANN_ABOVE, APPROXIMATE, EXACT

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS = 5


def rows(count: int, folder: Path, before: dict[str, float]) -> Iterator[list[str]]:
    """Yield a row for each score and both ways of searching; ``before`` are the medians at a tenth of the size."""
    made = world(count)
    spec = str(folder / f"{count}.lance")
    filled(f"{spec}?search={APPROXIMATE}", made)
    benches = {how: Bench(open_index(f"{spec}?search={how}"), made) for how in (EXACT, APPROXIMATE)}
    recalls = {way: recall(*(bench.search(way) for bench in benches.values())) for way in WAYS}
    searches = {f"{how} {way}": partial(bench.search, way) for way in WAYS for how, bench in benches.items()}
    for name, timing in in_turn(searches, rounds=ROUNDS, repeats=1).items():
        how, way = name.split()
        growth = f"{timing.median / before[name]:.1f}" if name in before else "–"
        before[name] = timing.median
        found = f"{recalls[way]:.3f}" if how == APPROXIMATE else "1"
        yield [way, how, f"{count:,}", f"{timing.median / QUERIES:.1f}", growth, found]


def main() -> None:
    most = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else SIZES[-1]
    before: dict[str, float] = {}
    found: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (size for size in SIZES if size <= most):
            found += rows(size, Path(folder), before)
    order = list(WAYS)
    found.sort(key=lambda row: (order.index(row[0]), row[1] == APPROXIMATE, int(row[2].replace(",", ""))))
    body = (
        f"Made-up clustered vectors of {DIMENSION} dimensions in a Lance index, {QUERIES} queries that exclude "
        f"something, k = {K}, through `Searcher.search`, warm, every vector of a text known before. Growth is the "
        "ratio to the row above, of a tenth of the documents: 10 is linear. Recall is the share of the exact top "
        f"10. Left to itself, an index searches approximately above {ANN_ABOVE:,} documents.\n\n"
        + table(["score", "search", "documents", "ms", "growth", "recall@10"], found)
    )
    report("growth", "How the cost of a search grows", body)


if __name__ == "__main__":
    main()
