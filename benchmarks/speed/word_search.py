"""What words cost in a large Lance index: hybrid search by Lance's own index of words, and by words in memory.

    .venv/bin/python benchmarks/speed/word_search.py --write

It takes minutes; ``--documents 20000`` takes fewer. Texts are made: 60 words each, as frequent as words are.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

import lance
import numpy as np
from measure import Claim, in_turn, option, report, table
from memory import resident

from esens import Decomposition, Document, Searcher
from esens.index import prepare_index
from esens.index.lance import table as lance_table

DIMENSION, WORDS, VOCABULARY, K, QUERIES, BATCH = 64, 60, 50_000, 10, 20, 10_000
ROUNDS, REPEATS = 15, 4
ON_DISK, IN_MEMORY = "?search=approximate", "?search=exact"
NAMES = {ON_DISK: "Lance's index of words", IN_MEMORY: "words in memory"}


def texts(count: int, seed: int, words: int = WORDS) -> list[str]:
    """Return texts whose words are as frequent as words are."""
    random = np.random.default_rng(seed)
    numbers = np.minimum(random.zipf(1.2, size=(count, words)), VOCABULARY)
    return [" ".join(f"word{number}" for number in row) for row in numbers]


def vectors(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)


def fill(path: Path, count: int) -> dict[str, float]:
    """Write an index; return processor seconds of the whole, and of its index of words."""
    index = prepare_index(f"{path}{ON_DISK}", dimension=DIMENSION)
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        documents = [Document(f"d{start + at}", text) for at, text in enumerate(texts(size, start))]
        index.upsert(documents, vectors(size, start))
    seconds = {"with": _processor(index.optimise)}  # type: ignore[attr-defined]
    tip = lance.dataset(path / "documents.lance")
    create = partial(tip.create_scalar_index, "text", "INVERTED", name="again", **lance_table._WORDS)
    seconds["words"] = _processor(create)
    tip.drop_index("again")
    return seconds


def _processor(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def bytes_of_words(path: Path) -> int:
    tip = lance.dataset(path / "documents.lance")
    parts = [part for index in tip.describe_indices() if index.name == "text_idx" for part in index.segments]
    folders = [path / "documents.lance" / "_indices" / str(part.uuid) for part in parts]
    return sum(file.stat().st_size for folder in folders for file in folder.iterdir())


def searcher_of(spec: str) -> Searcher:
    return Searcher(spec, embedder=lambda asked: np.concatenate([vectors(1, len(text)) for text in asked]))


def searches(spec: str, *, hybrid: bool) -> Callable[[], object]:
    """Return what searches for the next of some queries, each with an exclusion."""
    searcher = searcher_of(spec)
    asked = cycle(zip(texts(QUERIES, 1, words=3), texts(QUERIES, 2, words=1), strict=True))

    def search() -> None:
        target, trap = next(asked)
        split = Decomposition(target, (trap,))
        searcher.search(f"{target} without {trap}", k=K, decomposition=split, hybrid=hybrid)

    return search


def measure_memory(spec: str, hybrid: str) -> None:
    """Print what a process held at most in some searches, and the processor seconds of the first."""
    search = searches(spec, hybrid=hybrid == "hybrid")
    first = _processor(search)
    for _ in range(QUERIES):
        search()
    print(json.dumps({"first": first, "bytes": resident("VmHWM")}))


def in_a_process(spec: str, hybrid: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--memory", spec, hybrid]
    measured: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return measured


def main() -> None:
    count = option("--documents", 250_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.lance"
        seconds = fill(path, count)
        on_disk = bytes_of_words(path)
        contestants = {
            f"{NAMES[mode]}, {kind}": searches(f"{path}{mode}", hybrid=kind == "hybrid")
            for mode in NAMES
            for kind in ("vectors alone", "hybrid")
        }
        timed = in_turn(contestants, rounds=ROUNDS, repeats=REPEATS)
        held = {
            (mode, kind): in_a_process(f"{path}{mode}", kind) for mode in NAMES for kind in ("plain", "hybrid")
        }
    claims, rows = [], []
    for mode, name in NAMES.items():
        base = timed[f"{name}, vectors alone"]
        ratio, low, high = timed[f"{name}, hybrid"].ratio(base)
        claim = f"hybrid search of {count:,} documents, {name}"
        claims.append(Claim(claim, ratio, (low, high), "the same search without words"))
        more = held[mode, "hybrid"]["bytes"] - held[mode, "plain"]["bytes"]
        rows.append(
            [
                name,
                f"{ratio:.2f} ({low:.2f}–{high:.2f})",
                f"{held[mode, 'hybrid']['first'] - held[mode, 'plain']['first']:.1f} s",
                f"{more / 2**20:,.0f} MiB",
            ]
        )
    share = seconds["words"] / seconds["with"]
    claims.append(
        Claim("the index of words of a large Lance index", share, None, "all of `optimise`", unit="share")
    )
    body = (
        f"{count:,} documents of {WORDS} words in a Lance index, searched by its approximate index of vectors and "
        "Lance's index of words, or exactly with the words in memory. Searches have an exclusion.\n\n"
        + table(
            [
                "words",
                "hybrid search, times the same search without words (95 %)",
                "more processor time of the first search",
                "more memory at most",
            ],
            rows,
        )
        + f"\n\nThe index of words takes {on_disk / 2**20:,.0f} MiB on disk and {seconds['words']:.1f} s of "
        f"processor time, {share:.2f} of all that `optimise` takes."
    )
    report("word_search", "What words cost in a large index", body, claims)


if __name__ == "__main__":
    if "--memory" in sys.argv:
        measure_memory(*sys.argv[-2:])
    else:
        main()
