"""A checksum for every row, so that what is read is known to be what was written: Lance itself has none.

One number of 64 bits holds two: the upper half is of the vector, which is read with all others, the lower half of
everything else, which is read when a document is found. Against damage, not against somebody who means harm.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from esens.arrays.unit import Vectors
from esens.index.lance.schema import CHECKSUM, ORDINAL

Checksums = npt.NDArray[np.uint64]
HASHED = (ORDINAL, "id", "title", "text", "metadata")
"""The columns of the lower half."""
_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


def row_checksums(columns: Iterable[Sequence[Any]], vectors: Vectors) -> Any:
    """Return the column of checksums of rows, from the columns :data:`HASHED` and the vectors."""
    sums = (_of_vectors(vectors) << _HALF) | _of_documents(columns)
    return pa.array(sums.view(np.int64), pa.int64())


def damaged_vectors(batch: Any, vectors: Vectors) -> npt.NDArray[np.intp]:
    """Return which rows have another vector than was written; one without a checksum is believed."""
    stored, is_stored = _stored(batch)
    return np.flatnonzero(is_stored & ((stored >> _HALF) != _of_vectors(vectors)))


def damaged_documents(batch: Any) -> npt.NDArray[np.intp]:
    """Return which rows hold something else than was written, their vectors aside."""
    stored, is_stored = _stored(batch)
    sums = _of_documents(batch[name].to_pylist() for name in HASHED)
    return np.flatnonzero(is_stored & ((stored & _LOWER) != sums))


def _stored(batch: Any) -> tuple[Checksums, npt.NDArray[np.bool_]]:
    column = batch[CHECKSUM]
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    values = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)
    return values, ~column.is_null().to_numpy(zero_copy_only=False)


def _of_documents(columns: Iterable[Sequence[Any]]) -> Checksums:
    texts = [list(map(str, column)) for column in columns]
    # Lengths in front, so that no part passes for a piece of another.
    lengths = ",".join(["%d"] * len(texts))
    row = "\0".join([lengths, *["%s"] * len(texts)])
    return np.array(
        [
            zlib.crc32((row % (*map(len, parts), *parts)).encode("utf-8", "surrogatepass"))
            for parts in zip(*texts, strict=True)
        ],
        np.uint64,
    )


def _of_vectors(vectors: Vectors) -> Checksums:
    """Return the upper half of a sum of products with odd numbers, at the speed at which memory is read.

    One bit that flips always changes it, and whatever else happens to a vector nearly always; the journal's CRC of
    the whole file misses less still. A CRC of every vector would take ten times as long.
    """
    words = _words(vectors)
    return np.asarray(np.einsum("ij,j->i", words, _weights(words.shape[1])), np.uint64) >> _HALF


def _words(vectors: Vectors) -> Checksums:
    rows = np.ascontiguousarray(vectors, np.float32)
    if rows.shape[1] % 2:
        rows = np.concatenate([rows, np.zeros((len(rows), 1), np.float32)], axis=1)
    return rows.view(np.uint64)


def _weights(count: int) -> Checksums:
    # Of a generator that is the same everywhere and for ever, for sums are stored.
    weights = np.random.PCG64(0x65736E73).random_raw(count)
    return np.asarray(weights, np.uint64) | np.uint64(1)
