"""What holds for an index of two files, whoever wrote the vectors."""

import gzip
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.faults import damage

from esens import MemoryIndex
from esens.errors import ArgumentError, EngineError
from esens.index import base, check_index, open_index, prepare_index
from esens.index.base import writable
from esens.index.files import index as file_index
from esens.index.files.index import FileIndex
from esens.index.filters import parse_filter
from esens.types import Document, EmbedderId

faiss = pytest.importorskip("faiss")
usearch = pytest.importorskip("usearch.index")

DIMENSION, SIZE = 16, 300
ENGINES = ("faiss", "usearch")


def _unit(rows: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


VECTORS, QUERIES = _unit(SIZE), _unit(3, seed=1)
ROWS: list[dict[str, Any]] = [
    {"id": f"d{i}", "text": f"text {i} 茶", "title": f"Title {i}", "kind": "abc"[i % 3], "n": i}
    for i in range(SIZE)
]


def _documents(count: int = SIZE) -> list[Document]:
    return [Document.of(row, position=i) for i, row in enumerate(ROWS[:count])]


def _write_faiss(path: Path, vectors: np.ndarray, keys: np.ndarray | None) -> None:
    index = faiss.IndexFlatIP(DIMENSION)
    if keys is None:
        index.add(vectors)
    else:
        index = faiss.IndexIDMap(index)
        index.add_with_ids(vectors, keys)
    faiss.write_index(index, str(path))


def _write_usearch(path: Path, vectors: np.ndarray, keys: np.ndarray | None) -> None:
    index = usearch.Index(ndim=DIMENSION, metric="cos", dtype="f32")
    index.add(np.arange(len(vectors)) if keys is None else keys, vectors, threads=1)
    index.save(path)


WRITE: dict[str, Callable[[Path, np.ndarray, np.ndarray | None], None]] = {
    "faiss": _write_faiss,
    "usearch": _write_usearch,
}


class Files:
    """A pair of files as a user has them."""

    def __init__(self, engine: str, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.vectors, self.documents = folder / "v.index", folder / "d.jsonl"

    def write(self, rows: list[Any] = ROWS, vectors: np.ndarray = VECTORS, keys: np.ndarray | None = None) -> str:
        WRITE[self.engine](self.vectors, vectors, keys)
        self.documents.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return self.spec()

    def spec(self, **options: str) -> str:
        more = "".join(f"&{name}={value}" for name, value in options.items())
        return f"{self.engine}:{self.vectors}?documents={self.documents}{more}"

    def names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


@pytest.fixture(params=ENGINES)
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    return Files(request.param, tmp_path)


def _set_sample(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (base, file_index):
        monkeypatch.setattr(module, "SAMPLE", size)


def _opened(spec: str) -> FileIndex:
    index = open_index(spec)
    assert isinstance(index, FileIndex)
    return index


def _all_documents(index: FileIndex) -> dict[str, Document]:
    (hits,) = index.nearest(QUERIES[:1], SIZE)
    return {document.id: document for document in hits.documents}


def _same_as_oracle(index: Any, oracle: MemoryIndex, k: int = 10, **where: Any) -> None:
    asked = parse_filter(where)
    for found, exact in zip(
        index.nearest(QUERIES, k, where=asked), oracle.nearest(QUERIES, k, where=asked), strict=True
    ):
        assert found.ids == exact.ids
        assert found.documents == exact.documents
        np.testing.assert_allclose(found.scores, exact.scores, atol=2e-6)


def test_files_that_are_there_are_searched(files: Files) -> None:
    index = _opened(files.write())
    assert (len(index), index.dimension, index.embedder_id) == (SIZE, DIMENSION, None)
    oracle = MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle)
    _same_as_oracle(index, oracle, kind="a")
    _same_as_oracle(index, oracle, k=SIZE)
    assert writable(index) is None
    assert files.names() == {"v.index", "d.jsonl"}


@pytest.mark.parametrize("where", [{}, {"kind": "a"}, {"n": {"<": 60}}], ids=str)
def test_more_than_a_sample_is_left_to_the_library(
    files: Files, monkeypatch: pytest.MonkeyPatch, where: dict[str, Any]
) -> None:
    _set_sample(monkeypatch, 50)
    monkeypatch.setattr(file_index, "_BLOCK", 32)
    index, oracle = _opened(files.write()), MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle, **where)
    spans = index.score_ranges(QUERIES, where=parse_filter(where))
    for span, exact in zip(spans, oracle.score_ranges(QUERIES, where=parse_filter(where)), strict=True):
        assert span[:3] == pytest.approx(exact[:3], abs=1e-6 if span.is_exact else 0.3)
        assert span.low >= exact.low - 1e-6
    assert index.score_ranges(QUERIES, where=parse_filter(where)) == spans  # the sample is drawn once


def test_where_the_library_finds_too_few_all_are_compared(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    _set_sample(monkeypatch, 10)
    index: Any = _opened(files.write())
    monkeypatch.setattr(index._vectors, "search_among", lambda *_: None)
    monkeypatch.setattr(index._vectors, "search", lambda vectors, k: [np.arange(4)] * len(vectors))
    oracle = MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle)
    _same_as_oracle(index, oracle, kind="a")


def test_other_names_of_fields(files: Files) -> None:
    rows = [{"doc": f"x{i}", "body": f"b{i}", "name": f"n{i}", "year": 1900 + i} for i in range(SIZE)]
    files.write(rows)
    index = _opened(files.spec(id="doc", title="name"))
    expected = Document("x7", "b7", title="n7", metadata={"year": 1907})
    assert _all_documents(index)["x7"] == expected
    given = _opened(files.spec(id="doc", text="name", title="body"))
    assert _all_documents(given)["x7"] == Document("x7", "n7", title="b7", metadata={"year": 1907})


def test_what_a_document_leaves_out(files: Files) -> None:
    rows = [{"text": "a", "metadata": {"m": 1}, "n": 2}, {"metadata": "a text"}, {"_id": 7, "title": None}]
    index = _opened(files.write(rows, VECTORS[:3]))
    assert _all_documents(index) == {
        "0": Document("0", "a", metadata={"m": 1, "n": 2}),
        "1": Document("1", "", metadata={"metadata": "a text"}),
        "7": Document("7", ""),
    }


def test_a_field_may_hold_the_keys(files: Files) -> None:
    keys = np.random.default_rng(3).permutation(5000)[:SIZE].astype(np.int64)
    rows = [{**row, "number": int(key)} for row, key in zip(ROWS, keys, strict=True)]
    files.write(rows[:200], VECTORS, keys)  # vectors that no document has are not there
    index = _opened(files.spec(key="number"))
    assert len(index) == 200
    _same_as_oracle(index, MemoryIndex(_documents(200), VECTORS[:200]))
    _same_as_oracle(index, MemoryIndex(_documents(200), VECTORS[:200]), kind="b")


def test_documents_may_be_packed(files: Files) -> None:
    files.write()
    files.documents.write_bytes(gzip.compress(files.documents.read_bytes()))
    _same_as_oracle(_opened(files.spec()), MemoryIndex(_documents(), VECTORS), kind="b")


def test_documents_are_beside_the_vectors_unless_named(files: Files) -> None:
    files.write()
    files.documents.rename(files.folder / "v.index.jsonl")
    assert len(_opened(f"{files.engine}:{files.vectors}")) == SIZE


def test_keys_that_an_earlier_esens_wrote_are_read(files: Files) -> None:
    keys = np.arange(SIZE, dtype=np.int64) + 1000
    rows = [{"esens_key": int(key), **row} for row, key in zip(ROWS, keys, strict=True)]
    text = "".join(f"{json.dumps(row)}\r\n\r\n" for row in reversed(rows))
    files.write(rows, VECTORS, keys)
    files.documents.write_bytes(b"\xef\xbb\xbf" + text.encode())
    (hits,) = _opened(files.spec()).nearest(VECTORS[7:8], 1)
    assert hits.documents == (_documents()[7],)


def test_it_is_not_written_and_says_how_to(files: Files) -> None:
    advice = rf"esens searches files of {files.engine} and does not write them.*--to my\.lance.*{files.engine}: "
    with pytest.raises(EngineError, match=advice):
        prepare_index(files.spec(), dimension=DIMENSION)
    assert files.names() == set()
    with pytest.raises(EngineError, match=advice):
        prepare_index(files.write(), dimension=DIMENSION)
    with pytest.raises(ArgumentError, match="unknown option 'speed'"):
        _opened(files.spec(speed="1"))


def test_who_made_the_vectors_may_be_written_beside_them(files: Files) -> None:
    spec = files.write()
    note = {"format": 1, "made_by": {"name": "minilm", "hash": "abc"}}
    (files.folder / "v.index.esens.json").write_text(json.dumps(note))
    assert _opened(spec).embedder_id == EmbedderId("minilm", "abc")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "cannot be read"),
        ('{"format": 1}', "remove it"),
        ('{"format": 9, "made_by": null}', "newer esens"),
    ],
)
def test_a_damaged_note_of_who_made_it(files: Files, text: str, problem: str) -> None:
    spec = files.write()
    (files.folder / "v.index.esens.json").write_text(text)
    with pytest.raises(EngineError, match=problem):
        _opened(spec)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"text": "a"}\n{"text": \n', r"d\.jsonl, line 2: is not JSON"),
        (b'{"text": "a"}\n\n[1]\n', r"d\.jsonl, line 3: is list; one JSON object a line"),
        (b'{"text": "a"}\n{"text": "\xff"}\n', r"d\.jsonl, line 2: is not JSON .*utf-8"),
        (b'{"text": "a"}\n{"text": 5}\n', r"d\.jsonl, line 2: has no text under 'text', but int"),
        (b'{"text": "\\ud800"}\n', r"d\.jsonl, line 1: text holds half a surrogate pair"),
        (b'{"id": 1, "text": "a"}\n\n{"id": "1"}\n', r"d\.jsonl, line 3: id '1' stands on line 1 already"),
        (
            b'{"esens_key": 1}\n{"text": ""}\n',
            r"line 2: needs the number of its vector under 'esens_key', got None",
        ),
        (b'{"esens_key": true}\n', r"line 1: needs the number of its vector under 'esens_key', got True"),
        (b'{"text": ""}\n{"esens_key": 1}\n', r"line 2: has a 'esens_key', but the first document has none"),
        (b'{"esens_key": 1, "id": 1}\n{"esens_key": 1}\n', r"id '1' stands on line 1"),
        (b'{"esens_key": 1, "id": 3}\n{"esens_key": 1}\n', r"two documents have the key 1"),
        (
            b'{"esens_key": 299}\n{"esens_key": 300}\n',
            r"1 of 2 documents have no vector among 300: the key 300 .*299",
        ),
        (b'{"text": "a"}\n{"text": "b"}\n', r"there are 300 vectors, but 2 documents.*key="),
        (b"\x1f\x8b not gzip", r"d\.jsonl is not a whole gzip file"),
        (gzip.compress(b'{"text": "a"}\n' * 300, mtime=0)[:-9], r"d\.jsonl is not a whole gzip file"),
    ],
)
def test_bad_documents_say_where(files: Files, content: bytes, problem: str) -> None:
    spec = files.write()
    files.documents.write_bytes(content)
    with pytest.raises(EngineError, match=problem):
        _opened(spec)


