"""A matrix that searches come back to: exact raw scores of its rows, or rounded ones of all of them first."""

from threading import Lock
from typing import NamedTuple

from esens.arrays.quantized import QuantizedRows, RoughScores, quantize, rough_scan
from esens.arrays.rank import Positions
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors

FEWEST = 10_000
"""Of fewer rows, comparing each exactly takes no longer than looking at rounded ones first."""
_PART = 4  # of the rows, at least one in so many: comparing all is as fast as picking out some


class SearchedMatrix:
    """Rows of unit length, or zero. From the second search on they are kept rounded, too: a quarter more memory.

    Who searches once, as a command does, does not wait for the rounding.
    """

    def __init__(self, rows: Vectors) -> None:
        """Take the rows. They must not change afterwards."""
        self.rows = rows
        self._quantized: QuantizedRows | None = None
        self._is_searched = False
        self._rounding = Lock()

    def at(self, positions: Positions | None = None, *, threads: int = 1) -> "SearchedRows":
        """Return the rows at some positions, or all, to be compared on so many threads."""
        return SearchedRows(self, positions, threads)

    def quantized(self, threads: int) -> QuantizedRows | None:
        """Return the rows rounded; None at the first search, and while another thread rounds them."""
        return self._quantized or self._rounded(threads)

    def _rounded(self, threads: int) -> QuantizedRows | None:
        if not self._rounding.acquire(blocking=False):
            return None  # another thread is at it; nobody waits
        try:
            if self._is_searched and self._quantized is None:
                self._quantized = quantize(self.rows, threads=threads)
            self._is_searched = True
        finally:
            self._rounding.release()
        return self._quantized


class SearchedRows(NamedTuple):
    """Some rows of a matrix, such as a filter leaves, or all of them."""

    matrix: SearchedMatrix
    positions: Positions | None
    threads: int

    def scan(self, vectors: Vectors, columns: Positions | None = None) -> Vectors:
        """Return the raw scores of vectors (a row each) with these rows (a column each), or with some of them."""
        rows, positions = self.matrix.rows, self.positions
        if columns is not None:
            positions = columns if positions is None else positions[columns]
        if positions is None:
            return scan(rows, vectors, threads=self.threads)
        if _PART * len(positions) <= len(rows):
            return scan(rows[positions], vectors, threads=self.threads)
        return scan(rows, vectors, threads=self.threads)[:, positions]

    def rough_scan(self, vectors: Vectors) -> RoughScores | None:
        """Return the same by rounded rows; None where that spares nothing: of few, and at the first search."""
        positions = self.positions
        if (len(self.matrix.rows) if positions is None else len(positions)) < FEWEST:
            return None
        quantized = self.matrix.quantized(self.threads)
        if quantized is None:
            return None
        if positions is None:
            return rough_scan(quantized, vectors, threads=self.threads)
        if _PART * len(positions) <= len(self.matrix.rows):
            return rough_scan(quantized.at(positions), vectors, threads=self.threads)
        scores = rough_scan(quantized, vectors, threads=self.threads)
        return scores._replace(raw=scores.raw[:, positions])
