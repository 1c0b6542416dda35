"""The suite that every index passes, against the exact one in memory.

The author of an adapter inherits it and writes one fixture, which gives what fills an index:

    class TestMyIndex(IndexConformance):
        @pytest.fixture(scope="class")
        @classmethod
        def make_index(cls):
            return my_index_of  # called with documents and a matrix, returns an index that holds them

An index that esens cannot write to joins by being filled with its engine's own means; what is about writing is
then skipped.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings

from esens.documents import Document, Passage
from esens.errors import ArgumentError
from esens.index.base import Index, Neighbours, Vectors, WritableIndex, scannable, writable
from esens.index.filters import Filter, matches, parse_filter
from esens.index.memory import MemoryIndex
from esens.testing.corpus import (
    DIMENSION,
    FILTERS,
    ODD_IDS,
    SIZE,
    orders_texts,
    plain_corpus,
    query_vectors,
    random_filters,
    varied_corpus,
)

MakeIndex = Callable[[Sequence[Document], Vectors], Index]
_SMALL = 20


class IndexConformance:
    """What every index does; a subclass has the fixture ``make_index``."""

    @pytest.fixture(scope="class")
    @classmethod
    def make_index(cls) -> MakeIndex:
        """Return what makes an index that holds these documents, with a row of the matrix each."""
        raise NotImplementedError("write the fixture make_index")

    @pytest.fixture(scope="class")
    @classmethod
    def index(cls, make_index: MakeIndex) -> Iterator[Index]:
        """Give an index of a thousand documents, which no test changes."""
        index = make_index(*plain_corpus())
        yield index
        index.close()

    @pytest.fixture(scope="class")
    @classmethod
    def varied(cls, make_index: MakeIndex) -> Iterator[Index]:
        """Give an index of documents whose metadata are of every kind."""
        index = make_index(*varied_corpus())
        yield index
        index.close()

    @pytest.fixture(scope="class")
    @classmethod
    def lookup(cls, index: Index) -> WritableIndex:
        """Give the index of a thousand documents if it looks up documents by their ids."""
        if not hasattr(index, "documents"):
            pytest.skip("this index does not look up documents by their ids")
        return cast("WritableIndex", index)

    @pytest.fixture
    def small(self, make_index: MakeIndex) -> Iterator[WritableIndex]:
        """Give an index of twenty documents, for a test to change."""
        documents, vectors = plain_corpus()
        index = make_index(documents[:_SMALL], vectors[:_SMALL])
        try:
            yield _writable(index)
        finally:
            index.close()

    @pytest.fixture(scope="class")
    @classmethod
    def oracle(cls) -> MemoryIndex:
        """Give the exact index of the same thousand documents."""
        return MemoryIndex(*plain_corpus())

    @pytest.fixture(scope="class")
    @classmethod
    def queries(cls) -> Vectors:
        """Give a few unit vectors."""
        return query_vectors()

    # Searching

    def test_it_has_a_dimension_and_bounds(self, index: Index) -> None:
        assert index.dimension == DIMENSION
        assert index.max_neighbours is None or index.max_neighbours > 0
        assert index.embedder_id is None or index.embedder_id.name

    @pytest.mark.parametrize("k", [1, 10, 100])
    def test_the_nearest_are_the_oracles(
        self, index: Index, oracle: MemoryIndex, queries: Vectors, k: int
    ) -> None:
        for near, exact in zip(index.nearest(queries, k), oracle.nearest(queries, k), strict=True):
            _check_same(near, exact)
            assert near.vectors is None

    def test_a_query_of_any_length_finds_the_same(
        self, index: Index, oracle: MemoryIndex, queries: Vectors
    ) -> None:
        for near, exact in zip(index.nearest(7 * queries, 10), oracle.nearest(queries, 10), strict=True):
            _check_same(near, exact)

    def test_more_than_there_are_is_all_there_are(self, index: Index, queries: Vectors) -> None:
        (near,) = index.nearest(queries[:1], SIZE + 50)
        assert len(set(near.ids)) == SIZE
        assert index.nearest(queries[:1], 0)[0].ids == ()
        assert index.nearest(queries[:0], 5) == []

    def test_duplicates_tie_and_keep_their_order(self, index: Index) -> None:
        vectors = plain_corpus()[1]
        for i in range(3):
            (near,) = index.nearest(vectors[i : i + 1], 2)
            assert near.ids == (f"d{i:04}", f"d{500 + i:04}")
            assert near.scores[0] == near.scores[1] == pytest.approx(1, abs=1e-6)

    def test_neighbours_come_with_their_documents_and_vectors(
        self, index: Index, oracle: MemoryIndex, queries: Vectors
    ) -> None:
        for near in index.nearest(queries, 10, with_vectors=True):
            assert near.vectors is not None
            np.testing.assert_allclose(near.vectors, oracle.vectors(near.ids), atol=1e-6)
            assert near.documents == tuple(oracle.documents(near.ids)[id_] for id_ in near.ids)

    def test_another_dimension_is_an_error(self, index: Index) -> None:
        wrong = np.ones((1, DIMENSION + 1), np.float32)
        searches: list[Callable[[], object]] = [
            lambda: index.nearest(wrong, 3),
            lambda: index.score_ranges(wrong),
        ]
        for search in searches:
            with pytest.raises(ArgumentError, match=f"dimension {DIMENSION + 1}.*{DIMENSION}"):
                search()

    def test_a_scan_is_every_raw_score(self, index: Index, oracle: MemoryIndex, queries: Vectors) -> None:
        whole = scannable(index)
        if whole is None:
            pytest.skip("this engine does not compare a vector with every document")
        for where in (None, parse_filter({"kind": "a"})):
            every, exact = whole.scan(queries, where=where), oracle.scan(queries, where=where)
            np.testing.assert_array_equal(every.raw, exact.raw)
            np.testing.assert_array_equal(every.compare(queries[:2], None), exact.raw[:2])
            columns = np.array([0, 7, 3])
            np.testing.assert_array_equal(every.compare(queries[:2], columns), exact.raw[:2, columns])
            assert list(every.lookup([7, 3])) == list(exact.lookup([7, 3]))

    # Filters and ranges

    @pytest.mark.parametrize("wanted", FILTERS, ids=str)
    def test_a_filter_leaves_the_documents_that_fulfil_it(
        self, index: Index, oracle: MemoryIndex, queries: Vectors, wanted: dict[str, Any]
    ) -> None:
        where = parse_filter(wanted)
        answers = index.nearest(queries, 10, where=where)
        for near, exact in zip(answers, oracle.nearest(queries, 10, where=where), strict=True):
            _check_same(near, exact)
            assert all(matches(document.metadata, where) for document in near.documents)

    @given(where=random_filters())
    @settings(deadline=None, suppress_health_check=[HealthCheck.differing_executors])
    def test_any_filter_means_the_same_as_in_memory(self, varied: Index, where: Filter) -> None:
        documents = varied_corpus()[0]
        try:
            (near,) = varied.nearest(np.ones((1, DIMENSION), np.float32), len(documents), where=where)
        except ArgumentError:  # an engine may say that it cannot, but not give another answer
            if not orders_texts(where):
                raise
        else:
            assert set(near.ids) == {document.id for document in documents if matches(document.metadata, where)}

    @pytest.mark.parametrize("wanted", [{}, {"kind": "a"}, {"n": {"<": 1}}, {"kind": "nobody's"}], ids=str)
    def test_ranges_hold_every_raw_score_or_are_said_to_be_estimates(
        self, index: Index, oracle: MemoryIndex, queries: Vectors, wanted: dict[str, Any]
    ) -> None:
        where = parse_filter(wanted)
        ranges = index.score_ranges(queries, where=where)
        for estimate, exact in zip(ranges, oracle.score_ranges(queries, where=where), strict=True):
            # As many documents fit into a sample as there are: nothing is estimated but where it must be.
            assert estimate[:3] == pytest.approx(exact[:3], abs=2e-6 if estimate.is_exact else 0.2)

    # Looking up

    def test_it_counts_its_documents(self, lookup: WritableIndex) -> None:
        assert len(lookup) == SIZE

    def test_products_with_its_vectors_are_cosines(self, lookup: WritableIndex, queries: Vectors) -> None:
        rows = plain_corpus()[1][[7, 3, 999]].astype(float)
        exact = queries.astype(float) @ (rows / np.linalg.norm(rows, axis=1, keepdims=True)).T
        np.testing.assert_allclose(lookup.vectors(["d0007", "d0003", "d0999"]) @ queries.T, exact.T, atol=1e-6)

    def test_duplicates_have_the_same_vectors(self, lookup: WritableIndex) -> None:
        first = lookup.vectors([f"d{i:04}" for i in range(20)])
        np.testing.assert_array_equal(first, lookup.vectors([f"d{500 + i:04}" for i in range(20)]))

    def test_no_documents_have_no_vectors(self, lookup: WritableIndex) -> None:
        assert lookup.vectors([]).shape == (0, DIMENSION)
        assert dict(lookup.documents([])) == {}

    def test_documents_come_back_whole(self, lookup: WritableIndex) -> None:
        documents = plain_corpus()[0]
        wanted = {"d0007": documents[7], "d0004": documents[4]}
        assert lookup.documents(["d0007", "nobody", "d0004"]) == wanted

    def test_the_vector_of_nobody_is_an_error(self, lookup: WritableIndex) -> None:
        with pytest.raises(ArgumentError, match="no document with the id 'nobody'"):
            lookup.vectors(["d0001", "nobody"])

    # Writing

    def test_documents_can_be_added(self, small: WritableIndex, queries: Vectors) -> None:
        documents, vectors = plain_corpus()
        small.upsert(documents[20:30], vectors[20:30])
        assert len(small) == 30
        exact = MemoryIndex(documents[:30], vectors[:30])
        _check_same(small.nearest(queries[:1], 30)[0], exact.nearest(queries[:1], 30)[0])

    def test_a_document_takes_the_place_of_its_namesake(self, small: WritableIndex, queries: Vectors) -> None:
        documents, vectors = plain_corpus()
        changed = Document("d0003", "another text", metadata={"kind": "z"})
        small.upsert([changed, documents[20]], vectors[[600, 20]])
        assert len(small) == 21
        assert small.documents(["d0003"]) == {"d0003": changed}
        unit = vectors[600] / np.linalg.norm(vectors[600])
        np.testing.assert_allclose(small.vectors(["d0003"]) @ unit, [1], atol=1e-6)
        assert small.nearest(vectors[600:601], 1)[0].ids == ("d0003",)
        assert small.nearest(queries[:1], 5, where=parse_filter({"kind": "z"}))[0].ids == ("d0003",)

    def test_an_id_that_comes_twice_in_a_call_is_an_error(self, small: WritableIndex) -> None:
        documents, vectors = plain_corpus()
        with pytest.raises(ArgumentError, match="'d0001' stands at positions 0 and 1"):
            small.upsert([documents[1], documents[1]], vectors[:2])
        assert len(small) == _SMALL

    def test_wrong_vectors_are_an_error(self, small: WritableIndex) -> None:
        documents, vectors = plain_corpus()
        wrong: list[tuple[npt.ArrayLike, str]] = [
            (vectors[30:32], "2 rows for 1 documents"),
            (np.full((1, DIMENSION), np.nan), "NaN or infinity"),
            (np.ones((1, DIMENSION + 1)), f"dimension {DIMENSION + 1}.*{DIMENSION}"),
        ]
        for rows, problem in wrong:
            with pytest.raises(ArgumentError, match=problem):
                small.upsert(documents[30:31], rows)
        assert len(small) == _SMALL

    def test_deleted_documents_are_gone(self, small: WritableIndex, queries: Vectors) -> None:
        assert small.delete(["d0000", "nobody", "d0019", "d0000"]) == 2
        assert len(small) == _SMALL - 2
        assert small.documents(["d0000"]) == {}
        documents, vectors = plain_corpus()
        exact = MemoryIndex(documents[1:19], vectors[1:19])
        _check_same(small.nearest(queries[:1], 20)[0], exact.nearest(queries[:1], 20)[0])
        assert small.delete([]) == 0

    def test_an_empty_index_finds_nothing(self, small: WritableIndex, queries: Vectors) -> None:
        small.delete([f"d{i:04}" for i in range(_SMALL)])
        assert len(small) == 0
        assert [near.ids for near in small.nearest(queries[:2], 3)] == [(), ()]
        assert all(range_.low == range_.high == 0 for range_ in small.score_ranges(queries[:2]))

    def test_a_zero_vector_is_similar_to_nothing(self, small: WritableIndex) -> None:
        small.upsert([Document("zero", "nothing")], np.zeros((1, DIMENSION)))
        assert small.vectors(["zero"]).tolist() == [[0.0] * DIMENSION]

    def test_a_passage_comes_back_as_one_and_a_row_that_looks_like_one_does_not(
        self, small: WritableIndex
    ) -> None:
        fields = {"passage_of": "tea", "passage": 2, "passages": 3}
        documents = [
            Document("tea#1", "a passage", metadata={"n": 1}, passage=Passage("tea", 1, 3)),
            Document("tea#2", "a row with such fields", metadata=fields),
            Document("tea#3", "a row with the mark", metadata={"esens:passage": "x", "esens:passage'": "y"}),
        ]
        small.upsert(documents, np.eye(3, DIMENSION))
        found = small.documents([document.id for document in documents])
        assert list(found.values()) == documents

    def test_ids_may_hold_any_sign(self, small: WritableIndex) -> None:
        odd = {id_: Document(id_, "text") for id_ in ODD_IDS}
        small.upsert(list(odd.values()), plain_corpus()[1][100 : 100 + len(odd)])
        assert small.documents(list(odd)) == odd
        assert small.delete(list(odd)) == len(odd)
        assert len(small) == _SMALL

    def test_it_can_be_closed_twice(self, make_index: MakeIndex) -> None:
        documents, vectors = plain_corpus()
        index = make_index(documents[:_SMALL], vectors[:_SMALL])
        index.close()
        index.close()


def _writable(index: Index) -> WritableIndex:
    changeable = writable(index)
    if changeable is None:
        pytest.skip("this index cannot be written to")
    return changeable


def _check_same(near: Neighbours, exact: Neighbours) -> None:
    """Check for the same documents in the same order; of those that tie with the last, any may be in."""
    np.testing.assert_allclose(near.scores, exact.scores, atol=2e-6)
    assert len(near.ids) == len(exact.ids) == len(set(near.ids))
    clear = [id_ for id_, score in zip(exact.ids, exact.scores, strict=True) if score > exact.scores[-1] + 1e-6]
    assert list(near.ids[: len(clear)]) == clear
