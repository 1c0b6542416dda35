"""Exact, in memory: the oracle that every other index is compared with."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.index.base import Vectors
from esens.index.vectors import unit_rows
from esens.types import Document, documents_of

# Rows that are multiplied at a time. Small enough to be read once and stay in cache while every vector meets
# them, and small enough that BLAS multiplies them in place instead of packing them first, which for a handful
# of vectors costs more than the product itself. See benchmarks/results/exact_search.md.
BLOCK_ROWS = 128
# Below this many blocks a second thread costs more than it brings.
_BLOCKS_WORTH_A_THREAD = 64
_PARTS_PER_THREAD = 2


class MemoryIndex:
    """Documents and their vectors, held in memory and compared with every query."""

    def __init__(
        self,
        documents: Iterable[str | Mapping[str, Any] | Document],
        vectors: npt.ArrayLike,
        *,
        threads: int | None = None,
    ) -> None:
        """Take documents and a matrix with a row for each; ``threads`` is the number of cores by default."""
        self._documents = documents_of(documents)
        if not self._documents:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        self._vectors = unit_rows(vectors)
        if len(self._vectors) != len(self._documents):
            raise ArgumentError(
                "vectors",
                f"{len(self._vectors)} rows for {len(self._documents)} documents; give one row each",
            )
        self._threads = _threads(threads)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._vectors.shape[1])

    def __len__(self) -> int:
        return len(self._documents)

    def documents(self, positions: Sequence[int]) -> Sequence[Document]:
        """Return the documents at these positions of the corpus order."""
        return [self._documents[position] for position in positions]

    def raw_scores(self, vectors: npt.ArrayLike) -> Vectors:
        """Return the cosine of every vector (a row each) with every document (a column each)."""
        return scan(
            self._vectors,
            unit_rows(vectors, argument="query vectors", dimension=self.dimension),
            threads=self._threads,
        )


def scan(matrix: Vectors, vectors: Vectors, *, threads: int = 1) -> Vectors:
    """Return ``vectors @ matrix.T``, reading the matrix once.

    A score depends on the two vectors it compares and on nothing beside them, because every product has the
    same shape: two vectors, one block, both filled up with zeros where there are fewer. So duplicates tie
    exactly, a candidate set gives the same scores as the whole corpus, and a query scores the same with its
    traps as without.
    """
    rows, dimension = matrix.shape
    whole, left = divmod(rows, BLOCK_ROWS)
    pairs = np.zeros((-(-len(vectors) // 2), 2, dimension), np.float32)
    pairs.reshape(-1, dimension)[: len(vectors)] = vectors
    scores = np.empty((len(pairs), 2, whole + (left > 0), BLOCK_ROWS), np.float32)
    by_block = scores.transpose(2, 0, 1, 3)
    blocks = matrix[: whole * BLOCK_ROWS].reshape(whole, 1, BLOCK_ROWS, dimension).transpose(0, 1, 3, 2)

    def multiply(part: slice) -> None:
        np.matmul(pairs, blocks[part], out=by_block[:whole][part])

    _in_parts(multiply, whole, threads)
    if left:
        last = np.zeros((BLOCK_ROWS, dimension), np.float32)
        last[:left] = matrix[whole * BLOCK_ROWS :]
        np.matmul(pairs, last.T, out=by_block[whole])
    return scores.reshape(2 * len(pairs), -1)[: len(vectors), :rows]


def _in_parts(multiply: Callable[[slice], None], blocks: int, threads: int) -> None:
    if threads == 1 or blocks < _BLOCKS_WORTH_A_THREAD:
        multiply(slice(0, blocks))
        return
    step = -(-blocks // (threads * _PARTS_PER_THREAD))
    parts = iter([slice(start, min(start + step, blocks)) for start in range(0, blocks, step)])

    def work() -> None:
        for part in parts:  # shared: whoever is free takes the next
            multiply(part)

    helpers = [_pool(threads - 1).submit(work) for _ in range(threads - 1)]
    work()
    for helper in helpers:
        if not helper.cancel():  # one that has not begun finds nothing left to do
            helper.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="esens-scan")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads; it makes a pool of its own
    os.register_at_fork(after_in_child=_pool.cache_clear)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _threads(given: int | None) -> int:
    if given is None:
        return cores()
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ArgumentError("threads", f"must be a whole number of at least 1, got {given!r}")
    return given
