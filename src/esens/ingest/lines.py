"""A file line by line, and what its lines hold. Nothing is kept that the caller does not keep."""

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from esens.errors import InputError

STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"
_LONGEST_CELL = 2**31 - 1


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, gzipped or not, or of standard input, without their ends."""
    number = 0
    try:
        with _opened(path) as file:
            # Bytes end a line at \n alone: a text may hold other line ends of Unicode, such as U+2028.
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield text.removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8; save it as UTF-8 and try again", line=number) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(path, f"is not a whole gzip file ({error}); fetch or pack it again") from None
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from error


def json_lines(path: str | Path, lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    """Yield what each line holds that is not blank, with its number."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:  # not JSON, a number too long to read, or nested too deeply
            problem = f"is not JSON ({error}); one JSON object a line is expected"
            raise InputError(path, problem, line=number) from None


def delimited_lines(path: str | Path, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file, or of a TSV file if its name says so, with the number of their last line."""
    delimiter = "\t" if ".tsv" in Path(path).suffixes else ","
    limit = csv.field_size_limit(_LONGEST_CELL)
    rows = csv.DictReader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            if None in row or None in row.values():
                raise InputError(path, "has another number of fields than the header", line=rows.line_num)
            yield rows.line_num, row
    except csv.Error as error:
        raise InputError(path, f"is not CSV ({error})", line=rows.line_num + 1) from None
    finally:
        csv.field_size_limit(limit)


@contextmanager
def _opened(path: str | Path) -> Iterator[Iterable[bytes]]:
    if str(path) == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as file:  # opened once: a pipe cannot be read twice
        yield gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == _GZIP else file
