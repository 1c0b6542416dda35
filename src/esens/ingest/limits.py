"""How much an input may hold in one place, and unpack to: no file takes all memory, or works for ever."""

from dataclasses import dataclass, fields

from esens.errors import ArgumentError, InputError
from esens.messages import quoted

_MEGABYTE = 2**20
DEFAULT_ROW_BYTES = 16 * _MEGABYTE
DEFAULT_UNPACK_RATIO = 100
_ROWS_OF_AN_ARRAY = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most. Beyond it a row is bad, or the reading ends, before memory is taken for it."""

    row_bytes: int = DEFAULT_ROW_BYTES
    """Of a line, of a row of a CSV file that goes over several, of a page."""
    unpack_ratio: int = DEFAULT_UNPACK_RATIO
    """How many times its size a gzipped file unpacks to, where that is more than a row may be. Texts: 3 to 10."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value: object = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ArgumentError(field.name, f"must be a whole number of at least 1, got {quoted(value)}")

    @property
    def array_bytes(self) -> int:
        """Of a JSON array, whose text is in memory as a whole."""
        return _ROWS_OF_AN_ARRAY * self.row_bytes

    def too_long(self, what: str, most: int) -> str:
        """Return the problem of something that is longer than it may be."""
        advice = "allow more with Limits(row_bytes=…) (--max-row-bytes)"
        array = f", and an array {_ROWS_OF_AN_ARRAY} times that" if most == self.array_bytes else ""
        return f"{what} more than {most:,} bytes; {advice}{array}"

    def check_unpacked(self, path: object, unpacked: int, packed: int) -> None:
        """Raise where a gzipped file has unpacked to more than so many bytes of it make believable."""
        if unpacked > self.row_bytes and unpacked > self.unpack_ratio * packed:
            problem = f"unpacks to more than {self.unpack_ratio} times its size"
            advice = "if that is as it should be, allow more with Limits(unpack_ratio=…) (--max-unpack-ratio)"
            raise InputError(str(path), f"{problem}; {advice}")
