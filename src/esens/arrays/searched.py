"""A matrix that searches come back to: exact raw scores of its rows, or rounded ones of all of them first."""

from threading import Lock

from esens.arrays.quantized import QuantizedRows, RoughScores, quantize, rough_scan
from esens.arrays.rank import Positions
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors

FEWEST = 10_000
"""Of fewer rows, comparing each exactly takes no longer than looking at rounded ones first."""
_PART = 4  # of the rows, at least one in so many: comparing all is as fast as picking out some


_TRIES = 16
"""Misses after which rounded rows are given up, where they were half of all tries."""


class SearchedMatrix:
    """Rows of unit length, or zero. From the second search on they are kept rounded, too: a quarter more memory.

    Who searches once, as a command does, does not wait for the rounding. Where it seldom spares the exact scan, as
    among thousands of documents that are nearly the same, it is not tried any more.
    """

    def __init__(self, rows: Vectors) -> None:
        """Take the rows. They must not change afterwards."""
        self.rows = rows
        self._quantized: QuantizedRows | None = None
        self._is_searched = False
        self._rounding = Lock()
        self._tries, self._misses = 0, 0

    def at(self, positions: Positions | None = None, *, threads: int = 1) -> "SearchedRows":
        """Return the rows at some positions, or all, to be compared on so many threads in one search."""
        return SearchedRows(self, positions, threads)

    def quantized(self, threads: int) -> QuantizedRows | None:
        """Return the rows rounded; None at the first search, while another thread is at it, and once given up."""
        if self._misses > _TRIES and 2 * self._misses > self._tries:
            return None
        found = self._quantized or self._rounded(threads)
        self._tries += found is not None
        return found

    def note_miss(self) -> None:
        """Note that all rows had to be compared exactly after all."""
        self._misses += 1

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


class SearchedRows:
    """Some rows of a matrix, such as a filter leaves, or all of them, during one search."""

    def __init__(self, matrix: SearchedMatrix, positions: Positions | None, threads: int) -> None:
        """Take the matrix, where the rows stand in it, and how many threads compare them."""
        self._matrix, self._positions, self._threads = matrix, positions, threads
        self._is_rounded = False

    def scan(self, vectors: Vectors, columns: Positions | None = None) -> Vectors:
        """Return the raw scores of vectors (a row each) with these rows (a column each), or with some of them."""
        rows, positions = self._matrix.rows, self._positions
        if columns is not None:
            positions = columns if positions is None else positions[columns]
        elif self._is_rounded:
            self._matrix.note_miss()
        if positions is None:
            return scan(rows, vectors, threads=self._threads)
        if _PART * len(positions) <= len(rows):
            return scan(rows[positions], vectors, threads=self._threads)
        return scan(rows, vectors, threads=self._threads)[:, positions]

    def rough_scan(self, vectors: Vectors) -> RoughScores | None:
        """Return the same by rounded rows; None where that spares nothing."""
        rows, positions = self._matrix.rows, self._positions
        if (len(rows) if positions is None else len(positions)) < FEWEST:
            return None
        quantized = self._matrix.quantized(self._threads)
        if quantized is None:
            return None
        self._is_rounded = True
        if positions is None:
            return rough_scan(quantized, vectors, threads=self._threads)
        if _PART * len(positions) <= len(rows):
            return rough_scan(quantized.at(positions), vectors, threads=self._threads)
        scores = rough_scan(quantized, vectors, threads=self._threads)
        return scores._replace(raw=scores.raw[:, positions])