def test_an_id_that_is_named_must_be_there(files: Files) -> None:
    files.write()
    with pytest.raises(EngineError, match=r"line 1: needs an id under 'doc'; its fields are: id, text, title"):
        _opened(files.spec(id="doc"))


def test_files_that_are_missing_or_something_else(files: Files) -> None:
    spec = files.write()
    whole = files.vectors.read_bytes()
    for content in (b"", b"hello" * 100, whole[: len(whole) // 2], whole[:-4]):
        files.vectors.write_bytes(content)
        with pytest.raises(EngineError, match=rf"v\.index is no index of {files.engine}, or damaged"):
            _opened(spec)
    files.vectors.unlink()
    with pytest.raises(EngineError, match=r"v\.index cannot be read \(No such file"):
        _opened(spec)
    files.vectors.mkdir()
    with pytest.raises(EngineError, match="is a folder; name the file"):
        _opened(spec)
    files.documents.unlink()
    with pytest.raises(EngineError, match=r"documents file .*d\.jsonl cannot be read \(No such file"):
        _opened(spec)
    with pytest.raises(EngineError, match="names no file"):
        _opened(f"{files.engine}:")


def test_a_pickle_is_never_read(files: Files) -> None:
    files.write()
    (files.folder / "v.pkl").write_bytes(b"whatever")
    with pytest.raises(EngineError, match=r"v\.pkl is a pickle.*Export the documents.*JSONL"):
        _opened(f"{files.engine}:{files.vectors}?documents={files.folder / 'v.pkl'}")
    with pytest.raises(EngineError, match=r"only a pickle, .*v\.pkl.*Export the documents"):
        _opened(f"{files.engine}:{files.vectors}")


def test_a_file_that_changes_under_an_open_index(files: Files) -> None:
    index = _opened(files.write())
    os.truncate(files.documents, 100)
    with pytest.raises(EngineError, match="was cut while it was open"):
        index.nearest(VECTORS[200:201], 1)
    index.close()
    with pytest.raises(EngineError, match="cannot be read any more"):
        index.nearest(VECTORS[:1], 1)


def test_threads_may_search_together(files: Files) -> None:
    index = _opened(files.write())

    def search(i: int) -> bool:
        found = index.nearest(QUERIES, 5, where=parse_filter({"n": {"<": 10 + i % 7}}))
        return all(len(one.ids) == 5 for one in found) and len(index.nearest(QUERIES, 5)[0].ids) == 5

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(search, range(100)))


def test_vectors_that_are_not_there_do_not_crowd_out_others(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**ROWS[i], "number": i} for i in range(100, SIZE)]
    files.write(rows, np.concatenate([np.tile(QUERIES[:1], (100, 1)), VECTORS[100:]]))
    index: Any = _opened(files.spec(key="number"))
    ranked: list[int] = []
    rank = FileIndex._rank

    def watch(self: FileIndex, probe: Any, depths: Any, candidates: Any, **options: Any) -> Any:
        ranked.append(len(candidates))
        return rank(self, probe, depths, candidates, **options)

    monkeypatch.setattr(FileIndex, "_rank", watch)
    _same_as_oracle(index, MemoryIndex(_documents()[100:], VECTORS[100:]))
    assert max(ranked) < 200  # the library alone finds enough


