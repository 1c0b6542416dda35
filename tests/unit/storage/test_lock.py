import os
from pathlib import Path

import pytest

from esens.storage.lock import locked


def test_one_holds_it_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path, wait_seconds=0), pytest.raises(TimeoutError), locked(path, wait_seconds=0.02):
        pass
    with locked(path, wait_seconds=0):
        assert path.read_bytes() == b""


def test_it_is_given_back_when_something_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="failed"), locked(tmp_path / "lock", wait_seconds=0):
        raise ValueError("failed")
    with locked(tmp_path / "lock", wait_seconds=0):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_that_was_forked_meanwhile_does_not_keep_it(tmp_path: Path) -> None:
    read, write = os.pipe()
    with locked(tmp_path / "lock", wait_seconds=0):
        child = os.fork()
        if not child:
            os.close(write)
            os.read(read, 1)  # until the parent is done
            os._exit(0)
    try:
        with locked(tmp_path / "lock", wait_seconds=0):
            pass
    finally:
        os.close(write)
        os.waitpid(child, 0)
        os.close(read)
