"""A folder of pages: a document a file."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from esens.errors import InputError
from esens.ingest.limits import Limits
from esens.ingest.pages import ENDINGS, page_of
from esens.ingest.record import RawRecord

_HIDDEN = "."


class Folder:
    """Every page below a folder, sorted by path, or only one of them. A page's id is its path from there."""

    def __init__(
        self,
        path: Path,
        *,
        only: Path | None = None,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self.ignored = 0
        self._limits = limits
        self._path = path
        self._only = only
        self._files = 0
        self._done = 0

    @property
    def fraction(self) -> float | None:
        """How many of the files are read."""
        return self._done / self._files if self._files else 0.0

    def close(self) -> None:
        """Let go of nothing: files are open only while they are read."""

    def __iter__(self) -> Iterator[RawRecord | InputError]:
        if self._only is not None:
            self._files = 1
            yield self._page(self._only)
            self._done = 1
            return
        self._files = sum(1 for _ in files_in(self._path, ENDINGS))
        self.ignored = sum(1 for _ in files_in(self._path)) - self._files
        if not self._files:
            endings = ", ".join(ENDINGS)
            raise InputError(self._path, f"is a directory without any file that ends in {endings} or .parquet")
        for file in files_in(self._path, ENDINGS):
            yield file if isinstance(file, InputError) else self._page(file)
            self._done += 1

    def _page(self, file: Path) -> RawRecord | InputError:
        name = file.relative_to(self._path).as_posix()
        try:
            page = page_of(file, self._limits)
        except InputError as error:
            return error
        metadata = {**page.metadata, "path": name}
        return RawRecord({"id": name, "title": page.title, "text": page.text, "metadata": metadata}, file)


def holds(folder: Path, endings: Iterable[str]) -> bool:
    """Whether a file with such an ending is below a folder."""
    return any(isinstance(file, Path) for file in files_in(folder, endings))


def files_in(
    folder: Path, endings: Iterable[str] | None = None, *, hidden: str = _HIDDEN
) -> Iterator[Path | InputError]:
    """Yield the files below a folder, sorted by path, but not those whose name begins with a ``hidden`` sign.

    Links to folders are not followed, for they may lead in circles. What cannot be looked at is yielded as its
    error. Only one folder of each level is in memory.
    """
    levels = [_entries(folder, hidden)]  # a list, for folders may be deeper than functions may call each other
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
        elif isinstance(entry, InputError):
            yield entry
        elif entry.is_dir(follow_symlinks=False):
            levels.append(_entries(Path(entry.path), hidden))
        elif endings is None or Path(entry.name).suffix.lower() in endings:
            yield from _if_regular(entry)


def _entries(folder: Path, hidden: str) -> Iterator["os.DirEntry[str] | InputError"]:
    """Yield what is in a folder, sorted by path."""
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if entry.name[0] not in hidden]
    except OSError as error:
        yield InputError(folder, error.strerror or "cannot be read")
        return
    yield from sorted(visible, key=_sort_key)


def _sort_key(entry: "os.DirEntry[str]") -> str:
    return f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name


def _if_regular(entry: "os.DirEntry[str]") -> Iterator[Path | InputError]:
    try:
        mode = entry.stat().st_mode
    except OSError as error:  # a link that leads nowhere, or to itself
        yield InputError(entry.path, error.strerror or "cannot be read")
        return
    if stat.S_ISREG(mode):  # opening a pipe would wait for a writer
        yield Path(entry.path)
