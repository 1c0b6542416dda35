"""Raw scores of many queries over a whole corpus, in tiles that fit the memory they are given.

A corpus is a matrix with a row a document (an array, or a file mapped into memory) or any index. Where all tiles
of some queries fit, they are computed once and kept; where they do not, they are computed again for every look.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from esens.arrays.scan import cores, scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError
from esens.index import ScannableIndex

Matrix = npt.NDArray[np.float32]

MEMORY = 128 * 2**20
# Documents in a tile.
TILE = 16_384


class Tile(NamedTuple):
    """The raw scores of all vectors (a row each) over the documents from ``start`` on."""

    start: int
    raw: Matrix


class Corpus:
    """Documents as vectors, wherever they are kept."""

    def __init__(self, source: npt.ArrayLike | ScannableIndex, *, memory: int = MEMORY) -> None:
        """Take a matrix or an index; ``memory`` bounds, in bytes, the raw scores held at a time."""
        self._source: _Source = _OfIndex(source) if _is_index(source) else _OfMatrix(_matrix(source))
        self.memory = memory

    def __len__(self) -> int:
        return len(self._source)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._source.dimension

    def rows_at_once(self) -> int:
        """How many vectors' raw scores fit the memory; at least one."""
        return max(1, self.memory // (4 * len(self)))

    def vectors(self, positions: npt.NDArray[np.intp]) -> Matrix:
        """Return the vectors of some documents; an index does not give them away."""
        return self._source.vectors(positions)

    def scored(self, vectors: Matrix) -> "Scored":
        """Return the raw scores of these vectors, to be looked at tile by tile, as often as needed."""
        if vectors.shape[1] != self.dimension:
            raise ArgumentError(
                "vectors",
                f"queries have {vectors.shape[1]} dimensions, documents {self.dimension}; use one embedder",
            )
        fits = len(vectors) <= self.rows_at_once()
        return Scored(self._source, vectors, self._source.whole(vectors) if fits else None)


class Scored:
    """The raw scores of some vectors over a corpus: kept as one tile, or computed anew for every look."""

    def __init__(self, source: "_Source", vectors: Matrix, kept: Matrix | None) -> None:
        self._source, self._vectors, self._kept = source, vectors, kept

    def __iter__(self) -> Iterator[Tile]:
        return self._source.tiles(self._vectors) if self._kept is None else iter([Tile(0, self._kept)])

    def whole(self) -> Matrix:
        """Return all raw scores in one matrix, whatever memory that takes."""
        return self._source.whole(self._vectors) if self._kept is None else self._kept


class _Source(Protocol):
    @property
    def dimension(self) -> int: ...

    def __len__(self) -> int: ...

    def vectors(self, positions: npt.NDArray[np.intp]) -> Matrix: ...

    def tiles(self, vectors: Matrix) -> Iterator[Tile]: ...

    def whole(self, vectors: Matrix) -> Matrix: ...


class _OfIndex:
    def __init__(self, index: ScannableIndex) -> None:
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    @property
    def dimension(self) -> int:
        return self._index.dimension

    def vectors(self, positions: npt.NDArray[np.intp]) -> Matrix:
        raise ArgumentError(
            "documents", f"{len(positions)} vectors are needed, and an index keeps its own; give a matrix"
        )

    def tiles(self, vectors: Matrix) -> Iterator[Tile]:
        yield Tile(0, self.whole(vectors))

    def whole(self, vectors: Matrix) -> Matrix:
        return np.asarray(self._index.scan(vectors).raw, np.float32)


class _OfMatrix:
    def __init__(self, matrix: npt.NDArray[np.floating]) -> None:
        self._matrix = matrix
        self._is_unit = matrix.dtype == np.float32 and all(map(_has_unit_rows, self._parts()))

    def __len__(self) -> int:
        return len(self._matrix)

    @property
    def dimension(self) -> int:
        return int(self._matrix.shape[1])

    def vectors(self, positions: npt.NDArray[np.intp]) -> Matrix:
        return unit_rows(np.asarray(self._matrix[positions]), argument="document vectors")

    def tiles(self, vectors: Matrix) -> Iterator[Tile]:
        for start, rows in self._unit_parts():
            yield Tile(start, scan(rows, vectors, threads=cores()))

    def whole(self, vectors: Matrix) -> Matrix:
        raw = np.empty((len(vectors), len(self)), np.float32)
        for start, rows in self._unit_parts():
            scan(rows, vectors, threads=cores(), out=raw[:, start : start + len(rows)])
        return raw

    def _unit_parts(self) -> Iterator[tuple[int, Matrix]]:
        for number, part in enumerate(self._parts()):
            start = number * TILE
            yield (
                start,
                part if self._is_unit else unit_rows(part, argument=f"document vectors from row {start} on"),
            )

    def _parts(self) -> Iterator[npt.NDArray[np.floating]]:
        return (np.asarray(self._matrix[start : start + TILE]) for start in range(0, len(self), TILE))


def _is_index(source: object) -> TypeGuard[ScannableIndex]:
    return hasattr(source, "scan")


def _has_unit_rows(rows: npt.NDArray[np.floating]) -> bool:
    return unit_rows(rows, argument="document vectors") is rows


def _matrix(source: object) -> npt.NDArray[np.floating]:
    matrix = np.asanyarray(source)
    if matrix.ndim != 2 or not matrix.size or matrix.dtype not in (np.float16, np.float32, np.float64):
        raise ArgumentError(
            "corpus",
            f"must be an index, or a matrix of floats with a row a document; got {matrix.dtype} {matrix.shape}",
        )
    return matrix
