"""What other processes do to an index in a folder, while the tests look on: ``python -m tests.lance_child``."""
# ruff: noqa: T201 - it tells its parent by what it prints

import os
import signal
import sys
from pathlib import Path

import numpy as np

from esens.errors import EngineError
from esens.index import WritableIndex, open_index, prepare_index
from esens.types import Document

DIMENSION, SIZE, SLOTS = 8, 6, 5
Batch = tuple[int, list[Document], np.ndarray]


def batch_of(number: int) -> Batch:
    """The slot that a batch fills, its documents, and their vectors."""
    slot = number % SLOTS
    # Now and then with a field that no other batch had, for which the writer adds a column.
    metadata = {"batch": number, f"field {number // 3}": "text" if number % 2 else 1}
    documents = [Document(f"{slot}-{i}", f"batch {number}", metadata=metadata) for i in range(SIZE)]
    return slot, documents, np.random.default_rng(number).standard_normal((SIZE, DIMENSION)).astype(np.float32)


def does(number: int) -> str:
    """What step so and so does: mostly it fills a slot, now and then it empties one or tidies up."""
    return {3: "delete", 6: "delete", 9: "optimise"}.get(number % 11, "upsert")


def write(folder: str, start: str) -> None:
    index = prepare_index(folder, dimension=DIMENSION)
    number = int(start)
    while True:
        slot, documents, vectors = batch_of(number)
        if does(number) == "upsert":
            index.upsert(documents, vectors)
        elif does(number) == "delete":
            index.delete([f"{slot}-{i}" for i in range(SIZE)])
        else:
            index.optimise()  # type: ignore[attr-defined]
        print(number, flush=True)
        number += 1


def read(folder: str, batches: str) -> None:
    """Look until all batches are there, and print how many documents every look saw."""
    index, count = open_index(folder), 0
    while count < int(batches) * SIZE:
        scanned = index.scan(np.ones((1, DIMENSION), np.float32))  # type: ignore[attr-defined]
        count = scanned.raw.shape[1]
        texts = [document.text for document in scanned.lookup(range(count))]
        whole = all(texts.count(text) == SIZE for text in set(texts))
        print(count if whole and len(texts) == count else "half", flush=True)


def write_shared(folder: str, name: str, rounds: str) -> None:
    """Write documents that another process writes as well, and some that it does not."""
    index = prepare_index(folder, dimension=DIMENSION)
    for number in range(int(rounds)):
        ids = [f"shared {i % 7}" for i in range(number, number + 4)] + [f"{name} {number}"]
        index.upsert([Document(id_, f"{name} {number}") for id_ in ids], np.ones((len(ids), DIMENSION)))
        if number % 5 == 4:
            index.delete([f"{name} {number}"])


def fill_up(folder: str) -> None:
    """Write what is larger than this process may: the system says about what it says of a full disk."""
    import resource  # which not every system has

    index = prepare_index(folder, dimension=DIMENSION)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    _, documents, vectors = batch_of(1)
    long = [
        Document(document.id, "".join(map(str, np.random.default_rng(0).random(9000)))) for document in documents
    ]
    _fails(index, long, vectors)
    index.upsert(documents, vectors)
    print(len(index))


def write_as_nobody(folder: str) -> None:
    """Search, then try to write and to make an index, as a user who may not."""
    prepare_index(folder, dimension=DIMENSION)  # which loads all that this user may not be able to read
    _, documents, vectors = batch_of(1)  # and so does this
    os.setuid(65534)
    index = prepare_index(folder, dimension=DIMENSION)
    print(len(index.nearest(np.ones((1, DIMENSION), np.float32), 3)[0].ids))
    _fails(index, documents, vectors)
    try:
        prepare_index(str(Path(folder).parent / "other.lance"), dimension=DIMENSION)
    except EngineError as error:
        print(error)


def _fails(index: WritableIndex, documents: list[Document], vectors: np.ndarray) -> None:
    before = len(index)
    try:
        index.upsert(documents, vectors)
    except EngineError as error:
        print(error, len(index) - before)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
