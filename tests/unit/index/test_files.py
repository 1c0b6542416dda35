"""What holds for an index of two files, whoever wrote the vectors."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esens import MemoryIndex
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError
from esens.index import open_writable, prepare_index
from esens.index.base import WritableIndex
from esens.index.files import index as pair
from esens.index.files import snapshot as state
from esens.index.filters import parse_filter
from esens.storage.lock import locked
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

    def fresh(self, count: int = 20) -> WritableIndex:
        index = prepare_index(self.spec(), dimension=DIMENSION)
        index.upsert(_documents(count), VECTORS[:count])
        return index

    def names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


@pytest.fixture(params=ENGINES)
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    return Files(request.param, tmp_path)


def _same_as_oracle(index: Any, oracle: MemoryIndex, k: int = 10, **where: Any) -> None:
    asked = parse_filter(where)
    for found, exact in zip(
        index.nearest(QUERIES, k, where=asked), oracle.nearest(QUERIES, k, where=asked), strict=True
    ):
        assert found.ids == exact.ids
        assert found.documents == exact.documents
        np.testing.assert_allclose(found.scores, exact.scores, atol=2e-6)


def test_files_that_are_there_are_searched(files: Files) -> None:
    index = open_writable(files.write())
    assert (len(index), index.dimension, index.embedder_id) == (SIZE, DIMENSION, None)
    oracle = MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle)
    _same_as_oracle(index, oracle, kind="a")
    _same_as_oracle(index, oracle, k=SIZE)
    np.testing.assert_array_equal(
        scan(index.vectors(["d7", "d3"]), unit_rows(QUERIES)),
        scan(oracle.vectors(["d7", "d3"]), unit_rows(QUERIES)),
    )
    assert files.names() == {"v.index", "d.jsonl"}


@pytest.mark.parametrize("where", [{}, {"kind": "a"}, {"n": {"<": 60}}], ids=str)
def test_more_than_a_sample_is_left_to_the_library(
    files: Files, monkeypatch: pytest.MonkeyPatch, where: dict[str, Any]
) -> None:
    monkeypatch.setattr(state, "SAMPLE", 50)
    monkeypatch.setattr(state, "_BLOCK", 32)
    index, oracle = open_writable(files.write()), MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle, **where)
    spans = index.score_ranges(QUERIES, where=parse_filter(where))
    for span, exact in zip(spans, oracle.score_ranges(QUERIES, where=parse_filter(where)), strict=True):
        assert span.is_exact == (files.engine == "faiss")
        assert span[1:3] == pytest.approx(exact[1:3], abs=1e-6)
        assert exact.low - 1e-6 <= span.low <= exact.low + (1e-6 if span.is_exact else 0.3)
    assert index.score_ranges(QUERIES, where=parse_filter(where)) == spans  # the sample is drawn once


def test_where_the_library_finds_too_few_all_are_compared(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "SAMPLE", 10)
    index: Any = open_writable(files.write())
    monkeypatch.setattr(index._state.vectors, "search_among", lambda *_: None)
    monkeypatch.setattr(index._state.vectors, "search", lambda vectors, k: [np.arange(4)] * len(vectors))
    oracle = MemoryIndex(_documents(), VECTORS)
    _same_as_oracle(index, oracle)
    _same_as_oracle(index, oracle, kind="a")


def test_other_names_of_fields(files: Files) -> None:
    rows = [{"doc": f"x{i}", "body": f"b{i}", "name": f"n{i}", "year": 1900 + i} for i in range(SIZE)]
    files.write(rows)
    index = open_writable(files.spec(id="doc", title="name"))
    expected = Document("x7", "b7", title="n7", metadata={"year": 1907})
    assert index.documents(["x7"]) == {"x7": expected}
    given = open_writable(files.spec(id="doc", text="name", title="body"))
    assert given.documents(["x7"]) == {"x7": Document("x7", "n7", title="b7", metadata={"year": 1907})}


def test_what_a_document_leaves_out(files: Files) -> None:
    rows = [{"text": "a", "metadata": {"m": 1}, "n": 2}, {"metadata": "a text"}, {"_id": 7, "title": None}]
    index = open_writable(files.write(rows, VECTORS[:3]))
    assert list(index.documents(["0", "1", "7"]).values()) == [
        Document("0", "a", metadata={"m": 1, "n": 2}),
        Document("1", "", metadata={"metadata": "a text"}),
        Document("7", ""),
    ]


def test_a_field_may_hold_the_keys(files: Files) -> None:
    keys = np.random.default_rng(3).permutation(5000)[:SIZE].astype(np.int64)
    rows = [{**row, "number": int(key)} for row, key in zip(ROWS, keys, strict=True)]
    files.write(rows[:200], VECTORS, keys)  # vectors that no document has are not there
    index = open_writable(files.spec(key="number"))
    assert len(index) == 200
    _same_as_oracle(index, MemoryIndex(_documents(200), VECTORS[:200]))
    _same_as_oracle(index, MemoryIndex(_documents(200), VECTORS[:200]), kind="b")


def test_vectors_of_others_stay_when_documents_change(files: Files) -> None:
    keys = np.arange(SIZE, dtype=np.int64) + 1000
    rows = [{**row, "number": int(key)} for row, key in zip(ROWS, keys, strict=True)]
    files.write(rows[:200], VECTORS, keys)
    index: Any = prepare_index(files.spec(key="number"), dimension=DIMENSION)
    assert index.delete(["d0", "d5"]) == 2
    assert len(index._state.vectors.keys) == SIZE - 2
    again = open_writable(files.spec(key="number"))
    kept = [i for i in range(200) if i not in (0, 5)]
    _same_as_oracle(again, MemoryIndex([_documents()[i] for i in kept], VECTORS[kept]))


@pytest.mark.parametrize("is_packed", [False, True])
def test_files_that_are_there_can_be_changed(files: Files, is_packed: bool) -> None:
    files.write(ROWS[:20], VECTORS[:20])
    if is_packed:
        files.documents.write_bytes(gzip.compress(files.documents.read_bytes()))
    before = open_writable(files.spec())
    index = prepare_index(files.spec(), dimension=DIMENSION)
    index.upsert(_documents(25)[15:], VECTORS[100:110])
    assert index.delete(["d0", "d24", "nobody"]) == 2
    vectors = np.concatenate([VECTORS[1:15], VECTORS[100:109]])
    oracle = MemoryIndex(_documents(24)[1:], vectors)
    for one in (index, open_writable(files.spec())):
        assert len(one) == 23
        _same_as_oracle(one, oracle, k=23)
        _same_as_oracle(one, oracle, kind="a")
    _same_as_oracle(before, MemoryIndex(_documents(20), VECTORS[:20]))  # who opened it before goes on
    assert files.documents.read_bytes().startswith(b"\x1f\x8b") == is_packed
    assert files.names() == {"v.index", "d.jsonl", "v.index.lock"}


def test_lines_that_do_not_change_are_kept_as_they_are(files: Files) -> None:
    files.write([{"esens_key": i, **row} for i, row in enumerate(ROWS[:5])], VECTORS[:5])
    text = files.documents.read_text().replace('": ', '":   ').replace("\n", "\r\n\r\n").rstrip()
    files.documents.write_bytes(b"\xef\xbb\xbf" + text.encode())
    prepare_index(files.spec(), dimension=DIMENSION).delete(["d2"])
    lines = text.split("\r\n\r\n")
    assert (
        files.documents.read_bytes() == b"\xef\xbb\xbf" + "".join(f"{lines[i]}\n" for i in (0, 1, 3, 4)).encode()
    )
    assert len(open_writable(files.spec())) == 4


def test_what_was_written_is_there_after_opening(files: Files) -> None:
    odd = Document(
        "a/茶 \u2028", "t\u2028\n", title="ü", metadata={"deep": {"er": [1, None, "é"]}, "metadata": {}}
    )
    with files.fresh() as index:  # type: ignore[attr-defined]
        index.upsert([odd], VECTORS[50:51])
    again = open_writable(files.spec())
    assert again.documents([odd.id]) == {odd.id: odd}
    np.testing.assert_allclose(again.vectors([odd.id]), VECTORS[50:51], atol=1e-6)
    assert files.names() == {"v.index", "d.jsonl", "v.index.esens.json", "v.index.lock"}


def test_documents_are_beside_the_vectors_unless_named(files: Files) -> None:
    index = prepare_index(f"{files.engine}:{files.vectors}", dimension=DIMENSION)
    index.upsert(_documents(2), VECTORS[:2])
    assert "v.index.jsonl" in files.names()


def test_who_made_the_vectors_is_remembered_and_checked(files: Files) -> None:
    mine, other = EmbedderId("minilm", "abc"), EmbedderId("mpnet", "def")
    assert prepare_index(files.spec(), dimension=DIMENSION).embedder_id is None
    index = prepare_index(files.spec(), dimension=DIMENSION, embedder_id=mine)
    index.upsert(_documents(3), VECTORS[:3])
    assert open_writable(files.spec()).embedder_id == mine
    assert prepare_index(files.spec(), dimension=DIMENSION).embedder_id == mine
    with pytest.raises(EngineError, match=r"made by minilm \(hash abc\), not by mpnet \(hash def\).*another"):
        prepare_index(files.spec(), dimension=DIMENSION, embedder_id=other)
    with pytest.raises(EngineError, match="dimension 16, not 17"):
        prepare_index(files.spec(), dimension=17, embedder_id=mine)


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
        open_writable(spec)


def test_read_only_is_not_written_to(files: Files) -> None:
    files.write()
    index: Any = open_writable(files.spec(readonly="true"))
    _same_as_oracle(index, MemoryIndex(_documents(), VECTORS))
    with pytest.raises(EngineError, match="readonly=true"):
        index.upsert(_documents(1), VECTORS[:1])
    with pytest.raises(EngineError, match="readonly=true"):
        index.delete(["d0"])
    with pytest.raises(EngineError, match="readonly=true"):
        prepare_index(files.spec(readonly="true"), dimension=DIMENSION)
    with pytest.raises(ArgumentError, match="readonly is true or false, got 'yes'"):
        open_writable(files.spec(readonly="yes"))
    with pytest.raises(ArgumentError, match="unknown option 'speed'"):
        open_writable(files.spec(speed="1"))


def test_two_who_write_notice_each_other(files: Files) -> None:
    mine = files.fresh()
    other = prepare_index(files.spec(), dimension=DIMENSION)
    mine.delete(["d0"])
    with pytest.raises(EngineError, match=r"somebody else has changed .*d.jsonl; open"):
        other.delete(["d1"])
    assert len(open_writable(files.spec())) == 19


SLOW_WRITER = """
import sys
import numpy as np
from esens.index import prepare_index
from esens.types import Document

