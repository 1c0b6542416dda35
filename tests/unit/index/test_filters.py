from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.words import by_words

from esens import MemoryIndex, Searcher, build_index
from esens.errors import ArgumentError
from esens.index.filters import AllOf, AnyOf, Condition, Filter, Not, matches, parse_filter
from esens.types import Document

A, B = Condition("a", ">", 1), Condition("b", "in", ("x",))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("year>=2000", ("year", ">=", 2000)),
        ("year < 2000.5", ("year", "<", 2000.5)),
        ("language = en", ("language", "=", "en")),
        ("language!=en", ("language", "!=", "en")),
        ('year="2000"', ("year", "=", "2000")),
        ("language='en'", ("language", "=", "en")),
        ("year<NaN", ("year", "<", "NaN")),
        ("open=true", ("open", "=", True)),
        ("formula=a=b", ("formula", "=", "a=b")),
        ("empty=", ("empty", "=", "")),
        ("a field=[1]", ("a field", "=", "[1]")),
        ("null=null", ("null", "=", "null")),
        ("born in=1990", ("born in", "=", 1990)),
        ("language in en,de", ("language", "in", ("en", "de"))),
        ("language not in en , de", ("language", "not in", ("en", "de"))),
        ("year in 2000,'2001',true", ("year", "in", (2000, "2001", True))),
        ("""name in 'a,b',"c,\\"d" """, ("name", "in", ("a,b", 'c,"d'))),
        ("name in a", ("name", "in", ("a",))),
        ("or=1", ("or", "=", 1)),
        ("title=Romeo and Juliet", ("title", "=", "Romeo and Juliet")),
        ("title='this or that=those'", ("title", "=", "this or that=those")),
        ('title="this or that=those"', ("title", "=", "this or that=those")),
        ("name in 'a or b in c',d", ("name", "in", ("a or b in c", "d"))),
        ("name in 'a=b','c>d'", ("name", "in", ("a=b", "c>d"))),
        ("name in salt and pepper,oil", ("name", "in", ("salt and pepper", "oil"))),
        ("not=1", ("not", "=", 1)),
        ("notes=x", ("notes", "=", "x")),
        ("day>=2000-01-01", ("day", ">=", "2000-01-01")),
        ("version>=1.2.3", ("version", ">=", "1.2.3")),
        ("size>'2,000'", ("size", ">", "2,000")),
        ("code=2,000", ("code", "=", "2,000")),
        ("year>-5", ("year", ">", -5)),
        ("name>''", ("name", ">", "")),
    ],
)
def test_a_condition_as_it_is_written(text: str, condition: tuple[str, str, Any]) -> None:
    assert parse_filter(text) == parse_filter([text]) == Condition(*condition)


@pytest.mark.parametrize(
    ("where", "parsed"),
    [
        (None, None),
        ({}, None),
        ([], None),
        ({"a": {">": np.int64(1)}}, A),
        ({"a": {">": 1}, "b": ("x",)}, AllOf((A, B))),
        ({"genre": {"not in": ["noir"]}}, Condition("genre", "not in", ("noir",))),
        (["a>1", {"b": ["x"]}], AllOf((A, B))),
        ({"or": [{"a": {">": 1}}, {"b": ["x"]}]}, AnyOf((A, B))),
        ({"or": ["a>1", B]}, AnyOf((A, B))),
        ({"and": ["a>1", B]}, AllOf((A, B))),
        ({"not": {"a": {">": 1}, "b": ["x"]}}, Not(AllOf((A, B)))),
        ({"not": "a>1"}, Not(A)),
        ({"c": 1, "or": ["a>1", {"not": B}]}, AllOf((Condition("c", "=", 1), AnyOf((A, Not(B)))))),
        ({"or": []}, AnyOf(())),
        ('{"or": ["a>1", {"b": ["x"]}]}', AnyOf((A, B))),
        ([' {"a": {">": 1}, "b": ["x"]} '], AllOf((A, B))),
        ("{}", None),
        (Condition("not", "=", 1), Condition("not", "=", 1)),
        (AnyOf((A, Not(B))), AnyOf((A, Not(B)))),
    ],
    ids=str,
)
def test_a_filter_as_it_is_written(where: Any, parsed: Filter | None) -> None:
    assert parse_filter(where) == parsed
    assert parse_filter(parsed) == parsed


