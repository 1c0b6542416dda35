"""Vectors as callers bring them, checked and brought to unit length, so that a dot product is a cosine."""

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError

Vectors = npt.NDArray[np.float32]

_BLOCK = 1024
_UNIT = 1e-6


def unit_rows(vectors: npt.ArrayLike, *, argument: str = "vectors", dimension: int | None = None) -> Vectors:
    """Return the rows as unit vectors in float32; a zero row stays zero, and is similar to nothing.

    An array that is already that is returned as it is, not copied.
    """
    rows = _matrix(vectors, argument)
    if dimension is not None and rows.shape[1] != dimension:
        raise ArgumentError(
            argument,
            f"have dimension {rows.shape[1]}, but the index has {dimension}; "
            "embed documents and queries with the same model",
        )
    lengths = _lengths(rows)
    is_unit = np.abs(lengths - 1.0) <= _UNIT
    if rows.dtype == np.float32 and is_unit.all():
        return np.ascontiguousarray(rows)
    bad = np.flatnonzero(~np.isfinite(lengths))
    if bad.size:
        raise ArgumentError(argument, f"row {bad[0]} holds NaN or infinity; embed that text again")
    # Row by row, not for all at once: what becomes of a row must not depend on those beside it.
    lengths[(lengths == 0) | is_unit] = 1.0
    if rows.dtype == np.float32 and np.all(lengths == 1.0):
        return np.ascontiguousarray(rows)
    unit = np.empty(rows.shape, np.float32)
    for start in range(0, len(rows), _BLOCK):
        part = slice(start, start + _BLOCK)
        unit[part] = rows[part] / lengths[part, None]
    return unit


def a_row_a_document(vectors: npt.ArrayLike, documents: int, *, dimension: int | None = None) -> Vectors:
    """Return the rows as unit vectors, if there is one for each of so many documents."""
    rows = unit_rows(vectors, dimension=dimension)
    _check_rows(rows, documents)
    return rows


def matrix_rows(vectors: npt.ArrayLike, documents: int) -> npt.NDArray[np.floating]:
    """Return the rows as they are, if there is one for each of so many documents."""
    rows = _matrix(vectors, "vectors")
    _check_rows(rows, documents)
    return rows


def _check_rows(rows: npt.NDArray[np.floating], documents: int) -> None:
    if len(rows) != documents:
        raise ArgumentError("vectors", f"{len(rows)} rows for {documents} documents; give one row each")


def not_there(id_: str) -> ArgumentError:
    """Return the error of asking for the vector of a document that is not in the index."""
    return ArgumentError("ids", f"no document with the id {id_!r} is in the index")


def _matrix(vectors: npt.ArrayLike, argument: str) -> npt.NDArray[np.floating]:
    try:
        rows = np.asarray(vectors)
        rows = rows if rows.dtype in (np.float16, np.float32, np.float64) else rows.astype(np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(argument, f"must be a matrix of numbers, a row a text ({error})") from None
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ArgumentError(argument, f"must be a matrix, a row a text; got shape {rows.shape}")
    return rows


def _lengths(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    lengths = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK].astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            # A sum of squares, not a product of BLAS: the length of a row must not depend on its place.
            lengths[start : start + len(part)] = np.sqrt(np.square(part).sum(axis=1))
    return lengths
