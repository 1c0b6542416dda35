"""A lock between processes. The system takes it back from a holder that ends, however it ends."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE_SECONDS = 0.005


@contextmanager
def locked(path: Path, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of this file, which stays there empty; TimeoutError where others hold it for too long."""
    end = time.monotonic() + wait_seconds
    with path.open("ab") as file:
        while not _taken(file.fileno()):
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(_PAUSE_SECONDS)
        try:
            yield
        finally:
            _give_back(file.fileno())


if sys.platform == "win32":
    import msvcrt

    def _taken(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _give_back(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _taken(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _give_back(file: int) -> None:
        # Not left to closing it: a child that was forked meanwhile has it open too.
        fcntl.flock(file, fcntl.LOCK_UN)
