"""The most important ratios in a minute or two: fails where one is clearly worse than its bound.

    .venv/bin/python benchmarks/speed/small.py

A bound is three times or more what was measured when it was set, on two cores of an AMD EPYC that others used,
too, and a ratio fails only where all of its interval is above: neither noise nor another processor does that, a
loop over documents in Python does.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from decompose import LONG, SHAPES, SHORT, growth
from engines import Bench, filled, world
from exact_search import CONTRAST, DEFAULT, LINEAR, PLAIN, contestants
from ingest import Cost, corpus, cost, embed_bare
from measure import Claim, in_turn, report, table

from esens.decompose import decomposer_of
from esens.embed import embedder_of
from esens.errors import MissingExtraError
from esens.indexing.writer import build_index

ROUNDS, REPEATS = 9, 3
DOCUMENTS, TEXTS = 5_000, 3_000
BOUNDS = {LINEAR: 2.5, CONTRAST: 3.0, DEFAULT: 3.5}
INGEST, ENGINE, LENGTH = 4.0, 12.0, 100.0


def exact_search() -> Iterator[Claim]:
    """Compare an exact search with numpy's plain one, with as many threads as numpy takes."""
    chosen = contestants(os.cpu_count() or 1)
    timings = in_turn({name: chosen[name] for name in (PLAIN, *BOUNDS)}, rounds=ROUNDS, repeats=REPEATS)
    for name, bound in BOUNDS.items():
        yield Claim.ratio(name, timings[name], timings[PLAIN], "plain numpy", aim=bound)


def long_queries() -> Iterator[Claim]:
    decompose = decomposer_of("rules")
    decompose("tea, not coffee")
    worst = max(growth(decompose, shape) for shape in SHAPES)
    rival = f"one of {SHORT} characters"
    yield Claim(f"a query of {LONG:,} characters is read", worst, (worst, worst), rival, aim=LENGTH)


def ingest(folder: Path) -> Iterator[Claim]:
    """Compare the processor time of an index with that of embedding alone; static vectors, which cost little."""
    model, documents = embedder_of("wordllama"), corpus(TEXTS)
    embed_bare(model, documents)
    build_index(documents, str(folder / "warm.lance"), embedder=model)
    bare, whole = [], []
    for number in range(ROUNDS):
        bare.append(cost(partial(embed_bare, model, documents)))
        to = str(folder / f"{number}.lance")
        whole.append(cost(partial(build_index, documents, to, embedder=model)))
    indexing, embedding = (Cost.of(rounds).processor for rounds in (whole, bare))
    yield Claim.ratio(
        "`esens index`, wordllama, processor time", indexing, embedding, "bare embedding", aim=INGEST
    )


def engine(folder: Path) -> Iterator[Claim]:
    """Compare a search with an exclusion over an index on disk with the plain one over the same."""
    made = world(DOCUMENTS)
    bench = Bench(filled(str(folder / "engine.lance"), made), made)
    ways = {way: partial(bench.search, way) for way in ("plain", "relational")}
    timings = in_turn(ways, rounds=ROUNDS, repeats=1)
    name = f"Lance, {DOCUMENTS:,} documents: search with an exclusion"
    yield Claim.ratio(name, timings["relational"], timings["plain"], "its plain search", aim=ENGINE)


def claims() -> Iterator[Claim]:
    yield from exact_search()
    yield from long_queries()
    with tempfile.TemporaryDirectory() as name:
        for part in (ingest, engine):
            try:
                yield from part(Path(name))
            except MissingExtraError as error:
                print(f"not measured: {error}", file=sys.stderr)


def is_worse(claim: Claim) -> bool:
    """Whether the whole interval is above the bound."""
    return claim.aim is not None and claim.interval is not None and claim.interval[0] > claim.aim


def main() -> None:
    found = list(claims())
    rows = [
        [
            one.claim,
            one.rival,
            f"{one.figure:.2f}",
            _interval(one),
            f"{one.aim:g}",
            "worse" if is_worse(one) else "",
        ]
        for one in found
    ]
    report("small", "A small run", table(["", "rival", "ratio", "95 %", "bound", ""], rows))
    if worse := [one.claim for one in found if is_worse(one)]:
        sys.exit(f"clearly worse than the bound: {'; '.join(worse)}. See what changed since it was met")


def _interval(claim: Claim) -> str:
    return f"{claim.interval[0]:.2f}–{claim.interval[1]:.2f}" if claim.interval else ""


if __name__ == "__main__":
    main()
