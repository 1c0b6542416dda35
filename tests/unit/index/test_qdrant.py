"""What the contract does not say of Qdrant: collections of others, errors, and the requests that are sent."""

import gzip
import pickle
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.qdrant_server import Handler, Server, collection, running_server
from tests.servers import closed_port

from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import MemoryIndex, check_index, open_writable, prepare_index
from esens.index.filters import Filter, matches, parse_filter
from esens.index.ranges import Sample
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

qdrant_client = pytest.importorskip("qdrant_client")
models: Any = qdrant_client.models
from esens.index.qdrant import index as qdrant  # noqa: E402
from esens.index.qdrant import payload as qdrant_payload  # noqa: E402
from esens.index.qdrant.index import QdrantIndex  # noqa: E402

ROWS = np.random.default_rng(1).standard_normal((6, 4)).astype(np.float32)
UNIT = ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)
ONES = np.ones((1, 4), np.float32)
DOCUMENTS = [Document(f"d{i}", f"text {i}", metadata={"n": i}) for i in range(6)]


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return f"qdrant:{tmp_path}/q?collection=docs&trusted=yes"


@contextmanager
def client(tmp_path: Path) -> Iterator[Any]:
    with closing(qdrant_client.QdrantClient(path=f"{tmp_path}/q")) as opened:
        yield opened


def opened(spec: str) -> QdrantIndex:
    index = open_writable(spec)
    assert isinstance(index, QdrantIndex)
    return index


def prepared(spec: str, embedder_id: EmbedderId | None = None, dimension: int = 4) -> QdrantIndex:
    index = prepare_index(spec, dimension=dimension, embedder_id=embedder_id)
    assert isinstance(index, QdrantIndex)
    return index


def collection_of(client: Any, points: list[Any], vectors: Any = None, distance: str = "Cosine") -> None:
    client.create_collection("docs", vectors_config=vectors or models.VectorParams(size=4, distance=distance))
    client.upsert("docs", points)


def test_documents_are_there_after_reopening(spec: str) -> None:
    with prepared(spec, EmbedderId("minilm", "h1")) as index:
        index.upsert(DOCUMENTS, ROWS)
    with opened(spec) as index:
        assert len(index) == 6
        assert index.embedder_id == EmbedderId("minilm", "h1")
        assert index.documents(["d2"]) == {"d2": DOCUMENTS[2]}
        assert index.nearest(ROWS[3:4], 1)[0].ids == ("d3",)
        assert repr(index) == f"QdrantIndex('{spec}')"


def test_a_collection_in_memory(tmp_path: Path) -> None:
    with prepared("qdrant::memory:?collection=docs") as index:
        index.upsert(DOCUMENTS, ROWS)
        assert index.nearest(ROWS[:1], 1)[0].ids == ("d0",)


def test_another_embedder_or_dimension_is_an_error(spec: str) -> None:
    with prepared(spec, EmbedderId("minilm", "h1")):
        pass
    with pytest.raises(EngineError, match=r"made by minilm \(hash h1\), not by mpnet \(hash h2\)"):
        prepared(spec, EmbedderId("mpnet", "h2"))
    with pytest.raises(EngineError, match="dimension 4, not 5"):
        prepared(spec, dimension=5)
    with prepared(spec, EmbedderId("minilm again", "h1")) as index:  # both of the above have closed the folder
        assert index.embedder_id == EmbedderId("minilm", "h1")