index = prepare_index(sys.argv[1], dimension=16)
read = type(index)._read

def slowly(*given, **options):
    print("writing", flush=True)
    sys.stdin.readline()
    return read(*given, **options)

type(index)._read = staticmethod(slowly)
index.upsert([Document("theirs", "")], np.eye(1, 16))
"""


def test_two_processes_that_write_in_the_same_moment_lose_nothing(files: Files) -> None:
    mine = files.fresh()
    with (
        subprocess.Popen(
            [sys.executable, "-c", SLOW_WRITER, files.spec()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        ) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        assert other.stdout
        assert other.stdout.readline() == "writing\n"
        writing = pool.submit(mine.upsert, [Document("mine", "")], VECTORS[50:51])
        assert not wait([writing], timeout=0.5).done
        assert len(open_writable(files.spec())) == 20  # who reads does not wait
        other.communicate("\n")
        with pytest.raises(EngineError, match="somebody else has changed"):
            writing.result()
    again = prepare_index(files.spec(), dimension=DIMENSION)
    again.upsert([Document("mine", "")], VECTORS[50:51])
    assert open_writable(files.spec()).documents(["mine", "theirs"]).keys() == {"mine", "theirs"}


def test_two_that_make_an_index_in_the_same_moment_make_one(files: Files) -> None:
    with ThreadPoolExecutor(1) as pool:
        with locked(files.folder / "v.index.lock", wait_seconds=0):
            other = pool.submit(prepare_index, files.spec(), dimension=DIMENSION)
            assert not wait([other], timeout=0.2).done
            files.write(ROWS[:20], VECTORS[:20])
        assert len(other.result()) == 20


def test_a_writer_that_does_not_end_is_an_error(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    index = files.fresh()
    monkeypatch.setattr(pair, "_WAIT_SECONDS", 0.05)
    with (
        locked(files.folder / "v.index.lock", wait_seconds=0),
        pytest.raises(EngineError, match=r"another process has been writing to it for 0\.05 seconds; try again"),
    ):
        index.delete(["d0"])
    assert index.delete(["d0"]) == 1


def test_reading_leaves_no_lock(files: Files) -> None:
    files.write()
    with open_writable(files.spec()) as index:  # type: ignore[attr-defined]
        index.nearest(QUERIES, 3)
    assert files.names() == {"v.index", "d.jsonl"}


@pytest.mark.parametrize("broken", ["vectors", "documents", "last vectors"])
@pytest.mark.parametrize("has_keys", [True, False])
def test_what_is_cut_short_leaves_an_index_that_is_whole(
    files: Files, monkeypatch: pytest.MonkeyPatch, broken: str, has_keys: bool
) -> None:
    if has_keys:
        files.fresh()
    else:
        files.write(ROWS[:20], VECTORS[:20])
    index = prepare_index(files.spec(), dimension=DIMENSION)
    writes: list[str] = []
    whole = Path.replace

    def cut(self: Path, target: Path) -> Path:
        writes.append("vectors" if target == files.vectors else "documents")
        is_last = writes.count("vectors") == 2
        if (writes[-1] == broken and "vectors" in writes) or (is_last and broken == "last vectors"):
            raise OSError(28, "No space left on device")
        return whole(self, target)

    changed, added = Document("d3", "changed"), Document("new", "new")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", cut)
        if broken == "last vectors":
            index.upsert([changed, added], VECTORS[100:102])
        else:
            with pytest.raises(EngineError, match=r"No space left on device.*nothing was changed.*has room"):
                index.upsert([changed, added], VECTORS[100:102])
    documents, vectors = _documents(20), VECTORS[:20].copy()
    if broken == "last vectors":
        documents[3], vectors[3] = changed, VECTORS[100]
        documents, vectors = [*documents, added], np.concatenate([vectors, VECTORS[101:102]])
    for one in (index, open_writable(files.spec())):
        assert len(one) == len(documents)
        _same_as_oracle(one, MemoryIndex(documents, vectors))
        _same_as_oracle(one, MemoryIndex(documents, vectors), k=len(documents))
    index.upsert([Document("d5", "later")], VECTORS[110:111])  # and it can be written to again
    documents[5], vectors[5] = Document("d5", "later"), VECTORS[110]
    for one in (index, open_writable(files.spec())):
        _same_as_oracle(one, MemoryIndex(documents, vectors))
    assert not [name for name in files.names() if name.endswith(".part")]


FULL_DISK = """
import resource, signal, sys
import numpy as np
from esens.errors import EngineError
from esens.index import prepare_index
from esens.types import Document

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
index = prepare_index(sys.argv[1], dimension=16)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    if sys.argv[3] == "make":
        prepare_index(sys.argv[1].replace("v.index", "w.index").replace("d.jsonl", "e.jsonl"), dimension=16)
    else:
        index.upsert([Document(f"new{i}", "text") for i in range(400)], np.random.rand(400, 16))
