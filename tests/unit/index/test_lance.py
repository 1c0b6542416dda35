"""An index in a folder: what the contract of all indexes does not say."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lance", reason="the index on disk needs the extra lance")

import lance as pylance
import pyarrow as pa
from filelock import FileLock
from tests.killing import child, kill_again_and_again
from tests.lance_child import DIMENSION, SIZE, batch_of

from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import MemoryIndex, check_index, open_index, open_writable, prepare_index
from esens.index.base import scannable
from esens.index.filters import parse_filter
from esens.index.lance import index as lance
from esens.index.lance import snapshot as lance_snapshot
from esens.index.lance import table as lance_table
from esens.index.lance.index import LanceIndex
from esens.index.lance.schema import new_schema
from esens.index.lance.snapshot import LanceSnapshot
from esens.types import Document, EmbedderId, Passage

QUERIES = np.random.default_rng(1).standard_normal((3, DIMENSION)).astype(np.float32)


def _index(folder: Path, **options: Any) -> LanceIndex:
    index = prepare_index(str(folder), dimension=DIMENSION, **options)
    assert isinstance(index, LanceIndex)
    return index


def _documents(*numbers: int) -> list[Document]:
    return [
        Document(f"d{n}", f"text {n}", title=f"Title {n}", metadata={"n": n, "even": n % 2 == 0}) for n in numbers
    ]


def _vectors(*numbers: int) -> np.ndarray:
    return np.array([np.random.default_rng(n).standard_normal(DIMENSION) for n in numbers], np.float32)


def _filled(folder: Path, count: int = 20, **options: Any) -> LanceIndex:
    index = _index(folder, **options)
    index.upsert(_documents(*range(count)), _vectors(*range(count)))
    return index


def _order(index: LanceIndex) -> list[str]:
    scanned = index.scan(QUERIES[:1])
    return [document.id for document in scanned.lookup(range(scanned.raw.shape[1]))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "docs.lance"


class TestOpening:
    def test_what_was_written_is_there_after_reopening(self, folder: Path) -> None:
        _filled(folder, embedder_id=EmbedderId("minilm", "abc"))
        index = open_writable(f"lance:{folder}")
        assert scannable(index) is not None
        assert (len(index), index.dimension, index.embedder_id) == (20, DIMENSION, EmbedderId("minilm", "abc"))
        assert index.documents(["d7"]) == {"d7": _documents(7)[0]}
        assert index.nearest(_vectors(7), 1)[0].ids == ("d7",)
        assert repr(index) == f"LanceIndex('lance:{folder}')"

    def test_an_index_without_a_known_embedder_may_be_used_by_any(self, folder: Path) -> None:
        assert _filled(folder).embedder_id is None
        assert _index(folder, embedder_id=EmbedderId("minilm", "abc")).embedder_id is None

    def test_opening_writes_nothing(self, folder: Path) -> None:
        _filled(folder)
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        index = open_writable(str(folder))
        index.nearest(QUERIES, 3, where=parse_filter({"n": 3}))
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before

    def test_another_embedder_or_dimension_is_an_error(self, folder: Path) -> None:
        _index(folder, embedder_id=EmbedderId("minilm", "abc"))
        assert len(_index(folder, embedder_id=EmbedderId("another name", "abc"))) == 0
        with pytest.raises(
            EngineError, match=r"made by minilm \(hash abc\), not by mpnet \(hash def\); use the same"
        ):
            _index(folder, embedder_id=EmbedderId("mpnet", "def"))
        with pytest.raises(EngineError, match="have dimension 8, not 9"):
            prepare_index(str(folder), dimension=9)

    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("absent.lance", "there is no such folder; make the index first"),
            ("file.lance", "there is no such folder"),
            ("other.lance", "holds no table 'documents'"),
        ],
    )
    def test_what_is_no_index_cannot_be_opened(self, tmp_path: Path, name: str, problem: str) -> None:
        (tmp_path / "file.lance").write_text("text")
        (tmp_path / "other.lance").mkdir()
        with pytest.raises(EngineError, match=problem):
            open_writable(str(tmp_path / name))

    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("file.lance", "is a file; name a folder"),
            ("other.lance", "holds something else"),
            ("absent/new.lance", "the folder above it is not there"),
            ("file.lance/new.lance", "the folder above it is not there"),
        ],
    )
    def test_where_no_index_can_be_made_nothing_is_left(self, tmp_path: Path, name: str, problem: str) -> None:
        (tmp_path / "file.lance").write_text("text")
        (tmp_path / "other.lance").mkdir()
        (tmp_path / "other.lance" / "letter.txt").write_text("text")
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(EngineError, match=problem):
            prepare_index(str(tmp_path / name), dimension=DIMENSION)
        assert sorted(tmp_path.rglob("*")) == before

    def test_what_fails_midway_leaves_nothing(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> None:
            raise OSError("No space left on device (os error 28), /root/lance/src/io.rs:12:3")

        monkeypatch.setattr(pylance, "write_dataset", fail)
        with pytest.raises(EngineError, match="cannot be made; the disk is full: make room") as caught:
            _index(folder)
        assert ".rs" not in str(caught.value)
        assert not folder.exists()

    def test_an_empty_folder_may_be_used_and_one_whose_making_was_cut_short(self, folder: Path) -> None:
        (folder / "documents.lance" / "data").mkdir(parents=True)
        (folder / "documents.lance" / "data" / "half.lance").write_bytes(b"half")
        assert len(_filled(folder)) == 20

    def test_options_and_servers_are_errors(self, folder: Path) -> None:
        with pytest.raises(ArgumentError, match="unknown option 'table'"):
            open_writable(f"{folder}?table=docs")
        with pytest.raises(ArgumentError, match="name a folder of this machine"):
            open_writable("lance://server/docs.lance")

    @pytest.mark.parametrize("part", ["data", "_versions"])
    def test_damage_is_an_error(self, folder: Path, part: str) -> None:
        _filled(folder)
        for path in (folder / "documents.lance" / part).iterdir():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
        with pytest.raises(EngineError, match="may be damaged: make it anew, or take it from a backup"):
            open_writable(str(folder)).nearest(QUERIES, 3)

    def test_damage_that_lance_does_not_expect_is_an_error_too(self, folder: Path) -> None:
        _filled(folder)
        for path in (folder / "documents.lance" / "_versions").iterdir():
            path.write_bytes(path.read_bytes().replace(b"int64", b"int6V"))
        with pytest.raises(EngineError, match=r"cannot be opened; it may be damaged.*panicked"):
            open_writable(str(folder))

    def test_metadata_that_is_no_json_is_damage(self, folder: Path) -> None:
        index = _filled(folder)
        pylance.dataset(folder / "documents.lance").update(
            {"metadata": "'{'", "checksum": "NULL"}, where="id = 'd3'"
        )
        for read in (
            lambda: index.documents(["d3"]),
            lambda: index.nearest(_vectors(3), 1),
        ):
            with pytest.raises(EngineError, match="cannot be read; it may be damaged"):
                read()

    def test_the_package_may_be_absent(self) -> None:
        code = "import sys; sys.modules['lance'] = None; import esens.index.lance.index"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"{MissingExtraError.__name__}: pylance is not installed" in run.stderr


class TestLanceDB:
    @pytest.mark.parametrize("dimension", [DIMENSION, 128])
    def test_it_opens_the_folder_and_what_it_writes_is_seen(self, folder: Path, dimension: int) -> None:
        lancedb = pytest.importorskip("lancedb", reason="the extra engines-test brings it")
        index = prepare_index(f"{folder}?search=approximate", dimension=dimension)
        assert isinstance(index, LanceIndex)
        vectors = np.random.default_rng(0).standard_normal((600, dimension)).astype(np.float32)
        index.upsert(_documents(*range(600)), vectors)
        index.optimise()
        index.upsert(_documents(600, 7), vectors[:2])
        table = lancedb.connect(folder).open_table("documents")
        assert table.count_rows() == 601
        indexed = {column.strip("`") for entry in table.list_indices() for column in entry.columns}
        assert indexed == {"id", "title", "text", "vector", "n:int", "even:truth"}
        assert table.count_rows("`n:int` >= 500 AND `even:truth`") == 51
        asked = table.search(vectors[9]).distance_type("dot").limit(1)
        assert asked.to_list()[0]["id"] == index.nearest(vectors[9:10], 1)[0].ids[0] == "d9"
        table.delete("id = 'd9'")
        table.optimize()
        assert len(index) == 600
        assert "d9" not in index.nearest(vectors[9:10], 3)[0].ids


class TestForeignTables:
    def _made(self, folder: Path, metadata: dict[str, str], **columns: pa.DataType) -> None:
        schema = new_schema(DIMENSION, None)
        for name, kind in columns.items():
            at = schema.get_field_index(name)
            schema = schema.set(at, pa.field(name, kind)) if at >= 0 else schema.append(pa.field(name, kind))
        pylance.write_dataset(schema.with_metadata(metadata).empty_table(), folder / "documents.lance")

    @pytest.mark.parametrize(
        ("metadata", "problem"),
        [
            ({}, "was not made by esens"),
            (
                {"esens": '{"format": 4, "made_by": null}'},
                "its format is 4, and this esens reads 1 to 3; upgrade esens",
            ),
            ({"esens": "{"}, "its description is damaged"),
            ({"esens": "[]"}, "its description is damaged"),
            ({"esens": '{"format": 1, "made_by": {"name": "x"}}'}, "its description is damaged"),
            ({"esens": '{"format": 1, "made_by": {"name": "x", "hash": 1}}'}, "its description is damaged"),
            ({"esens": '{"format": 1, "made_by": "x"}'}, "its description is damaged"),
            # LanceDB would make whatever object this names.
            (
                {"esens": '{"format": 1, "made_by": null}', "embedding_functions": "[]"},
                "was not made by esens",
            ),
        ],
    )
    def test_their_description_is_read_with_care(
        self, folder: Path, metadata: dict[str, str], problem: str
    ) -> None:
        self._made(folder, metadata)
        with pytest.raises(EngineError, match=problem):
            open_writable(str(folder))

    @pytest.mark.parametrize(
        "columns", [{"vector": pa.list_(pa.float32())}, {"place": pa.int32()}, {"more": pa.string()}], ids=str
    )
    def test_their_columns_must_be_ours(self, folder: Path, columns: dict[str, pa.DataType]) -> None:
        self._made(folder, {"esens": json.dumps({"format": 1, "made_by": None})}, **columns)
        with pytest.raises(EngineError, match="other columns"):
            open_writable(str(folder))


class TestWriting:
    def test_a_document_keeps_its_place_in_the_corpus(self, folder: Path) -> None:
        index = _filled(folder, 5)
        index.upsert(_documents(9, 2, 7), _vectors(9, 2, 7))
        assert _order(index) == ["d0", "d1", "d2", "d3", "d4", "d9", "d7"]
        index.delete(["d1"])
        _index(folder).upsert(_documents(1), _vectors(1))  # another writer, which knows nothing of the first
        assert _order(index) == ["d0", "d2", "d3", "d4", "d9", "d7", "d1"]
        index.upsert(_documents(1, 0), _vectors(1, 0))
        index.optimise()
        assert _order(index) == _order(_index(folder)) == ["d0", "d2", "d3", "d4", "d9", "d7", "d1"]

    def test_it_stays_what_the_oracle_is_through_many_changes(self, folder: Path) -> None:
        chance = np.random.default_rng(3)
        index = _filled(folder, 40)
        oracle = MemoryIndex(_documents(*range(40)), _vectors(*range(40)))
        for step in range(25):
            numbers = chance.choice(60, 7, replace=False).tolist()
            if step % 4 == 3:
                ids = [f"d{n}" for n in numbers]
                assert index.delete(ids) == oracle.delete(ids)
            else:
                for changed in (index, oracle):
                    changed.upsert(_documents(*numbers), _vectors(*[n + step for n in numbers]))
            if step % 10 == 9:
                index.optimise()
            for where in (parse_filter({}), parse_filter({"n": {"<": 30}})):
                scanned, exact = index.scan(QUERIES, where=where), oracle.scan(QUERIES, where=where)
                np.testing.assert_array_equal(scanned.raw, exact.raw)
                every = range(exact.raw.shape[1])
                assert scanned.lookup(every) == exact.lookup(every)
            some = [document.id for document in scanned.lookup([5, 3])]
            np.testing.assert_array_equal(index.vectors(some), oracle.vectors(some))

    def test_what_somebody_scanned_can_still_be_looked_up(self, folder: Path) -> None:
        index = _filled(folder)
        lookup = index.scan(QUERIES).lookup
        index.delete(["d3"])
        index.upsert([Document("d4", "another text")], _vectors(4))
        index.optimise()
        assert lookup([3, 4]) == _documents(3, 4)

    def test_only_what_is_new_is_read(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        index = _filled(folder)
        before = index._latest()
        before.matrix[:] = 0.5  # so that one sees which rows are read again
        index.upsert(_documents(20, 3), _vectors(20, 3))
        read: list[object] = []
        rows = LanceSnapshot._read

        def watched(self: LanceSnapshot, row_ids: Any, columns: Sequence[str]) -> Any:
            read.append(row_ids)
            return rows(self, row_ids, columns)

        monkeypatch.setattr(LanceSnapshot, "_read", watched)
        halves = (index._latest().matrix == 0.5).all(axis=1)
        assert halves.tolist() == [n not in (3, 20) for n in range(21)]
        assert [len(ids) for ids in read if isinstance(ids, np.ndarray)] == [2]

    def test_nothing_written_is_no_version(self, folder: Path) -> None:
        index = _filled(folder)
        before = index._table.version()
        index.upsert([], np.empty((0, DIMENSION)))
        assert index.delete(["nobody"]) == 0
        assert index._table.version() == before

    @pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()], ids=["nan", "set", "object"])
    def test_metadata_that_is_no_json_is_an_error(self, folder: Path, value: object) -> None:
        index = _filled(folder)
        with pytest.raises(ArgumentError, match="document 'bad': its metadata cannot be kept as JSON"):
            index.upsert([*_documents(30), Document("bad", "text", metadata={"x": value})], _vectors(30, 31))
        assert len(index) == 20

    def test_large_numbers_and_odd_texts_come_back(self, folder: Path) -> None:
        odd = {"n": 2**70, "half": "\ud800", "nul": "a\0b", "deep": [{"x": [None, 1.5]}], "née": "茶"}
        index = _filled(folder)
        index.upsert([Document("odd", "a\0b", title="\u2028", metadata=odd)], _vectors(1))
        assert index.documents(["odd"])["odd"].metadata == odd
        assert index.nearest(QUERIES[:1], 1, where=parse_filter({"n": 2**70}))[0].ids == ("odd",)

    def test_one_that_was_made_anew_is_not_taken_for_the_old_one(self, folder: Path) -> None:
        index = _filled(folder)
        index.nearest(QUERIES, 1)
        shutil.rmtree(folder)
        with pytest.raises(EngineError, match="was it moved or removed"):
            index.nearest(QUERIES, 1)
        with pytest.raises(EngineError, match="this was not written, and what was written before stays"):
            index.delete(["d1"])
        _filled(folder)
        for use in (lambda: index.nearest(QUERIES, 1), lambda: index.upsert(_documents(50), _vectors(50))):
            with pytest.raises(EngineError, match="made anew since it was opened; open it again"):
                use()

    def test_who_writes_in_turn_knows_of_each_other(self, folder: Path) -> None:
        index, other = _filled(folder), _index(folder)
        for n in range(4):
            index.upsert(_documents(50 + n), _vectors(50 + n))
            other.upsert(_documents(50 + n, 60 + n), _vectors(50 + n, 60 + n))
            assert index.delete([f"d{60 + n}"]) == 1
        assert len(index) == len(set(_order(index))) == 24

    def test_who_waits_too_long_for_another_writer_is_told(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index = _filled(folder)
        monkeypatch.setattr("esens.index.lance.folder.WAIT_SECONDS", 0.05)
        with (
            FileLock(folder / "writer.lock"),
            pytest.raises(EngineError, match="another process has been writing"),
        ):
            index.delete(["d1"])
        assert index.delete(["d1"]) == 1

    def test_threads_may_read_and_write_together(self, folder: Path) -> None:
        index = _filled(folder)

        def work(n: int) -> int:
            index.upsert(_documents(100 + n), _vectors(100 + n))
            return len(index.nearest(QUERIES, 1000, where=parse_filter({"n": {">=": 0}}))[0].ids)

        with ThreadPoolExecutor(4) as pool:
            seen = list(pool.map(work, range(20)))
        assert all(21 <= count <= 40 for count in seen)
        assert len(index) == len(set(_order(index))) == 40


class TestKeptDocuments:
    """Documents that were read are kept; nobody may notice, except by the clock."""

    @pytest.fixture
    def reads(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """How many rows of documents were read from disk, read by read."""
        reads: list[int] = []
        read = LanceSnapshot._read_rows

        def noted(snapshot: LanceSnapshot, row_ids: np.ndarray) -> Any:
            reads.append(len(row_ids))
            return read(snapshot, row_ids)

        monkeypatch.setattr(LanceSnapshot, "_read_rows", noted)
        return reads

    def test_a_document_is_read_from_disk_once(self, folder: Path, reads: list[int]) -> None:
        index = _filled(folder)
        assert index.documents(["d1", "d2"]) == index.documents(["d1", "d2"])
        assert index.documents(["d2", "d3"])["d3"] == _documents(3)[0]
        assert reads == [2, 1]

    def test_what_another_writes_is_seen_at_once(self, folder: Path, reads: list[int]) -> None:
        index, other = _filled(folder), _index(folder)
        assert index.documents(["d1", "d2"]).keys() == {"d1", "d2"}
        other.upsert([Document("d1", "another text")], _vectors(1))
        other.delete(["d2"])
        assert index.documents(["d1", "d2"]) == {"d1": Document("d1", "another text")}
        assert index.documents(["d3"]) == {"d3": _documents(3)[0]}
        assert reads == [2, 1, 1]
        other.optimise()
        assert index.documents(["d1", "d3"]) == {"d1": Document("d1", "another text"), "d3": _documents(3)[0]}

    def test_who_changes_a_document_changes_it_for_nobody_else(self, folder: Path) -> None:
        index = _index(folder)
        document = Document("a", "text", metadata={"tags": ["x"], "year": 2000})
        index.upsert([document, Document("b", "text")], _vectors(1, 2))
        for id_ in ("a", "b"):
            found: Any = index.documents([id_])[id_]
            found.metadata["rank"] = 1
            found.metadata.get("tags", []).append("y")
        assert index.documents(["a", "b"]) == {"a": document, "b": Document("b", "text")}

    def test_a_filter_is_compared_with_what_is_stored(self, folder: Path) -> None:
        index = _filled(folder)
        assert len(index.documents(["d1", "d2"])) == 2
        where = parse_filter({"even": True})
        (found,) = index.nearest(_vectors(2), 20, where=where)
        assert set(found.ids) == {f"d{n}" for n in range(0, 20, 2)}
        snapshot = index._latest()
        with pytest.raises(EngineError, match="'d1' was found by a filter that it does not fulfil"):
            snapshot.documents(np.array([snapshot.find(["d1"])["d1"]], np.uint64), where)

    def test_they_take_bounded_memory(
        self, folder: Path, reads: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lance_snapshot, "KEPT_BYTES", 2000)
        index = _filled(folder)
        ids = [f"d{n}" for n in range(20)]
        assert index.documents(ids) == index.documents(ids) == {one.id: one for one in _documents(*range(20))}
        assert reads[0] == 20
        assert 10 < reads[1] < 20

    def test_it_knows_whether_there_may_be_passages(self, folder: Path) -> None:
        index = _filled(folder)
        assert not index.scan(QUERIES[:1]).has_passages
        index.upsert([Document("long#1", "text", passage=Passage("long", 1, 2))], _vectors(30))
        assert index.scan(QUERIES[:1]).has_passages


class TestOptimising:
    def test_old_versions_go_and_recent_ones_stay(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        index = _index(folder)
        for n in range(10):
            index.upsert(_documents(n), _vectors(n))
        versions = folder / "documents.lance" / "_versions"
        index.optimise()
        assert len(list(versions.glob("*.manifest"))) > 10
        assert len(list((folder / "documents.lance" / "data").iterdir())) == 11
        monkeypatch.setattr(lance_table, "_RECENT", timedelta(milliseconds=1))
        index.optimise()
        assert len(list(versions.glob("*.manifest"))) <= 2
        assert len(list((folder / "documents.lance" / "data").iterdir())) == 1
        assert _order(index) == [f"d{n}" for n in range(10)]

    def test_a_small_index_has_no_approximate_one(self, folder: Path) -> None:
        index = _filled(folder)
        index.optimise()
        assert index.is_scannable
        assert index._latest().indexed == frozenset()


COUNT = 6000  # documents that the approximate index holds; 200 more are added afterwards


@pytest.fixture(scope="module")
def oracle() -> MemoryIndex:
    vectors = np.random.default_rng(0).standard_normal((COUNT + 200, DIMENSION)).astype(np.float32)
    vectors[COUNT : COUNT + 20] = vectors[:20]
    return MemoryIndex(_documents(*range(COUNT + 200)), vectors)


@pytest.fixture(scope="module")
def index(oracle: MemoryIndex, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LanceIndex]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lance, "ANN_ABOVE", 1000)
        patch.setattr(lance, "_FEW", 100)
        index = _index(tmp_path_factory.mktemp("ann") / "docs.lance")
        documents = list(oracle.documents([f"d{n}" for n in range(len(oracle))]).values())
        vectors = oracle.vectors([document.id for document in documents])
        index.upsert(documents[:COUNT], vectors[:COUNT])
        assert index.is_scannable
        index.optimise()
        index.upsert(documents[COUNT:], vectors[COUNT:])
        yield index


class TestApproximate:
    def test_it_is_searched_not_scanned(self, index: LanceIndex) -> None:
        assert not index.is_scannable
        assert index._latest().indexed == {"id", "title", "text", "vector", "n:int", "even:truth"}
        index.nearest(QUERIES, 3)
        assert index._latest().loaded is None

    @pytest.mark.parametrize("k", [1, 10, 200])
    @pytest.mark.parametrize(
        "given", [{}, {"even": True}, {"n": {"<": 30}}, {"n": {">=": 5900}}, {"n": -1}], ids=str
    )
    def test_it_finds_nearly_what_the_oracle_finds(
        self, index: LanceIndex, oracle: MemoryIndex, k: int, given: dict[str, Any]
    ) -> None:
        where = parse_filter(given)
        found = index.nearest(QUERIES, k, where=where, with_vectors=True)
        exact = oracle.nearest(QUERIES, k, where=where)
        for mine, theirs, query in zip(found, exact, QUERIES, strict=True):
            assert len(mine.ids) == len(theirs.ids)
            assert len(set(mine.ids) & set(theirs.ids)) >= 0.95 * len(theirs.ids)
            np.testing.assert_array_equal(mine.scores, scan(oracle.vectors(mine.ids), unit_rows(query[None]))[0])
            assert sorted(mine.scores, reverse=True) == mine.scores.tolist()
            np.testing.assert_array_equal(mine.vectors, oracle.vectors(mine.ids))
            assert mine.documents == tuple(oracle.documents(mine.ids)[id_] for id_ in mine.ids)

    def test_what_was_added_since_is_found_and_ties_keep_corpus_order(
        self, index: LanceIndex, oracle: MemoryIndex
    ) -> None:
        for n in range(20):
            found = index.nearest(oracle.vectors([f"d{n}"]), 2)[0]
            assert found.ids == (f"d{n}", f"d{COUNT + n}")

    def test_one_that_has_become_small_is_scanned_again(
        self, index: LanceIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lance, "ANN_ABOVE", len(index) - 1)
        assert not index.is_scannable
        monkeypatch.setattr(lance, "ANN_ABOVE", len(index))
        assert index.is_scannable

    def test_no_neighbours_are_none(self, index: LanceIndex) -> None:
        assert [found.ids for found in index.nearest(QUERIES, 0)] == [(), (), ()]

    @pytest.mark.parametrize("given", [{}, {"even": True}, {"n": {"<": 30}}, {"n": -1}], ids=str)
    def test_spans_are_estimates(self, index: LanceIndex, oracle: MemoryIndex, given: dict[str, Any]) -> None:
        where = parse_filter(given)
        for found, exact in zip(
            index.score_ranges(QUERIES, where=where), oracle.score_ranges(QUERIES, where=where), strict=True
        ):
            assert found[:3] == pytest.approx(exact[:3], abs=1e-6 if found.is_exact else 0.1)
            assert found.is_exact == (given.keys() == {"n"})  # as many as fulfil that filter fit into the sample
        assert index.score_ranges(QUERIES, where=where) == index.score_ranges(QUERIES, where=where)

    def test_the_ends_that_a_search_found_are_kept_until_somebody_writes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lance, "SAMPLE", 100)
        spec = f"{tmp_path / 'docs.lance'}?search=approximate"
        writer, index = prepare_index(spec, dimension=DIMENSION), open_index(spec)
        assert isinstance(writer, LanceIndex)
        assert isinstance(index, LanceIndex)
        writer.upsert(_documents(*range(600)), _vectors(*range(600)))
        writer.optimise()
        probe = unit_rows(QUERIES[:1])
        (sampled,) = index.score_ranges(probe)
        index.keep_ends(probe, [sampled._replace(high=1.5, second=1.25)], None)
        (kept,) = index.score_ranges(probe)
        assert (kept.low, kept.high, kept.second, kept.has_ends) == (sampled.low, 1.5, 1.25, True)
        writer.upsert(_documents(600), _vectors(600))
        (anew,) = index.score_ranges(probe)
        assert not anew.has_ends

    def test_documents_and_vectors_by_id(self, index: LanceIndex, oracle: MemoryIndex) -> None:
        ids = ["d5999", "d3", "d6100", "d3"]
        assert index.documents([*ids, "o'brien"]) == oracle.documents(ids)
        np.testing.assert_array_equal(index.vectors(ids), oracle.vectors(ids))
        np.testing.assert_array_equal(
            scan(index.vectors(ids), unit_rows(QUERIES)), scan(oracle.vectors(ids), unit_rows(QUERIES))
        )
        with pytest.raises(ArgumentError, match="no document with the id 'nobody'"):
            index.vectors(["d3", "nobody"])

    def test_ids_are_never_read_as_a_query(self, folder: Path) -> None:
        odd = ["o'brien", "a\\", "\\' OR 1=1 --", "a\0b", "new\nline", "茶", "''", "?", "$1", "{x}", '"q"']
        index = prepare_index(f"{folder}?search=approximate", dimension=DIMENSION)
        assert isinstance(index, LanceIndex)
        index.upsert(
            [*_documents(*range(600)), *(Document(id_, "odd") for id_ in odd)], _vectors(*range(600 + len(odd)))
        )
        index.optimise()
        assert "id" in index._latest().indexed
        assert set(index.documents(odd)) == set(odd)
        assert index.documents(["nobody' OR '1'='1"]) == {}

    def test_words_are_found_by_the_index_of_words(self, index: LanceIndex, oracle: MemoryIndex) -> None:
        text = oracle.documents(["d3"])["d3"].text
        for document in (*oracle.documents(["d3"]).values(), *oracle.documents([f"d{COUNT + 100}"]).values()):
            (found,) = index.matching([document.text], 4)
            assert document in found.documents
            assert (np.diff(found.scores) <= 0).all()
            np.testing.assert_array_equal(found.vectors, oracle.vectors(found.ids))
        where = parse_filter({"n": {">=": 6}})
        assert "d3" not in index.matching([text], 50, where=where)[0].ids

    def test_a_large_index_of_before_says_how_it_gets_an_index_of_words(self, folder: Path) -> None:
        spec = f"{folder}?search=approximate"
        index = prepare_index(spec, dimension=DIMENSION)
        assert isinstance(index, LanceIndex)
        index.upsert(_documents(*range(600)), _vectors(*range(600)))
        index.optimise()
        table = pylance.dataset(folder / "documents.lance")
        for name in ("title_idx", "text_idx"):
            table.drop_index(name)
        index = LanceIndex.open(index.uri)
        with pytest.raises(ArgumentError, match=r"^hybrid: .*none of its words\. To write to it again"):
            index.matching(["text"], 3)
        index.optimise()
        assert index._latest().has_word_index

    def test_a_scan_is_exact_all_the_same(self, index: LanceIndex, oracle: MemoryIndex) -> None:
        np.testing.assert_array_equal(LanceIndex.open(index.uri).scan(QUERIES).raw, oracle.scan(QUERIES).raw)

    def test_it_can_be_changed_and_brought_up_to_date(self, index: LanceIndex, oracle: MemoryIndex) -> None:
        # Last, because it changes what the others look at.
        index.upsert(_documents(10), oracle.vectors(["d10"]))  # into another file, and in the same place
        assert index.nearest(oracle.vectors(["d10"]), 2)[0].ids == ("d10", f"d{COUNT + 10}")
        index.upsert([Document("d3", "changed")], -oracle.vectors(["d3"]))
        assert index.delete(["d4"]) == 1
        for _ in range(2):
            assert index.nearest(-oracle.vectors(["d3"]), 1)[0].documents == (Document("d3", "changed"),)
            assert "d4" not in index.nearest(oracle.vectors(["d4"]), 10)[0].ids
            index.optimise()


class TestProcesses:
    def test_killed_writers_lose_nothing(self, folder: Path) -> None:
        kill_again_and_again(folder, 5)

    def test_who_reads_sees_whole_batches_while_another_writes(self, folder: Path) -> None:
        batches = 12
        _index(folder)
        readers = [child("read", folder, batches) for _ in range(2)]
        writer = _index(folder)
        for number in range(batches):
            _, documents, vectors = batch_of(number)
            writer.upsert([Document(f"{number} {one.id}", one.text) for one in documents], vectors)
        for reader in readers:
            seen, problem = reader.communicate(timeout=120)
            assert not problem
            assert all(int(count) % SIZE == 0 for count in seen.split())
            assert int(seen.split()[-1]) == batches * SIZE

    def test_two_who_write_the_same_documents_lose_none_and_double_none(self, folder: Path) -> None:
        rounds = 25
        writers = [child("write_shared", folder, name, rounds) for name in "ab"]
        for writer in writers:
            assert writer.communicate(timeout=120)[1] == ""
        index = open_writable(str(folder))
        ids = [f"shared {i}" for i in range(7)]
        own = [f"{name} {n}" for name in "ab" for n in range(rounds) if n % 5 != 4]
        assert len(index) == len(ids) + len(own)
        assert set(index.documents([*ids, *own])) == {*ids, *own}
        last = {f"shared {i % 7}": n for n in range(rounds) for i in range(n, n + 4)}
        for id_, document in index.documents(ids).items():
            assert document.text in (f"a {last[id_]}", f"b {last[id_]}")

    def test_a_file_that_lance_commits_though_its_end_is_missing_is_taken_back(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index = prepare_index(str(folder), dimension=8)
        index.upsert([Document("a", "there before")], np.ones((1, 8)))
        insert = pylance.LanceDataset.insert

        def insert_without_room(self: Any, *given: Any, **options: Any) -> None:
            insert(self, *given, **options)
            newest = max((folder / "documents.lance" / "data").iterdir(), key=lambda path: path.stat().st_mtime_ns)
            os.truncate(newest, newest.stat().st_size - 100)

        monkeypatch.setattr(pylance.LanceDataset, "insert", insert_without_room)
        with pytest.raises(EngineError, match=r"was not written.*as on a full disk; make room"):
            index.upsert([Document("b", "too much")], np.ones((1, 8)))
        monkeypatch.undo()
        assert index.documents(["a", "b"]).keys() == {"a"}
        index.upsert([Document("c", "there is room")], np.ones((1, 8)))
        assert prepare_index(str(folder), dimension=8).documents(["a", "b", "c"]).keys() == {"a", "c"}
        assert check_index(str(folder)).is_sound

    @pytest.mark.skipif(not hasattr(os, "setuid"), reason="this system has no limits of this kind")
    def test_a_full_disk_is_an_error_and_nothing_is_written(self, folder: Path) -> None:
        said, problem = child("fill_up", folder).communicate(timeout=120)
        assert not problem
        assert (
            "this was not written, and what was written before stays; a file would grow beyond what this" in said
        )
        assert said.splitlines()[0].endswith(" 0")
        assert said.splitlines()[1] == str(SIZE)  # what is smaller still goes in

    @pytest.mark.skipif(not hasattr(os, "setuid") or os.getuid() != 0, reason="only root can become nobody")
    def test_a_read_only_folder_can_be_searched_and_says_that_it_cannot_be_written(self) -> None:
        with tempfile.TemporaryDirectory() as name:  # where others may look into, unlike in pytest's own
            Path(name).chmod(0o755)
            _filled(Path(name) / "docs.lance")
            said, problem = child("write_as_nobody", Path(name) / "docs.lance").communicate(timeout=120)
            assert sorted(path.name for path in Path(name).iterdir()) == ["docs.lance"]
        assert not problem
        found, written, made = said.splitlines()
        assert found == "3"
        assert "this was not written, and what was written before stays; this user may not write there" in written
        assert written.endswith(" 0")
        assert "cannot be made; this user may not write there" in made
