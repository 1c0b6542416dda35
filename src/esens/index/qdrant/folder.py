"""Folders of Qdrant's local mode: whose they are, and one call to their client at a time.

The client keeps points as pickles, and reading a pickle runs what it says. So a folder is opened if the caller
says that it is trusted (``trusted=yes``), or if esens made it for this user on this machine. The latter is known
by a random mark in the folder whose hash is in the user's own files, together with the folder's place on disk: a
copy, and a folder that came from elsewhere, has not both.
"""

import hashlib
import os
import secrets
import stat
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Any

from esens.errors import ArgumentError, EngineError
from esens.index.uri import IndexURI

MARK = ".esens-made"
"""The file in a folder with its random mark."""


def check_trusted(uri: IndexURI, folder: Path) -> None:
    """Raise unless the folder is new, the caller trusts it, or esens made it for this user."""
    option = uri.option("trusted", "no")
    if option not in ("yes", "no"):
        raise ArgumentError("index", f"{uri}: trusted is yes or no, got {option!r}")
    if option == "yes" or is_new(folder) or _is_made_here(folder):
        return
    raise EngineError(
        str(uri),
        "it was not made by esens for this user on this machine, and to open a folder of Qdrant runs whatever "
        "program somebody has put into it: its client keeps points as pickles. If you know where it comes from, "
        "add &trusted=yes; else run a Qdrant server, which reads no pickles",
    )


def is_new(folder: Path) -> bool:
    """Whether there is nothing in a folder yet."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def remember(folder: Path) -> None:
    """Note that esens made this folder; where that cannot be written, it will have to be trusted in words."""
    mark = secrets.token_hex(32)
    try:
        (folder / MARK).write_text(mark)
        known = _known(mark)
        known.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        known.write_text(_place(folder))
    except OSError:
        return


def _is_made_here(folder: Path) -> bool:
    try:
        mark = (folder / MARK).read_text()
        is_known = _known(mark).read_text() == _place(folder)
        return is_known and all(_is_own(path) for path in (folder, *folder.rglob("*")))
    except (OSError, ValueError):
        return False


def _is_own(path: Path) -> bool:
    """Whether only this user, and who is in the same group, can have written this."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & stat.S_IWOTH)


def _known(mark: str) -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path("~", ".local", "state").expanduser()
    return Path(home) / "esens" / "folders" / hashlib.sha256(mark.encode()).hexdigest()


def _place(folder: Path) -> str:
    status = folder.stat()
    return f"{folder.resolve()}\n{status.st_dev}:{status.st_ino}"


class SerialClient:
    """A local client, which is not made for threads, as one that is: it does one thing at a time."""

    def __init__(self, client: Any) -> None:
        """Take the client."""
        self._client = client
        self._lock = RLock()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        @wraps(method)
        def call(*args: Any, **options: Any) -> Any:
            with self._lock:
                return method(*args, **options)

        return call
