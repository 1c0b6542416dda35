"""Filters of an index in a folder are Lance's, and mean what they mean everywhere."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lance", reason="the index on disk needs the extra lance")

import lance as pylance
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esens import Decomposition, Searcher
from esens.errors import EngineError
from esens.index import prepare_index
from esens.index.filters import OPERATORS, AllOf, AnyOf, Condition, Filter, Not, matches, parse_filter
from esens.index.lance import typed_columns
from esens.index.lance.index import LanceIndex
from esens.index.lance.schema import Description, new_schema
from esens.index.lance.snapshot import LanceSnapshot
from esens.index.lance.table import LanceTable
from esens.index.lance.typed_columns import MAX_TEXT, TypedRow, column_prefix, filter_sql
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

DIMENSION = 8
NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 1.0, -0.0, 0.0, 1.5, -2.5, 1e-7, 1e308, 1e19),
    *(2**53, 2**53 + 1, float(2**53), 2**63 - 1, -(2**63), 2**63, 2**70, 2**70 + 1, 10**300),
)
TEXTS = ("", "a", "A", "b", "1", "o'b", "茶", "\ud800", "a\0b", "é", "x" * (MAX_TEXT + 1), "\U0001f600", "\\")
VALUES = (*NUMBERS, *TEXTS, True, False)
FIELDS = ("x", "y", "Y", "a.b", "é'\"` %", "\udfff", "x:text", "id")
_UNFILTERED: tuple[Any, ...] = (None, {"a": 1}, [1], [], 10**400)


def _metadata(random: np.random.Generator) -> dict[str, Any]:
    def value() -> Any:
        pick = [*VALUES, *_UNFILTERED]
        if random.random() < 0.7:
            return pick[random.integers(len(pick))]
        return [pick[random.integers(len(pick))] for _ in range(random.integers(4))]

    return {field: value() for field in FIELDS if random.random() < 0.6}


def _corpus(count: int = 300) -> tuple[list[Document], np.ndarray]:
    random = np.random.default_rng(0)
    documents = [Document(f"d{n}", f"text {n}", metadata=_metadata(random)) for n in range(count)]
    return documents, random.standard_normal((count, DIMENSION)).astype(np.float32)


def _filters() -> st.SearchStrategy[Filter]:
    fields, values = st.sampled_from((*FIELDS, "absent")), st.sampled_from(VALUES)
    comparisons = st.sampled_from([op for op in OPERATORS if "in" not in op])
    conditions = st.one_of(
        st.builds(Condition, fields, comparisons, values),
        st.builds(Condition, fields, st.sampled_from(("in", "not in")), st.lists(values, max_size=3).map(tuple)),
    )
    return st.recursive(
        conditions,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(AllOf, st.lists(inner, max_size=3).map(tuple)),
            st.builds(AnyOf, st.lists(inner, max_size=3).map(tuple)),
        ),
        max_leaves=6,
    )


def _index(spec: str) -> LanceIndex:
    index = prepare_index(spec, dimension=DIMENSION)
    assert isinstance(index, LanceIndex)
    return index


def _select(index: LanceIndex, where: Filter) -> list[str]:
    snapshot = index._latest()
    return [document.id for document in snapshot.documents(snapshot.select(where))]


def _write_old(folder: Path, documents: list[Document], vectors: np.ndarray) -> None:
    """Write an index as esens wrote it before it had typed columns."""
    index = _index(str(folder))
    index.upsert(documents, vectors)
    table = pylance.dataset(folder / "documents.lance")
    table.drop_columns([name for name in table.schema.names if ":" in name or name == "untyped"])
    stamp = json.loads(table.schema.metadata[b"esens"])["stamp"]
    table.update_schema_metadata(Description(1, EmbedderId("minilm", "abc"), stamp).to_metadata())


class Case:
    """An index, and the documents that are in it."""

    def __init__(self, index: LanceIndex, documents: list[Document]) -> None:
        self.index, self.documents = index, documents

    def check_selection(self, where: Filter) -> list[str]:
        expected = [document.id for document in self.documents if matches(document.metadata, where)]
        assert _select(self.index, where) == expected
        return expected

    def check_search(self, where: Filter) -> None:
        expected = self.check_selection(where)
        hits = self.index.nearest(np.eye(2, DIMENSION), 5, where=where)
        assert all(len(hit.ids) == min(5, len(expected)) and {*hit.ids} <= {*expected} for hit in hits)


@pytest.fixture(scope="module", params=["exact", "approximate", "few columns", "old format", "upgraded"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return an index that was written to again and again, of every form that its metadata can have."""
    folder = tmp_path_factory.mktemp("index") / "docs.lance"
    documents, vectors = _corpus()
    if request.param in ("old format", "upgraded"):
        _write_old(folder, documents, vectors)
        index = LanceIndex.open(IndexURI.parse(str(folder)))
        if request.param == "upgraded":
            assert index.delete(["d3"]) == 1
        return Case(index, [document for document in documents if len(index) == 300 or document.id != "d3"])
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "few columns":
            patch.setattr(typed_columns, "MAX_COLUMNS", 8)
        index = _index(f"{folder}?search=approximate" if request.param == "approximate" else str(folder))
        for start in range(0, 300, 60):
            index.upsert(documents[start : start + 60], vectors[start : start + 60])
            if start == 120:
                index.optimise()
    changed = [Document(f"d{n}", "changed", metadata=documents[n - 1].metadata) for n in range(7, 300, 7)]
    index.upsert(changed, vectors[: len(changed)])
    for document in changed:
        documents[int(document.id[1:])] = document
    index.delete(["d5", "d9"])
    return Case(index, [document for document in documents if document.id not in ("d5", "d9")])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=_filters())
