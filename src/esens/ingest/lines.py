"""A file line by line, with one line in memory at a time, and of a line no more than the limits allow."""

import gzip
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

from esens.errors import InputError
from esens.ingest.limits import Limits

STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"
_ARRAY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[")
_NOT_UTF8 = "is not UTF-8; save it as UTF-8 and try again"
_BEGINNING = 1000  # bytes of a line that is too long, by which its format is told
_CHECKED_EVERY = 2**20
_BLANK = (b"\n", b"\r\n")
_MOST_BLANK = 100_000  # some kilobytes can unpack to a hundred million of them
_MOST_SKIPPED = 64  # times what a line may be: one that goes on after that has no end

ReadLine = Callable[[int], bytes]


class TextLine(NamedTuple):
    """A line without its end. One with a problem is here, too: what follows it can still be read."""

    number: int
    text: str
    """Where it is not UTF-8, with marks in it; of a line that is too long, the beginning."""
    problem: str = ""
    is_cut: bool = False

    def bad(self, path: str | Path) -> InputError:
        """Return the error that this line is, if it has a problem."""
        return InputError(path, self.problem, line=self.number)


class Lines:
    """The lines of a file, gzipped or not, or of standard input; ``fraction`` says how much of it is read."""

    def __init__(self, path: str | Path, limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        self.path = path
        self.limits = limits
        self._file: IO[bytes] | None = None
        self._size = 0
        self._is_read = False

    @property
    def fraction(self) -> float | None:
        """How much of the file is read, or None for a pipe, whose length is unknown."""
        if self._is_read:
            return 1.0
        if self._file is None:
            return None if str(self.path) == STANDARD_INPUT else 0.0
        return min(1.0, self._file.tell() / self._size) if self._size else None

    def close(self) -> None:
        """Close the file, also where not all of it was read."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[TextLine]:
        try:
            with self._opened() as read_line:
                yield from self._lines(read_line)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            problem = f"is not a whole gzip file ({error}); fetch or pack it again"
            raise InputError(self.path, problem) from None
        except OSError as error:
            raise InputError(self.path, error.strerror or "cannot be read") from error

    def _lines(self, read_line: ReadLine) -> Iterator[TextLine]:
        # Bytes end a line at \n alone: a text may hold other line ends of Unicode, such as U+2028.
        most, number, is_first, blank = self.limits.row_bytes, 0, True, 0
        while line := read_line(most + 1):
            number, longest = number + 1, most
            blank = blank + 1 if line in _BLANK else 0
            if blank > _MOST_BLANK:
                problem = (
                    f"has more than {_MOST_BLANK:,} blank lines in a row; remove them if it is a file of texts"
                )
                raise InputError(self.path, problem, line=number)
            if _goes_on(line, most) and is_first and _ARRAY.match(line):  # documents in an array on one line
                longest = self.limits.array_bytes
                line += read_line(longest + 1 - len(line))
            if _goes_on(line, longest):
                problem = self.limits.too_long("is a line of", longest)
                yield TextLine(number, line[:_BEGINNING].decode(errors="replace"), problem, is_cut=True)
                self._skip_line(read_line, number, problem)
            else:
                yield _line(number, line)
            is_first = is_first and not line.strip()

    def _skip_line(self, read_line: ReadLine, number: int, problem: str) -> None:
        """Read to the end of a line that is too long, if it has one."""
        for _ in range(_MOST_SKIPPED):
            rest = read_line(self.limits.row_bytes)
            if not rest or rest.endswith(b"\n"):
                return
        raise InputError(self.path, f"{problem}, if it has an end", line=number)

    @contextmanager
    def _opened(self) -> Iterator[ReadLine]:
        if str(self.path) == STANDARD_INPUT:
            yield sys.stdin.buffer.readline
            return
        with open_file(self.path) as file:  # opened once: a pipe cannot be read twice
            self._file, self._size = file, os.fstat(file.fileno()).st_size
            try:
                yield self._unpacking(file) if file.peek(2)[:2] == _GZIP else file.readline  # type: ignore[attr-defined]
            finally:
                self._file, self._is_read = None, True

    def _unpacking(self, file: IO[bytes]) -> ReadLine:
        """Return what reads a line of a gzipped file, and stops where it unpacks to more than is believable."""
        unpacked = gzip.GzipFile(fileobj=file)
        size, checked = 0, 0

        def read_line(most: int) -> bytes:
            nonlocal size, checked
            line = unpacked.readline(most)
            size += len(line)
            if size - checked > _CHECKED_EVERY:
                checked = size
                self.limits.check_unpacked(self.path, size, file.tell())
            return line

        return read_line


def open_file(path: str | Path) -> IO[bytes]:
    """Open a file to read; a name that no file can have is an error like any other."""
    try:
        return Path(path).open("rb")
    except ValueError as error:  # a zero byte in it
        raise InputError(path, f"is no name of a file ({error})") from None


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, gzipped or not, or of standard input, without their ends."""
    for line in Lines(path):
        if line.problem:
            raise line.bad(path)
        yield line.text


def peeked(lines: Iterator[TextLine]) -> tuple[str, Iterator[TextLine]]:
    """Return the first line that is not blank, and an iterator over it and those that follow."""
    for line in lines:
        if line.problem or line.text.strip():
            return line.text, chain([line], lines)
    return "", iter(())


def _goes_on(line: bytes, most: int) -> bool:
    """Whether a line is longer than this; its end may come on top."""
    return len(line) > most and not line.endswith(b"\n")


def _line(number: int, line: bytes) -> TextLine:
    encoding = "utf-8-sig" if number == 1 else "utf-8"
    try:
        text, problem = line.decode(encoding), ""
    except UnicodeDecodeError:
        text, problem = line.decode(encoding, errors="replace"), _NOT_UTF8
    return TextLine(number, text.removesuffix("\n").removesuffix("\r"), problem)
