"""What it costs, in time and on disk, that damage of a Lance index is noticed.

    .venv/bin/python benchmarks/speed/checksums.py --write

``--documents 20000`` takes less. The same documents are in a folder with checksums and a journal, and in one
without, as an earlier version of esens wrote it.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from unittest.mock import patch

import lance
import numpy as np
import pyarrow as pa
from measure import Claim, Timing, report, table

from esens.documents import Document
from esens.index import check_index, open_index, prepare_index
from esens.index.lance.journal import JOURNAL, Journal
from esens.index.lance.schema import Description

DIMENSION, K, BATCH, ROUNDS = 384, 10, 1024, 15
WITH, WITHOUT = "with", "without"


def documents(start: int, stop: int) -> list[Document]:
    """Documents of about a kilobyte, no two alike."""
    random = np.random.default_rng(start)
    return [
        Document(f"d{n}", f"Document {n}. " + random.bytes(480).hex(), metadata={"n": n, "topic": f"t{n % 50}"})
        for n in range(start, stop)
    ]


def unit_vectors(rows: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def fill(spec: str, total: int) -> None:
    index = prepare_index(spec, dimension=DIMENSION)
    for start in range(0, total, 10_000):
        stop = min(start + 10_000, total)
        index.upsert(documents(start, stop), unit_vectors(stop - start, start))
    index.optimise()  # type: ignore[attr-defined]


def strip(folder: Path) -> None:
    """Take what notices damage out of a folder."""
    dataset = lance.dataset(folder / "documents.lance")
    stamp = json.loads(dataset.schema.metadata[b"esens"])["stamp"]
    dataset.drop_columns(["checksum"])
    dataset.update_schema_metadata(Description(2, None, stamp).to_metadata())
    (folder / JOURNAL).unlink(missing_ok=True)


@contextmanager
def unchecked() -> Iterator[None]:
    """Write as if there were neither checksums nor a journal."""

    def nothing(_: object, rows: np.ndarray) -> pa.Array:
        return pa.nulls(len(rows), pa.int64())

    with (
        patch("esens.index.lance.table.row_checksums", nothing),
        patch("esens.index.lance.table.check_files", lambda *_: None),
        patch.object(Journal, "add", lambda *_: None),
    ):
        yield


def write(
    folder: Path, batch: list[Document], rows: np.ndarray, numbers: Iterator[int], *, is_checked: bool
) -> None:
    """Write a few batches to an index of its own."""
    index = prepare_index(str(folder / f"{next(numbers)}.lance"), dimension=DIMENSION)
    for _ in range(4):
        if is_checked:
            index.upsert(batch, rows)
        else:
            with unchecked():
                index.upsert(batch, rows)


def first_search(spec: str, query: np.ndarray) -> None:
    with_index = open_index(spec)
    with_index.nearest(query, K)
    with_index.close()


def in_turn(contestants: dict[str, Callable[[], object]]) -> dict[str, Timing]:
    """Time every contestant in every round, by what processors do for it: others may be at work, too."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for run in contestants.values():
        run()
    for number in range(ROUNDS):
        for name in list(contestants)[:: 1 if number % 2 else -1]:
            begin = time.process_time()
            contestants[name]()
            times[name].append(1000 * (time.process_time() - begin))
    return {name: Timing(np.array(values)) for name, values in times.items()}


def size(folder: Path) -> int:
    """Bytes of the newest version: data, and what stands beside the table."""
    dataset = lance.dataset(folder / "documents.lance")
    paths = [file.path for fragment in dataset.get_fragments() for file in fragment.data_files()]
    data = sum((folder / "documents.lance" / "data" / path).stat().st_size for path in paths)
    journal = folder / JOURNAL
    return int(data) + (journal.stat().st_size if journal.exists() else 0)


def main() -> None:
    total = int(sys.argv[sys.argv.index("--documents") + 1]) if "--documents" in sys.argv else 100_000
    queries = unit_vectors(20, 2**31)
    found: list[list[str]] = []
    claims: list[Claim] = []
    with tempfile.TemporaryDirectory() as name:
        folders = {WITH: Path(name, "with.lance"), WITHOUT: Path(name, "without.lance")}
        fill(f"{folders[WITH]}?search=approximate", total)
        with unchecked():
            fill(f"{folders[WITHOUT]}?search=approximate", total)
        strip(folders[WITHOUT])
        batch, rows, numbers = documents(0, BATCH), unit_vectors(BATCH, 1), count()
        tasks: dict[str, dict[str, Callable[[], object]]] = {
            f"writing 4 batches of {BATCH:,}": {
                which: partial(write, Path(name), batch, rows, numbers, is_checked=which == WITH)
                for which in folders
            },
            "opening, and the first exact search": {
                which: partial(first_search, f"{folder}?search=exact", queries[:1])
                for which, folder in folders.items()
            },
            "20 exact searches more": {
                which: partial(open_index(f"{folder}?search=exact").nearest, queries, K)
                for which, folder in folders.items()
            },
            "20 searches through an approximate index": {
                which: partial(open_index(f"{folder}?search=approximate").nearest, queries, K)
                for which, folder in folders.items()
            },
        }
        for task, contestants in tasks.items():
            timings = in_turn(contestants)
            ratio, low, high = timings[WITH].ratio(timings[WITHOUT])
            claims.append(Claim(f"checksums: {task}", ratio, (low, high), "the same without them"))
            found.append(
                [
                    task,
                    *(f"{timings[which].median:.1f}" for which in (WITHOUT, WITH)),
                    f"{ratio:.2f} ({low:.2f}–{high:.2f})",
                ]
            )
        checks = in_turn({"check": partial(check_index, str(folders[WITH]))})["check"].median
        sizes = {which: size(folder) for which, folder in folders.items()}
    body = (
        f"{total:,} documents of a kilobyte with vectors of {DIMENSION} dimensions in a folder; k = {K}. The same "
        "with checksums and a journal, and without, in turn in the same run: milliseconds of processors, all "
        "threads counted, and the ratio with its 95 % bootstrap interval over rounds.\n\n"
        + table(["what", "ms without", "ms with", "ratio"], found)
        + f"\n\nOn disk {sizes[WITHOUT]:,} bytes without and {sizes[WITH]:,} with: "
        f"{sizes[WITH] / sizes[WITHOUT]:.4f} times as much, {(sizes[WITH] - sizes[WITHOUT]) / total:.1f} bytes a "
        f"document. `esens check` of all of it took {checks:.0f} ms."
    )
    report("checksums", "What it costs that damage is noticed", body, claims)


if __name__ == "__main__":
    main()
