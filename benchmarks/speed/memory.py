"""Peak memory of ``Searcher.from_documents`` beside what it has to hold: vectors and texts."""

import sys
from pathlib import Path

import numpy as np
from measure import Claim, report, table

from esens import Document, Searcher
from esens.demo import load_corpus
from esens.embed import embedder_of

DOCUMENTS = 20_000


def resident(field: str) -> int:
    """Return a field of this process's memory status, in bytes (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def documents() -> list[Document]:
    notes = [document.text for document in load_corpus()]
    random = np.random.default_rng(0)
    return [Document(str(i), " ".join(random.choice(notes, size=1 + i % 3))) for i in range(DOCUMENTS)]


def main() -> None:
    embedder, corpus = embedder_of("minilm"), documents()
    texts = sum(sys.getsizeof(document.text) for document in corpus)
    embedder.embed_documents(
        [max((document.text for document in corpus), key=len)] * 64
    )  # the runtime's own buffers
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the peak so far
    searcher = Searcher.from_documents(corpus, embedder=embedder)
    grown = resident("VmHWM") - before
    vectors = len(corpus) * searcher.index.dimension * 4
    # The texts were there before: the caller's own strings are held, not copied.
    ratio = (grown + texts) / (vectors + texts)
    rows = [
        ["vectors", f"{vectors / 2**20:.1f}"],
        ["texts", f"{texts / 2**20:.1f}"],
        ["growth at the peak, beyond the texts", f"{grown / 2**20:.1f}"],
        ["**(growth + texts) / (vectors + texts)**", f"**{ratio:.2f}**"],
    ]
    head = f"`Searcher.from_documents` over {DOCUMENTS:,} documents, the model loaded before. Aim: at most 1.5."
    claim = Claim(
        "peak memory of `Searcher.from_documents`", ratio, None, "the vectors and texts that it holds", aim=1.5
    )
    report("memory", "Memory", f"{head}\n\n{table(['', 'MiB'], rows)}", [claim])


if __name__ == "__main__":
    main()
