"""Peak memory: of ``Searcher.from_documents`` beside what it has to hold, and of one search.

    .venv/bin/python benchmarks/speed/memory.py --write

A process's peak is that of all that it did, so every kind of search is measured in processes of its own.
``--rounds 1 --only memory`` tries the script: one process each, and no index on disk.
"""

import ctypes
import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import Claim, option, report, table

from esens import Decomposition, Document, MemoryIndex, Searcher
from esens.decompose import decompose_all, decomposer_of
from esens.demo import load_corpus, load_queries
from esens.embed import embedder_of
from esens.embed.corpus import embed_corpus
from esens.errors import MissingExtraError
from esens.index import open_index
from esens.search.plan import compared_traps

DOCUMENTS, WARMED = 20_000, 512
SEARCHED, SEARCHES, K = (20_000, 90_000), 10, 10
ROUNDS = 5
MOST = 20  # MB that an exclusion may take beyond a plain search
WAYS: dict[str, dict[str, object]] = {
    "plain": {"beta": 0},
    "linear": {"score": "linear"},
    "contrast": {"score": "contrast"},
    "relational": {},
}
MEMORY, LANCE = "memory", "lance"
Peaks = dict[str, np.ndarray]


class Place(NamedTuple):
    """Where the vectors of some documents are: in a file of numpy, to be held in memory, or in an index."""

    kind: str
    size: int
    path: str


def resident(field: str) -> int:
    """Return a field of this process's memory status, in bytes (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def documents() -> list[Document]:
    notes = [document.text for document in load_corpus()]
    random = np.random.default_rng(0)
    return [Document(str(i), " ".join(random.choice(notes, size=1 + i % 3))) for i in range(DOCUMENTS)]


def ingest(claims: list[Claim]) -> str:
    embedder, corpus = embedder_of("minilm"), documents()
    texts = sum(sys.getsizeof(document.text) for document in corpus)
    loaded = resident("VmRSS")
    # The runtime's own buffers, of as many threads as embed at once: whatever the number of documents.
    embed_corpus(sorted(corpus, key=lambda document: -len(document.text))[:WARMED], embedder)
    before = resident("VmRSS")
    forget_peak()
    searcher = Searcher.from_documents(corpus, embedder=embedder)
    grown = resident("VmHWM") - before
    vectors = len(corpus) * searcher.index.dimension * 4
    # The texts were there before: the caller's own strings are held, not copied.
    ratio = (grown + texts) / (vectors + texts)
    rows = [
        ["vectors", f"{vectors / 2**20:.1f}"],
        ["texts", f"{texts / 2**20:.1f}"],
        ["buffers of the runtime, whatever the number of documents", f"{(before - loaded) / 2**20:.1f}"],
        ["growth at the peak, beyond the texts and these", f"{grown / 2**20:.1f}"],
        ["**(growth + texts) / (vectors + texts)**", f"**{ratio:.2f}**"],
    ]
    head = (
        f"`Searcher.from_documents` over {DOCUMENTS:,} documents, the model loaded and used before. "
        "Aim: at most 1.5."
    )
    claims.append(
        Claim(
            "peak memory of `Searcher.from_documents`", ratio, None, "the vectors and texts that it holds", aim=1.5
        )
    )
    return f"{head}\n\n{table(['', 'MiB'], rows)}"


def titled(count: int) -> list[Document]:
    """Return the demo's notes, over and over, so that there are words to be read."""
    notes = load_corpus()
    return [replace(notes[at % len(notes)], id=f"d{at:07}") for at in range(count)]


def asked() -> dict[str, Decomposition]:
    """Return queries of the demo, each of another subject."""
    queries = [one.query for one in load_queries()][::4]
    found = zip(queries, decompose_all(queries, decomposer_of("rules")), strict=True)
    return dict([(query, split) for query, split in found if len(split.traps) == 1][:SEARCHES])


class MadeUp:
    """Embeds by made-up vectors: a target and a trap are near to a cluster each, and their query to both."""

    def __init__(self, split: dict[str, Decomposition]) -> None:
        from engines import made_centres, unit

        random = np.random.default_rng(0)
        self.centres = made_centres(random)
        self._texts: dict[str, np.ndarray] = {}
        for at, (query, one) in enumerate(split.items()):
            wanted, excluded = self.centres[2 * at : 2 * at + 2]
            centres = {query: wanted + 0.7 * excluded, one.target: wanted}
            centres |= dict.fromkeys([*one.traps, *compared_traps(one)], excluded)
            for text, centre in centres.items():
                self._texts[text] = unit(unit(centre) + 0.4 * unit(random.standard_normal(centre.shape)))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        # What is none of these is a document without a mention, which is as near to one cluster as to another.
        return np.stack([self._texts.get(text, self.centres[-1]) for text in texts])