@pytest.mark.parametrize(
    "where",
    [
        "no sign",
        "a==1",
        "a=>1",
        "a=<1",
        "a in",
        7,
        ["no sign"],
        [7],
        {"a": None},
        {"a": {"~": 1}},
        {"a": {"in": "text"}},
        {"a": {"not in": "text"}},
        {"": 1},
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": 10**400},
        [Condition("a", "~", 1)],
        [Condition("a", "in", [1, None])],  # type: ignore[arg-type]
        AnyOf((Condition("a", "~", 1),)),
        Not(7),  # type: ignore[arg-type]
        {"a": {}},
        {"or": [{"a": {}}]},
        '{"a": {}}',
        '{"a": NaN}',
        "{" * 100_000,
        '{"a": ' + "[" * 100_000,
    ],
    ids=lambda where: str(where)[:40],
)
def test_a_wrong_filter_is_named(where: Any) -> None:
    with pytest.raises(ArgumentError, match="where"):
        parse_filter(where)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("year>=1980 or language=ja", r'\{"or": \["year>=1980", "language=ja"\]\}'),
        ("language=ja OR year>=1980", r'\{"or": \["language=ja", "year>=1980"\]\}'),
        ("year>=1980 and year<1990", r'\{"and": \["year>=1980", "year<1990"\]\}'),
        ("year>=1980 and language in en,de", r'\{"and": \["year>=1980", "language in en,de"\]\}'),
        ("language in en,de and year>=1980", r'\{"and": \["language in en,de", "year>=1980"\]\}'),
        ("language in en,de or language not in fr", r'\{"or": \["language in en,de", "language not in fr"\]\}'),
        ("language=ja and not year=1990", r'\{"and": \["language=ja", \{"not": "year=1990"\}\]\}'),
        ("1980<year<1990", "one condition"),
        ("year>=1980, year<1990", "one condition"),
        ("not year=1990", r'\{"not": "year=1990"\}'),
        ("NOT language in en,de", r'\{"not": "language in en,de"\}'),
        ("not (year=1990)", "parentheses"),
        ("(year=1990)", "parentheses"),
        ("year>", "than what"),
        ("year <=  ", "than what"),
        ("year>=2,000", "without signs between its digits"),
        ("year<1_000", "without signs"),
        ("year<1 000.5", "without signs"),
        ("year<+5", "without signs"),
        ("year<.5", "without signs"),
        ("month>=05", "without signs"),
        ("price<$5", "without signs"),
        ("share<5%", "without signs"),
        ('{"year": 1990', "is no JSON"),
        ('{"year": 1990, "year": 1991}', "'year' stands there twice"),
    ],
)
def test_what_would_find_nothing_says_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(ArgumentError, match=advice):
        parse_filter(text)


@pytest.mark.parametrize("where", [{"or": 1}, {"or": {"a": 1}}, {"and": True}, {"not": 5}], ids=str)
def test_a_field_that_is_called_like_a_group_is_written_as_a_text(where: Any) -> None:
    with pytest.raises(ArgumentError, match=r'a field of that name is written as a text, "(or|and|not)=VALUE"'):
        parse_filter(where)


METADATA = {"n": 3, "yes": True, "tags": ["a", "b"], "pair": ("a", "b"), "deep": {"n": 1}, "or": 1}


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ({"n": 3}, True),
        ({"n": 3.0}, True),
        ({"n": {"!=": 3}}, False),
        ({"n": "3"}, False),
        ({"n": {"<": "z"}}, False),
        ({"yes": True}, True),
        ({"yes": 1}, False),
        ({"tags": "b"}, True),
        ({"tags": {"!=": "b"}}, False),
        ({"tags": {">": "a"}}, True),
        ({"tags": ["x", "a"]}, True),
        ({"tags": []}, False),
        ({"tags": {"not in": []}}, True),
        ({"tags": {"not in": ["x", "b"]}}, False),
        ({"tags": {"not in": ["x", "y"]}}, True),
        ({"pair": "b"}, True),
        ({"absent": {"!=": 1}}, True),
        ({"absent": {"not in": [1]}}, True),
        ({"absent": {"<": 1}}, False),
        ({"not": {"absent": {"<": 1}}}, True),
        ({"deep": {"=": 1}}, False),
        ({"n": 3, "yes": False}, False),
        ({"or": [{"n": 4}, {"yes": True}]}, True),
        ({"or": [{"n": 4}, {"yes": False}]}, False),
        ({"not": {"n": 3, "yes": False}}, True),
        ({"and": ["n=3", {"not": "n=4"}]}, True),
        ({"or": []}, False),
        ({"and": []}, True),
        ({"not": {}}, False),
        ("or=1", True),
        ({}, True),
    ],
    ids=str,
)
def test_which_filters_a_document_fulfils(where: Any, holds: bool) -> None:
    assert matches(METADATA, parse_filter(where)) is holds


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (np.int64(2010), "x>=2000"),
        (np.float32(0.5), "x=0.5"),
        (np.bool_(True), "x=true"),
        (np.str_("tea"), "x=tea"),
        ([np.int32(1), np.int32(2)], "x=2"),
        (np.array([1, 2]), "x=2"),
    ],
    ids=repr,
)
def test_values_of_numpy_in_metadata_are_numbers_truths_and_texts(value: object, where: str) -> None:
    index = MemoryIndex([Document("a", "", metadata={"x": value}), Document("b", "")], np.eye(2))
    assert index.nearest(np.ones((1, 2)), 2, where=parse_filter(where))[0].ids == ("a",)
    assert index.nearest(np.ones((1, 2)), 2, where=parse_filter({"not": where}))[0].ids == ("b",)


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (datetime(2020, 1, 12), "day>=2020-01-03"),
        (date(2020, 1, 12), "day=2020-01-12"),
        (Decimal("3.5"), {"day": "3.5"}),
        ([date(2019, 5, 1), date(2020, 1, 12)], "day>2020-01-01"),
        (np.datetime64("2020-01-12"), "day<2021-01-01"),
    ],
    ids=str,
)
def test_what_json_does_not_know_is_the_text_that_indexes_store(value: object, where: Any, tmp_path: Path) -> None:
    documents = [Document("dated", "tea", metadata={"day": value}), Document("undated", "tea")]
    held = Searcher.from_documents(documents, embedder=by_words)
    build_index(documents, tmp_path / "docs.lance", embedder=by_words)
    with Searcher(tmp_path / "docs.lance", embedder=by_words) as stored:
        assert stored.search("tea", where=where).ids == ("dated",)
    assert held.search("tea", where=where).ids == ("dated",)
