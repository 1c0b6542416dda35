"""A file that appears under its name once it is whole and on disk, and never otherwise."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import uuid4

_PREFIX = ".part-"  # readers of Parquet folders leave out what begins with a point


@contextmanager
def write_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write that takes the place of ``path`` when the ``with`` block ends without an error.

    Whoever has the old file open may go on reading it. Every writer has a temporary file of its own, so several
    may write at once: the last one counts.
    """
    temporary = path.with_name(f"{_PREFIX}{uuid4().hex}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)
        _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed writers left in a folder. Nobody may be writing there."""
    for leftover in folder.glob(f"{_PREFIX}*.tmp"):
        leftover.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """See to it that a new name outlives a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
