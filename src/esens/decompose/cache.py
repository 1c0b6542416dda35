"""What language models answered, kept in one SQLite file. It holds queries and answers, never a key.

Every call opens the file anew: that costs a fraction of a millisecond beside an answer's seconds, and makes one
cache safe to use from many threads and processes, also from those that were forked.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from esens.errors import DecomposerError

_WAIT_SECONDS = 30
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    endpoint TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL, query TEXT NOT NULL,
    answer TEXT NOT NULL, refused TEXT NOT NULL,
    PRIMARY KEY (endpoint, model, prompt, query)
) WITHOUT ROWID
"""


class Key(NamedTuple):
    """What an answer depends on."""

    endpoint: str
    model: str
    prompt: str
    query: str


class Kept(NamedTuple):
    """An answer as the model wrote it, and why its first one was refused, if it was."""

    answer: str
    refused: str


class Cache:
    """A file of answers; whoever may read it is its owner alone."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Open or make the file; without a path, at the usual place."""
        self.path = default_path() if path is None else Path(path).expanduser()
        with self._explained():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            with self._opened() as database:
                database.execute("PRAGMA journal_mode = WAL")  # who reads does not wait for who writes
                database.execute(_TABLE)

    def get(self, key: Key) -> Kept | None:
        """Return what was kept under this key, or None."""
        wanted = (
            "SELECT answer, refused FROM answers WHERE endpoint = ? AND model = ? AND prompt = ? AND query = ?"
        )
        with self._explained(), self._opened() as database:
            row = database.execute(wanted, key).fetchone()
        return None if row is None else Kept(*row)

    def put(self, key: Key, kept: Kept) -> None:
        """Keep an answer; it is on disk when this returns."""
        with self._explained(), self._opened() as database:
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", (*key, *kept))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        # Every statement is a transaction of its own, and waits its turn when another process writes.
        with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
            yield database

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise DecomposerError(
                f"{self.path}: the cache of answers cannot be used ({error}). Remove the file if it is damaged, "
                "name another with cache=PATH (--cache FILE), or do without: cache=False (--no-cache)"
            ) from None


def default_path() -> Path:
    """Return where answers are kept unless somebody says otherwise."""
    home = os.environ.get("XDG_CACHE_HOME") or Path("~", ".cache").expanduser()
    return Path(home) / "esens" / "decompositions.sqlite"