def peaks_of_searches(place: Place, way: str) -> None:
    """Print the peak of each search in turn, in MB beyond what the process had before: what a child does."""
    split = asked()
    embed = MadeUp(split)
    if place.kind == MEMORY:
        searcher = Searcher(MemoryIndex(titled(place.size), np.load(place.path)), embedder=embed)
    else:
        searcher = Searcher(open_index(place.path), embedder=embed)
    searcher.index.nearest(embed.centres[:1], 1)  # which reads the vectors, where they are on disk
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else a search takes, unseen, what was freed before
    before, peaks = resident("VmRSS"), []
    for query, one in split.items():
        forget_peak()
        searcher.search(query, k=K, decomposition=one, **WAYS[way])  # type: ignore[call-overload]
        peaks.append((resident("VmHWM") - before) / 1e6)
    print(json.dumps(peaks))


def measured(place: Place, rounds: int) -> Peaks:
    """Return the peak of each search (a column) in each round (a row), by kind of search, in turn."""
    found: dict[str, list[list[float]]] = {way: [] for way in WAYS}
    for _, way in product(range(rounds), WAYS):
        command = [sys.executable, __file__, "--child", way, "--place", json.dumps(place)]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found[way].append(json.loads(run.stdout))
    return {way: np.array(peaks) for way, peaks in found.items()}


def beyond(peaks: np.ndarray, plain: np.ndarray) -> tuple[float, float, float]:
    """Return by how much one median is above another, and its 95 % bootstrap interval over rounds."""
    picks = np.random.default_rng(0).integers(0, len(peaks), size=(2000, len(peaks)))
    low, high = np.percentile(np.median(peaks[picks], axis=1) - np.median(plain[picks], axis=1), [2.5, 97.5])
    return float(np.median(peaks) - np.median(plain)), float(low), float(high)


def rows_of(place: Place, peaks: Peaks, claims: list[Claim]) -> Iterator[list[str]]:
    name = f"{place.kind}, {place.size:,} × 384"
    for way, found in peaks.items():
        medians = np.median(found, axis=0)
        row = [name, way, *(f"{value:.1f}" for value in (medians[0], medians[-1], medians.max()))]
        added = [beyond(found[:, at], peaks["plain"][:, at]) for at in (0, -1)]
        yield [
            *row,
            *("" if way == "plain" else f"{one[0]:+.1f} ({one[1]:+.1f} to {one[2]:+.1f})" for one in added),
        ]
        if way != "plain":
            figure, low, high = max(added)
            claim = f"peak memory of a search with an exclusion, {way}, {name}, beyond a plain one"
            rival = "a plain search in a process of its own; the first or the tenth, whichever takes more"
            claims.append(Claim(claim, figure, (low, high), rival, unit="MB", aim=MOST))


def places(folder: Path, only: str) -> Iterator[Place]:
    """Write made-up vectors, and yield where they are."""
    from engines import filled, world

    for count in SEARCHED:
        made = world(count)
        if only in MEMORY:
            path = folder / f"{count}.npy"
            np.save(path, made.vectors)
            yield Place(MEMORY, count, str(path))
        if only in LANCE:
            spec = str(folder / f"{count}.lance")
            try:
                filled(spec, made._replace(documents=titled(count))).close()
            except MissingExtraError as error:
                print(f"not measured: {error}", file=sys.stderr)
            else:
                yield Place(LANCE, count, spec)


def searches(rounds: int, claims: list[Claim]) -> str:
    head = (
        f"Peak of one search, k = {K}, beyond what the process had with the index open and its vectors read, in "
        "MB (10⁶ bytes). Vectors are made up and clustered, texts are the demo's, and every search has another "
        f"query of the demo, split before. The median of {rounds} processes for each kind of search; what an "
        "exclusion takes beyond a plain search (`beta=0`) has its 95 % bootstrap interval. Rounded rows, a "
        "quarter of the vectors, are made at the second search of any kind and kept: the tenth has them. The "
        "default score (`relational`) reads the tables of kinds at its first search, and keeps them, too. Aim: "
        f"at most {MOST} MB beyond a plain search. Over Lance a process at times gives back some 15 to 25 MB of "
        "what reading took while it searches, and then shows so much less: of few rounds even the median may."
    )
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            row
            for place in places(Path(folder), option("--only", ""))
            for row in rows_of(place, measured(place, rounds), claims)
        ]
    header = ["index", "search", "first", "tenth", "most of ten", "first, beyond plain", "tenth, beyond plain"]
    return f"## A search\n\n{head}\n\n{table(header, rows)}"


def main() -> None:
    if way := option("--child", ""):
        peaks_of_searches(Place(*json.loads(option("--place", ""))), way)
        return
    claims: list[Claim] = []
    parts = [ingest(claims), searches(option("--rounds", ROUNDS), claims)]
    report("memory", "Memory", "\n\n".join(parts), claims)


if __name__ == "__main__":
    main()