except EngineError as error:
    print(error)
    print(len(index))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such limits")
@pytest.mark.parametrize(("limit", "act"), [(3000, "add"), (30, "add"), (28000, "add"), (10, "make")])
def test_a_full_disk_changes_nothing(files: Files, limit: int, act: str) -> None:
    files.fresh()
    before = {path.name: path.read_bytes() for path in files.folder.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, files.spec(), str(limit), act],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    problem, count = done.stdout.splitlines()
    assert files.spec().replace("v.index", "w.index" if act == "make" else "v.index").split("?")[0] in problem
    assert "cannot be written" in problem
    assert count == "20"
    after = {path.name: path.read_bytes() for path in files.folder.iterdir()}
    assert after.keys() == before.keys()
    assert after["d.jsonl"] == before["d.jsonl"]
    _same_as_oracle(open_writable(files.spec()), MemoryIndex(_documents(20), VECTORS[:20]))


def test_a_place_that_cannot_be_written(files: Files) -> None:
    (files.folder / "file").write_text("no folder")
    spec = f"{files.engine}:{files.folder / 'file' / 'v.index'}"
    with pytest.raises(EngineError, match=r"cannot be written.*Not a directory.*See that the folder"):
        prepare_index(spec, dimension=DIMENSION)
    with pytest.raises(EngineError, match=r"cannot be written.*No such file.*See that the folder"):
        prepare_index(f"{files.engine}:{files.folder / 'none' / 'v.index'}", dimension=DIMENSION)
    assert files.names() == {"file"}


