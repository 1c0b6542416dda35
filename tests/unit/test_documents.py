"""Documents as people have them: mappings with other names, tables of rows, numpy's numbers."""

from copy import deepcopy
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import esens
from esens import Document
from esens.documents import TEXT_FIELDS, Passage, documents_of
from esens.errors import ArgumentError

ROWS: list[dict[str, Any]] = [
    {"id": "a", "title": "Tea", "text": "green tea", "year": 2010, "kind": "leaf"},
    {"id": "b", "title": None, "text": "cold milk", "year": 1990, "kind": None},
]


def by_letters(texts: Any) -> np.ndarray:
    return np.array([[len(text), text.count("t") + 1, text.count("m") + 1] for text in texts], float)


class PolarsFrame:
    """The shape of a DataFrame of polars: what it iterates over is its columns."""

    columns = ("id", "title", "text", "year", "kind")

    def __iter__(self) -> Any:
        return iter(self.columns)

    def iter_rows(self, *, named: bool = False) -> Any:
        return iter(ROWS if named else [tuple(row.values()) for row in ROWS])


def _pandas() -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(ROWS)


TABLES: dict[str, Any] = {
    "pandas": _pandas,
    "polars": PolarsFrame,
    "arrow table": lambda: pa.Table.from_pylist(ROWS),
    "arrow batch": lambda: pa.RecordBatch.from_pylist(ROWS),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_gives_a_document_a_row(kind: str) -> None:
    first, second = documents_of(TABLES[kind]())
    assert first == Document("a", "green tea", "Tea", {"year": 2010, "kind": "leaf"})
    assert (second.id, second.title, second.text, second.metadata["year"]) == ("b", "", "cold milk", 1990)
    assert second.metadata.get("kind") is None
    assert type(first.metadata["year"]) is int


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_goes_wherever_documents_do(kind: str, tmp_path: Path) -> None:
    searcher = esens.Searcher.from_documents(TABLES[kind](), embedder=by_letters)
    assert searcher.search("tea", where="year>=2000").ids == ("a",)
    esens.build_index(TABLES[kind](), tmp_path / "x.lance", embedder=by_letters)
    on_disk = esens.Searcher(str(tmp_path / "x.lance"), embedder=by_letters)
    assert on_disk.search("tea", where="year>=2000").ids == ("a",)
    assert set(esens.rerank("tea", TABLES[kind](), embedder=by_letters).ids) == {"a", "b"}


def test_what_pandas_leaves_empty_is_no_value() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "id": [1, 2],
            "text": ["x", "y"],
            "title": ["T", np.nan],
            "score": [0.5, np.nan],
            "day": pandas.to_datetime(["2024-05-01", None]),
            "count": pandas.array([1, None], dtype="Int64"),
        }
    )
    first, second = documents_of(frame)
    assert second == Document("2", "y")
    assert first.metadata == {"score": 0.5, "day": datetime(2024, 5, 1), "count": 1}


def test_the_index_of_a_frame_is_its_id_where_it_is_called_so() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["x", "y"]}, index=pandas.Index(["a", "b"], name="id"))
    assert [document.id for document in documents_of(frame)] == ["a", "b"]
    assert [document.id for document in documents_of(frame.reset_index(drop=True))] == ["0", "1"]


def test_a_column_of_texts_is_a_list_of_texts() -> None:
    pandas = pytest.importorskip("pandas")
    assert [document.text for document in documents_of(pandas.Series(["x", "y"]))] == ["x", "y"]


def test_a_table_without_a_text_names_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(
        ArgumentError, match=r"documents\[0\]: needs a string under 'text' .*its fields are: words, n"
    ):
        documents_of(pandas.DataFrame({"words": ["x"], "n": [1]}))


@pytest.mark.parametrize("value", [5, 0.5, object()])
def test_what_holds_no_documents_is_said(value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"in a list, a table or a generator, got {type(value).__name__}"):
        documents_of(value)


# Names of fields.