def test_lance_finds_what_fulfils_a_filter(case: Case, where: Filter) -> None:
    case.check_search(where)


@pytest.mark.parametrize("op", [op for op in OPERATORS if "in" not in op])
def test_every_comparison_with_every_number(case: Case, op: str) -> None:
    for value in (*NUMBERS, "", "b", "\ud800", True):
        case.check_selection(Condition("x", op, value))


def test_columns_are_named_by_field_and_kind(tmp_path: Path) -> None:
    index = _index(str(tmp_path / "docs.lance"))
    metadata = {"year": 2000, "share": 0.5, "open": True, "tags": ["a", "b"], "a.b é": "x", "deep": {"x": 1}}
    index.upsert([Document("d", "text", metadata=metadata)], np.ones((1, DIMENSION)))
    index.upsert([Document("e", "text", metadata={"year": "MM"})], np.ones((1, DIMENSION)))
    table = pylance.dataset(tmp_path / "docs.lance" / "documents.lance")
    assert [name for name in table.schema.names if ":" in name] == [
        *("year:int", "share:float", "open:truth", "tags:texts", "a%2Eb%20%C3%A9:text", "year:text")
    ]
    assert table.count_rows("untyped IS NOT NULL") == 0
    assert index.documents(["d"])["d"].metadata == metadata


def test_what_columns_cannot_hold_is_named_in_the_document(tmp_path: Path) -> None:
    index = _index(str(tmp_path / "docs.lance"))
    metadata = {"long": "x" * (MAX_TEXT + 1), "short": "x" * MAX_TEXT, "n": [1, 10**400]}
    index.upsert([Document("d", "text", metadata=metadata)], np.ones((1, DIMENSION)))
    read = pylance.dataset(tmp_path / "docs.lance" / "documents.lance").to_table(columns=["untyped"])
    assert read["untyped"].to_pylist() == [["long", "n"]]
    assert _select(index, Condition("n", "=", 1)) == _select(index, Condition("long", ">", "x")) == ["d"]


def test_a_filter_reads_no_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = _index(str(tmp_path / "docs.lance"))
    index.upsert(*_corpus())
    index.upsert([Document("plain", "text", metadata={"kind": "a"})], np.ones((1, DIMENSION)))

    def fail(*_: object) -> str:
        raise AssertionError("metadata was read")

    monkeypatch.setattr(LanceSnapshot, "_evaluated", fail)
    where = parse_filter({"kind": ["a", "b"], "not": {"kind": "c"}})
    assert index.nearest(np.ones((1, DIMENSION)), 5, where=where)[0].ids == ("plain",)


