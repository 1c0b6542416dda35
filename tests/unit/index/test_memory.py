import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from esens import Document, MemoryIndex
from esens.arrays.scan import _pool, scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError
from esens.index.filters import parse_filter

BLOCK_ROWS = 128


def _unit(rows: int, dimension: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@pytest.mark.parametrize("rows", [0, 1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 5 * BLOCK_ROWS + 7])
@pytest.mark.parametrize("vectors", [0, 1, 2, 3, 40])
def test_a_scan_is_the_product(rows: int, vectors: int) -> None:
    matrix, queries = _unit(rows, 48), _unit(vectors, 48, seed=1)
    expected = queries.astype(np.float64) @ matrix.astype(np.float64).T
    np.testing.assert_allclose(scan(matrix, queries), expected, atol=1e-6)


@pytest.mark.parametrize("dimension", [7, 64, 384, 1536])
@pytest.mark.parametrize("vectors", [1, 2, 3, 6])
def test_a_document_scores_the_same_wherever_it_stands(dimension: int, vectors: int) -> None:
    matrix = np.tile(_unit(1, dimension), (3 * BLOCK_ROWS + 11, 1))
    scores = scan(matrix, _unit(vectors, dimension, seed=1))
    assert (scores == scores[:, :1]).all()


@pytest.mark.parametrize("dimension", [7, 64, 384, 1536])
def test_a_query_scores_the_same_with_its_traps_as_without(dimension: int) -> None:
    matrix, queries = _unit(2 * BLOCK_ROWS + 5, dimension), _unit(6, dimension, seed=1)
    alone = scan(matrix, queries[:1])[0]
    for count in range(2, 7):
        np.testing.assert_array_equal(scan(matrix, queries[:count])[0], alone)


def test_threads_change_nothing() -> None:
    matrix, queries = _unit(100 * BLOCK_ROWS + 3, 16), _unit(2, 16, seed=1)
    np.testing.assert_array_equal(scan(matrix, queries, threads=3), scan(matrix, queries, threads=1))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_can_search() -> None:
    matrix, queries = _unit(100 * BLOCK_ROWS, 16), _unit(2, 16, seed=1)
    expected = scan(matrix, queries, threads=2)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        fresh = _pool.cache_info().currsize == 0
        os.write(write, b"same" if fresh and (scan(matrix, queries, threads=2) == expected).all() else b"other")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 5) == b"same"


def test_vectors_are_brought_to_unit_length_and_the_callers_stay() -> None:
    given = np.array([[3.0, 4.0], [0.0, 2.0]])
    kept = given.copy()
    assert np.allclose(unit_rows(given), [[0.6, 0.8], [0.0, 1.0]])
    np.testing.assert_array_equal(given, kept)


def test_unit_vectors_are_not_copied() -> None:
    vectors = _unit(10, 8)
    assert np.shares_memory(unit_rows(vectors), vectors)


def test_huge_and_tiny_vectors_keep_their_direction() -> None:
    huge_and_tiny = np.array([[3e30, 4e30], [3e-30, 4e-30]], np.float32)
    np.testing.assert_allclose(unit_rows(huge_and_tiny) @ np.array([0.6, 0.8], np.float32), 1, rtol=1e-6)


def test_a_zero_vector_is_similar_to_nothing() -> None:
    index = MemoryIndex(["a", "b"], [[0.0, 0.0], [1.0, 0.0]])
    assert index.scan([[1.0, 0.0]]).raw.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_nan_and_infinity_are_named_with_their_row(bad: float) -> None:
    with pytest.raises(ArgumentError, match="vectors: row 1 holds NaN or infinity"):
        MemoryIndex(["a", "b"], [[1.0, 0.0], [bad, 0.0]])


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 0.0]], "1 rows for 2 documents"),
        ([1.0, 0.0], "must be a matrix"),
        ([[], []], "must be a matrix"),
        ([["a"], ["b"]], "matrix of numbers"),
        ([[1.0], [1.0, 2.0]], "matrix of numbers"),
    ],
)
def test_what_is_no_matrix_is_refused(vectors: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        MemoryIndex(["a", "b"], vectors)  # type: ignore[arg-type]


def test_another_dimension_is_named() -> None:
    index = MemoryIndex(["a"], [[1.0, 0.0]])
    with pytest.raises(ArgumentError, match="dimension 3, but the index has 2"):
        index.scan([[1.0, 0.0, 0.0]])


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(ArgumentError, match="corpus is empty"):
        MemoryIndex([], np.zeros((0, 2)))


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_threads_are_a_number(threads: object) -> None:
    with pytest.raises(ArgumentError, match="threads"):
        MemoryIndex(["a"], [[1.0]], threads=threads)  # type: ignore[arg-type]


def test_writes_of_several_threads_are_all_kept() -> None:
    index = MemoryIndex(["first"], np.ones((1, 4)))

    def add_and_remove(thread: int) -> None:
        for number in range(30):
            id_ = f"{thread}-{number}"
            index.upsert([Document(id_, ""), Document(f"{id_} gone", "")], np.ones((2, 4)))
            assert index.delete([f"{id_} gone"]) == 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add_and_remove, range(8)))
    assert len(index) == 1 + 8 * 30


def test_nobody_waits_for_a_writer() -> None:
    index = MemoryIndex(["first"], np.ones((1, 4)))
    with index._writing, ThreadPoolExecutor(1) as pool:  # somebody writes
        assert pool.submit(lambda: len(index.nearest(np.ones((1, 4)), 3)[0].ids)).result(timeout=10) == 1
        assert pool.submit(lambda: len(index)).result(timeout=10) == 1


def test_a_scan_leaves_the_threads_of_others_alone() -> None:
    faiss = pytest.importorskip("faiss")
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(7)
    try:
        scan(_unit(3, 8), _unit(2, 8))
        assert faiss.omp_get_max_threads() == 7
    finally:
        faiss.omp_set_num_threads(before)


class _CountedFields(dict[str, int]):
    """Metadata that count how often they are looked at."""

    looks = 0

    def get(self, key: str, default: Any = None) -> Any:
        type(self).looks += 1
        return super().get(key, default)


@pytest.mark.parametrize("count", [1, 20, 99])
def test_a_filter_is_applied_once_and_changes_no_score(count: int) -> None:
    vectors, probes = _unit(100, 16), _unit(3, 16, seed=1)
    _CountedFields.looks = 0
    corpus = [Document(str(at), "text", metadata=_CountedFields(at=at)) for at in range(100)]
    index, where = MemoryIndex(corpus, vectors), parse_filter(f"at<{count}")
    everything = index.scan(probes).raw
    for _ in range(3):
        scanned = index.scan(probes, where=where)
        assert scanned.raw.tolist() == scanned.compare(probes, None).tolist() == everything[:, :count].tolist()
        assert [document.id for document in scanned.lookup(range(count))] == [str(at) for at in range(count)]
    assert _CountedFields.looks == 100
    index.upsert([Document("99", "text", metadata={"at": 0})], vectors[:1])
    assert index.scan(probes, where=where).raw.shape[1] == count + 1
