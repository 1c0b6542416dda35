"""The file that both caches keep their things in."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from esens.errors import EmbedderError
from esens.storage.sqlite_cache import CacheFile

TABLES = "CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY)"


def _unusable(path: Path, error: Exception) -> EmbedderError:
    return EmbedderError(f"{path}: {error}")


def test_many_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    many = 8
    for number in range(100):
        path, start = tmp_path / str(number), threading.Barrier(many)

        def use(name: int, path: Path = path, start: threading.Barrier = start) -> None:
            start.wait()
            with CacheFile(path, TABLES, _unusable).opened() as database:
                database.execute("INSERT INTO things VALUES (?)", (str(name),))

        with ThreadPoolExecutor(many) as pool:
            list(pool.map(use, range(many)))
        with CacheFile(path, TABLES, _unusable).opened() as database:
            assert database.execute("SELECT count(*) FROM things").fetchone() == (many,)
            assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_stays_locked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esens.storage.sqlite_cache._WAIT_SECONDS", 0.2)
    path = tmp_path / "things"
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(EmbedderError, match="database is locked"):
            CacheFile(path, TABLES, _unusable)
    finally:
        other.close()
