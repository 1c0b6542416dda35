"""What the contract does not say of Milvus: collections of others, errors, and what is kept where."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.servers import closed_port, fresh_milvus

from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import MemoryIndex, open_writable, prepare_index
from esens.index.filters import matches, parse_filter
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

pymilvus: Any = pytest.importorskip("pymilvus")
from esens.index.milvus import index as milvus  # noqa: E402
from esens.index.milvus import marks as milvus_marks  # noqa: E402
from esens.index.milvus.client import milvus_errors  # noqa: E402
from esens.index.milvus.index import MilvusIndex  # noqa: E402

DataType = pymilvus.DataType
ROWS = np.random.default_rng(1).standard_normal((6, 4)).astype(np.float32)
UNIT = ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)
ONES = np.ones((1, 4), np.float32)
DOCUMENTS = [Document(f"d{i}", f"text {i}", metadata={"n": i}) for i in range(6)]
SERVER = os.environ.get("ESENS_TEST_MILVUS_URI", "")
only_lite = pytest.mark.skipif(bool(SERVER), reason="about files of Milvus Lite")
only_server = pytest.mark.skipif(not SERVER, reason="needs a server: ESENS_TEST_MILVUS_URI")


@pytest.fixture
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return fresh_milvus(request, tmp_path)


@contextmanager
def client(spec: str) -> Iterator[tuple[Any, str]]:
    """Give the client itself, and the name of the collection."""
    address = IndexURI.parse(spec)
    if address.server:
        with closing(pymilvus.MilvusClient(SERVER, timeout=10)) as opened:
            yield opened, address.path
        return
    path = Path(address.path).absolute()
    with closing(pymilvus.MilvusClient(str(path), timeout=10)) as opened:
        yield opened, address.option("collection")


def opened(spec: str) -> MilvusIndex:
    index = open_writable(spec)
    assert isinstance(index, MilvusIndex)
    return index


def prepared(spec: str, embedder_id: EmbedderId | None = None, dimension: int = 4) -> MilvusIndex:
    index = prepare_index(spec, dimension=dimension, embedder_id=embedder_id)
    assert isinstance(index, MilvusIndex)
    return index


def with_option(spec: str, options: str) -> str:
    return f"{spec}{'&' if '?' in spec else '?'}{options}"


def collection_of(
    spec: str,
    fields: list[tuple[str, Any, dict[str, Any]]],
    rows: list[dict[str, Any]],
    *,
    metric: str = "COSINE",
    dynamic: bool = False,
    vectors: tuple[str, ...] = ("vector",),
) -> None:
    """Make a collection as somebody else would."""
    with client(spec) as (made, name):
        schema = made.create_schema(auto_id=False, enable_dynamic_field=dynamic)
        for field, kind, options in fields:
            schema.add_field(field, kind, **options)
        index = made.prepare_index_params()
        for vector in vectors:
            schema.add_field(vector, DataType.FLOAT_VECTOR, dim=4)
            index.add_index(vector, index_type="FLAT", metric_type=metric)
        made.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")
        made.insert(name, rows)


KEY: tuple[str, Any, dict[str, Any]] = ("pk", DataType.INT64, {"is_primary": True})


def test_documents_are_there_after_reopening(spec: str) -> None:
    with prepared(spec, EmbedderId("minilm", "h1")) as index:
        index.upsert(DOCUMENTS, ROWS)
    with opened(spec) as index:
        assert len(index) == 6
        assert index.embedder_id == EmbedderId("minilm", "h1")
        assert index.documents(["d2"]) == {"d2": DOCUMENTS[2]}
        assert index.nearest(ROWS[3:4], 1)[0].ids == ("d3",)


@only_lite
def test_it_is_shown_by_its_spec(spec: str) -> None:
    with prepared(spec) as index:
        assert repr(index) == f"MilvusIndex('{spec}')"


def test_another_embedder_or_dimension_is_an_error(spec: str) -> None:
    with prepared(spec):
        pass
    with prepared(spec, EmbedderId("minilm", "h1")) as index:  # it was empty, and nobody's
        assert index.embedder_id == EmbedderId("minilm", "h1")
    with pytest.raises(EngineError, match=r"made by minilm \(hash h1\), not by mpnet \(hash h2\)"):
        prepared(spec, EmbedderId("mpnet", "h2"))
    with pytest.raises(EngineError, match="dimension 4, not 5"):
        prepared(spec, dimension=5)
    with opened(spec) as index:
        assert index.embedder_id == EmbedderId("minilm", "h1")


def test_a_collection_made_in_one_line(spec: str) -> None:
    rows = [
        {"id": i, "vector": ROWS[i].tolist(), "text": f"text {i}", "tags": ["a", "b"][: i % 3]} for i in range(6)
    ]
    with client(spec) as (made, name):
        made.create_collection(name, dimension=4, metric_type="COSINE", consistency_level="Strong")
        made.insert(name, rows)
    with opened(spec) as index:
        document = Document("2", "text 2", metadata={"tags": ["a", "b"]})
        found = index.nearest(ROWS[2:4], 1, with_vectors=True)
        assert [one.documents[0].id for one in found] == ["2", "3"]
        assert found[0].documents == (document,)
        assert found[0].vectors is not None
        np.testing.assert_allclose(found[0].vectors, UNIT[2:3], atol=1e-6)
        assert index.documents(["2", "x", "02"]) == {"2": document}
        assert set(index.nearest(ROWS[:1], 9, where=parse_filter({"tags": "b"}))[0].ids) == {"2", "5"}
        assert set(index.nearest(ROWS[:1], 9, where=parse_filter({"tags": {"!=": "b"}}))[0].ids) == {
            "0",
            "1",
            "3",
            "4",
        }
        assert index.score_ranges(ROWS[:1])[0].is_exact


def test_fields_of_other_names(spec: str) -> None:
    texts = {"max_length": 100}
    fields = [
        ("key", DataType.VARCHAR, {"is_primary": True, "max_length": 100}),
        ("inhalt", DataType.VARCHAR, texts),
        ("head", DataType.VARCHAR, texts),
        ("year", DataType.INT64, {}),
        ("good", DataType.BOOL, {}),
        ("tags", DataType.ARRAY, {"element_type": DataType.VARCHAR, "max_capacity": 5, "max_length": 20}),
    ]
    rows = [
        {
            "key": f'k"{i}',
            "inhalt": f"text {i}",
            "head": f"T{i}",
            "year": 2000 + i,
            "good": i > 2,
            "tags": ["a", "b"][: i % 3],
            "vector": ROWS[i].tolist(),
        }
        for i in range(6)
    ]
    collection_of(spec, fields, rows)
    with opened(with_option(spec, "text=inhalt&title=head")) as index:
        document = Document('k"1', "text 1", title="T1", metadata={"year": 2001, "good": False, "tags": ["a"]})
        assert index.nearest(ROWS[1:2], 1)[0].documents == (document,)
        assert index.documents(['k"1', "k9"]) == {'k"1': document}
        np.testing.assert_allclose(index.vectors(['k"3', 'k"0']), UNIT[[3, 0]], atol=1e-6)
        metadata = [{"year": 2000 + i, "good": i > 2, "tags": ["a", "b"][: i % 3]} for i in range(6)]
        conditions: list[dict[str, Any]] = [
            {"year": {"<": 2001}},
            {"year": 2001.0},
            {"year": 2001.5},
            {"year": {"!=": 2001.5}},
            {"year": {"<": 2001.5}},
            {"year": {"<=": 2001.5}},
            {"year": {">": 2001.5}},
            {"year": {">=": 2001.5}},
            {"year": {"<": 2001.0}},
            {"year": [2001, 2005]},
            {"year": {"!=": 2001}},
            {"year": "2001"},
            {"year": {"!=": "2001"}},
            {"year": []},
            {"good": True},
            {"good": 1},
            {"tags": "b"},
            {"tags": {"!=": "b"}},
        ]
        for given in conditions:
            where = parse_filter(given)
            right = {f'k"{i}' for i in range(6) if matches(metadata[i], where)}
            assert set(index.nearest(ROWS[:1], 9, where=where)[0].ids) == right, given
        with pytest.raises(ArgumentError, match="has no field 'colour'; it has: key, inhalt"):
            index.nearest(ROWS[:1], 9, where=parse_filter({"colour": "red"}))
        with pytest.raises(ArgumentError, match="does not order the items of a list"):
            index.nearest(ROWS[:1], 9, where=parse_filter({"tags": {"<": "b"}}))
    with opened(with_option(spec, "id=head")) as index:
        assert list(index.documents(["T4", "T0", 'k"1'])) == ["T4", "T0"]


def test_metadata_in_a_json_field(spec: str) -> None:
    fields = [KEY, ("page_content", DataType.VARCHAR, {"max_length": 100}), ("metadata", DataType.JSON, {})]
    metadata: list[dict[str, Any]] = [{"a": "x", "n": 1}, {"a": ["x", "y"]}, {"a": "z", 'q"': 1}, {}, {"a": None}]
    rows = [
        {"pk": i, "page_content": f"text {i}", "metadata": metadata[i], "vector": ROWS[i].tolist()}
        for i in range(5)
    ]
    collection_of(spec, fields, rows)
    for options in ("id=pk", "metadata=metadata"):
        with opened(with_option(spec, options)) as index:
            assert index.documents(["2"])["2"] == Document("2", "text 2", metadata={"a": "z", 'q"': 1})
            for given in (
                {"a": "x"},
                {"a": {"!=": "x"}},
                {"a": ["z", "y"]},
                {"n": {">=": 1}},
                {'q"': 1},
                {"b": 1},
            ):
                where = parse_filter(given)
                right = {str(i) for i in range(5) if matches(metadata[i], where)}
                assert set(index.nearest(ROWS[:1], 9, where=where)[0].ids) == right, given


def test_the_embedder_as_older_versions_noted_it(spec: str) -> None:
    with prepared(spec, EmbedderId("minilm", "h1")) as index:
        old = {"esens.embedder": "minilm", "esens.embedder_hash": "h0", "esens": ""}
        index._client.alter_collection_properties(index._collection, old)
    with opened(spec) as index:
        assert index.embedder_id == EmbedderId("minilm", "h0")


def test_whether_a_field_exists_stands_in_brackets() -> None:
    # Milvus Lite reads "exists a and b" as people do, a server as "exists (a and b)", which it refuses.
    expression = milvus_marks.marks_expression(parse_filter({"year": {">=": 2000, "<": 2010}}))
    assert expression.count("exists ") == expression.count("(exists marks[") == 2
    assert " and marks" not in expression.replace(") and marks", "")


def test_fields_that_may_be_empty(spec: str) -> None:
    fields = [KEY, ("kind", DataType.VARCHAR, {"max_length": 9, "nullable": True})]
    kinds = ["a", "b", None]
    rows = [{"pk": i, "kind": kinds[i], "vector": ROWS[i].tolist()} for i in range(3)]
    try:
        collection_of(spec, fields, rows)
    except pymilvus.MilvusException as error:
        pytest.skip(f"no field may be empty in this version: {error.message}")
    with opened(with_option(spec, "text=nothing")) as index:
        for where, ids in (("kind=a", {"0"}), ("kind!=a", {"1", "2"}), ({"not": "kind>a"}, {"0", "2"})):
            assert set(index.nearest(ROWS[:1], 9, where=parse_filter(where))[0].ids) == ids


def test_json_beside_other_fields(spec: str) -> None:
    fields = [KEY, ("info", DataType.JSON, {})]
    collection_of(spec, fields, [{"pk": 1, "info": {"a": 1}, "vector": ROWS[0].tolist()}])
    with opened(spec) as index:
        assert index.documents(["1"])["1"] == Document("1", "", metadata={"info": {"a": 1}})
        with pytest.raises(ArgumentError, match=r"name it with \?metadata=info"):
            index.nearest(ROWS[:1], 1, where=parse_filter({"info": 1}))


def test_of_several_vectors_one_is_chosen(request: pytest.FixtureRequest, spec: str) -> None:
    rows = [{"pk": i, "title": ROWS[-1 - i].tolist(), "body": ROWS[i].tolist()} for i in range(5)]
    try:
        collection_of(spec, [KEY], rows, vectors=("title", "body"))
    except pymilvus.MilvusException as error:
        pytest.skip(f"one vector a collection in this version: {error.message}")
    with pytest.raises(EngineError, match=r"which of its vectors\? .*vector=NAME; those it has: 'title', 'body'"):
        opened(spec)
    with pytest.raises(EngineError, match=r"no vector 'text' to search"):
        opened(with_option(spec, "vector=text"))
    with opened(with_option(spec, "vector=body")) as index:
        assert index.nearest(ROWS[2:3], 1)[0].documents == (Document("2", ""),)


def test_a_collection_of_others_is_not_written_to(spec: str) -> None:
    collection_of(spec, [KEY], [{"pk": 1, "vector": ROWS[0].tolist()}])
    with pytest.raises(EngineError, match="did not make this collection"):
        prepared(spec)
    with opened(spec) as index:
        for change in (lambda: index.upsert(DOCUMENTS, ROWS), lambda: index.delete(["1"])):
            with pytest.raises(EngineError, match="did not make this collection"):
                change()
        assert len(index) == 1


def test_inner_products(spec: str) -> None:
    collection_of(spec, [KEY], [{"pk": i, "vector": ROWS[i].tolist()} for i in range(6)], metric="IP")
    products = UNIT[0] @ ROWS.T / np.linalg.norm(ROWS, axis=1).mean()  # on the scale of cosines
    with opened(spec) as index:
        found = index.nearest(ROWS[:1], 6)[0]
        np.testing.assert_allclose(found.scores, np.sort(products)[::-1], atol=1e-5)
        np.testing.assert_allclose(
            scan(index.vectors([str(i) for i in range(6)]), unit_rows(ROWS[:1])), [products], atol=1e-5
        )
        span = index.score_ranges(ROWS[:1])[0]
        assert (span.low, span.high) == pytest.approx((products.min(), products.max()), abs=1e-5)


def test_euclidean_distances_of_unit_vectors_are_cosines(spec: str) -> None:
    collection_of(spec, [KEY], [{"pk": i, "vector": UNIT[i].tolist()} for i in range(6)], metric="L2")
    exact = MemoryIndex([Document(str(i), "") for i in range(6)], ROWS)
    with opened(spec) as index:
        for one, right in zip(index.nearest(ROWS[:2], 6), exact.nearest(ROWS[:2], 6), strict=True):
            assert one.ids == right.ids
            np.testing.assert_allclose(one.scores, right.scores, atol=1e-6)


def test_euclidean_distances_of_others_rank_otherwise(spec: str) -> None:
    collection_of(spec, [KEY], [{"pk": 1, "vector": [1.0, 2, 3, 4]}], metric="L2")
    with pytest.raises(
        EngineError, match=r"L2, and its vectors do not have unit length.*make an index with COSINE"
    ):
        opened(spec)


def test_what_is_written_changes_the_spans(spec: str) -> None:
    with prepared(spec) as index:
        index.upsert(DOCUMENTS, ROWS)
        assert index.score_ranges(ROWS[:1])[0].low > -0.99
        index.upsert([Document("far", "")], -ROWS[:1])
        assert index.score_ranges(ROWS[:1])[0].low == pytest.approx(-1, abs=1e-6)
        index.delete(["far"])
        assert index.score_ranges(ROWS[:1])[0].low > -0.99


def test_a_large_collection_is_estimated_from_a_uniform_sample(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esens.index.base.SAMPLE", 200)
    rows = np.random.default_rng(2).standard_normal((1000, 4))
    with prepared(spec) as index:
        index.upsert([Document(f"d{i}", "", metadata={"n": i % 4}) for i in range(1000)], rows)
        drawn, documents = index._sample(None).sample
        assert 150 < len(drawn) < 250
        assert documents == 1000
        assert not index.score_ranges(ROWS[:1])[0].is_exact
        drawn, documents = index._sample(parse_filter({"n": 1})).sample
        assert 120 < len(drawn) < 250
        assert documents == 250


def test_a_large_collection_of_others_is_estimated(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    collection_of(spec, [KEY], [{"pk": i, "vector": ROWS[i % 6].tolist()} for i in range(50)])
    monkeypatch.setattr("esens.index.base.SAMPLE", 20)
    monkeypatch.setattr(milvus, "_PAGE", 7)
    with opened(spec) as index:
        drawn, documents = index._sample(None).sample
        assert (len(drawn), documents) == (20, 50)
        assert not index.score_ranges(ROWS[:1])[0].is_exact


CONDITIONS: list[dict[str, Any]] = [
    {"n": 2},
    {"n": 2.0},
    {"n": [2, "b"]},
    {"n": {"!=": 2}},
    {"n": {"!=": True}},
    {"n": True},
    {"n": {"<": True}},
    {"n": {"<=": True}},
    {"n": {"<": False}},
    {"n": {">=": 2.5}},
    {"n": {"<": 2.5}},
    {"n": {">": -1}},
    {"n": {"<=": 1e300}},
    {"n": {"<": 10**30}},
    {"n": {"<": "b"}},
    {"n": {">=": "b"}},
    {"n": "2"},
    {"n": 2**60 + 1},
    {"n": []},
    {"x.y": 1},
    {"back\\slash": 'a "quote"\nand\tmore'},
    {"back\\slash": {"<=": 'a "quote"\nand\tmore'}},
    {"née": {">=": "ü"}},
    {"long": {"<": "a" * 100}},
    {"long": {"<=": "a" * 100}},
    {"long": {">": "a" * 100}},
    {"long": {">=": "a" * 99 + "b"}},
    {"long": {"<": "a" * 99 + "b"}},
    {"long": "a" * 101},
]
METADATA: list[dict[str, Any]] = [
    {"n": 2},
    {"n": 2.0},
    {"n": [1, 2.5, "b"]},
    {"n": True},
    {"n": False},
    {"n": "2"},
    {"n": 2**60},
    {"n": 2**60 + 1},
    {"n": None},
    {"n": [[2]]},
    {"n": {"deep": 2}},
    {"n": []},
    {},
    {"n": -3.5},
    {"x.y": 1},
    {"x": {"y": 1}},
    {"back\\slash": 'a "quote"\nand\tmore'},
    {"née": "ü"},
    {"long": "a" * 99},
    {"long": "a" * 100},
    {"long": "a" * 101},
    {"long": ["a" * 200, "b"]},
]


@pytest.fixture(scope="module")
def filtered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MilvusIndex:
    index = prepared(fresh_milvus(request, tmp_path_factory.mktemp("filtered")))
    rows = np.random.default_rng(3).standard_normal((len(METADATA), 4))
    index.upsert([Document(str(i), "", metadata=metadata) for i, metadata in enumerate(METADATA)], rows)
    return index


@pytest.mark.parametrize("given", CONDITIONS, ids=str)
def test_conditions_mean_what_they_mean_elsewhere(filtered: MilvusIndex, given: dict[str, Any]) -> None:
    where = parse_filter(given)
    right = {str(i) for i, metadata in enumerate(METADATA) if matches(metadata, where)}
    assert set(filtered.nearest(ONES, 99, where=where)[0].ids) == right


def test_long_texts_are_not_ordered(filtered: MilvusIndex) -> None:
    with pytest.raises(ArgumentError, match="texts are ordered by 100 characters; 'long' asks for more"):
        filtered.nearest(ROWS[:1], 1, where=parse_filter({"long": {"<": "a" * 101}}))


def test_metadata_comes_back(filtered: MilvusIndex) -> None:
    found = filtered.documents([str(i) for i in range(len(METADATA))])
    assert [document.metadata for document in found.values()] == METADATA


def test_several_threads_search_at_once(filtered: MilvusIndex) -> None:
    def ids(_: int) -> tuple[str, ...]:
        return filtered.nearest(ONES, 5)[0].ids

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ids, range(64)))) == 1


def test_more_neighbours_than_milvus_finds(filtered: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(filtered.nearest(ONES, 100_000)[0].ids) == len(METADATA)
    monkeypatch.setattr(MilvusIndex, "max_neighbours", 10)
    with pytest.raises(ArgumentError, match=r"k: .* finds at most 10 neighbours at a time, got 11"):
        filtered.nearest(ONES, 11)


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (Document("b", "x" * 65_536), "its text take 65,536 bytes, and Milvus 65,535 at most; split"),
        (Document("b", "☃" * 21_846), "its text take 65,538 bytes"),
        (Document("b", "", metadata={"x": "y" * 65_536}), "its metadata take 65,544 bytes"),
        (Document("b", "", metadata={"x": list(range(5000))}), "its metadata with all their marks take 180"),
        (Document("b", "", metadata={"x": float("nan")}), "cannot be written as JSON"),
        (Document("b", "", metadata={"x": object()}), "cannot be written as JSON"),
        (Document("b", "", metadata={"x": [2**64]}), "has more than 64 bits"),
    ],
    ids=["text", "bytes", "metadata", "marks", "nan", "object", "number"],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    filtered: MilvusIndex, document: Document, problem: str
) -> None:
    with pytest.raises(ArgumentError, match=f"document 'b': .*{problem}"):
        filtered.upsert([Document("new", ""), document], ROWS[:2])
    assert filtered.documents(["new"]) == {}


def test_the_longest_text_fits(spec: str) -> None:
    longest = Document("a", "☃" * 21_845, metadata={"x": "y" * 60_000})
    with prepared(spec) as index:
        index.upsert([longest], ROWS[:1])
        assert index.documents(["a"]) == {"a": longest}


def test_what_is_larger_than_a_request_goes_in_parts(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with prepared(spec) as index:
        sizes = [milvus._request_size(milvus_marks.row_of(document, [0.0] * 4)) for document in DOCUMENTS]
        monkeypatch.setattr(milvus, "_REQUEST_BYTES", 2 * max(sizes))
        sent: list[int] = []
        upsert = index._client.upsert

        def counted(name: str, rows: list[Any], timeout: int) -> None:
            sent.append(len(rows))
            upsert(name, rows, timeout=timeout)

        monkeypatch.setattr(index._client, "upsert", counted)
        index.upsert(DOCUMENTS, ROWS)
        assert sent == [2, 2, 2]
        assert len(index) == 6


def test_many_ids_at_once(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(milvus, "_PAGE", 2)
    with prepared(spec) as index:
        index.upsert(DOCUMENTS, ROWS)
        assert list(index.documents(["d5", "d0", "d5", "d3", "d1"])) == ["d5", "d0", "d3", "d1"]
        assert index.delete([f"d{i}" for i in range(6)]) == 6
        assert len(index) == 0


def test_a_released_collection_is_loaded(spec: str) -> None:
    with prepared(spec) as index:
        index.upsert(DOCUMENTS, ROWS)
        index._client.release_collection(index._collection)
    with opened(spec) as index:
        assert index.nearest(ROWS[:1], 1)[0].ids == ("d0",)


def test_a_collection_that_is_not_there(request: pytest.FixtureRequest, tmp_path: Path, spec: str) -> None:
    with prepared(spec) as index:
        name = index._collection
    with pytest.raises(EngineError, match=f"no collection 'other'; those there are: .*{name}"):
        opened(spec.replace(name, "other"))


def test_a_collection_without_an_index(spec: str) -> None:
    with client(spec) as (made, name):
        schema = made.create_schema(auto_id=False)
        schema.add_field("pk", DataType.INT64, is_primary=True)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=4)
        made.create_collection(name, schema=schema)
    with pytest.raises(EngineError, match="its vector 'vector' has no index; make one"):
        opened(spec)


def test_nothing_is_left_where_a_collection_cannot_be_made(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise pymilvus.MilvusException(message="no space left on device")

    monkeypatch.setattr(pymilvus.MilvusClient, "create_index", fail)
    monkeypatch.setattr(pymilvus.MilvusClient, "_create_index", fail)
    monkeypatch.setattr(pymilvus.MilvusClient, "load_collection", fail)
    with pytest.raises(EngineError, match=r"Milvus refuses.*no space left on device"):
        prepared(spec)
    monkeypatch.undo()
    with client(spec) as (made, name):
        assert not made.has_collection(name)


def test_a_collection_that_goes_away(spec: str) -> None:
    with prepared(spec) as index:
        index._client.drop_collection(index._collection)
        for call in (
            lambda: index.nearest(ROWS[:1], 1),
            lambda: index.upsert(DOCUMENTS, ROWS),
            lambda: index.documents(["d1"]),
            lambda: len(index),
        ):
            with pytest.raises(EngineError, match="Milvus refuses"):
                call()


@only_lite
def test_the_last_to_close_closes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    first, second = (prepared(f"milvus:{path}?collection={name}") for name in ("a", "b"))
    first.close()
    second.upsert(DOCUMENTS, ROWS)
    assert "cannot open it" in opened_elsewhere(path)
    second.close()
    assert opened_elsewhere(path) == "6"


def opened_elsewhere(path: Path) -> str:
    """Return how many documents another process finds, or the error it gets."""
    code = (
        "import sys\nfrom esens.errors import EngineError\nfrom esens.index import open_writable\n"
        "try:\n    print(len(open_writable(sys.argv[1])))\nexcept EngineError as error:\n    print(error)"
    )
    run = [sys.executable, "-c", code, f"milvus:{path}?collection=b"]
    done = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done.stdout.strip()


@only_lite
def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no such file"):
        open_writable(f"milvus:{tmp_path}/m.db?collection=docs")
    assert not (tmp_path / "m.db").exists()


@only_lite
def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_text("a text")
    with pytest.raises(EngineError, match=r"cannot open it.*none of its"):
        open_writable(f"milvus:{tmp_path}/m.db?collection=docs")


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("milvus://localhost:1", "name a collection"),
        ("milvus:file.db", "name a collection"),
        ("milvus:file?collection=docs", "ends in .db"),
        ("milvus://localhost:1/docs?colour=red", "unknown option 'colour'"),
        ("milvus://localhost:1/docs?timeout=soon", "timeout must be whole seconds"),
    ],
)
def test_specs_that_make_no_sense(spec: str, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        open_writable(spec)


def test_no_server(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MILVUS_TOKEN", "root:hush-hush")
    port, started = closed_port(), time.monotonic()
    for spec in (
        f"milvus://127.0.0.1:{port}/docs?timeout=1",
        f"milvus://root:hush-hush@127.0.0.1:{port}/docs?timeout=1",
        f"milvus+https://127.0.0.1:{port}/docs?timeout=1",
    ):
        with pytest.raises(EngineError, match=r"no connection to the server.*check host and port") as caught:
            open_writable(spec)
        assert str(port) in str(caught.value)
        assert "hush" not in str(caught.value)
    assert time.monotonic() - started < 15
    assert "hush" not in capfd.readouterr().err


def test_a_server_that_never_answers_is_an_error_in_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # the system accepts, and nobody reads
        started = time.monotonic()
        with pytest.raises(EngineError, match="no connection to the server"):
            open_writable(f"milvus://127.0.0.1:{silent.getsockname()[1]}/docs?timeout=2")
        assert time.monotonic() - started < 20


def test_check_draws_some_vectors(filtered: MilvusIndex) -> None:
    report = filtered.check()
    assert report.is_sound
    assert report.documents == len(METADATA)
    assert "esens keeps no checksums in this engine" in report.unchecked[0]


def test_a_server_that_gave_no_answer_is_left_alone(filtered: MilvusIndex) -> None:
    with opened(with_option(filtered.uri.spec, "pause=60")) as index:
        with pytest.raises(EngineError, match="no answer after"), index.translate_errors():
            raise pymilvus.MilvusException(message="Retry timeout: 30s, DEADLINE_EXCEEDED")
        with pytest.raises(EngineError, match="gave no answer 0 s ago, so it is not asked again"):
            len(index)


@pytest.mark.parametrize("credentials", ["root:hush%2Fhush", "hush%2Fhush", ":hush%2Fhush"])
def test_what_the_client_says_is_masked(credentials: str) -> None:
    with (
        pytest.raises(EngineError) as caught,
        milvus_errors(IndexURI.parse(f"milvus+https://{credentials}@host/docs")),
    ):
        raise pymilvus.MilvusException(message="no such thing as hush/hush here")
    assert caught.value.problem == "Milvus refuses (no such thing as *** here)"


@only_server
def test_a_wrong_password() -> None:
    if "@" not in SERVER:
        pytest.skip("this server asks nobody for a password")
    host = SERVER.rpartition("@")[2]
    with pytest.raises(EngineError, match="does not accept user and password") as caught:
        open_writable(f"milvus://root:hush-hush@{host}/docs?timeout=3")
    assert "hush" not in str(caught.value)


@only_server
def test_the_password_may_be_in_the_environment(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    credentials, _, host = SERVER.removeprefix("http://").rpartition("@")
    monkeypatch.setenv("MILVUS_TOKEN", credentials)
    with prepared(f"milvus://{host}/{IndexURI.parse(spec).path}") as index:
        assert len(index) == 0


@only_server
def test_a_database_that_is_not_there(spec: str) -> None:
    with pytest.raises(EngineError, match="database"):
        prepared(with_option(spec, "database=nowhere"))


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    monkeypatch.delitem(sys.modules, "esens.index.milvus.index")
    with pytest.raises(MissingExtraError, match=r"esens\[milvus\]"):
        open_writable("milvus://localhost:1/docs")


@only_lite
def test_importing_it_leaves_the_loggers_of_the_client_alone() -> None:
    code = (
        "import logging, pymilvus; names = ('pymilvus.decorators', 'pymilvus.client.iterator.query_iterator', "
        "'milvus_lite.server_manager'); state = lambda: [(logging.getLogger(n).level, len(logging.getLogger(n)"
        ".filters)) for n in names]; before = state(); import esens.index.milvus.index; assert state() == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@only_lite
def test_only_what_is_raised_as_ours_is_kept_from_the_log(spec: str, caplog: pytest.LogCaptureFixture) -> None:
    with prepared(spec) as index:
        index._client.drop_collection(index._collection)
        with pytest.raises(EngineError):
            len(index)
        assert not [record for record in caplog.records if record.name.startswith("pymilvus")]
        with pytest.raises(pymilvus.MilvusException):  # the program's own calls log as they did
            index._client.query("nobody", filter="", output_fields=["count(*)"])
        assert [record for record in caplog.records if record.name.startswith("pymilvus")]


def test_without_milvus_lite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("esens.index.milvus.client.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="milvus-lite is not installed"):
        open_writable(f"milvus:{tmp_path}/m.db?collection=docs")


@only_lite  # the server that make test-milvus installs is older than its functions
def test_words_are_ranked_by_the_function_of_a_collection(spec: str) -> None:
    texts = ["Of mice and men", "The call of the wild mice", "The wild geese"]
    with client(spec) as (made, name):
        schema = made.create_schema(auto_id=False)
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=64)
        schema.add_field("text", DataType.VARCHAR, max_length=256, enable_analyzer=True)
        schema.add_field("year", DataType.INT64)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=4)
        kind = pymilvus.FunctionType.BM25
        schema.add_function(
            pymilvus.Function("bm25", kind, input_field_names=["text"], output_field_names=["sparse"])
        )
        indexes = made.prepare_index_params()
        indexes.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        indexes.add_index("vector", index_type="FLAT", metric_type="COSINE")
        made.create_collection(name, schema=schema, index_params=indexes)
        rows = [
            {"id": str(n), "text": text, "year": n, "vector": UNIT[n].tolist()} for n, text in enumerate(texts)
        ]
        made.insert(name, rows)
    with opened(spec) as index:
        by_wild, by_nothing, by_mice = index.matching(["the wild geese", "of the", "mice"], 3)
        assert by_wild.ids == ("2", "1")
        assert (by_wild.scores > 0).all()
        assert by_wild.vectors == pytest.approx(UNIT[[2, 1]])
        assert by_nothing.ids == ()
        assert by_mice.documents[0] == Document("0", texts[0], metadata={"year": 0})
        assert index.matching(["mice"], 3, where=parse_filter({"year": 1}))[0].ids == ("1",)


def test_a_collection_of_ours_has_no_such_function(spec: str) -> None:
    with prepared(spec) as index, pytest.raises(ArgumentError, match=r"function of BM25.*Make one with"):
        index.matching(["mice"], 3)
