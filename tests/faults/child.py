"""What processes do to an index until they are killed: ``python -m tests.faults.child``.

Each prints a line for everything that it was told is done.
"""
# ruff: noqa: T201 - it tells its parent by what it prints

import signal
import sys
from typing import Any

import numpy as np

from esens import build_index
from esens.errors import EngineError
from esens.index import open_writable, prepare_index
from esens.indexing import writer
from esens.types import Document
from tests.words import DIMENSION, by_words

SOURCES, BATCH = 240, 24
SHARED = 5


def source(number: int) -> Document:
    """A document to be indexed: every tenth is long, and becomes passages."""
    sentences = 30 if number % 10 == 0 else 1
    text = " ".join(f"Sentence {at} of document {number} is about tea." for at in range(sentences))
    return Document(f"s{number}", text, metadata={"n": number})


def vector_of(text: str) -> np.ndarray:
    """The vector that a text has."""
    row: np.ndarray = by_words([text])
    return row


def index(folder: str) -> None:
    """Index all sources, about BATCH passages at a time; what is counted is written."""
    count = writer._IndexWriter._count

    def acknowledge(self: writer._IndexWriter, *batch: Any) -> None:
        count(self, *batch)
        print(self._report.total, flush=True)

    writer.BATCH = writer.LARGEST_BATCH = BATCH
    writer._IndexWriter._count = acknowledge  # type: ignore[assignment, method-assign]
    print("ready", flush=True)
    build_index((source(number) for number in range(SOURCES)), folder, embedder=by_words, words=50, overlap=0)
    print("end", flush=True)


def upsert(folder: str, name: str, start: str) -> None:
    """Write documents one after the other, and some that others write, too."""
    to = prepare_index(folder, dimension=DIMENSION)
    print("ready", flush=True)
    number = int(start)
    while True:
        own, shared = f"{name}{number}", f"shared{number % SHARED}"
        text = f"by {name} {number}"
        to.upsert([Document(own, text), Document(shared, text)], np.repeat(vector_of(text), 2, axis=0))
        print(number, flush=True)
        number += 1


def delete(folder: str, start: str) -> None:
    """Remove documents one after the other."""
    of = open_writable(folder)
    print("ready", flush=True)
    number = int(start)
    while of.delete([f"d{number}"]):
        print(number, flush=True)
        number += 1


def fill(folder: str, limit: str) -> None:
    """Write until a file grows beyond what this process may write: the system says about that of a full disk."""
    import resource  # which not every system has

    to = prepare_index(folder, dimension=DIMENSION)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    print("ready", flush=True)
    chance = np.random.default_rng(int(limit))
    for number in range(1000):
        text = "".join(map(str, chance.random(chance.integers(1, int(limit) // 6))))
        try:
            to.upsert([Document(f"d{number}", text)], vector_of(f"text {number}"))
        except EngineError as error:
            print("refused", error, flush=True)
            return
        print(number, flush=True)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
