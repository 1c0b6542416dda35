"""An index in a folder that is damaged, tampered with, or old: what is noticed, and what can be done."""

import json
import os
import shutil
import zlib
from functools import partial
from pathlib import Path

import numpy as np
import pytest

lance = pytest.importorskip("lance", reason="the index on disk needs the extra lance")

from tests.faults import damage, writers  # noqa: E402

from esens.errors import ArgumentError, EngineError  # noqa: E402
from esens.index import check_index, open_writable, prepare_index  # noqa: E402
from esens.index.filters import parse_filter  # noqa: E402
from esens.index.lance.checksums import _of_vectors  # noqa: E402
from esens.index.lance.index import LanceIndex  # noqa: E402
from esens.index.lance.journal import JOURNAL, Journal  # noqa: E402
from esens.index.lance.schema import Description  # noqa: E402
from esens.types import Document  # noqa: E402

DIMENSION = 8
QUERY = np.ones((1, DIMENSION), np.float32)


def _vectors(*numbers: int) -> np.ndarray:
    return np.array([np.random.default_rng(n).standard_normal(DIMENSION) for n in numbers], np.float32)


def _index_files(folder: Path, name: str, part: str) -> list[Path]:
    """Return the files of an index on disk whose names have this part."""
    table = folder / "documents.lance"
    (index,) = (each for each in lance.dataset(table).describe_indices() if each.name == name)
    folders = [table / "_indices" / str(segment.uuid) for segment in index.segments]
    return [path for each in folders for path in each.iterdir() if part in path.name]


def _fill(folder: Path, count: int = 30) -> LanceIndex:
    index = prepare_index(str(folder), dimension=DIMENSION)
    assert isinstance(index, LanceIndex)
    documents = [Document(f"d{n}", f"the text of number {n:04}", metadata={"n": n}) for n in range(count)]
    index.upsert(documents, _vectors(*range(count)))
    return index


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "docs.lance"


def _manifests(folder: Path) -> list[Path]:
    return sorted((folder / "documents.lance" / "_versions").glob("*.manifest"))


def _change(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))


def _data_file(folder: Path) -> Path:
    (path,) = (folder / "documents.lance" / "data").iterdir()
    return path


