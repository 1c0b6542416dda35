"""Vectors are kept in one file, and a vector is used again only where the same model would make it."""

import hashlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.embedding_server import vector_of

import esens
from esens import CachedEmbedder
from esens.embed import Embedder, embedder_of
from esens.embed.base import fingerprint_of
from esens.embed.cache import default_path
from esens.embed.model_folder import ModelSettings
from esens.embed.onnx import OnnxEmbedder
from esens.errors import ArgumentError, EmbedderError


class Counting:
    """An embedder whose vectors depend on the text, on the kind and on its fingerprint, and that keeps count."""

    def __init__(self, fingerprint: str = "counting", dimension: int = 4) -> None:
        self.name = "counting"
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self._embed("document", texts)

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self._embed("query", texts)

    def _embed(self, kind: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.embedded += texts
        made = [vector_of(f"{self.fingerprint} {kind} {text}", self.dimension) for text in texts]
        return np.stack(made) if made else np.zeros((0, 0), np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.sqlite"


def _texts(number: int) -> list[str]:
    return [f"text number {i}" for i in range(number)]


# The law.


@given(
    documents=st.lists(st.lists(st.sampled_from(["", "a", "b", "é", "茶"]) | st.text())),
    queries=st.lists(st.text()),
)
def test_cached_is_uncached_bit_for_bit(
    documents: list[list[str]], queries: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cache") / "vectors.sqlite"
    inner = Counting()
    for _ in range(2):
        cached = CachedEmbedder(inner, path)
        for texts in documents:
            np.testing.assert_array_equal(cached.embed_documents(texts), Counting().embed_documents(texts))
        np.testing.assert_array_equal(cached.embed_queries(queries), Counting().embed_queries(queries))
    known = {text for texts in documents for text in texts}
    assert sorted(inner.embedded) == sorted([*known, *set(queries)])  # each once, of its kind


def test_it_is_an_embedder(path: Path) -> None:
    cached = CachedEmbedder(Counting(), path)
    assert isinstance(cached, Embedder)
    assert (cached.name, fingerprint_of(cached)) == ("counting", "counting")
    assert cached.embed_documents([]).shape == (0, 0)
    assert cached.embed_documents(["x"]).dtype == np.float32


def test_every_float_comes_back_as_it_was(path: Path) -> None:
    odd = np.array([[-0.0, 1e-45, 3.4e38, -1.1754942e-38]], np.float32)
    inner = Counting()
    inner.embed_documents = lambda texts: odd  # type: ignore[method-assign]
    CachedEmbedder(inner, path).embed_documents(["x"])
    assert CachedEmbedder(Counting(), path).embed_documents(["x"]).tobytes() == odd.tobytes()


def test_the_real_model_through_it(path: Path, minilm: Embedder) -> None:
    texts = ["a cat", "a dog", "a cat"]
    first = CachedEmbedder("minilm", path).embed_documents(texts)
    np.testing.assert_allclose(first, np.asarray(minilm.embed_documents(texts)), atol=1e-5)
    assert CachedEmbedder("minilm", path).embed_documents(texts).tobytes() == first.tobytes()


def test_a_searcher_uses_it(path: Path) -> None:
    inner = Counting()
    for _ in range(2):
        searcher = esens.Searcher.from_documents(_texts(300), embedder=CachedEmbedder(inner, path))
        assert len(searcher.search("anything", k=5)) == 5
    assert sorted(inner.embedded) == sorted([*_texts(300), "anything"])


# What a vector depends on.


def test_queries_and_documents_are_kept_apart(path: Path) -> None:
    cached = CachedEmbedder(Counting(), path)
    assert cached.embed_documents(["x"]).tobytes() != cached.embed_queries(["x"]).tobytes()


def test_a_changed_model_never_uses_an_old_vector(path: Path) -> None:
    CachedEmbedder(Counting("one"), path).embed_documents(_texts(10))
    other = Counting("two", dimension=6)
    found = CachedEmbedder(other, path).embed_documents(_texts(10))
    np.testing.assert_array_equal(found, Counting("two", dimension=6).embed_documents(_texts(10)))
    assert other.embedded == _texts(10)


def test_a_model_that_changes_under_its_name_is_told(path: Path) -> None:
    CachedEmbedder(Counting(dimension=4), path).embed_documents(["x"])
    cached = CachedEmbedder(Counting(dimension=6), path)
    with pytest.raises(EmbedderError, match=r"vectors of 6 dimensions now, and gave 4 when .*Remove that file"):
        cached.embed_documents(["x", "y"])


@pytest.mark.parametrize("fingerprint", [None, "", 7])
def test_what_has_no_fingerprint_is_refused(fingerprint: Any, path: Path) -> None:
    inner = Counting()
    inner.fingerprint = fingerprint
    with pytest.raises(ArgumentError, match=r"embedder: counting has no fingerprint, .*give it a property"):
        CachedEmbedder(inner, path)
    with pytest.raises(ArgumentError, match="has no fingerprint"):
        CachedEmbedder(lambda texts: [[1.0]], path)
    assert not path.exists()


def test_the_fingerprint_of_a_model_on_disk_is_its_files_and_what_it_reads(tmp_path: Path) -> None:
    minilm = embedder_of("minilm")
    assert isinstance(minilm, OnnxEmbedder)
    model, tokenizer = minilm._files
    copy = tmp_path / "model.onnx"
    copy.write_bytes(model.read_bytes())
    same = OnnxEmbedder(copy, tokenizer, name="another name").fingerprint
    assert same == minilm.fingerprint
    assert hashlib.sha256(model.read_bytes()).hexdigest() in same
    assert OnnxEmbedder(copy, tokenizer, name="x", settings=ModelSettings(max_tokens=128)).fingerprint != same
    (tmp_path / "model.onnx_data").write_bytes(b"weights beside the model")
    assert OnnxEmbedder(copy, tokenizer, name="x").fingerprint != same


# Damage.


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vector = x'00'",
        "UPDATE vectors SET vector = x''",
        "UPDATE vectors SET vector = 'text'",
        "UPDATE vectors SET vector = zeroblob(16)",
        "UPDATE vectors SET vector = zeroblob(24)",
        "UPDATE vectors SET crc = 0",
        "UPDATE vectors SET (vector, crc) = (SELECT vector, crc FROM vectors LIMIT 1)",
    ],
)
def test_a_damaged_vector_is_made_anew_and_mended(damage: str, path: Path) -> None:
    texts = _texts(3)
    expected = CachedEmbedder(Counting(), path).embed_documents(texts)
    _execute(path, damage)
    for embedded in (True, False):
        inner = Counting()
        np.testing.assert_array_equal(CachedEmbedder(inner, path).embed_documents(texts), expected)
        assert bool(inner.embedded) == embedded


def test_a_damaged_file_is_named_with_what_to_do(path: Path) -> None:
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(EmbedderError, match=r"vectors\.sqlite: .*not a database.*Remove the file"):
        CachedEmbedder(Counting(), path)


def test_a_file_damaged_later_is_named_too(path: Path) -> None:
    cached = CachedEmbedder(Counting(), path)
    path.write_bytes(b"this is not a database" * 1000)
    with pytest.raises(EmbedderError, match=r"vectors\.sqlite"):
        cached.embed_documents(["x"])


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "x.sqlite", tmp_path, Path(os.devnull, "x")):
        with pytest.raises(EmbedderError, match=r"cannot be used .*name another"):
            CachedEmbedder(Counting(), path)


