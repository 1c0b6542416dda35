"""A file line by line, with one line in memory at a time."""

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from esens.errors import InputError

STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without its end. One that is not UTF-8 is here, too: what follows it can still be read."""

    number: int
    text: str
    is_utf8: bool = True

    def bad_encoding(self, path: str | Path) -> InputError:
        """Return the error that this line is, if it is not UTF-8."""
        return InputError(path, "is not UTF-8; save it as UTF-8 and try again", line=self.number)


class Lines:
    """The lines of a file, gzipped or not, or of standard input; ``fraction`` says how much of it is read."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
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

    def __iter__(self) -> Iterator[TextLine]:
        try:
            with self._opened() as file:
                # Bytes end a line at \n alone: a text may hold other line ends of Unicode, such as U+2028.
                for number, line in enumerate(file, start=1):
                    yield _line(number, line)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            problem = f"is not a whole gzip file ({error}); fetch or pack it again"
            raise InputError(self.path, problem) from None
        except OSError as error:
            raise InputError(self.path, error.strerror or "cannot be read") from error

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes] | gzip.GzipFile]:
        if str(self.path) == STANDARD_INPUT:
            yield sys.stdin.buffer
            return
        with Path(self.path).open("rb") as file:  # opened once: a pipe cannot be read twice
            self._file, self._size = file, os.fstat(file.fileno()).st_size
            try:
                yield gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == _GZIP else file
            finally:
                self._file, self._is_read = None, True


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, gzipped or not, or of standard input, without their ends."""
    for line in Lines(path):
        if not line.is_utf8:
            raise line.bad_encoding(path)
        yield line.text


def peeked(lines: Iterator[TextLine]) -> tuple[str, Iterator[TextLine]]:
    """Return the first line that is not blank, and an iterator over all lines, that one included."""
    seen: list[TextLine] = []
    for line in lines:
        seen.append(line)
        if line.text.strip():
            break
    return seen[-1].text if seen else "", chain(seen, lines)


def _line(number: int, line: bytes) -> TextLine:
    encoding = "utf-8-sig" if number == 1 else "utf-8"
    try:
        text, is_utf8 = line.decode(encoding), True
    except UnicodeDecodeError:
        text, is_utf8 = line.decode(encoding, errors="replace"), False
    return TextLine(number, text.removesuffix("\n").removesuffix("\r"), is_utf8)