class TestDamage:
    def test_a_text_that_has_changed_is_an_error_that_names_the_document(self, folder: Path) -> None:
        index = _fill(folder)
        _change(_data_file(folder), b"number 0007", b"number 0107")
        for read in (lambda: index.documents(["d7"]), lambda: index.nearest(_vectors(7), 1)):
            with pytest.raises(EngineError, match="document 'd7' is not what was written; the files are damaged"):
                read()
        assert index.documents(["d8"])["d8"].text == "the text of number 0008"

    def test_a_vector_that_has_changed_is_an_error_for_every_search(self, folder: Path) -> None:
        _fill(folder)
        vector = open_writable(str(folder)).vectors(["d7"])[0]
        _change(_data_file(folder), vector.tobytes(), (vector * np.float32(1.001)).tobytes())
        with pytest.raises(EngineError, match="document 'd7' is not what was written"):
            open_writable(str(folder)).nearest(QUERY, 1)
        with pytest.raises(EngineError, match="document 'd7' is not what was written"):
            open_writable(str(folder)).vectors(["d7"])

    def test_also_in_an_approximate_index(self, folder: Path) -> None:
        index = prepare_index(f"{folder}?search=approximate", dimension=DIMENSION)
        vectors = _vectors(*range(600))
        index.upsert([Document(f"d{n}", "x") for n in range(600)], vectors)
        index.optimise()  # type: ignore[attr-defined]
        vector = index.vectors(["d7"])[0]
        _change(_data_file(folder), vector.tobytes(), (vector * np.float32(1.001)).tobytes())
        with pytest.raises(EngineError, match="document 'd7' is not what was written"):
            open_writable(f"{folder}?search=approximate").nearest(vectors[7:8], 3)

    def test_a_damaged_index_on_disk_is_named_and_made_anew(self, folder: Path) -> None:
        spec = f"{folder}?search=approximate"
        index = prepare_index(spec, dimension=DIMENSION)
        vectors = _vectors(*range(600))
        index.upsert([Document(f"d{n}", "x", metadata={"n": n}) for n in range(600)], vectors)
        index.optimise()  # type: ignore[attr-defined]
        for path in (folder / "documents.lance" / "_indices").rglob("auxiliary.idx"):
            content = path.read_bytes()
            path.write_bytes(content[:50] + bytes([content[50] ^ 8]) + content[51:])
        (problem,) = check_index(spec).problems
        assert problem.what == "the index 'vector_idx' on disk, which makes searches fast, is damaged"
        report = check_index(spec, repair=True)
        assert report.is_sound
        assert report.repaired == ("the index 'vector_idx' was made anew",)
        assert open_writable(spec).nearest(vectors[7:8], 1)[0].ids == ("d7",)

    def test_so_is_a_damaged_index_of_words(self, folder: Path) -> None:
        spec = f"{folder}?search=approximate"
        index = prepare_index(spec, dimension=DIMENSION)
        index.upsert([Document(f"d{n}", f"word{n} common") for n in range(600)], _vectors(*range(600)))
        index.optimise()  # type: ignore[attr-defined]
        assert check_index(spec).is_sound
        (path,) = _index_files(folder, "text_idx", "tokens")
        content = path.read_bytes()
        path.write_bytes(content[:50] + bytes([content[50] ^ 8]) + content[51:])
        assert [problem.what for problem in check_index(spec).problems] == [
            "the index 'text_idx' on disk, which makes searches fast, is damaged"
        ]
        assert check_index(spec, repair=True).repaired == ("the index 'text_idx' was made anew",)
        assert open_writable(spec).matching(["word7"], 3)[0].ids == ("d7",)  # type: ignore[attr-defined]

    def test_check_names_all_of_it_and_repair_lets_it_be_written_anew(self, folder: Path) -> None:
        index = _fill(folder)
        assert check_index(str(folder)).is_sound
        for old, new in ((b"number 0007", b"number 0107"), (b"number 0021", b"number 0121")):
            _change(_data_file(folder), old, new)
        report = check_index(str(folder))
        assert report.problems[0].documents == ("d7", "d21")
        assert "2 documents are not what was written: 'd7', 'd21'; esens check --repair" in str(report)
        assert _data_file(folder).name in report.problems[1].what
        repaired = check_index(str(folder), repair=True)
        assert repaired.is_sound
        assert repaired.documents == len(index) == 28
        assert "2 documents were removed: 'd7', 'd21'" in repaired.repaired[0]
        index.upsert([Document("d7", "again")], _vectors(7))
        assert index.nearest(_vectors(7), 1)[0].ids == ("d7",)
        assert check_index(str(folder)).is_sound

    def test_a_file_that_cannot_be_read_at_all_can_be_given_up(self, folder: Path) -> None:
        index = _fill(folder)
        first = _data_file(folder)
        index.upsert([Document("new", "x")], _vectors(99))
        first.write_bytes(first.read_bytes()[:100])
        with pytest.raises(EngineError):
            open_writable(str(folder)).nearest(QUERY, 1)
        assert "30 documents cannot be read" in str(check_index(str(folder)))
        assert check_index(str(folder), repair=True).is_sound
        assert open_writable(str(folder)).nearest(QUERY, 9)[0].ids == ("new",)

    def test_what_is_sound_is_not_changed_by_repair(self, folder: Path) -> None:
        _fill(folder)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert check_index(str(folder), repair=True).repaired == ()
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before

    def test_a_newest_version_that_is_gone_is_an_error_for_readers_and_writers(self, folder: Path) -> None:
        index = _fill(folder)
        index.delete(["d3"])
        assert len(index) == 29
        _manifests(folder)[0].unlink()
        message = (
            r"its newest version, 4, is gone, and what is there is version 3, in which documents are missing, or"
        )
        for use in (
            lambda: open_writable(str(folder)),
            lambda: prepare_index(str(folder), dimension=DIMENSION),
            lambda: index.documents(["d3"]),
            lambda: index.upsert([Document("x", "x")], _vectors(1)),
        ):
            with pytest.raises(EngineError, match=message):
                use()
        (folder / JOURNAL).unlink()  # as the error says
        assert len(open_writable(str(folder))) == 30

    def test_a_damaged_manifest_or_list_of_deleted_rows_is_an_error(self, folder: Path) -> None:
        _fill(folder).delete(["d3", "d4"])
        (deleted,) = (folder / "documents.lance" / "_deletions").iterdir()
        for path in (_manifests(folder)[0], deleted):
            whole = path.read_bytes()
            path.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
            with pytest.raises(EngineError, match="damaged"):
                open_writable(str(folder))
            path.write_bytes(whole)
        assert len(open_writable(str(folder))) == 28

    def test_where_all_versions_are_gone_nothing_is_made_in_their_place(self, folder: Path) -> None:
        _fill(folder)
        for path in _manifests(folder):
            path.unlink()
        with pytest.raises(EngineError, match="its table is gone; take it from a backup"):
            prepare_index(str(folder), dimension=DIMENSION)

    def test_a_document_that_does_not_fulfil_its_filter_is_an_error(self, folder: Path) -> None:
        index = _fill(folder)
        lance.dataset(folder / "documents.lance").update({"n:int": "5"}, where="id = 'd7'")
        with pytest.raises(EngineError, match="'d7' was found by a filter that it does not fulfil"):
            index.nearest(QUERY, 9, where=parse_filter({"n": 5}))
        assert check_index(str(folder)).problems[0].documents == ("d7",)

    def test_what_another_program_changes_is_no_longer_what_was_written(self, folder: Path) -> None:
        _fill(folder)
        lance.dataset(folder / "documents.lance").update({"text": "'another'"}, where="id = 'd7'")
        report = check_index(str(folder))
        assert report.problems[0].documents == ("d7",)
        assert any("files that its journal does not know" in line for line in report.unchecked)

    def test_damaged_files_in_general(self) -> None:
        record = damage.lance(25, seed=3)
        assert record.bad == 0, record.failures
        record = damage.lance_data(25, seed=4)
        assert record.bad == 0, record.failures
        assert record.outcomes["clear error"] > 10

    def test_killed_runs_of_indexing_lose_nothing(self) -> None:
        record = writers.indexing(3, seed=1)
        assert record.bad == 0, record.failures


