"""An index in a folder whose writer is killed again and again, and looked at after each time."""

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from esens.index import WritableIndex, open_writable
from esens.index.filters import parse_filter
from tests.lance_child import DIMENSION, SIZE, SLOTS, batch_of, does

ROOT = Path(__file__).parents[1]


def child(*arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.lance_child", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_again_and_again(folder: Path, times: int, *, seed: int = 0) -> None:
    """Kill a writer so many times, and see that what it said it did is there, and the rest is whole or absent."""
    chance = random.Random(seed)
    slots: dict[int, int | None] = dict.fromkeys(range(SLOTS))  # the batch that fills each
    number = 0
    for _ in range(times):
        done = _killed(folder, number, chance.uniform(0, 0.25))
        for step in range(number, number + done):
            slots = _after(slots, step)
        open_step = number + done
        possible = [slots, _after(slots, open_step)]
        slots = _found(open_writable(str(folder)))
        assert slots in possible, (open_step, slots, possible)
        number = open_step + 1


def _killed(folder: Path, start: int, seconds: float) -> int:
    """Return how many steps a writer said it had done before it was killed."""
    with child("write", folder, start) as writer:
        assert writer.stdout is not None
        assert int(writer.stdout.readline()) == start  # it is killed while it writes, not while it is loaded
        time.sleep(seconds)
        writer.kill()
        return 1 + writer.stdout.read().count("\n")


def _after(slots: dict[int, int | None], step: int) -> dict[int, int | None]:
    what = does(step)
    if what == "optimise":
        return slots
    return slots | {step % SLOTS: step if what == "upsert" else None}


def _found(index: WritableIndex) -> dict[int, int | None]:
    """Return the batch that fills every slot; nothing else may be there, and no batch in part."""
    found = {slot: _batch(index, slot) for slot in range(SLOTS)}
    assert len(index) == SIZE * sum(batch is not None for batch in found.values())
    assert len(index.nearest(np.ones((1, DIMENSION), np.float32), 100)[0].ids) == len(index)
    return found


def _batch(index: WritableIndex, slot: int) -> int | None:
    documents = index.documents([f"{slot}-{i}" for i in range(SIZE)])
    if not documents:
        return None
    batch: int
    (batch,) = {document.metadata["batch"] for document in documents.values()}
    _, wanted, vectors = batch_of(batch)
    assert [documents.get(document.id) for document in wanted] == wanted
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    np.testing.assert_allclose(index.vectors([document.id for document in wanted]), unit, atol=1e-6)
    where = parse_filter(dict(wanted[0].metadata))
    (near,) = index.nearest(np.ones((1, DIMENSION), np.float32), 100, where=where)
    assert {*near.ids} == {*documents}  # columns of metadata and documents agree
    return batch