def test_making_an_index_that_fails_leaves_nothing(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Path.replace

    def cut(self: Path, target: Path) -> Path:
        if target == files.vectors:
            raise OSError(28, "No space left on device")
        return whole(self, target)

    monkeypatch.setattr(Path, "replace", cut)
    with pytest.raises(EngineError, match="No space left"):
        prepare_index(files.spec(), dimension=DIMENSION)
    assert files.names() == set()


def test_documents_without_vectors_are_no_index_yet(files: Files) -> None:
    files.documents.write_text('{"text": "a"}\n')
    with pytest.raises(EngineError, match=r"there is no .*v\.index, but .*d\.jsonl is there; name new files"):
        prepare_index(files.spec(), dimension=DIMENSION)
    assert files.names() == {"d.jsonl"}


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
        (gzip.compress(b'{"text": "a"}\n' * 300)[:-9], r"d\.jsonl is not a whole gzip file"),
    ],
)
def test_bad_documents_say_where(files: Files, content: bytes, problem: str) -> None:
    spec = files.write()
    files.documents.write_bytes(content)
    with pytest.raises(EngineError, match=problem):
        open_writable(spec)


def test_an_id_that_is_named_must_be_there(files: Files) -> None:
    files.write()
    with pytest.raises(EngineError, match=r"line 1: needs an id under 'doc'; its fields are: id, text, title"):
        open_writable(files.spec(id="doc"))


