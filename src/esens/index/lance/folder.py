"""The folder of an index: where its parts are, and that nobody has put something else in their place."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock

from esens.errors import ArgumentError, EngineError
from esens.index.lance.journal import FOLDERS, JOURNAL
from esens.index.lance.schema import NAME
from esens.index.uri import IndexURI

LOCK = "writer.lock"
WAIT_SECONDS = 600
"""For another writer: a batch takes it milliseconds, an index over millions minutes."""
_POLL_SECONDS = 0.005


def folder_of(uri: IndexURI) -> Path:
    """Return the folder that a spec names."""
    uri.check_options(("search",))
    if uri.server or not uri.path:
        raise ArgumentError("index", f"{uri}: name a folder of this machine, such as docs.lance")
    return Path(uri.path).expanduser()


def table_of(folder: Path) -> Path:
    """Return where the table is."""
    return folder / f"{NAME}.lance"


def has_table(folder: Path) -> bool:
    """Whether a table was made. One whose making was cut short has no version, and is as good as none."""
    return any((table_of(folder) / "_versions").glob("*.manifest"))


def writers_lock(folder: Path) -> FileLock:
    """Return the lock of writers, which the system takes back from a holder that ends, however it ends."""
    return FileLock(folder / LOCK, timeout=WAIT_SECONDS, poll_interval=_POLL_SECONDS)


def check_files(uri: IndexURI, folder: Path) -> None:
    """Raise where something in the folder is neither a file nor a folder.

    What a link points to would be read, and written, in its place; and whoever opens a pipe waits for ever.
    """
    table = table_of(folder)
    for path in (folder / LOCK, folder / JOURNAL):
        _check(uri, path, stat.S_ISREG)
    _check(uri, table, stat.S_ISDIR)
    for path in (table / name for name in (*FOLDERS, "_transactions")):
        _check(uri, path, stat.S_ISDIR)
        for entry in _entries_below(path):
            if not entry.is_file(follow_symlinks=False):
                raise _foreign(uri, Path(entry.path))


def _check(uri: IndexURI, path: Path, is_right: Callable[[int], bool]) -> None:
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):  # it is not there, or no name of a file: whoever opens it will be told
        return
    if not is_right(mode):
        raise _foreign(uri, path)


def _entries_below(folder: Path) -> Iterator["os.DirEntry[str]"]:
    try:
        entries = list(os.scandir(folder))
    except (OSError, ValueError):
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _entries_below(Path(entry.path))
        else:
            yield entry


def _foreign(uri: IndexURI, path: Path) -> EngineError:
    return EngineError(
        str(uri),
        f"{path} is a link, a pipe or the like, which no index of esens holds; somebody has put it there: "
        "take the index from a backup, or make it anew",
    )
