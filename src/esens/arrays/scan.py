"""Every vector compared with every row of a matrix: the one product that all raw scores come from.

A raw score depends on the two vectors it compares and on nothing beside them: not on the row's place, on the
other vectors, on the number of threads or on the shape of a product. So equal documents tie exactly, a candidate
set scores as the whole corpus does, and a query scores the same with its traps as without.

BLAS promises nothing of the kind, so the product is not its. simsimd's kernel computes every pair by itself, and
reads each row once for all vectors; docs/decisions/0009-every-pair-by-itself.md says what that costs.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import simsimd

from esens.arrays.unit import Vectors

PAIRS_WORTH_A_THREAD = 16_384
"""Below this many pairs another thread costs more than it brings."""
_PARTS_PER_THREAD = 2
# So many rows of a few hundred dimensions stay in a core's own cache until the last vector has met them.
_ROWS_IN_CACHE = 256
# What the scores of a part take beside those of all stays small, and in cache until it is put in its place.
_PAIRS_AT_ONCE = 2**17


def scan(matrix: Vectors, vectors: Vectors, *, threads: int = 1, out: Vectors | None = None) -> Vectors:
    """Return ``vectors @ matrix.T`` (a row a vector, a column a row of the matrix), every pair by itself."""
    scores = np.empty((len(vectors), len(matrix)), np.float32) if out is None else out
    if not scores.size:
        return scores
    rows, probes = np.ascontiguousarray(matrix, np.float32), np.ascontiguousarray(vectors, np.float32)
    if scores.size < PAIRS_WORTH_A_THREAD:
        # The same kernel, a vector at a time. It leaves OpenMP alone, so that it may run here; to wait for another
        # thread takes longer than so few pairs, and far longer where the cores are busy.
        for start in range(0, len(rows), _ROWS_IN_CACHE):
            part = slice(start, start + _ROWS_IN_CACHE)
            for row, probe in zip(scores, probes, strict=True):
                row[part] = np.asarray(simsimd.dot(rows[part], probe, out_dtype="float32"))
        return scores

    def compare(part: slice) -> None:
        # Never with out=: simsimd 6.5 then gives away a reference to None with every call.
        by_row = simsimd.cdist(rows[part], probes, metric="dot", out_dtype="float32")
        scores[:, part] = np.asarray(by_row).T

    run_parts(compare, _parts(len(rows), len(probes), threads), threads)
    return scores


def run_parts(work: Callable[[slice], None], parts: Iterable[slice], threads: int) -> None:
    """Work through all parts on so many threads; whoever is free takes the next.

    Never on the caller's own thread: simsimd sets how many threads OpenMP has there, and whoever comes after it on
    that thread (faiss, torch) would have one.
    """
    waiting = iter(list(parts))

    def work_through() -> None:
        for part in waiting:
            work(part)

    first, *others = [_pool().submit(work_through) for _ in range(threads)]
    first.result()
    for other in others:
        if not other.cancel():  # one that has not begun finds nothing left to do
            other.result()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _parts(rows: int, vectors: int, threads: int) -> Iterator[slice]:
    step = min(max(1, _PAIRS_AT_ONCE // vectors), -(-rows // (threads * _PARTS_PER_THREAD)))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores(), thread_name_prefix="esens-scan")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads; it makes a pool of its own
    os.register_at_fork(after_in_child=_pool.cache_clear)