def test_quotes_never_end_a_value() -> None:
    odd = "x' OR '1'='1"
    assert filter_sql(Condition("f", "=", odd), ["f:text"]) == "(`f:text` IN ('x'' OR ''1''=''1'))"
    assert column_prefix("f` IS NULL OR `f") == "f%60%20IS%20NULL%20OR%20%60f"
    assert list(TypedRow.of({"f`": 1}).columns()) == ["f%60:int"]


class TestOldFormat:
    def test_it_is_read_as_it_is_and_written_in_the_new_format(self, tmp_path: Path) -> None:
        documents, vectors = _corpus(50)
        _write_old(tmp_path / "docs.lance", documents, vectors)
        index, reader = (LanceIndex.open(IndexURI.parse(str(tmp_path / "docs.lance"))) for _ in range(2))
        assert index.embedder_id == EmbedderId("minilm", "abc")
        assert len(reader) == 50
        index.upsert([Document("new", "text", metadata={"x": "new"})], np.ones((1, DIMENSION)))
        table = pylance.dataset(tmp_path / "docs.lance" / "documents.lance")
        assert json.loads(table.schema.metadata[b"esens"])["format"] == 3
        assert "x:text" in table.schema.names
        for either in (index, reader):  # also who had it open before
            assert _select(either, Condition("x", "=", "new")) == ["new"]
            assert either.documents([document.id for document in documents]) == {
                document.id: document for document in documents
            }

    def test_an_empty_one_is_upgraded_too(self, tmp_path: Path) -> None:
        _write_old(tmp_path / "docs.lance", *_corpus(1))
        index = LanceIndex.open(IndexURI.parse(str(tmp_path / "docs.lance")))
        index.delete(["d0"])
        index.upsert(*_corpus(5))
        assert _select(index, AllOf(())) == [f"d{n}" for n in range(5)]

    def test_an_upgrade_that_was_cut_short_begins_anew(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        documents, vectors = _corpus(50)
        _write_old(tmp_path / "docs.lance", documents, vectors)
        index = LanceIndex.open(IndexURI.parse(str(tmp_path / "docs.lance")))

        def fail(*_: object) -> None:
            raise OSError("killed")

        with monkeypatch.context() as patch:
            patch.setattr(Description, "to_metadata", fail)
            with pytest.raises(EngineError, match="this was not written"):
                index.delete(["d1"])
        assert "x:text" in pylance.dataset(tmp_path / "docs.lance" / "documents.lance").schema.names
        again = LanceIndex.open(IndexURI.parse(str(tmp_path / "docs.lance")))
        for where in (Condition("x", "<", 1), Condition("y", "!=", "a")):
            assert _select(again, where) == [one.id for one in documents if matches(one.metadata, where)]
        assert again.delete(["d1"]) == 1
        assert again._latest()._typed
        assert len(index) == 49


class TestReads:
    def test_a_search_looks_at_the_table_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        index = _index(str(tmp_path / "docs.lance"))
        index.upsert(*_corpus(20))
        searcher = Searcher(index, embedder=lambda texts: np.ones((len(texts), DIMENSION), np.float32))
        split = Decomposition("what is wanted", ("what is not",))
        looks: list[int] = []
        version = LanceTable.version
        searcher.search("query", decomposition=split)

        def count(table: LanceTable) -> Any:
            looks.append(1)
            return version(table)

        monkeypatch.setattr(LanceTable, "version", count)
        for where in (None, {"x": 1}):
            looks.clear()
            searcher.search("query", decomposition=split, where=where)
            assert len(looks) == 1

    def test_what_this_index_writes_decides_at_once_how_it_is_searched(self, tmp_path: Path) -> None:
        index = _index(f"{tmp_path / 'docs.lance'}?search=approximate")
        index.upsert(*_corpus())
        assert index.is_scannable
        index.optimise()
        assert not index.is_scannable


def test_a_new_table_has_no_typed_columns_yet() -> None:
    names = new_schema(DIMENSION, None).names
    assert names == ["place", "id", "title", "text", "metadata", "vector", "checksum", "untyped"]
