from typing import Any

import numpy as np
import pytest

from esens.errors import ArgumentError
from esens.index.filters import Condition, fulfils, where_of


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
    ],
)
def test_a_condition_as_it_is_written(text: str, condition: tuple[str, str, object]) -> None:
    assert where_of([text]) == (Condition(*condition),)  # type: ignore[arg-type]


def test_conditions_stay_as_they_are() -> None:
    where = where_of({"a": {">": 1, "<": 5}, "b": ("x",)})
    assert where_of(where) == where == (("a", ">", 1), ("a", "<", 5), ("b", "in", ("x",)))
    assert where_of(None) == ()
    assert where_of("a>1") == where_of({"a": {">": np.int64(1)}}) == (("a", ">", 1),)


@pytest.mark.parametrize(
    "given",
    [
        "no sign",
        "a==1",
        "a=>1",
        "a=<1",
        7,
        ["no sign"],
        [7],
        {"a": None},
        {"a": {"~": 1}},
        {"a": {"in": "text"}},
        {"": 1},
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": 10**400},
        [Condition("a", "~", 1)],
        [Condition("a", "in", [1, None])],  # type: ignore[arg-type]
    ],
)
def test_what_is_no_condition_is_said(given: Any) -> None:
    with pytest.raises(ArgumentError, match="where"):
        where_of(given)


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
        ({"pair": "b"}, True),
        ({"absent": {"!=": 1}}, True),
        ({"absent": {"<": 1}}, False),
        ({"deep": {"=": 1}}, False),
        ({"n": 3, "yes": False}, False),
        ({}, True),
    ],
)
def test_what_fulfils_a_condition(where: Any, holds: bool) -> None:
    metadata = {"n": 3, "yes": True, "tags": ["a", "b"], "pair": ("a", "b"), "deep": {"n": 1}}
    assert fulfils(metadata, where_of(where)) is holds