def test_an_empty_collection_of_a_users_is_filled(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        made.create_collection("docs", vectors_config={"body": models.VectorParams(size=4, distance="Cosine")})
    with prepared(spec, EmbedderId("minilm", "h1")) as index:
        index.upsert(DOCUMENTS, ROWS)
        np.testing.assert_allclose(index.vectors(["d1"]), UNIT[1:2], atol=1e-6)
    with opened(spec) as index:
        assert index.embedder_id == EmbedderId("minilm", "h1")
        assert index.nearest(ROWS[:1], 1, with_vectors=True)[0].documents == (DOCUMENTS[0],)


def test_what_langchain_writes(tmp_path: Path, spec: str) -> None:
    ids = [str(uuid.uuid4()) for _ in ROWS]
    payloads = [{"page_content": f"text {i}", "metadata": {"source": f"s{i}", "a.b": i}} for i in range(6)]
    with client(tmp_path) as made:
        points = zip(ids, ROWS.tolist(), payloads, strict=True)
        collection_of(made, [models.PointStruct(id=i, vector=v, payload=p) for i, v, p in points])
    with opened(spec) as index:
        found = index.nearest(ROWS[2:3], 1)[0]
        assert found.documents == (Document(ids[2], "text 2", metadata={"source": "s2", "a.b": 2}),)
        assert index.nearest(ROWS[:1], 6, where=parse_filter({"source": "s4"}))[0].ids == (ids[4],)
        assert index.nearest(ROWS[:1], 6, where=parse_filter({"a.b": {">": 4}}))[0].ids == (ids[5],)
        assert index.documents([ids[0], "not-a-uuid", ids[1].upper()]).keys() == {ids[0]}
        with pytest.raises(ArgumentError, match="a quote or backslash is in its name"):
            index.nearest(ROWS[:1], 1, where=parse_filter({'a"b': 1}))


def test_fields_of_other_names(tmp_path: Path, spec: str) -> None:
    payloads = [{"key": f"k{i}", "inhalt": f"text {i}", "head": f"T{i}", "year": 2000 + i} for i in range(6)]
    with client(tmp_path) as made:
        collection_of(
            made, [models.PointStruct(id=i, vector=ROWS[i].tolist(), payload=payloads[i]) for i in range(6)]
        )
    with opened(f"{spec}&id=key&text=inhalt&title=head") as index:
        document = Document("k1", "text 1", title="T1", metadata={"year": 2001})
        assert index.nearest(ROWS[1:2], 1)[0].documents == (document,)
        assert index.documents(["k1", "k9", "1"]) == {"k1": document}
        np.testing.assert_allclose(index.vectors(["k3", "k0"]), UNIT[[3, 0]], atol=1e-6)
        assert index.nearest(ROWS[:1], 9, where=parse_filter({"year": {"<": 2001}}))[0].ids == ("k0",)
    with opened(spec) as index:  # without the options the point's id is the document's, and there is no text
        assert index.nearest(ROWS[1:2], 1)[0].documents == (Document("1", "", metadata=payloads[1]),)
        assert index.documents(["1", "01", "-1", str(2**70)]).keys() == {"1"}


def test_ids_that_are_numbers_in_the_payload(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        points = [models.PointStruct(id=10 + i, vector=ROWS[i].tolist(), payload={"nr": i}) for i in range(3)]
        collection_of(made, points)
    with opened(f"{spec}&id=nr") as index:
        assert list(index.documents(["2", "0", "12"])) == ["2", "0"]


def test_other_fields_beside_metadata_are_not_lost(tmp_path: Path, spec: str) -> None:
    payload = {"text": "t", "metadata": {"a": 1}, "year": 5}
    with client(tmp_path) as made:
        collection_of(made, [models.PointStruct(id=1, vector=ROWS[0].tolist(), payload=payload)])
    with opened(spec) as index:
        assert index.documents(["1"])["1"].metadata == {"metadata": {"a": 1}, "year": 5}
        assert index.nearest(ROWS[:1], 1, where=parse_filter({"year": 5}))[0].ids == ("1",)
    with opened(f"{spec}&metadata=metadata") as index:
        assert index.documents(["1"])["1"].metadata == {"a": 1}


def test_points_without_payload(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        collection_of(made, [models.PointStruct(id=1, vector=ROWS[0].tolist())])
    with opened(spec) as index:
        assert index.nearest(ROWS[:1], 1)[0].documents == (Document("1", ""),)


def test_of_several_vectors_one_is_chosen(tmp_path: Path, spec: str) -> None:
    params = {name: models.VectorParams(size=4, distance="Cosine") for name in ("title", "body")}
    with client(tmp_path) as made:
        vectors = [{"title": ROWS[-1 - i].tolist(), "body": ROWS[i].tolist()} for i in range(5)]
        only = models.PointStruct(id=9, vector={"title": ROWS[0].tolist()}, payload={})
        points = [models.PointStruct(id=i, vector=vectors[i], payload={}) for i in range(5)]
        collection_of(made, [*points, only], params)
    with pytest.raises(EngineError, match=r"which of its vectors\? .*vector=NAME; those it has: 'title', 'body'"):
        opened(spec)
    with pytest.raises(EngineError, match=r"no vector 'text' to search; those it has: 'title', 'body'"):
        opened(f"{spec}&vector=text")
    with opened(f"{spec}&vector=title") as index:
        assert index.nearest(ROWS[5:], 1)[0].ids == ("0",)
    with opened(f"{spec}&vector=body") as index:
        found = index.nearest(ROWS[2:4], 1, with_vectors=True)
        assert [one.ids for one in found] == [("2",), ("3",)]
        assert found[0].vectors is not None
        np.testing.assert_allclose(found[0].vectors, UNIT[2:3], atol=1e-6)
        assert index.score_ranges(ROWS[:1])[0].is_exact
        with pytest.raises(ArgumentError, match="no document with the id '9'"):
            index.vectors(["9"])


def test_a_collection_of_others_is_not_written_to(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        collection_of(made, [models.PointStruct(id=1, vector=ROWS[0].tolist(), payload={"_id": "x"})])
    with pytest.raises(EngineError, match="did not make this collection"):
        prepared(spec)
    with opened(spec) as index:
        for change in (lambda: index.upsert(DOCUMENTS, ROWS), lambda: index.delete(["1"])):
            with pytest.raises(EngineError, match="did not make this collection"):
                change()
        assert len(index) == 1


def test_inner_products(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        points = [models.PointStruct(id=i, vector=ROWS[i].tolist(), payload={}) for i in range(6)]
        collection_of(made, points, distance="Dot")
    products = UNIT[0] @ ROWS.T / np.linalg.norm(ROWS, axis=1).mean()  # on the cosine's scale
    with opened(spec) as index:
        found = index.nearest(ROWS[:1], 6)[0]
        np.testing.assert_allclose(found.scores, np.sort(products)[::-1], atol=1e-5)
        np.testing.assert_allclose(
            scan(index.vectors([str(i) for i in range(6)]), unit_rows(ROWS[:1])), [products], atol=1e-5
        )
        span = index.score_ranges(ROWS[:1])[0]
        assert (span.low, span.high) == pytest.approx((products.min(), products.max()), abs=1e-5)


def test_vectors_that_are_ten_times_as_long_score_the_same(tmp_path: Path) -> None:
    scores: list[Any] = []
    for name, length in (("short", 1), ("long", 10)):
        with client(tmp_path / name) as made:
            points = [models.PointStruct(id=i, vector=(length * UNIT[i]).tolist(), payload={}) for i in range(6)]
            collection_of(made, points, distance="Dot")
        with opened(f"qdrant:{tmp_path}/{name}/q?collection=docs&trusted=yes") as index:
            (near,) = index.nearest(ROWS[:1], 6, with_vectors=True)
            assert near.vectors is not None
            np.testing.assert_allclose(scan(near.vectors, UNIT[:1]), [near.scores], atol=1e-6)
            scores.append(np.array([*near.scores, *index.score_ranges(ROWS[:1])[0][:3]]))
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-6)


def test_the_embedder_as_older_versions_noted_it(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        made.create_collection(
            "docs",
            vectors_config=models.VectorParams(size=4, distance="Cosine"),
            metadata={"esens_embedder": "minilm", "esens_embedder_hash": "h1"},
        )
    with opened(spec) as index:
        assert index.embedder_id == EmbedderId("minilm", "h1")


def test_values_of_numpy_are_written_as_plain_ones(spec: str) -> None:
    metadata = {"n": np.int64(2010), "yes": np.bool_(True), "list": np.array([1, 2])}
    with prepared(spec) as index:
        index.upsert([Document("a", "", metadata=metadata)], ROWS[:1])
        where = parse_filter({"n": {">": 2000}, "yes": True, "list": 2})
        (near,) = index.nearest(ROWS[:1], 1, where=where)
        assert near.documents[0].metadata == {"n": 2010, "yes": True, "list": [1, 2]}


def test_euclidean_distances_of_unit_vectors_are_cosines(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        points = [models.PointStruct(id=i, vector=UNIT[i].tolist(), payload={}) for i in range(6)]
        collection_of(made, points, distance="Euclid")
    exact = MemoryIndex([Document(str(i), "") for i in range(6)], ROWS)
    with opened(spec) as index:
        found = index.nearest(ROWS[:2], 6)
        for one, right in zip(found, exact.nearest(ROWS[:2], 6), strict=True):
            assert one.ids == right.ids
            np.testing.assert_allclose(one.scores, right.scores, atol=1e-6)
        assert index.score_ranges(ROWS[:1])[0].high == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("distance", "problem"),
    [("Euclid", "do not have unit length"), ("Manhattan", "Manhattan, which ranks neither")],
)
def test_distances_that_rank_otherwise(tmp_path: Path, spec: str, distance: str, problem: str) -> None:
    with client(tmp_path) as made:
        collection_of(made, [models.PointStruct(id=1, vector=[1.0, 2, 3, 4], payload={})], distance=distance)
    with pytest.raises(EngineError, match=problem):
        opened(spec)


CONDITIONS: list[dict[str, Any]] = [
    {"n": 2},
    {"n": 2.0},
    {"n": [2, "b"]},
    {"n": {"!=": 2}},
    {"n": True},
    {"n": {"<": True}},
    {"n": {"<=": True}},
    {"n": {"<": False}},
    {"n": {">=": 2.5}},
    {"n": "2"},
    {"n": 2**60 + 1},
    {"n": []},
    {"n": {"!=": "b"}},
    {"x.y": 1},
    {"x[0]": 1},
    {"100%": "%41"},
    {"back\\slash": 1},
    {'"': 1},
    {"née": "ü"},
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
    {},
    {"x.y": 1},
    {"x": {"y": 1}},
    {"x[0]": 1},
    {"x": [1]},
    {"100%": "%41"},
    {"100%": "A"},
    {"back\\slash": 1},
    {'"': 1},
    {"%22": 1},
    {"née": "ü"},
]


@pytest.mark.parametrize("given", CONDITIONS, ids=str)
def test_conditions_mean_what_they_mean_elsewhere(memory: QdrantIndex, given: dict[str, Any]) -> None:
    where = parse_filter(given)
    right = {str(i) for i, metadata in enumerate(METADATA) if matches(metadata, where)}
    assert set(memory.nearest(ONES, 99, where=where)[0].ids) == right


BOOKS = {1: "Of mice and men", 2: "The call of the wild mice", 3: "The wild geese", 4: None}
SCORED = {"type": "text", "scoring": True}


def books(client: Any) -> None:
    """Let a client have a collection as others make it: a text, a name, and one point without a vector."""
    points = [
        models.PointStruct(
            id=n, vector={"v": UNIT[n].tolist()} if n < 4 else {}, payload={"text": text, "name": "x"}
        )
        for n, text in BOOKS.items()
    ]
    points.append(models.PointStruct(id=5, vector={}, payload={"text": "mice mice mice"}))
    collection_of(client, points, {"v": models.VectorParams(size=4, distance="Dot")})


def test_words_need_a_text_index_and_the_error_says_how_to_make_it(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        books(made)
    needed = (
        r"cannot be searched by words: .*text index with `scoring` on `text`.* Make one with "
        r'client.create_payload_index\(COLLECTION, "text", models.TextIndexParams\(type="text", scoring=True\)\)'
    )
    with opened(spec) as index, pytest.raises(ArgumentError, match=needed):
        index.matching(["mice"], 3)
    with client(tmp_path) as made:
        made.create_payload_index("docs", "text", models.TextIndexParams(**SCORED))
    with opened(spec) as index:
        by_mice, by_nothing, by_wild = index.matching(["mice", "of the", "the wild"], 2)
        # The point without a vector is none that a search finds, however well its words match.
        assert by_mice.ids == ("1", "2")
        assert by_mice.vectors == pytest.approx(index.vectors(by_mice.ids))
        assert by_nothing.ids == ()
        assert by_wild.ids == ("3", "2")
        assert index.matching(["mice"], 2, where=parse_filter({"name": "y"}))[0].ids == ()


def test_words_of_a_title_count_where_it_is_indexed(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        books(made)
        for field in ("text", "name"):
            made.create_payload_index("docs", field, models.TextIndexParams(**SCORED))
    with opened(with_name(spec)) as index:
        assert set(index.matching(["x"], 9)[0].ids) == {"1", "2", "3"}
        # What has the words in both is before what has them in one.
        assert index.matching(["x geese"], 9)[0].ids[0] == "3"


def with_name(spec: str) -> str:
    return f"{spec}&title=name"


def test_a_text_index_of_other_tokens_in_local_mode(tmp_path: Path, spec: str) -> None:
    with client(tmp_path) as made:
        books(made)
        made.create_payload_index("docs", "text", models.TextIndexParams(**SCORED, stopwords="english"))
    with opened(spec) as index, pytest.raises(ArgumentError, match="only support text indexes with the default"):
        index.matching(["mice"], 3)


@pytest.fixture(scope="module")
def memory() -> QdrantIndex:
    index = prepared("qdrant::memory:?collection=docs")
    rows = np.random.default_rng(3).standard_normal((len(METADATA), 4))
    index.upsert([Document(str(i), "", metadata=metadata) for i, metadata in enumerate(METADATA)], rows)
    return index


def test_metadata_comes_back(memory: QdrantIndex) -> None:
    found = memory.documents([str(i) for i in range(len(METADATA))])
    assert [document.metadata for document in found.values()] == METADATA


def test_texts_are_not_ordered(memory: QdrantIndex) -> None:
    with pytest.raises(ArgumentError, match="Qdrant orders numbers only"):
        memory.nearest(ONES, 1, where=parse_filter({"n": {"<": "b"}}))


@pytest.mark.parametrize("value", [2**53, -(2**60), 2**60 + 1])
def test_nor_are_whole_numbers_that_its_floats_cannot_tell_apart(memory: QdrantIndex, value: int) -> None:
    with pytest.raises(ArgumentError, match="Qdrant orders whole numbers up to 9,007,199,254,740,991"):
        memory.nearest(ONES, 1, where=parse_filter({"n": {">=": value}}))
    assert memory.nearest(ONES, 1, where=parse_filter({"n": {">=": 2**53 - 1}}))
    assert memory.nearest(ONES, 1, where=parse_filter({"n": {"not in": [value]}}))


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_is_no_json_is_refused_before_anything_is_written(value: object) -> None:
    with prepared("qdrant::memory:?collection=docs") as index:
        with pytest.raises(ArgumentError, match=r"document 'b'.*cannot be written as JSON"):
            index.upsert([Document("a", ""), Document("b", "", metadata={"x": value})], ROWS[:2])
        assert len(index) == 0


def test_the_sample_of_a_filter_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with prepared("qdrant::memory:?collection=docs") as index:
        index.upsert(DOCUMENTS, ROWS)
        drawn: list[Any] = []
        draw = index.draw_sample

        def counted(where: Filter | None, size: int) -> Sample:
            drawn.append(where)
            return draw(where, size)

        monkeypatch.setattr(index, "draw_sample", counted)
        for given in ({"n": 1}, {"n": 1}, {"n": True}, {"n": 1}):
            index.score_ranges(ROWS[:1], where=parse_filter(given))
        assert len(drawn) == 2
        index.delete(["d1"])
        assert index.score_ranges(ROWS[:1], where=parse_filter({"n": 1}))[0].high == 0
        index.upsert(DOCUMENTS[1:2], ROWS[1:2])
        assert index.score_ranges(ROWS[:1], where=parse_filter({"n": 1}))[0].high != 0
        index.score_ranges(ROWS[:1])
        index.upsert([Document("far", "")], -ROWS[:1])
        assert index.score_ranges(ROWS[:1])[0].low == pytest.approx(-1, abs=1e-6)
        index.delete(["far"])
        assert index.score_ranges(ROWS[:1])[0].low > -0.99
        for n in range(20):
            index.score_ranges(ROWS[:1], where=parse_filter({"n": n}))
        assert len(index._samples._by_filter) == 8


def test_a_large_collection_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esens.index.base.SAMPLE", 4)
    with prepared("qdrant::memory:?collection=docs") as index:
        index.upsert(DOCUMENTS[:3], ROWS[:3])
        assert index.score_ranges(ROWS[:1])[0].is_exact
        index.upsert(DOCUMENTS, ROWS)
        assert not index.score_ranges(ROWS[:1])[0].is_exact


def test_what_is_larger_than_a_request_goes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qdrant, "_REQUEST_BYTES", 400)
    with prepared("qdrant::memory:?collection=docs") as index:
        sent: list[int] = []
        upsert = index._client.upsert

        def counted(name: str, points: list[Any], wait: bool) -> None:
            sent.append(len(points))
            upsert(name, points, wait=wait)

        monkeypatch.setattr(index._client, "upsert", counted)
        index.upsert(DOCUMENTS, ROWS)
        assert sent == [2, 2, 2]
        assert len(index) == 6


def test_many_ids_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qdrant, "_PAGE", 2)
    with prepared("qdrant::memory:?collection=docs") as index:
        index.upsert(DOCUMENTS, ROWS)
        assert list(index.documents(["d5", "d0", "d5", "d3", "d1"])) == ["d5", "d0", "d3", "d1"]
        assert index.delete([f"d{i}" for i in range(6)]) == 6


def test_check_looks_at_every_point(tmp_path: Path, spec: str) -> None:
    with prepared(spec) as index:
        index.upsert(DOCUMENTS, ROWS)
    report = check_index(spec)
    assert report.is_sound
    assert (report.documents, report.checked) == (6, ("every point: its payload and its vector",))
    with client(tmp_path) as made:
        params = {"a": models.VectorParams(size=4, distance="Cosine")}
        made.create_collection("other", vectors_config=params)
        points = [models.PointStruct(id=i, vector={"a": ROWS[i].tolist()} if i else {}) for i in range(3)]
        made.upsert("other", points)
    (problem,) = check_index(spec.replace("docs", "other")).problems
    assert (problem.what, problem.documents) == ("points have no vector to search", ("0",))


def test_several_threads_search_at_once(memory: QdrantIndex) -> None:
    def ids(_: int) -> tuple[str, ...]:
        return memory.nearest(ONES, 5)[0].ids

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ids, range(64)))) == 1


@pytest.mark.parametrize("place", ["q", ":memory:"])
def test_several_threads_search_and_write_at_once(tmp_path: Path, place: str) -> None:
    path = place if place == ":memory:" else tmp_path / place
    with prepared(f"qdrant:{path}?collection=docs") as index:
        index.upsert(DOCUMENTS, ROWS)

        def write(thread: int) -> None:
            for number in range(15):
                index.upsert([Document(f"{thread}-{number}", "x")], ROWS[:1])
                index.delete([f"{thread}-{number - 1}"] if number % 3 == 2 else [])

        def read(_: int) -> None:
            for _ in range(40):
                assert len(index.nearest(ONES, 3)[0].ids) == 3
                assert "d0" in index.documents(["d0"])

        with ThreadPoolExecutor(6) as pool:
            done = [pool.submit(work, n) for work, count in ((write, 3), (read, 3)) for n in range(count)]
            for each in done:
                each.result()
        assert len(index) == 6 + 3 * 10


def test_nothing_is_said_at_exit(tmp_path: Path) -> None:
    code = f"from esens.index import prepare_index as p; i = p('qdrant:{tmp_path}/q?collection=a', dimension=2)"
    code += "; print(len(i))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


class TestWhoseFolderItIs:
    SPEC = "qdrant:{}?collection=docs"

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        with prepared(self.SPEC.format(tmp_path / "own")) as index:
            index.upsert(DOCUMENTS, ROWS)
        return tmp_path / "own"

    @staticmethod
    def _put_program_into(folder: Path) -> Path:
        """Put a program into a folder that leaves a file when somebody reads its pickle."""
        trace = folder.parent / "it ran"

        class Program:
            def __reduce__(self) -> tuple[Any, ...]:
                return Path.touch, (trace,)

        with closing(sqlite3.connect(folder / "collection" / "docs" / "storage.sqlite")) as database:
            database.execute("UPDATE points SET point = ?", (pickle.dumps(Program()),))
            database.commit()
        return trace

    def test_one_that_esens_made_is_opened_again(self, folder: Path) -> None:
        with opened(self.SPEC.format(folder)) as index:
            assert len(index) == 6
        with prepared(self.SPEC.format(folder)) as index:
            assert len(index) == 6

    def test_a_copy_is_not_opened_and_runs_no_program(self, folder: Path) -> None:
        copy = Path(shutil.copytree(folder, folder.parent / "copy"))
        trace = self._put_program_into(copy)
        for call in (opened, prepared):
            with pytest.raises(EngineError, match=r"runs whatever program somebody has put into it.*&trusted=yes"):
                call(self.SPEC.format(copy))
        assert not trace.exists()

    def test_another_folder_in_its_place_is_not_opened(self, folder: Path) -> None:
        copy = Path(shutil.copytree(folder, folder.parent / "copy"))
        shutil.rmtree(folder)
        copy.rename(folder)
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(self.SPEC.format(folder))
        (folder / ".esens-made").write_text("../../evil\0")
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(self.SPEC.format(folder))

    def test_one_with_links_or_that_anybody_can_write_is_not_opened(self, folder: Path) -> None:
        storage = folder / "collection" / "docs" / "storage.sqlite"
        storage.chmod(0o666)
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(self.SPEC.format(folder))
        storage.rename(folder.parent / "elsewhere")
        storage.symlink_to(folder.parent / "elsewhere")
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(self.SPEC.format(folder))

    def test_one_of_somebody_else_is_opened_if_the_caller_trusts_it(self, tmp_path: Path) -> None:
        with client(tmp_path) as made:
            collection_of(made, [models.PointStruct(id=1, vector=ROWS[0].tolist(), payload={"text": "tea"})])
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(f"qdrant:{tmp_path}/q?collection=docs")
        with opened(f"qdrant:{tmp_path}/q?collection=docs&trusted=yes") as index:
            assert index.nearest(ONES, 1)[0].ids == ("1",)

    def test_where_nothing_can_be_noted_it_is_trusted_in_words(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "state").write_text("a file")
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        prepared(self.SPEC.format(tmp_path / "q")).close()
        with pytest.raises(EngineError, match="not made by esens for this user"):
            opened(self.SPEC.format(tmp_path / "q"))
        opened(f"{self.SPEC.format(tmp_path / 'q')}&trusted=yes").close()

    def test_trusted_is_yes_or_no(self, folder: Path) -> None:
        with pytest.raises(ArgumentError, match="trusted is yes or no, got 'maybe'"):
            opened(f"{self.SPEC.format(folder)}&trusted=maybe")


# The client leaves the lock's file open where it finds a folder locked.
@pytest.mark.filterwarnings("ignore:Exception ignored in.*lock:pytest.PytestUnraisableExceptionWarning")
def test_a_folder_is_opened_by_one_at_a_time(spec: str) -> None:
    with prepared(spec), pytest.raises(EngineError, match="open elsewhere"):
        prepared(spec)


def test_a_folder_or_collection_that_is_not_there(tmp_path: Path, spec: str) -> None:
    with pytest.raises(EngineError, match="no folder of Qdrant's"):
        opened(spec)
    assert not (tmp_path / "q").exists()
    with prepared(f"qdrant:{tmp_path}/q?collection=other"):
        pass
    with pytest.raises(EngineError, match="no collection 'docs'; those there are: other"):
        opened(spec)


def test_nothing_is_left_where_a_collection_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(EngineError):
        prepared(f"qdrant:{tmp_path}/q?collection=a/b")
    assert not (tmp_path / "q").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("a file")
    with pytest.raises(EngineError, match="q"):
        prepared(f"qdrant:{tmp_path}/q?collection=docs")


def test_a_closed_index(spec: str) -> None:
    index = prepared(spec)
    index.close()
    with pytest.raises(EngineError, match="closed"):
        index.nearest(ROWS[:1], 1)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("qdrant://localhost:1", "name a collection"),
        ("qdrant:folder", "name a collection"),
        ("qdrant://localhost:1/docs?colour=red", "unknown option 'colour'"),
        ("qdrant://localhost:1/docs?timeout=soon", "timeout must be whole seconds"),
        ("qdrant://localhost:1/docs?timeout=0", "timeout must be whole seconds"),
    ],
)
def test_specs_that_make_no_sense(spec: str, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        open_writable(spec)


def test_a_key_in_the_spec_is_refused_and_not_shown() -> None:
    with pytest.raises(ArgumentError, match="QDRANT_API_KEY") as caught:
        open_writable("qdrant://SECRET@localhost:1/docs")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("protocol", ["", "&grpc=PORT"])
def test_no_server(protocol: str) -> None:
    port = closed_port()
    spec = f"qdrant://127.0.0.1:{port}/docs?timeout=2{protocol.replace('PORT', str(port))}"
    with pytest.raises(EngineError, match=f"{port}/docs.*no connection to the server.*check host and port"):
        open_writable(spec)
    with pytest.raises(EngineError, match="no connection to the server"):
        prepare_index(spec, dimension=4)


@pytest.fixture
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted(server: Server, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv("QDRANT_API_KEY", "hush-hush")
    server.answers[""] = (status, b"Invalid API key hush-hush or jwt")
    with (
        pytest.warns(UserWarning, match="insecure connection"),
        pytest.raises(EngineError, match=f"does not accept the key.*{status}.*check QDRANT_API_KEY") as caught,
    ):
        open_writable(server.spec())
    assert "hush" not in str(caught.value)
    assert server.headers[0]["api-key"] == "hush-hush"


def test_what_is_no_qdrant_server(server: Server) -> None:
    server.answers[""] = (200, b"<html>hello</html>")
    with pytest.raises(EngineError, match="no Qdrant server that this client understands"):
        open_writable(server.spec())


def test_one_vector_is_one_request(server: Server) -> None:
    collection(server)
    index = opened(server.spec())
    server.asked.clear()
    where = parse_filter({"kind": "a", "n": {">=": 2}, "x.y": {"!=": True}, "m": 1.5, "in": ["a", 2]})
    found = index.nearest(ROWS[:1], 3, where=where)
    assert found[0].documents == (Document("a", "t"),)
    [(path, body)] = server.asked
    assert path == "POST /collections/docs/points/query"
    np.testing.assert_allclose(body["query"]["nearest"], UNIT[0], atol=1e-6)
    assert {name: body[name] for name in body if name not in ("query", "filter")} == {
        "limit": 3,
        "with_payload": True,
        "with_vector": False,
    }

    def one_of(key: str, *asked: dict[str, Any]) -> dict[str, Any]:
        return {"should": [{"key": key} | one for one in asked]}

    assert body["filter"] == {
        "must": [
            one_of("metadata.kind", {"match": {"value": "a"}}),
            one_of("metadata.n", {"range": {"gte": 2.0}}),
            {"must_not": [one_of('metadata."x.y"', {"match": {"value": True}})]},
            one_of("metadata.m", {"range": {"gte": 1.5, "lte": 1.5}}),
            one_of("metadata.in", {"match": {"value": "a"}}, {"range": {"gte": 2.0, "lte": 2.0}}),
        ],
    }


def test_several_vectors_are_one_request(server: Server) -> None:
    collection(server)
    index = opened(server.spec())
    server.asked.clear()
    assert [one.ids for one in index.nearest(ROWS[:2], 2000)] == [("a",), ()]
    [(path, body)] = server.asked
    assert path == "POST /collections/docs/points/query/batch"
    assert [search["params"] for search in body["searches"]] == [{"exact": True}] * 2


def test_ranges_ask_for_a_sample_and_for_nothing_afterwards(server: Server) -> None:
    collection(server)
    server.answers["/collections/docs/points/query"] = (200, {"points": []})
    index = opened(server.spec())
    server.asked.clear()
    for _ in range(2):
        assert index.score_ranges(ROWS[:2])[1].high == 0
    [(_, sample)] = server.asked
    assert sample == {"query": {"sample": "random"}, "limit": 4096, "with_payload": False, "with_vector": True}


def test_writes_are_waited_for(server: Server) -> None:
    collection(server)
    index = opened(server.spec())
    server.asked.clear()
    index.upsert(DOCUMENTS[:1], ROWS[:1])
    [(path, body)] = server.asked
    assert path == "PUT /collections/docs/points"
    assert body["points"][0]["id"] == qdrant_payload.esens_point_id("d0")
    assert body["points"][0]["payload"] == {"_id": "d0", "text": "text 0", "title": "", "metadata": {"n": 0}}


def test_words_are_one_request(server: Server) -> None:
    collection(server)
    with opened(server.spec()) as index:
        server.answers["/collections/docs/points/query/batch"] = (200, [{"points": []}] * 4)
        index.matching(["mice of the wild"], 3, where=parse_filter({"n": 1}))
        server.asked.clear()
        index.matching(["mice of the wild", "geese", "the"], 3, where=parse_filter({"n": 1}))
        [[path, request]] = server.asked
    assert path == "POST /collections/docs/points/query/batch"
    asked = [(search["query"]["text"]["query"], search["using"]) for search in request["searches"]]
    assert asked == [(text, field) for text in ("mice wild", "geese") for field in ("text", "title")]
    assert all(search["filter"] and search["limit"] == 3 for search in request["searches"])


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_ranks_no_words(server: Server, status: int) -> None:
    collection(server)
    answer = b'{"status": {"error": "expected a vector"}}'
    server.answers["/collections/docs/points/query/batch"] = (status, answer)
    with (
        opened(server.spec()) as index,
        pytest.raises(ArgumentError, match=r"from 1\.20 on.*expected a vector.*Make one"),
    ):
        index.matching(["mice"], 3)
    server.answers["/collections/docs/points/query/batch"] = (500, b"{}")
    with opened(server.spec()) as index, pytest.raises(EngineError, match="HTTP 500"):
        index.matching(["mice"], 3)


def test_a_server_that_indexes_no_words_still_has_collections(server: Server) -> None:
    collection(server)
    server.answers["/collections/docs/exists"] = (200, {"exists": False})
    server.answers["PUT /collections/docs"] = (200, True)
    server.answers["/collections/docs/index"] = (400, b'{"status": {"error": "unknown field scoring"}}')
    prepared(server.spec()).close()
    assert "PUT /collections/docs/index" in [path for path, _ in server.asked]


def test_a_server_that_goes_away(server: Server) -> None:
    collection(server)
    index = opened(server.spec())
    server.answers = {"": (500, b'{"status": {"error": "Service internal error: no space left on device"}}')}
    with pytest.raises(EngineError, match=r"refuses \(HTTP 500.*no space left on device"):
        index.upsert(DOCUMENTS, ROWS)
    server.answers = {"": (404, b'{"status": {"error": "Collection `docs` doesn\'t exist!"}}')}
    with pytest.raises(EngineError, match="no such collection"):
        len(index)
    server.shutdown()
    server.server_close()
    with pytest.raises(EngineError, match="no connection to the server"):
        index.nearest(ROWS[:1], 1)


def test_a_server_that_does_not_answer_in_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(server)
    index = opened(server.spec("?timeout=1"))
    monkeypatch.setattr(Handler, "do_POST", lambda self: threading.Event().wait(1.5))
    with pytest.raises(EngineError, match="no answer after 1 s; wait longer with"):
        index.nearest(ROWS[:1], 1)


def test_a_server_that_gave_no_answer_is_left_alone(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(server)
    index = opened(server.spec("?timeout=1&pause=60"))
    asked: list[str] = []

    def hang(self: Handler) -> None:
        asked.append(self.path)
        threading.Event().wait(1.5)

    monkeypatch.setattr(Handler, "do_POST", hang)
    with pytest.raises(EngineError, match="no answer after 1 s"):
        index.nearest(ROWS[:1], 1)
    for _ in range(20):
        with pytest.raises(EngineError, match=r"gave no answer \d+ s ago, so it is not asked again for"):
            index.nearest(ROWS[:1], 1)
    assert len(asked) == 1


def test_a_server_whose_answer_does_not_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(server)
    index = opened(server.spec("?timeout=2"))

    def drip(self: Handler) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(b" ")
                time.sleep(0.2)

    monkeypatch.setattr(Handler, "do_POST", drip)
    with pytest.raises(EngineError, match="no answer after 2 s"):
        index.nearest(ROWS[:1], 1)


@pytest.mark.parametrize("line", [b"X-A: b\r\n", b"\r\nHTTP/1.1 100 Continue\r\n"])
def test_a_server_whose_headers_do_not_end(server: Server, monkeypatch: pytest.MonkeyPatch, line: bytes) -> None:
    collection(server)
    index = opened(server.spec("?timeout=2&pause=60"))
    begun = time.monotonic()

    def drip(self: Handler) -> None:
        self.wfile.write(b"HTTP/1.1 100 Continue\r\n")
        with suppress(OSError):
            while time.monotonic() < begun + 30:
                self.wfile.write(line)
                time.sleep(0.05)

    monkeypatch.setattr(Handler, "do_POST", drip)
    with pytest.raises(EngineError, match="no answer after 2 s"):
        index.nearest(ROWS[:1], 1)
    assert time.monotonic() < begun + 25
    with pytest.raises(EngineError, match="so it is not asked again"):
        index.nearest(ROWS[:1], 1)


def test_a_server_whose_answer_is_too_large(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(server)
    index = opened(server.spec())
    monkeypatch.setattr("esens.index.qdrant.limits.MOST_BYTES", 10_000)
    server.answers["/collections/docs/points/query"] = (200, "x" * 20_000)
    with pytest.raises(EngineError, match="the answer is larger than 10,000 bytes"):
        index.nearest(ROWS[:1], 1)
    assert {sent["Accept-Encoding"] for sent in server.headers} == {"identity"}


def test_a_packed_answer_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(server)
    index = opened(server.spec())

    def pack(self: Handler) -> None:
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(gzip.compress(b" " * 10**6))

    monkeypatch.setattr(Handler, "do_POST", pack)
    with pytest.raises(EngineError, match="the answer is packed, though it was not asked to be"):
        index.nearest(ROWS[:1], 1)


def test_a_prefix_and_https() -> None:
    with pytest.raises(EngineError, match="no connection"):
        QdrantIndex.open(IndexURI.parse(f"qdrant+https://127.0.0.1:{closed_port()}/behind/proxy/docs"))


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    monkeypatch.delitem(sys.modules, "esens.index.qdrant.index")
    with pytest.raises(MissingExtraError, match=r"esens\[qdrant\]"):
        open_writable("qdrant://localhost:1/docs")