class TestJournal:
    def test_it_grows_by_a_line_and_is_made_anew_when_most_of_it_is_history(self, folder: Path) -> None:
        index = _fill(folder)
        before = Journal.read(folder)
        assert before.version == index._table.version().number
        assert before.files.keys() == Journal.read(folder).files.keys()
        index.upsert([Document("x", "x")], _vectors(1))
        after = Journal.read(folder)
        assert (after.version, len(after.files)) == (before.version + 1, len(before.files) + 2)

    def test_a_line_that_was_cut_short_is_no_harm_and_goes_with_the_next_write(self, folder: Path) -> None:
        index = _fill(folder)
        content = (folder / JOURNAL).read_bytes()
        (folder / JOURNAL).write_bytes(content[:-9])
        assert len(open_writable(str(folder))) == 30
        report = check_index(str(folder))
        assert report.is_sound
        assert any("lines of its journal, which cannot be read" in line for line in report.unchecked)
        index.upsert([Document("x", "x")], _vectors(1))
        assert Journal.read(folder).bad_lines == 0
        assert check_index(str(folder)).unchecked == ()

    @pytest.mark.parametrize(
        "content", [b"[]", b'{"version": "x", "files": {}}', b'{"version": 1, "files": {"a": 7}}', b"[" * 99_999]
    )
    def test_one_that_somebody_else_wrote_is_not_believed(self, folder: Path, content: bytes) -> None:
        _fill(folder)
        (folder / JOURNAL).write_bytes(b"%08x %s\n" % (zlib.crc32(content), content))
        assert len(open_writable(str(folder))) == 30
        assert Journal.read(folder).bad_lines == 1

    def test_where_it_cannot_be_written_the_documents_are_all_the_same(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        index = _fill(folder)
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "add", fail)
            index.upsert([Document("x", "x")], _vectors(1))
        assert index.documents(["x"])
        assert check_index(str(folder)).is_sound

    def test_a_writer_that_was_killed_before_its_line_is_no_damage(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index = _fill(folder)
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "add", lambda *_: None)
            index.upsert([Document("x", "x")], _vectors(1))
        assert open_writable(str(folder)).documents(["x"])
        report = check_index(str(folder))
        assert report.is_sound
        assert report.unchecked
        index.delete(["nobody"])  # any writer notes what it finds
        assert check_index(str(folder)).unchecked == ()