def test_files_that_are_missing_or_something_else(files: Files) -> None:
    spec = files.write()
    whole = files.vectors.read_bytes()
    for content in (b"", b"hello" * 100, whole[: len(whole) // 2], whole[:-4]):
        files.vectors.write_bytes(content)
        with pytest.raises(EngineError, match=rf"v\.index is no index of {files.engine}, or damaged"):
            open_writable(spec)
    files.vectors.unlink()
    with pytest.raises(EngineError, match=r"v\.index cannot be read \(No such file"):
        open_writable(spec)
    files.vectors.mkdir()
    with pytest.raises(EngineError, match="is a folder; name the file"):
        open_writable(spec)
    files.documents.unlink()
    with pytest.raises(EngineError, match=r"documents file .*d\.jsonl cannot be read \(No such file"):
        open_writable(spec)
    with pytest.raises(EngineError, match="names no file"):
        open_writable(f"{files.engine}:")


def test_a_pickle_is_never_read(files: Files) -> None:
    files.write()
    (files.folder / "v.pkl").write_bytes(b"whatever")
    with pytest.raises(EngineError, match=r"v\.pkl is a pickle.*Export the documents.*JSONL"):
        open_writable(f"{files.engine}:{files.vectors}?documents={files.folder / 'v.pkl'}")
    with pytest.raises(EngineError, match=r"only a pickle, .*v\.pkl.*Export the documents"):
        open_writable(f"{files.engine}:{files.vectors}")


def test_metadata_that_json_cannot_hold_is_an_error(files: Files) -> None:
    index = files.fresh()
    with pytest.raises(ArgumentError, match="the metadata of 'x' cannot be written as JSON"):
        index.upsert([Document("x", "", metadata={"a": {1, 2}})], VECTORS[:1])
    assert len(index) == 20


def test_a_file_that_changes_under_an_open_index(files: Files) -> None:
    index: Any = open_writable(files.write())
    os.truncate(files.documents, 100)
    with pytest.raises(EngineError, match="was cut while it was open"):
        index.documents(["d200"])
    index.close()
    with pytest.raises(EngineError, match="cannot be read any more"):
        index.documents(["d0"])


def test_many_may_search_while_one_writes(files: Files) -> None:
    index = files.fresh()

    def search(i: int) -> bool:
        found = index.nearest(QUERIES, 5, where=parse_filter({"n": {"<": 10 + i % 7}}))
        return all(len(one.ids) == 5 for one in found) and len(index.nearest(QUERIES, 5)[0].ids) == 5

    with ThreadPoolExecutor(4) as pool:
        searches = pool.map(search, range(100))
        for i in range(20, 30):
            index.upsert(_documents(SIZE)[i : i + 1], VECTORS[i : i + 1])
        assert all(searches)
    assert len(index) == 30


def test_vectors_that_are_not_there_do_not_crowd_out_others(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**ROWS[i], "number": i} for i in range(100, SIZE)]
    files.write(rows, np.concatenate([np.tile(QUERIES[:1], (100, 1)), VECTORS[100:]]))
    index: Any = open_writable(files.spec(key="number"))
    monkeypatch.setattr(type(index._state), "_compared", None)  # the library alone finds enough
    _same_as_oracle(index, MemoryIndex(_documents()[100:], VECTORS[100:]))


def test_values_of_different_kinds_are_told_apart(files: Files) -> None:
    values: list[object] = [1, "1", True, 1.0, "True", None, [1, "a"], "[1, 'a']", 2]
    rows = [{"id": f"d{i}", "text": "", "v": value} for i, value in enumerate(values)]
    index = open_writable(files.write(rows, VECTORS[: len(rows)]))
    oracle = MemoryIndex([Document.of(row, position=0) for row in rows], VECTORS[: len(rows)])
    for value in (1, "1", True, "True", "a", "[1, 'a']", {"<": 2}, {"!=": 1}):
        _same_as_oracle(index, oracle, v=value)


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such permissions")
def test_files_keep_their_permissions(files: Files) -> None:
    index = files.fresh()
    assert files.vectors.stat().st_mode == files.documents.stat().st_mode
    for path in (files.vectors, files.documents):
        path.chmod(0o640)
    index.delete(["d0"])
    assert {path.stat().st_mode & 0o777 for path in (files.vectors, files.documents)} == {0o640}


def test_a_file_is_on_disk_before_it_takes_its_place(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    index, steps = files.fresh(), []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: steps.append("sync") or sync(handle))  # type: ignore[func-returns-value]
    monkeypatch.setattr(
        Path,
        "replace",
        lambda self, target: steps.append(target.name) or replace(self, target),  # type: ignore[func-returns-value]
    )
    index.upsert(_documents(1), VECTORS[50:51])
    assert [steps[i - 1] for i, step in enumerate(steps) if step != "sync"] == ["sync"] * 3
    assert [step for step in steps if step != "sync"] == ["v.index", "d.jsonl", "v.index"]


def test_who_opens_while_another_writes_sees_both_files_of_one_time(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer: Any = files.fresh()
    kind, pending = type(writer), ["d3"]
    read = kind._read

    def in_between(*given: Any, **options: Any) -> Any:
        if pending:
            writer.delete([pending.pop()])
        return read(*given, **options)

    monkeypatch.setattr(kind, "_read", staticmethod(in_between))
    reader = open_writable(files.spec())
    assert len(reader) == 19
    assert reader.documents(["d3"]) == {}


def test_it_is_shown_by_its_spec(files: Files) -> None:
    assert repr(open_writable(files.write())).endswith(f"Index({files.spec()!r})")
