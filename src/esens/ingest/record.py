"""What every input gives: one raw record after another, each with its place."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from esens.errors import InputError


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A value at one place of an input, before it is checked whether it is a document."""

    value: Any
    path: str | Path
    line: int | None = None
    row: int | None = None
    position: int | None = None
    """How many rows come before it in the whole input, where that is known without counting them."""
    embedder_id: tuple[str, str] | None = None
    """The name and the hash of the embedder that made its vector, where the file says so."""

    @property
    def place(self) -> str:
        """Where it stands, for a message to somebody who has the same file."""
        if self.line is not None:
            return f"on line {self.line}"
        return f"in row {self.row} of {self.path}" if self.row is not None else f"in {self.path}"

    def bad(self, problem: str) -> InputError:
        """Return an error that says where this stands."""
        return InputError(self.path, problem, line=self.line, row=self.row)


class RecordSource(Protocol):
    """An input. A row that cannot be read is yielded as its error; what ends the reading is raised."""

    ignored: int
    """How many files of a folder were left out because of their endings."""

    @property
    def fraction(self) -> float | None:
        """How much of it is read, from 0 to 1, or None if that is unknown."""

    def __iter__(self) -> Iterator[RawRecord | InputError]: ...

    def close(self) -> None:
        """Let go of an open file, also where not all of it was read."""
