"""What writing an index costs beside the embedding, and how soon a search of it answers.

.venv/bin/python benchmarks/speed/ingest.py --write
.venv/bin/python benchmarks/speed/ingest.py --corpus FOLDER/corpus.jsonl --write   # a cold start over your corpus
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import Timing, report, table

from esens.demo import load_corpus
from esens.embed import embedder_of
from esens.embed.corpus import embed_corpus
from esens.indexing.writer import build_index
from esens.ingest import read_documents
from esens.types import Document

EMBEDDERS = {"minilm": 700, "wordllama": 20_000}
ROUNDS = 5
QUERY = "salad dressings, but nothing with vinegar"


def corpus(size: int) -> list[Document]:
    """Return the demo's documents, over and over, each with a number in it so that no two are equal."""
    demo = load_corpus()
    return [Document(str(i), f"{demo[i % len(demo)].text} ({i})", demo[i % len(demo)].title) for i in range(size)]


def rates(name: str, size: int, folder: Path) -> list[str]:
    """Return how fast an index is written, as a share of how fast the same texts are embedded."""
    model, documents = embedder_of(name), corpus(size)
    embed_corpus(documents[:64], model)
    raw, whole = [], []
    for number in range(ROUNDS):
        raw.append(_seconds(lambda: embed_corpus(documents, model)))
        to = str(folder / f"{name}{number}.lance")
        whole.append(_seconds(lambda to=to: build_index(documents, to, embedder=model)))  # type: ignore[misc]
    ratio, low, high = Timing(np.array(raw)).ratio(Timing(np.array(whole)))
    again = _seconds(lambda: build_index(documents, to, embedder=model))
    return [
        name,
        f"{size:,}",
        f"{size / np.median(raw):,.0f}",
        f"{ratio:.3f} ({low:.3f}–{high:.3f})",
        f"{np.median(whole) / again:.0f}",
    ]


def cold(folder: Path, documents: list[Document]) -> list[str]:
    """Return how long one search takes from the command line, beside what every command takes."""
    to, embedder = str(folder / "cold.lance"), "wordllama"
    build_index(documents, to, embedder=embedder, words=None)
    search = [sys.executable, "-m", "esens.cli.main", "search", to, QUERY, "--json"]
    split = [sys.executable, "-m", "esens.cli.main", "decompose", QUERY, "--json"]
    runs = {"search": search, "decompose": split}
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, command in runs.items():
            seconds[name].append(_seconds(lambda command=command: _run(command)))  # type: ignore[misc]
    ratio, low, high = Timing(np.array(seconds["search"])).ratio(Timing(np.array(seconds["decompose"])))
    return [
        f"{len(documents):,}",
        f"{np.median(seconds['search']):.2f}",
        f"{np.median(seconds['decompose']):.2f}",
        f"{ratio:.1f} ({low:.1f}–{high:.1f})",
    ]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    json.loads(done.stdout)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    given = sys.argv[sys.argv.index("--corpus") + 1] if "--corpus" in sys.argv else None
    documents = read_documents(given) if given else corpus(23_635)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = [rates(embedder, size, folder) for embedder, size in EMBEDDERS.items()]
        started = cold(folder, documents)
    body = (
        "The rate of `esens index` into a Lance index as a share of the rate of embedding the same texts and "
        f"doing nothing with them, {ROUNDS} rounds each in turn, 95 % bootstrap intervals over rounds; and how "
        "many times faster a second run is, which finds everything there.\n\n"
        + table(["embedder", "documents", "embedded a second", "indexed / embedded", "again"], written)
        + "\n\nOne `esens search INDEX QUERY` from the command line, with all that it takes to start, beside "
        "`esens decompose QUERY`, which opens no index and loads no embedder:\n\n"
        + table(["documents", "search, s", "decompose, s", "ratio"], [started])
    )
    report("ingest", "What an index costs to write, and to open", body)


if __name__ == "__main__":
    main()
