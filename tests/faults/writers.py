"""Writers of an index in a folder that are killed, that write at the same time, or for whom there is no room.

What a writer was told is done must be there afterwards, and nothing in part; the index must be sound, and whoever
comes next goes on. Every function takes how many cases to try and a seed, and returns what became of them.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from esens.errors import EsensError
from esens.index import WritableIndex, check_index, open_writable, prepare_index
from esens.ingest import passages_of
from esens.types import Document
from tests.faults.child import SHARED, SOURCES, source, vector_of
from tests.faults.record import CLEAR_ERROR, FINE, LOST, RAW, FaultRecord, in_time
from tests.words import DIMENSION

ROOT = Path(__file__).parents[2]
_NO_ROOM = ("a file would grow beyond what this process may write", "as on a full disk; make room")
_DOCUMENTS = 400  # to be deleted, of which a writer manages a part before it is killed


def indexing(cases: int, seed: int) -> FaultRecord:
    """Kill ``build_index`` over documents and passages, look, and let it go on; when it is done, begin anew."""
    record, chance = FaultRecord("kill during indexing", seed), random.Random(seed)
    expected = {
        passage.id: passage
        for number in range(SOURCES)
        for passage in passages_of(source(number), words=50, overlap=0)
    }
    with tempfile.TemporaryDirectory() as name:
        round_number = 0
        for case in in_time(cases):
            folder = Path(name, f"{round_number}.lance")
            done, is_killed = _run(chance.uniform(0, 0.3), "index", folder)
            acknowledged = max(map(int, done[:-1] if not is_killed else done), default=0)
            record.add(_verified(folder, partial(_indexed, expected, acknowledged)), f"seed {seed}/{case}")
            round_number += not is_killed
    return record


def upserting(cases: int, seed: int) -> FaultRecord:
    """Kill a process that writes document after document."""
    return _upserting("kill during upserting", cases, seed, writers="a")


def two_writers(cases: int, seed: int) -> FaultRecord:
    """Let two processes write at the same time, and kill both."""
    return _upserting("two writers, both killed", cases, seed, writers="ab")


def deleting(cases: int, seed: int) -> FaultRecord:
    """Kill a process that removes document after document."""
    record, chance = FaultRecord("kill during deleting", seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder, next_id = Path(name, "x.lance"), _DOCUMENTS
        number = 0
        for case in in_time(cases):
            if next_id >= _DOCUMENTS - 50:
                folder, next_id, number = Path(name, f"{case}.lance"), 0, case
                _fill(folder)
            done, _ = _run(chance.uniform(0, 0.3), "delete", folder, next_id)
            gone = next_id + len(done)

            def check(index: WritableIndex, gone: int = gone) -> bool:
                left = set(index.documents([f"d{n}" for n in range(_DOCUMENTS)]))
                # The one that was under way may be gone, or not.
                return left - {f"d{gone}"} == {f"d{n}" for n in range(gone + 1, _DOCUMENTS)}

            record.add(_verified(folder, check), f"seed {seed}/{case}, folder {number}")
            next_id = gone if f"d{gone}" in open_writable(str(folder)).documents([f"d{gone}"]) else gone + 1
    return record


def disk_full(cases: int, seed: int) -> FaultRecord:
    """Let a process write until there is no room; the next one, which has some, goes on."""
    record, chance = FaultRecord("no room to write", seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        for case in in_time(cases):
            folder, limit = Path(name, f"{case}.lance"), chance.randrange(4_000, 60_000)
            done, _ = _run(60, "fill", folder, limit)
            refusal = done[-1] if done else ""
            count = len(done) - 1

            def check(index: WritableIndex, count: int = count) -> bool:
                ids = [f"d{n}" for n in range(count)]
                index.upsert([Document("next", "there is room")], vector_of("next"))
                return set(index.documents(ids)) == set(ids) and len(index) == count + 1

            outcome = _verified(folder, check)
            if outcome == FINE:
                outcome = CLEAR_ERROR if any(sign in refusal for sign in _NO_ROOM) else RAW
            record.add(outcome, f"seed {seed}/{case}: {limit} bytes, {refusal[:200]}")
    return record


def _upserting(fault: str, cases: int, seed: int, *, writers: str) -> FaultRecord:
    record, chance = FaultRecord(fault, seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "x.lance")
        prepare_index(str(folder), dimension=DIMENSION).close()
        counts = dict.fromkeys(writers, 0)
        for case in in_time(cases):
            running = {each: _start("upsert", folder, each, counts[each]) for each in writers}
            time.sleep(chance.uniform(0, 0.3))
            for each, process in running.items():
                counts[each] += len(_end(process))
            record.add(_verified(folder, partial(_upserted, counts)), f"seed {seed}/{case}")
            for each in writers:  # what was under way is written again by the next
                counts[each] += 1
                _write(folder, each, counts[each] - 1)
    return record


def _write(folder: Path, name: str, number: int) -> None:
    text = f"by {name} {number}"
    open_writable(str(folder)).upsert([Document(f"{name}{number}", text)], vector_of(text))


def _upserted(counts: Mapping[str, int], index: WritableIndex) -> bool:
    for name, count in counts.items():
        documents = index.documents([f"{name}{n}" for n in range(count)])
        if {document.id: document.text for document in documents.values()} != {
            f"{name}{n}": f"by {name} {n}" for n in range(count)
        }:
            return False
    shared = index.documents([f"shared{n}" for n in range(SHARED)]).values()
    return all(_has_its_vector(index, document) for document in shared)


def _indexed(expected: Mapping[str, Document], acknowledged: int, index: WritableIndex) -> bool:
    stored = index.documents(list(expected))
    is_right = all(stored[id_] == expected[id_] for id_ in stored) and len(index) == len(stored)
    some = list(stored.values())[::7]
    return is_right and len(stored) >= acknowledged and all(_has_its_vector(index, each) for each in some)


def _has_its_vector(index: WritableIndex, document: Document) -> bool:
    row = vector_of(document.content)
    unit = row / np.linalg.norm(row, axis=1, keepdims=True)
    return bool(np.allclose(index.vectors([document.id]), unit, atol=1e-6))


def _verified(folder: Path, is_right: Callable[[WritableIndex], bool]) -> str:
    """Return what became of a case: whether what is there is right, and sound."""
    try:
        if not folder.exists():  # killed before it had made anything
            return FINE
        try:
            index = open_writable(str(folder))
        except EsensError as error:
            return FINE if "holds no table" in str(error) else LOST
        return FINE if is_right(index) and check_index(str(folder)).is_sound else LOST
    except EsensError:
        return LOST
    except Exception:  # noqa: BLE001 - that is what is counted
        return RAW


def _fill(folder: Path) -> None:
    index = prepare_index(str(folder), dimension=DIMENSION)
    documents = [Document(f"d{n}", f"text {n}") for n in range(_DOCUMENTS)]
    index.upsert(documents, np.concatenate([vector_of(document.text) for document in documents]))


def _run(seconds: float, *arguments: object) -> tuple[list[str], bool]:
    """Return the lines that a child printed, and whether it had to be killed."""
    process = _start(*arguments)
    try:
        process.wait(timeout=seconds)
        is_killed = False
    except subprocess.TimeoutExpired:
        is_killed = True
    return _end(process), is_killed


def _start(*arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.faults.child", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # it is killed while it writes, not while it is loaded
    return process


def _end(process: "subprocess.Popen[str]") -> list[str]:
    process.kill()
    printed, _ = process.communicate()
    return printed.splitlines()