@pytest.mark.parametrize("name", TEXT_FIELDS)
def test_the_usual_names_of_a_text_are_read(name: str) -> None:
    assert Document.of({"id": "a", name: "tea"}, position=0) == Document("a", "tea")


def test_a_shop_s_columns_are_known() -> None:
    document = Document.of({"name": "Trail shoe", "description": "Mesh and foam.", "price": 19.9}, position=0)
    assert (document.title, document.text, document.metadata) == ("Trail shoe", "Mesh and foam.", {"price": 19.9})
    named = Document.of({"title": "Trail shoe", "name": "x", "text": "Mesh"}, position=0)
    assert (named.title, named.metadata) == ("Trail shoe", {"name": "x"})


def test_text_wins_and_the_other_is_metadata() -> None:
    document = Document.of({"content": "c", "text": "t", "body": "b"}, position=0)
    assert document == Document("0", "t", "", {"content": "c", "body": "b"})
    assert Document.of({"text": None, "body": "b"}, position=0) == Document("0", "b", "", {"text": None})


# Numpy's values.


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int64(2010), 2010),
        (np.bool_(True), True),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.str_("tea"), "tea"),
        (np.datetime64("2024-05-01T10:00", "ns"), datetime(2024, 5, 1, 10)),
        (np.timedelta64(90, "s"), timedelta(seconds=90)),
        (np.array([1, 2]), [1, 2]),
        ([np.int64(1), {"n": np.int64(2)}], [1, {"n": 2}]),
        ((np.int64(1),), (1,)),
        (datetime(2024, 5, 1), datetime(2024, 5, 1)),
    ],
)
def test_numpy_s_values_become_plain_ones(value: Any, plain: Any) -> None:
    given = {"value": value}
    for document in (Document("a", "x", "", given), Document.of({"text": "x", **given}, position=0)):
        assert document.metadata == {"value": plain}
        assert type(document.metadata["value"]) is type(plain)
    assert given["value"] is value  # the caller's own mapping stays as it was


def test_numpy_s_values_can_be_filtered_by_in_memory_and_on_disk(tmp_path: Path) -> None:
    docs: list[Any] = [
        {"id": "a", "text": "a tale", "year": np.int64(2010), "ok": np.bool_(True)},
        Document("b", "bee", "", {"year": np.int64(1990), "ok": np.bool_(False)}),
    ]
    to = str(tmp_path / "x.lance")
    esens.build_index(docs, to, embedder=by_letters)
    for searcher in (
        esens.Searcher.from_documents(docs, embedder=by_letters),
        esens.Searcher(to, embedder=by_letters),
    ):
        assert searcher.search("tale", where="year>=2000").ids == ("a",)
        assert searcher.search("tale", where={"ok": False}).ids == ("b",)
        assert {hit.id: hit.metadata["year"] for hit in searcher.search("tale")} == {"a": 2010, "b": 1990}


@pytest.mark.parametrize(
    "metadata", [{}, {"year": 2000, "open": True}, {"tags": ["a", "b"], "nested": {"a": [1]}}]
)
def test_a_copy_is_equal_and_the_caller_s_own(metadata: dict[str, Any]) -> None:
    document = Document("long#1", "text", "title", metadata, Passage("long", 1, 2))
    before = deepcopy(document)
    copied: Any = document.copy()
    assert copied == document
    copied.metadata["new"] = 1
    copied.metadata.get("tags", []).append("c")
    copied.metadata.get("nested", {}).clear()
    assert document == before


def test_a_row_with_no_other_words_than_a_title_has_them_as_its_text() -> None:
    document = Document.of({"id": 7, "title": "Tea with milk", "price": 3}, position=0)
    assert (document.id, document.text, document.title) == ("7", "Tea with milk", "")
    assert document.metadata == {"price": 3}
    for row in (
        {"title": "Tea", "words": "Which may be the text."},
        {"title": "Tea", "text": None},
        {"words": "x"},
    ):
        with pytest.raises(ArgumentError, match="needs a string under 'text'"):
            Document.of(row, position=0)
