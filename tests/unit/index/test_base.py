"""What BaseIndex does for every adapter, with an adapter that does as little as it may."""

import traceback
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

from esens import Decomposition, Searcher
from esens.errors import ArgumentError, EngineError
from esens.index.adapter import ErrorTable, check_unit_length, engine_errors, typical_length
from esens.index.base import BaseIndex, Neighbours, Scan, Vectors, scannable, writable
from esens.index.filters import Filter
from esens.index.memory import MemoryIndex
from esens.index.ranges import Sample
from esens.index.uri import IndexURI
from esens.types import Document

URI = IndexURI.parse("shelf://me:hunter2@host/docs")
ROWS = np.random.default_rng(1).standard_normal((6, 3)).astype(np.float32)
DOCUMENTS = [Document(f"d{i}", "") for i in range(6)]


class Shelf(BaseIndex):
    """Documents compared by inner product, as stored."""

    dimension = 3
    errors: ClassVar[ErrorTable] = {
        KeyError: "the shelf is empty",
        OSError: lambda error, uri: f"{uri.scheme} says {error}",
    }

    def __init__(self, rows: Vectors) -> None:
        super().__init__(URI)
        self.metric = "ip"
        self.rows, self.samples = rows, 0

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> Sequence[Neighbours]:
        rows = self.rows if with_vectors else None
        return [Neighbours.by_score(DOCUMENTS, scores, rows, k) for scores in probes @ self.rows.T]

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        self.samples += 1
        return Sample(self.rows[:size], len(self.rows))

    def first_vectors(self, count: int) -> Vectors:
        return self.rows[:count]


@pytest.mark.parametrize("length", [0.1, 1, 10])
def test_inner_products_are_on_the_scale_of_cosines(length: float) -> None:
    unit = ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)
    exact = MemoryIndex(DOCUMENTS, ROWS)
    index = Shelf(np.asarray(length * unit, np.float32))
    (near,), (right,) = index.nearest(ROWS[:1], 4, with_vectors=True), exact.nearest(ROWS[:1], 4)
    assert near.ids == right.ids
    np.testing.assert_allclose(near.scores, right.scores, atol=1e-6)
    assert near.vectors is not None
    np.testing.assert_allclose(near.vectors, exact.vectors(near.ids), atol=1e-6)
    assert index.score_ranges(ROWS[:1])[0][:3] == pytest.approx(exact.score_ranges(ROWS[:1])[0][:3], abs=1e-6)


def test_a_search_over_longer_vectors_gives_the_same_hits_with_the_same_scores() -> None:
    def embed(texts: Sequence[str]) -> Vectors:
        return ROWS[[("query", "target", "trap").index(text) for text in texts]]

    unit = ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)
    results = [
        Searcher(Shelf(np.asarray(length * unit, np.float32)), embedder=embed).search(
            "query", k=6, decomposition=Decomposition("target", ("trap",))
        )
        for length in (0.1, 1, 10)
    ]
    for other in results[1:]:
        assert other.ids == results[0].ids
        assert [hit.score for hit in other] == pytest.approx([hit.score for hit in results[0]], abs=1e-5)


def test_the_order_of_inner_products_stays_that_of_the_engine() -> None:
    (near,) = Shelf(ROWS).nearest(ROWS[:1], 6)
    products = ROWS @ ROWS[0]
    assert near.ids == tuple(f"d{i}" for i in np.argsort(-products))
    mean = np.linalg.norm(ROWS, axis=1).mean()
    np.testing.assert_allclose(near.scores * mean * np.linalg.norm(ROWS[0]), np.sort(products)[::-1], rtol=1e-5)


def test_the_typical_length() -> None:
    assert typical_length(np.array([[1, 0], [0, 1.0002]], np.float32)) == 1
    assert typical_length(np.array([[3, 4], [0, 0], [1, 0]], np.float32)) == 3  # zeros have no direction
    assert typical_length(np.zeros((0, 2), np.float32)) == 1


def test_a_sample_is_drawn_once_and_again_after_a_change() -> None:
    index = Shelf(ROWS)
    for _ in range(3):
        index.score_ranges(ROWS[:2])
    assert index.samples == 1
    index._forget()
    index.score_ranges(ROWS[:2])
    assert index.samples == 2
    assert index.score_ranges(ROWS[:0]) == []


def test_more_neighbours_than_the_engine_gives() -> None:
    index = Shelf(ROWS)
    index.max_neighbours = 6
    with pytest.raises(ArgumentError, match=r"shelf://me:\*\*\*@host/docs finds at most 6 neighbours.*got 7"):
        index.nearest(ROWS[:1], 7)
    index.max_neighbours = 10
    assert len(index.nearest(ROWS[:1], 20)[0].ids) == 6  # fewer than it gives: there are no more


def test_errors_of_a_client_are_translated_and_leave_no_trace_of_the_request() -> None:
    index = Shelf(ROWS)
    for error, words in (
        (KeyError("".join(["hun", "ter2"])), "the shelf is empty"),
        (OSError("no"), "shelf says no"),
    ):
        with pytest.raises(EngineError, match=words) as caught, index.translate_errors():
            raise error
        assert "hunter2" not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(ArgumentError), index.translate_errors():  # ours stay as they are
        raise ArgumentError("k", "is wrong")
    with pytest.raises(ZeroDivisionError), engine_errors(URI, index.errors):
        raise ZeroDivisionError


def test_it_is_closed_by_with_and_shown_without_a_password() -> None:
    closed: list[bool] = []
    with Shelf(ROWS) as index:
        index.close = lambda: closed.append(True)  # type: ignore[method-assign]
        assert repr(index) == "Shelf('shelf://me:***@host/docs')"
    assert closed == [True]


def test_an_engine_that_is_only_searched() -> None:
    with pytest.raises(EngineError, match="cannot be opened by a spec"):
        Shelf.open(URI)
    with pytest.raises(EngineError, match="only searches this engine"):
        Shelf.prepare(URI, dimension=3, embedder_id=None)
    assert writable(Shelf(ROWS)) is None
    assert writable(MemoryIndex(DOCUMENTS, ROWS)) is not None


def test_euclidean_distances_need_unit_length() -> None:
    check_unit_length(URI, [[1.0, 0.0], [0.6, 0.8]], "it is L2", "use IP")
    check_unit_length(URI, np.zeros((0, 2)), "it is L2", "use IP")
    with pytest.raises(EngineError, match=r"it is L2, and its vectors do not have unit length.*; use IP"):
        check_unit_length(URI, [[3.0, 4.0]], "it is L2", "use IP")


class Counting:
    """An index whose properties take a look at a disk."""

    looks = 0

    @property
    def is_scannable(self) -> bool:
        self.looks += 1
        return self.looks > 1

    @property
    def dimension(self) -> int:
        raise AssertionError("nobody needs it")

    def scan(self, vectors: Vectors, *, where: Filter | None = None) -> Scan:
        raise NotImplementedError


def test_whether_an_index_can_be_scanned_takes_one_look() -> None:
    index = Counting()
    assert scannable(index) is None
    assert index.looks == 1
    assert scannable(index) is not None
    assert index.looks == 2
    assert scannable(Shelf(ROWS)) is None
