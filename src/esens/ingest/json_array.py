"""A JSON file that is one array of documents: ``[{"text": …}, …]``.

The text of the file is in memory while it is read, and one of its rows at a time; JSONL is read line by line.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from esens.errors import InputError
from esens.ingest.limits import Limits
from esens.ingest.lines import TextLine
from esens.ingest.record import RawRecord

_BLANKS = re.compile(r"[ \t\n\r]*")
_START = re.compile(r"\s*\[\s*($|[\[\]{\"])")
_ADVICE = "what follows cannot be read"


def is_array_start(first_line: str) -> bool:
    """Whether a file whose first line is this one may be an array, and not a text that begins with a bracket."""
    return _START.match(first_line) is not None


def array_rows(
    path: str | Path,
    lines: Iterable[TextLine],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Iterator[RawRecord | InputError]:
    """Yield what the array holds, each at the line where it begins; what is not JSON ends the reading."""
    text, before = _whole_text(path, lines, limits)
    decoder = json.JSONDecoder()
    at, line = _skip(text, _skip(text, 0) + 1), before + 1  # behind the bracket
    counted = 0
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            yield InputError(path, f"is not JSON ({error.msg}); {_ADVICE}", line=before + error.lineno)
            return
        except (ValueError, RecursionError) as error:  # a number too long to read, or nested too deeply
            yield InputError(path, f"holds what cannot be read ({error}); {_ADVICE}", line=line)
            return
        yield RawRecord(value, path, line)
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
            if text[at : at + 1] != "]":
                continue
        elif text[at : at + 1] == "]":
            continue
        yield InputError(
            path, f"is not a JSON array (expected , or ]); {_ADVICE}", line=before + _line_at(text, at)
        )
        return
    if (end := _skip(text, at + 1)) < len(text):
        yield InputError(path, "goes on after its array; one array is expected", line=before + _line_at(text, end))


def _whole_text(path: str | Path, lines: Iterable[TextLine], limits: Limits) -> tuple[str, int]:
    """Return the text, and how many lines come before it."""
    parts: list[str] = []
    size = before = 0
    for line in lines:
        if line.problem:
            raise line.bad(path)
        before = before if parts else line.number - 1
        parts.append(line.text)
        size += len(line.text) + 1
        if size > limits.array_bytes + 1:
            raise InputError(path, limits.too_long("is an array of", limits.array_bytes), line=line.number)
    return "\n".join(parts), before


def _skip(text: str, at: int) -> int:
    """Return where the next sign stands that is not blank."""
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _line_at(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)
