from pathlib import Path

import pytest

from esens.storage.atomic import remove_leftovers, write_atomically


def test_the_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with path.open("rb") as reader, write_atomically(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail() -> None:
        with write_atomically(path) as stream:
            stream.write(b"half")
            raise ValueError("failed")

    with pytest.raises(ValueError, match="failed"):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "part-0.parquet").touch()
    writer = write_atomically(tmp_path / "file")
    writer.__enter__()  # never left: a killed process does not leave it either
    assert len(list(tmp_path.iterdir())) == 2
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["part-0.parquet"]
