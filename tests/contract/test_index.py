"""One suite for every index, against the exact one in memory. A new index joins by one line in indexes.py."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.contract.filters import VARIED, filters, orders_texts
from tests.contract.indexes import INDEXES, READ_ONLY

from esens.errors import ArgumentError
from esens.index import Index, MemoryIndex, WritableIndex, open_index, prepare_index
from esens.index.base import Neighbours, scannable, writable
from esens.index.filters import Filter, matches, parse_filter
from esens.types import Document

Make = Callable[[Sequence[Document], np.ndarray], Index]
Corpus = tuple[list[Document], np.ndarray]
DIMENSION, SIZE = 32, 1000
WHERES: list[dict[str, Any]] = [
    {"kind": "a"},
    {"kind": ["a", "c"]},
    {"kind": {"!=": "a"}},
    {"n": {">=": 990}},
    {"n": {">": 100, "<": 110}},
    {"n": {"<=": 3}},
    {"share": {"<": 0.25}},
    {"even": True},
    {"kind": "b", "even": False},
    {"rare": "yes"},
    {"rare": {"!=": "yes"}},
    {"tags": "t3"},
    {"tags": ["t1", "t2"]},
    {"kind": "O'Brien; DROP TABLE docs --"},
    {'a field\'s "name"': 'a "value" %s {}'},
    {"n": "7"},
    {"even": 1},
    {"kind": {"not in": ["a", "b"]}},
    {"rare": {"not in": ["yes"]}},
    {"or": [{"n": {"<": 3}}, {"kind": "c", "even": True}]},
    {"not": {"or": [{"kind": "a"}, {"rare": "yes"}]}},
    {"not": {"missing": {"<": 3}}},
    {"or": []},
    {"and": []},
]


@pytest.fixture(params=[*INDEXES, *READ_ONLY], scope="module")
def make(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Make:
    numbers = count()

    def made(documents: Sequence[Document], vectors: np.ndarray) -> Index:
        folder = tmp_path_factory.mktemp(f"index{next(numbers)}")
        if request.param in READ_ONLY:
            return open_index(READ_ONLY[request.param](folder, documents, vectors))
        spec = INDEXES[request.param](request, folder)
        if spec.startswith("memory"):
            return MemoryIndex(documents, vectors, threads=1 if "one" in spec else None)
        index = prepare_index(spec, dimension=vectors.shape[1])
        index.upsert(documents, vectors)
        return index

    return made


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    vectors = np.random.default_rng(5).standard_normal((SIZE, DIMENSION)).astype(np.float32)
    vectors[500:520] = vectors[:20]  # duplicates, to tie
    return [_document(i) for i in range(SIZE)], vectors


def _document(i: int) -> Document:
    metadata: dict[str, Any] = {
        "n": i,
        "kind": "abc"[i % 3],
        "share": i / SIZE,
        "even": i % 2 == 0,
        "tags": [f"t{i % 5}", f"t{i % 7}"],
    }
    if i % 10 == 0:
        metadata["rare"] = "yes"
    if i == 4:
        metadata |= {'a field\'s "name"': 'a "value" %s {}', "deep": {"er": [1, None]}, "née": "ü"}
    return Document(f"d{i:04}", f"text {i}\n“quoted” 茶", title=f"Title {i}" if i % 2 else "", metadata=metadata)


@pytest.fixture(scope="module")
def varied(make: Make) -> Index:
    """Return an index of documents whose metadata are of every kind."""
    return make(VARIED, np.random.default_rng(7).standard_normal((len(VARIED), DIMENSION)))


@pytest.fixture(scope="module")
def oracle(corpus: Corpus) -> MemoryIndex:
    return MemoryIndex(*corpus)


@pytest.fixture(scope="module")
def index(make: Make, corpus: Corpus) -> Index:
    return make(*corpus)


@pytest.fixture(scope="module")
def written(index: Index) -> WritableIndex:
    return _writable(index)


def _writable(index: Index) -> WritableIndex:
    changeable = writable(index)
    if changeable is None:
        pytest.skip("esens only reads this index")
    return changeable


@pytest.fixture(scope="module")
def queries() -> np.ndarray:
    rows = np.random.default_rng(6).standard_normal((5, DIMENSION)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def same(found: Neighbours, exact: Neighbours) -> None:
    """The same documents in the same order, but for those that tie with the last: any of them may be in."""
    np.testing.assert_allclose(found.scores, exact.scores, atol=2e-6)
    assert len(found.ids) == len(exact.ids) == len(set(found.ids))
    clear = [id_ for id_, score in zip(exact.ids, exact.scores, strict=True) if score > exact.scores[-1] + 1e-6]
    assert list(found.ids[: len(clear)]) == clear


def test_it_knows_its_dimension(index: Index) -> None:
    assert index.dimension == DIMENSION


def test_it_counts(written: WritableIndex) -> None:
    assert len(written) == SIZE


@pytest.mark.parametrize("k", [1, 10, 100])
def test_the_nearest_are_the_oracles(index: Index, oracle: MemoryIndex, queries: np.ndarray, k: int) -> None:
    for found, exact in zip(index.nearest(queries, k), oracle.nearest(queries, k), strict=True):
        same(found, exact)
        assert found.vectors is None


def test_a_query_of_any_length_finds_the_same(index: Index, oracle: MemoryIndex, queries: np.ndarray) -> None:
    for found, exact in zip(index.nearest(7 * queries, 10), oracle.nearest(queries, 10), strict=True):
        same(found, exact)


def test_more_than_there_are_is_all_there_are(index: Index, queries: np.ndarray) -> None:
    found = index.nearest(queries[:1], SIZE + 50)[0]
    assert len(set(found.ids)) == SIZE
    assert index.nearest(queries[:1], 0)[0].ids == ()


def test_duplicates_tie_and_keep_their_order(index: Index, corpus: Corpus) -> None:
    for i in range(3):
        found = index.nearest(corpus[1][i : i + 1], 2)[0]
        assert found.ids == (f"d{i:04}", f"d{500 + i:04}")
        assert found.scores[0] == found.scores[1] == pytest.approx(1, abs=1e-6)


def test_neighbours_come_with_their_documents_and_vectors(
    index: Index, oracle: MemoryIndex, corpus: Corpus, queries: np.ndarray
) -> None:
    for found in index.nearest(queries, 10, with_vectors=True):
        assert found.vectors is not None
        np.testing.assert_allclose(found.vectors, oracle.vectors(found.ids), atol=1e-6)
        assert found.documents == tuple(oracle.documents(found.ids)[id_] for id_ in found.ids)


@pytest.mark.parametrize("wanted", WHERES, ids=str)
def test_a_filter_leaves_the_documents_that_fulfil_it(
    index: Index, oracle: MemoryIndex, corpus: Corpus, queries: np.ndarray, wanted: dict[str, Any]
) -> None:
    where = parse_filter(wanted)
    for found, exact in zip(
        index.nearest(queries, 10, where=where), oracle.nearest(queries, 10, where=where), strict=True
    ):
        same(found, exact)
        assert all(matches(document.metadata, where) for document in found.documents)


@given(where=filters())
def test_any_filter_means_the_same_as_in_memory(varied: Index, where: Filter) -> None:
    expected = {document.id for document in VARIED if matches(document.metadata, where)}
    try:
        (near,) = varied.nearest(np.ones((1, DIMENSION), np.float32), len(VARIED), where=where)
    except ArgumentError:
        if not orders_texts(where):
            raise
    else:
        assert set(near.ids) == expected


@pytest.mark.parametrize("wanted", [{}, {"kind": "a"}, {"n": {"<": 1}}, {"kind": "nobody's"}], ids=str)
def test_spans_hold_every_raw_score_or_say_that_they_are_estimates(
    index: Index, oracle: MemoryIndex, queries: np.ndarray, wanted: dict[str, Any]
) -> None:
    where = parse_filter(wanted)
    for found, exact in zip(
        index.score_ranges(queries, where=where), oracle.score_ranges(queries, where=where), strict=True
    ):
        assert found.high == pytest.approx(exact.high, abs=2e-6)
        assert found.second == pytest.approx(exact.second, abs=2e-6)
        # As many documents fit into a sample as there are, so nothing here is estimated but where it must be.
        assert found.low == pytest.approx(exact.low, abs=2e-6 if found.is_exact else 0.2)


def test_products_with_its_vectors_are_cosines(
    written: WritableIndex, corpus: Corpus, queries: np.ndarray
) -> None:
    ids, rows = ["d0007", "d0003", "d0999"], corpus[1][[7, 3, 999]].astype(float)
    exact = queries.astype(float) @ (rows / np.linalg.norm(rows, axis=1, keepdims=True)).T
    np.testing.assert_allclose(written.vectors(ids) @ queries.T, exact.T, atol=1e-6)


def test_duplicates_have_the_same_vectors(written: WritableIndex) -> None:
    first = written.vectors([f"d{i:04}" for i in range(20)])
    again = written.vectors([f"d{500 + i:04}" for i in range(20)])
    np.testing.assert_array_equal(first, again)


def test_no_documents_have_no_vectors(written: WritableIndex) -> None:
    assert written.vectors([]).shape == (0, DIMENSION)
    assert dict(written.documents([])) == {}


def test_documents_come_back_whole(written: WritableIndex, corpus: Corpus) -> None:
    found = written.documents(["d0007", "nobody", "d0004"])
    assert found == {"d0007": corpus[0][7], "d0004": corpus[0][4]}


def test_the_vector_of_nobody_is_an_error(written: WritableIndex) -> None:
    with pytest.raises(ArgumentError, match="no document with the id 'nobody'"):
        written.vectors(["d0001", "nobody"])


def test_another_dimension_is_an_error(index: Index) -> None:
    wrong = np.ones((1, DIMENSION + 1), np.float32)
    calls: list[Callable[[], object]] = [lambda: index.nearest(wrong, 3), lambda: index.score_ranges(wrong)]
    if (changeable := writable(index)) is not None:
        calls.append(lambda: changeable.upsert([Document("new", "text")], wrong))
    for call in calls:
        with pytest.raises(ArgumentError, match=f"dimension {DIMENSION + 1}.*{DIMENSION}"):
            call()
    assert len(index.nearest(wrong[:, 1:], SIZE + 1)[0].ids) == SIZE


@pytest.fixture
def small(make: Make, corpus: Corpus) -> WritableIndex:
    return _writable(make(corpus[0][:20], corpus[1][:20]))


def test_documents_can_be_added(small: WritableIndex, corpus: Corpus, queries: np.ndarray) -> None:
    small.upsert(corpus[0][20:30], corpus[1][20:30])
    assert len(small) == 30
    exact = MemoryIndex(corpus[0][:30], corpus[1][:30])
    same(small.nearest(queries[:1], 30)[0], exact.nearest(queries[:1], 30)[0])


def test_a_document_takes_the_place_of_its_namesake(
    small: WritableIndex, corpus: Corpus, queries: np.ndarray
) -> None:
    changed = Document("d0003", "another text", metadata={"kind": "z"})
    small.upsert([changed, corpus[0][20]], corpus[1][[600, 20]])
    assert len(small) == 21
    assert small.documents(["d0003"]) == {"d0003": changed}
    np.testing.assert_allclose(small.vectors(["d0003"]) @ _unit(corpus[1][600]), [1], atol=1e-6)
    assert small.nearest(corpus[1][600:601], 1)[0].ids == ("d0003",)
    assert small.nearest(queries[:1], 5, where=parse_filter({"kind": "z"}))[0].ids == ("d0003",)


def test_one_id_twice_in_a_call_is_an_error(small: WritableIndex, corpus: Corpus) -> None:
    with pytest.raises(ArgumentError, match="'d0001' stands at positions 0 and 1"):
        small.upsert([corpus[0][1], corpus[0][1]], corpus[1][:2])
    assert len(small) == 20


def test_a_row_a_document(small: WritableIndex, corpus: Corpus) -> None:
    with pytest.raises(ArgumentError, match="2 rows for 1 documents"):
        small.upsert(corpus[0][30:31], corpus[1][30:32])
    with pytest.raises(ArgumentError, match="NaN or infinity"):
        small.upsert(corpus[0][30:31], np.full((1, DIMENSION), np.nan))
    assert len(small) == 20


def test_deleted_documents_are_gone(small: WritableIndex, corpus: Corpus, queries: np.ndarray) -> None:
    assert small.delete(["d0000", "nobody", "d0019", "d0000"]) == 2
    assert len(small) == 18
    assert small.documents(["d0000"]) == {}
    exact = MemoryIndex(corpus[0][1:19], corpus[1][1:19])
    same(small.nearest(queries[:1], 20)[0], exact.nearest(queries[:1], 20)[0])
    assert small.delete([]) == 0


def test_nothing_left_is_nothing_found(small: WritableIndex, queries: np.ndarray) -> None:
    small.delete([f"d{i:04}" for i in range(20)])
    assert len(small) == 0
    assert [found.ids for found in small.nearest(queries[:2], 3)] == [(), ()]
    assert all(span.low == span.high == 0 for span in small.score_ranges(queries[:2]))


def test_a_zero_vector_is_similar_to_nothing(small: WritableIndex, queries: np.ndarray) -> None:
    small.upsert([Document("zero", "nothing")], np.zeros((1, DIMENSION)))
    assert small.vectors(["zero"]).tolist() == [[0.0] * DIMENSION]


def test_ids_may_hold_any_sign(small: WritableIndex, corpus: Corpus) -> None:
    odd = [
        Document(id_, "text") for id_ in ("a b", "o'brien\"", "茶/ü?#1", "x" * 300, "%s {}", "\\n", "-1", "☃" * 40)
    ]
    small.upsert(odd, corpus[1][100 : 100 + len(odd)])
    assert small.documents([document.id for document in odd]) == {document.id: document for document in odd}
    assert small.delete([document.id for document in odd]) == len(odd)
    assert len(small) == 20


def test_a_scan_is_every_raw_score(index: Index, oracle: MemoryIndex, queries: np.ndarray) -> None:
    whole = scannable(index)
    if whole is None:
        pytest.skip("this engine does not compare a vector with every document")
    for where in (parse_filter({}), parse_filter({"kind": "a"})):
        scan, exact = whole.scan(queries, where=where), oracle.scan(queries, where=where)
        np.testing.assert_array_equal(scan.raw, exact.raw)
        assert list(scan.lookup([7, 3])) == list(exact.lookup([7, 3]))
        np.testing.assert_array_equal(scan.compare(queries[::-1]), exact.raw[::-1])


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / np.linalg.norm(vector))
