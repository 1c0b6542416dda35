"""What writing an index costs beside the embedding, and how soon a search of it answers.

.venv/bin/python benchmarks/speed/ingest.py --write
.venv/bin/python benchmarks/speed/ingest.py --corpus FOLDER/corpus.jsonl --write   # a cold start over your corpus
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import Claim, Timing, option, report, table

from esens.demo import load_corpus
from esens.embed import Embedder, embedder_of
from esens.indexing.writer import build_index
from esens.ingest import read_documents
from esens.types import Document

EMBEDDERS = {"minilm": 256, "wordllama": 20_000}
ROUNDS, COLD_ROUNDS, PART = 5, 9, 128
BARE = "embedding the same texts by one caller and doing nothing with them"
QUERY = "salad dressings, but nothing with vinegar"


def corpus(size: int) -> list[Document]:
    """Return the demo's documents, over and over, each with a number in it so that no two are equal."""
    demo = load_corpus()
    return [Document(str(i), f"{demo[i % len(demo)].text} ({i})", demo[i % len(demo)].title) for i in range(size)]


class Cost(NamedTuple):
    """What something took, a round each: seconds by the clock, and of all processors."""

    clock: Timing
    processor: Timing

    @classmethod
    def of(cls, rounds: Sequence[tuple[float, float]]) -> "Cost":
        clock, processor = np.array(rounds).T
        return cls(Timing(clock), Timing(processor))


def rates(name: str, size: int, folder: Path) -> tuple[list[str], list[Claim]]:
    """Return how fast an index is written, as a share of how fast the same texts are embedded."""
    model, documents = embedder_of(name), corpus(size)
    model.embed_documents([document.content for document in documents[:64]])
    rounds: dict[str, list[tuple[float, float]]] = {"bare": [], "index": []}
    for number in range(ROUNDS):
        to = str(folder / f"{name}{number}.lance")
        rounds["bare"].append(cost(lambda: embed_bare(model, documents)))
        rounds["index"].append(cost(lambda to=to: build_index(documents, to, embedder=model)))  # type: ignore[misc]
    bare, whole = (Cost.of(rounds[which]) for which in ("bare", "index"))
    again = cost(lambda: build_index(documents, to, embedder=model))[0]
    claims = [
        Claim(f"`esens index`, {name}: rate by {by}", figure, (low, high), BARE, "share", 0.95, is_most=False)
        for by, timing, base in (
            ("the clock", whole.clock, bare.clock),
            ("processors", whole.processor, bare.processor),
        )
        for figure, low, high in [base.ratio(timing)]
    ]
    shares = [f"{one.figure:.2f} ({one.interval[0]:.2f}–{one.interval[1]:.2f})" for one in claims if one.interval]
    rate = f"{size / bare.clock.median:,.0f}"
    return [name, f"{size:,}", rate, *shares, f"{whole.clock.median / again:.0f}"], claims


def embed_bare(model: Embedder, documents: Sequence[Document]) -> None:
    """Embed texts part by part and do nothing with the vectors: what anybody would write first."""
    for start in range(0, len(documents), PART):
        model.embed_documents([document.content for document in documents[start : start + PART]])


def cold(folder: Path, documents: list[Document]) -> tuple[list[str], Claim]:
    """Return how long one search takes from the command line, beside what every command takes."""
    to, embedder = str(folder / "cold.lance"), "wordllama"
    build_index(documents, to, embedder=embedder, words=None)
    search = [sys.executable, "-m", "esens.cli.main", "search", to, QUERY, "--json"]
    split = [sys.executable, "-m", "esens.cli.main", "decompose", QUERY, "--json"]
    costs: dict[str, list[tuple[float, float]]] = {"search": [], "decompose": []}
    for _ in range(COLD_ROUNDS):
        costs["search"].append(cost(lambda: _run(search), of_children=True))
        costs["decompose"].append(cost(lambda: _run(split), of_children=True))
    searching, splitting = (Cost.of(costs[name]) for name in costs)
    ratio, low, high = searching.clock.ratio(splitting.clock)
    claim = Claim.ratio(
        "cold start of `esens search my.lance`",
        searching.processor,
        splitting.processor,
        "`esens decompose`",
        aim=2,
    )
    seconds = [f"{one.clock.median:.2f}" for one in (searching, splitting)]
    by_processor = (
        f"{claim.figure:.2f} ({claim.interval[0]:.2f}–{claim.interval[1]:.2f})" if claim.interval else ""
    )
    return [f"{len(documents):,}", *seconds, f"{ratio:.2f} ({low:.2f}–{high:.2f})", by_processor], claim


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    json.loads(done.stdout)


def cost(run: Callable[[], object], *, of_children: bool = False) -> tuple[float, float]:
    """Return the seconds by the clock, and of all processors, of this process or of those that it starts."""
    who = resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF
    start, before = time.perf_counter(), resource.getrusage(who)
    run()
    after = resource.getrusage(who)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def main() -> None:
    given = option("--corpus", "")
    documents = read_documents(given) if given else corpus(23_635)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = [rates(embedder, size, folder) for embedder, size in EMBEDDERS.items()]
        started, start_claim = cold(folder, documents)
    body = (
        f"The rate of `esens index` into a Lance index as a share of the rate of {BARE}, {ROUNDS} rounds each in "
        "turn, 95 % bootstrap intervals over rounds; and how many times faster a second run is, which finds "
        "everything there. By the clock, and by the time of all processors together, which others disturb less. "
        "A share above 1 means that an index is written sooner than one caller embeds: two threads embed where "
        "there are two cores. Aim: .95.\n\n"
        + table(
            ["embedder", "documents", "embedded a second", "indexed / embedded", "by processors", "again"],
            [row for row, _ in written],
        )
        + "\n\nOne `esens search INDEX QUERY` from the command line, with all that it takes to start, beside "
        "`esens decompose QUERY`, which opens no index and loads no embedder. Aim: at most 2.\n\n"
        + table(["documents", "search, s", "decompose, s", "ratio", "by processors"], [started])
    )
    claims = [claim for _, found in written for claim in found]
    report("ingest", "What an index costs to write, and to open", body, [*claims, start_claim])


if __name__ == "__main__":
    main()
