"""One SQLite file that keeps what was costly to get; whoever may read it is its owner alone.

Every use opens the file anew: that costs a fraction of a millisecond, and makes one file safe to use from many
threads and processes, also from those that were forked.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from esens.errors import EsensError

_WAIT_SECONDS = 30
_PAUSE_SECONDS = 0.02


class CacheFile:
    """A file with tables in it; ``explain`` makes of a problem the error that says what to do."""

    def __init__(self, path: str | Path, tables: str, explain: Callable[[Path, Exception], EsensError]) -> None:
        """Open or make the file."""
        self.path = Path(path).expanduser()
        self._explain = explain
        with self._explained():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        with self.opened() as database:
            _prepare(database, tables)

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """Open the database for a few statements, each a transaction of its own unless one is begun."""
        with (
            self._explained(),
            # It waits its turn when another process writes.
            closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as database,
        ):
            yield database

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._explain(self.path, error) from None


def cache_folder() -> Path:
    """Return where caches are kept unless somebody says otherwise."""
    home = os.environ.get("XDG_CACHE_HOME") or Path("~", ".cache").expanduser()
    return Path(home) / "esens"


def _prepare(database: sqlite3.Connection, tables: str) -> None:
    """Make the tables where they are not. Many may do so at once, and SQLite does not let them wait their turn."""
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")  # who reads does not wait for who writes
            database.executescript(tables)
        except sqlite3.OperationalError as error:
            is_locked = error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
            if not is_locked or time.monotonic() > end:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return
