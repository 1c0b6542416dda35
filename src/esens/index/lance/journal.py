"""What was written to a table, in a file beside it: its newest version, and the size and CRC-32 of its files.

Lance's files never change once they are written, and Lance checks nothing of them. A line is added after every
write, under the writers' lock. A writer that is killed in between leaves a version without a line, which is no
damage; a version that is gone, or a file that has changed, is.
"""

import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from esens.storage.atomic import write_atomically

JOURNAL = "journal.jsonl"
FOLDERS = ("data", "_versions", "_deletions", "_indices")
"""The folders of a table whose files count."""
_HINT = "latest_version_hint.json"  # is written again and again, and found to be wrong without harm
_READ = 2**20


class FileRecord(NamedTuple):
    """What a file is known by."""

    size: int
    crc: int

    @classmethod
    def of(cls, path: Path) -> "FileRecord":
        """Read a file."""
        crc = 0
        with path.open("rb") as file:
            while part := file.read(_READ):
                crc = zlib.crc32(part, crc)
            return cls(file.tell(), crc)


@dataclass(frozen=True)
class Journal:
    """What the journal of an index says."""

    version: int = 0
    """The newest version that was written; 0 where nothing is known."""
    files: Mapping[str, FileRecord] = field(default_factory=dict)
    """By their paths in the table's folder."""
    bad_lines: int = 0

    @classmethod
    def read(cls, folder: Path) -> "Journal":
        """Read the journal of an index; lines that are damaged, or half written, are left out."""
        try:
            lines = (folder / JOURNAL).read_bytes().splitlines()
        except FileNotFoundError:
            return cls()
        version, files, bad = 0, dict[str, FileRecord](), 0
        for line in filter(None, lines):
            entry = _entry(line)
            if entry is None:
                bad += 1
                continue
            version = max(version, entry[0])
            files |= entry[1]
        return cls(version, files, bad)

    def changed(self, table: Path, paths: Iterable[str]) -> list[str]:
        """Return which of these files are no longer what was written; of those not noted nothing is known."""
        return [path for path in paths if path in self.files and not _is_same(table / path, self.files[path])]

    def add(self, folder: Path, table: Path, version: int) -> None:
        """Note the version that was written, and the files that are new. Only whoever has the lock may."""
        present = set(table_files(table))
        fresh = {path: FileRecord.of(table / path) for path in sorted(present - self.files.keys())}
        if self.bad_lines or len(self.files) > 2 * len(present):
            remaining = {path: record for path, record in self.files.items() if path in present}
            with write_atomically(folder / JOURNAL) as stream:
                stream.write(_line(version, remaining | fresh))
        elif fresh or version != self.version:
            with (folder / JOURNAL).open("ab") as file:
                file.write(_line(version, fresh))


def table_files(table: Path) -> Iterable[str]:
    """Yield the paths of a table's files, in its folder."""
    for name in FOLDERS:
        yield from _files_below(table / name, f"{name}/")


def _files_below(folder: Path, prefix: str) -> Iterable[str]:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(Path(entry.path), f"{prefix}{entry.name}/")
        elif entry.name != _HINT:
            yield f"{prefix}{entry.name}"


def _is_same(path: Path, record: FileRecord) -> bool:
    try:
        return path.stat().st_size == record.size and FileRecord.of(path) == record
    except OSError:
        return False


def _line(version: int, files: Mapping[str, FileRecord]) -> bytes:
    content = json.dumps({"version": version, "files": files}, separators=(",", ":")).encode()
    # A line break in front, too: what somebody left half written ends there.
    return b"\n%08x %s\n" % (zlib.crc32(content), content)


def _entry(line: bytes) -> tuple[int, dict[str, FileRecord]] | None:
    checksum, _, content = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(content):
        return None
    try:
        entry = json.loads(content)
        files = {str(path): FileRecord(int(size), int(crc)) for path, (size, crc) in entry["files"].items()}
        return int(entry["version"]), files
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # somebody else has written it
        return None
