"""What Ray brings: the rate of embedding with one worker and with two, beside the plain engine, in one run.

    .venv/bin/python benchmarks/speed/ray_workers.py --write

It needs the extra ray, and takes some ten minutes. The rate counts from when every worker has made its first part,
so that starting Ray, the workers and the model is not in it; how long that takes is said apart.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as arrow
import pyarrow.parquet
from measure import Claim, Timing, report, table

from esens.demo import load_corpus
from esens.indexing.embed_files import embed_files
from esens.indexing.embed_files.with_ray import _cluster

TEXTS, PART, ROUNDS = 2000, 50, 5
CONTESTANTS = {"plain": 0, "Ray, one worker": 1, "Ray, two workers": 2}


def write_corpus(path: Path) -> None:
    """Write short texts, each a note of the demo corpus with a number of its own."""
    notes = [document.content for document in load_corpus()]
    picks = np.random.default_rng(0).integers(len(notes), size=TEXTS)
    texts = [f"{number}. {notes[pick]}" for number, pick in enumerate(picks)]
    arrow.parquet.write_table(arrow.table({"text": texts}), path)


def timed(corpus: Path, workers: int) -> tuple[float, float]:
    """Return milliseconds a text once all workers are at it, and seconds until then."""
    moments: list[tuple[int, float]] = []
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        embed_files(
            str(corpus),
            folder,
            engine="ray" if workers else "plain",
            workers=workers or None,
            part_rows=PART,
            progress=lambda done, _of: moments.append((done, time.perf_counter())),
        )
    first, started = next(moment for moment in moments if moment[0] >= PART * max(workers, 1))
    last, ended = moments[-1]
    assert last == TEXTS
    return 1000 * (ended - started) / (last - first), started - begin


def rounds(corpus: Path) -> Iterator[dict[str, tuple[float, float]]]:
    names = list(CONTESTANTS)
    for number in range(ROUNDS):
        turn = names[number % 3 :] + names[: number % 3]  # so that nobody always follows the same
        yield {name: timed(corpus, CONTESTANTS[name]) for name in turn}


def main() -> None:
    begin = time.perf_counter()
    with _cluster(2), tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter() - begin
        corpus = Path(folder) / "corpus.parquet"
        write_corpus(corpus)
        timed(corpus, 0)
        measured = list(rounds(corpus))
        load = os.getloadavg()[1]
    timings = {name: Timing(np.array([one[name][0] for one in measured])) for name in CONTESTANTS}
    plain = timings["plain"]
    rows = []
    for name, timing in timings.items():
        ratio, low, high = plain.ratio(timing)
        until = np.median([one[name][1] for one in measured])
        rate = f"{1000 / timing.median:.0f}"
        rows.append([name, rate, f"{ratio:.2f}", f"{low:.2f} to {high:.2f}", f"{until:.1f}"])
    ratio, low, high = timings["Ray, one worker"].ratio(timings["Ray, two workers"])
    body = (
        f"{TEXTS} notes of the demo corpus in one Parquet file, minilm, parts of {PART}, {ROUNDS} rounds in turn. "
        "The plain engine and one worker have a model on two threads, two workers one on a thread each.\n\n"
        + table(["", "texts a second", "speed-up", "95 %", "seconds before"], rows)
        + f"\n\nTwo workers are {ratio:.2f} times as fast as one (95 %: {low:.2f} to {high:.2f}). The seconds "
        "before are those until every worker has made its first part; for Ray that is starting processes and "
        f"loading the model in each. Importing and starting Ray itself took {start:.0f} s more, once.\n\n"
        f"The load was {load:.1f} on {os.cpu_count()} cores, some 2 of it from this measurement. What is more "
        "comes from others, and favours two workers: threads of one model wait for each other, two models do not."
    )
    claim = Claim("embedding by two workers of Ray, speed", ratio, (low, high), "one worker", is_most=False)
    report("ray_workers", "Workers of Ray", body, [claim])


if __name__ == "__main__":
    main()