def test_values_of_different_kinds_are_told_apart(files: Files) -> None:
    values: list[object] = [1, "1", True, 1.0, "True", None, [1, "a"], "[1, 'a']", 2]
    rows = [{"id": f"d{i}", "text": "", "v": value} for i, value in enumerate(values)]
    index = _opened(files.write(rows, VECTORS[: len(rows)]))
    oracle = MemoryIndex([Document.of(row, position=0) for row in rows], VECTORS[: len(rows)])
    for value in (1, "1", True, "True", "a", "[1, 'a']", {"<": 2}, {"!=": 1}):
        _same_as_oracle(index, oracle, v=value)


def test_it_is_shown_by_its_spec(files: Files) -> None:
    assert repr(_opened(files.write())).endswith(f"Index({files.spec()!r})")


class TestCheck:
    def test_files_of_others_are_read_and_their_hashes_recorded(self, files: Files) -> None:
        report = check_index(files.write())
        assert report.is_sound
        assert "the library keeps no checksums in them" in report.unchecked[0]
        assert not (files.folder / "v.index.esens.json").exists()
        report = check_index(files.spec(), record=True)
        assert (report.unchecked, report.checked[-1]) == ((), "both files by their hashes")
        assert open_index(files.spec()).nearest(VECTORS[:1], 1)[0].ids == ("d0",)

    @pytest.mark.parametrize("name", ["v.index", "d.jsonl"])
    def test_what_has_changed_since_is_an_error(self, files: Files, name: str) -> None:
        check_index(files.write(), record=True)
        content = bytearray((files.folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (files.folder / name).write_bytes(content)
        for call in (open_index, check_index):
            with pytest.raises(EngineError, match=f"{name} is not what it was when its hash was recorded"):
                call(files.spec())

    def test_who_made_the_vectors_is_not_forgotten(self, files: Files) -> None:
        files.write()
        note = {"format": 1, "made_by": {"name": "minilm", "hash": "h"}}
        (files.folder / "v.index.esens.json").write_text(json.dumps(note))
        assert check_index(files.spec(), record=True).embedder_id == EmbedderId("minilm", "h")
        assert open_index(files.spec()).embedder_id == EmbedderId("minilm", "h")

    def test_vectors_that_are_none_are_named(self, tmp_path: Path) -> None:
        vectors = VECTORS.copy()
        vectors[7, 3] = np.nan
        (problem,) = check_index(Files("faiss", tmp_path).write(vectors=vectors)).problems
        assert problem.documents == ("d7",)

    def test_damaged_files_in_general(self) -> None:
        for record in (damage.faiss(20, seed=1), damage.usearch(20, seed=2)):
            assert record.bad == 0, record.failures