class TestOldFolders:
    def _make_old(self, folder: Path) -> None:
        """Make a folder as it was before there were checksums."""
        _fill(folder)
        table = lance.dataset(folder / "documents.lance")
        description = json.loads(table.schema.metadata[b"esens"])
        table.drop_columns(["checksum"])
        table.update_schema_metadata(Description(2, None, description["stamp"]).to_metadata())
        (folder / JOURNAL).unlink()

    def test_they_are_opened_and_check_says_how_to_make_them_checkable(self, folder: Path) -> None:
        self._make_old(folder)
        index = open_writable(str(folder))
        assert index.nearest(_vectors(7), 1)[0].ids == ("d7",)
        report = check_index(str(folder))
        assert report.is_sound
        assert "30 documents have no checksum" in report.unchecked[0]
        assert "it has no journal; the next write to it" in report.unchecked[1]
        index.delete(["d3"])
        report = check_index(str(folder))
        assert (report.unchecked, report.checked[0]) == ((), "29 documents by their checksums")
        assert open_writable(str(folder)).nearest(_vectors(7), 1)[0].ids == ("d7",)


class TestForeignFiles:
    @pytest.mark.parametrize("kind", ["pipe", "link"])
    @pytest.mark.parametrize("name", ["writer.lock", JOURNAL])
    def test_a_pipe_or_link_in_the_place_of_a_file_is_an_error(self, folder: Path, name: str, kind: str) -> None:
        index = _fill(folder)
        (folder / name).unlink()
        if kind == "pipe":
            os.mkfifo(folder / name)
        else:
            (folder / name).symlink_to("elsewhere")
        for use in (lambda: open_writable(str(folder)), lambda: index.delete(["d1"])):
            with pytest.raises(EngineError, match=f"{name} is a link, a pipe or the like"):
                use()

    @pytest.mark.parametrize("part", ["", "data", "_versions"])
    def test_a_link_in_the_place_of_a_folder_is_not_followed(self, folder: Path, part: str) -> None:
        _fill(folder)
        victim = folder.parent / "victim"
        place = folder / "documents.lance" / part if part else folder / "documents.lance"
        shutil.move(place, victim)
        place.symlink_to(victim)
        before = sorted(victim.rglob("*"))
        for use in (open_writable, partial(prepare_index, dimension=DIMENSION)):
            with pytest.raises(EngineError, match="is a link, a pipe or the like"):
                use(str(folder))
        assert sorted(victim.rglob("*")) == before

    def test_nor_one_that_leads_to_an_empty_folder(self, folder: Path) -> None:
        victim = folder.parent / "victim"
        victim.mkdir()
        folder.mkdir()
        (folder / "documents.lance").symlink_to(victim)
        with pytest.raises(EngineError, match="is a link, a pipe or the like"):
            prepare_index(str(folder), dimension=DIMENSION)
        assert list(victim.iterdir()) == []

    @pytest.mark.parametrize("part", ["data", "_versions"])
    def test_a_pipe_among_its_files_is_an_error(self, folder: Path, part: str) -> None:
        _fill(folder)
        path = min((folder / "documents.lance" / part).iterdir())
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(EngineError, match="is a link, a pipe or the like"):
            open_writable(str(folder))

    def test_the_folder_itself_may_be_a_link(self, folder: Path) -> None:
        _fill(folder)
        link = folder.parent / "link.lance"
        link.symlink_to(folder)
        assert len(open_writable(str(link))) == 30


@pytest.mark.parametrize("dimension", [1, 2, 7, 384])
def test_a_bit_that_flips_changes_the_sum_of_a_vector(dimension: int) -> None:
    row = np.random.default_rng(0).standard_normal((1, dimension)).astype(np.float32)
    before = _of_vectors(row)
    for bit in range(32 * dimension):
        words = row.view(np.uint32).copy()
        words[0, bit // 32] ^= np.uint32(1 << bit % 32)
        assert _of_vectors(words.view(np.float32)) != before
    assert _of_vectors(np.repeat(row, 9000, axis=0)).tolist() == before.tolist() * 9000


def test_sums_are_the_same_for_ever() -> None:
    rows = np.array([[1, 2, 3], [0.5, -1, 0]], np.float32)
    assert [hex(value) for value in _of_vectors(rows)] == ["0x4fa3d6da", "0xdbc19e14"]


def test_only_what_can_be_recorded_is(folder: Path) -> None:
    _fill(folder)
    with pytest.raises(ArgumentError, match="record: only files of faiss and usearch need it"):
        check_index(str(folder), record=True)
