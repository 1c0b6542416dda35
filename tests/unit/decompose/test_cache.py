"""Answers are kept in one file that many threads and processes share."""

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from esens.decompose.cache import AnswerCache, AnswerKey, CachedAnswer, default_path
from esens.errors import DecomposerError

KEY = AnswerKey("https://api.example/v1", "model", "abc", "tea without milk")
KEPT = CachedAnswer('{"target": "tea", "traps": ["milk"]}', "")


def test_what_is_put_is_there_for_the_next_one(tmp_path: Path) -> None:
    AnswerCache(tmp_path / "answers.sqlite").put(KEY, KEPT)
    assert AnswerCache(tmp_path / "answers.sqlite").get(KEY) == KEPT


@pytest.mark.parametrize("part", AnswerKey._fields)
def test_every_part_of_the_key_counts(part: str, tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.put(KEY, KEPT)
    assert cache.get(KEY._replace(**{part: "other"})) is None


def test_the_last_answer_counts(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.put(KEY, CachedAnswer("first", ""))
    cache.put(KEY, KEPT)
    assert cache.get(KEY) == KEPT


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.sqlite"
    cache = AnswerCache(path)
    cache.put(KEY, KEPT)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_who_reads_does_not_wait_for_who_writes(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.put(KEY, KEPT)
    writer = sqlite3.connect(cache.path, isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        assert cache.get(KEY) == KEPT
    finally:
        writer.close()


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert AnswerCache().path == tmp_path / "esens" / "decompositions.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".cache" / "esens" / "decompositions.sqlite"


def test_many_threads(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    keys = [KEY._replace(query=str(number)) for number in range(100)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: cache.put(key, CachedAnswer(key.query, "")), keys))
    assert [cache.get(key) for key in keys] == [CachedAnswer(key.query, "") for key in keys]


def test_two_processes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    script = (
        "import sys; from esens.decompose.cache import *\n"
        "cache = AnswerCache(sys.argv[1])\n"
        "for i in range(100): cache.put(AnswerKey('e', 'm', 'p', f'{sys.argv[2]} {i}'), CachedAnswer(str(i), ''))"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "ab"]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    cache = AnswerCache(path)
    assert all(
        cache.get(AnswerKey("e", "m", "p", f"{name} {i}")) == CachedAnswer(str(i), "")
        for name in "ab"
        for i in range(100)
    )


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(DecomposerError, match=r"answers\.sqlite: .*not a database.*Remove the file.*--no-cache"):
        AnswerCache(path)


def test_a_file_damaged_later_is_named_too(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.path.write_bytes(b"this is not a database" * 1000)
    with pytest.raises(DecomposerError, match=r"answers\.sqlite"):
        cache.get(KEY)
    with pytest.raises(DecomposerError, match=r"answers\.sqlite"):
        cache.put(KEY, KEPT)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "answers.sqlite", tmp_path, Path(os.devnull, "x")):
        with pytest.raises(DecomposerError, match=r"cannot be used .*--cache-dir FOLDER"):
            AnswerCache(path)