@pytest.mark.parametrize("vectors", [[[1.0]], [[1.0], [float("nan")]], [1.0, 2.0], [["a"], ["b"]]])
def test_what_is_no_vector_is_not_kept(vectors: Any, path: Path) -> None:
    inner = Counting()
    inner.embed_documents = lambda texts: vectors  # type: ignore[method-assign]
    with pytest.raises(ArgumentError, match="embedder: "):
        CachedEmbedder(inner, path).embed_documents(["x", "y"])
    assert _execute(path, "SELECT * FROM vectors") == []


def test_a_text_that_is_none_is_named(path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"texts\[1\]: .*half a surrogate pair"):
        CachedEmbedder(Counting(), path).embed_documents(["x", "\ud800"])


# The file.


def test_only_the_owner_may_read_and_no_text_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "vectors.sqlite"
    CachedEmbedder(Counting(), path).embed_documents(["a most private text"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not [file for file in path.parent.iterdir() if b"most private" in file.read_bytes()]


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert CachedEmbedder(Counting()).path == tmp_path / "esens" / "vectors.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".cache" / "esens" / "vectors.sqlite"


# Several at once, and runs that end early.


def test_many_threads(path: Path) -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, path)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: cached.embed_documents(_texts(50)[i % 10 :]), range(40)))
    for i, rows in enumerate(found):
        np.testing.assert_array_equal(rows, Counting().embed_documents(_texts(50)[i % 10 :]))


_SCRIPT = """
import os, sys
import numpy as np
from tests.unit.embed.test_cache import Counting, _texts
from esens import CachedEmbedder

class Slow(Counting):
    def embed_documents(self, texts):
        if len(self.embedded) >= int(sys.argv[3]):
            print("begun", flush=True)
            sys.stdin.read()  # until it is killed
        return super().embed_documents(texts)

inner = Slow()
found = CachedEmbedder(inner, sys.argv[1]).embed_documents(_texts(int(sys.argv[2])))
np.testing.assert_array_equal(found, Counting().embed_documents(_texts(int(sys.argv[2]))))
"""


def _started(path: Path, texts: int, stops_after: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _SCRIPT, str(path), str(texts), str(stops_after)]
    root = Path(__file__).parents[3]
    return subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_killed_run_goes_on_where_it_stopped(path: Path) -> None:
    with _started(path, texts=1000, stops_after=500) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        running.kill()
    inner = Counting()
    found = CachedEmbedder(inner, path).embed_documents(_texts(1000))
    np.testing.assert_array_equal(found, Counting().embed_documents(_texts(1000)))
    assert inner.embedded == _texts(1000)[512:]  # two parts of 256 were on disk


def test_two_processes_at_once(path: Path) -> None:
    running = [_started(path, texts=2000, stops_after=10_000) for _ in range(2)]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    for process in running:
        process.communicate()
    inner = Counting()
    CachedEmbedder(inner, path).embed_documents(_texts(2000))
    assert inner.embedded == []


def test_who_reads_does_not_wait_for_who_writes(path: Path) -> None:
    cached = CachedEmbedder(Counting(), path)
    cached.embed_documents(["x"])
    writer = sqlite3.connect(path, isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        assert len(cached.embed_documents(["x"])) == 1
    finally:
        writer.close()


def test_who_writes_waits_for_another_who_does(path: Path) -> None:
    cached = CachedEmbedder(Counting(), path)
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    ending = threading.Timer(0.3, writer.rollback)
    ending.start()
    assert len(cached.embed_documents(["x"])) == 1
    ending.join()
    writer.close()


def _execute(path: Path, statement: str) -> list[Any]:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()
