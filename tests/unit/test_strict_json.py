import json
from typing import Any

import pytest

from esens import Document
from esens.errors import ArgumentError
from esens.strict_json import dumps
from esens.types import Decomposition, Explanation, Hit, Results, Scoring


def _strictly(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_numbers_that_json_does_not_have() -> None:
    value = {"a": float("nan"), "b": [float("inf"), {"c": float("-inf")}], "d": 1.5}
    assert _strictly(dumps(value)) == {"a": None, "b": ["Infinity", {"c": "-Infinity"}], "d": 1.5}


def test_keys_and_values_that_json_does_not_have() -> None:
    assert _strictly(dumps({("a", 1): {1}, None: True, 2: "x"})) == {"('a', 1)": "{1}", "null": True, "2": "x"}


def test_results_are_json_whatever_the_metadata_hold() -> None:
    metadata = {"n": float("nan"), "i": float("inf"), "e": "\x9b\u202e", "\x85": 1}
    hit = Hit(Document("a", "b", metadata=metadata), 0.5, Explanation(0.5, 0.0, 1, 1, 0.5))
    results = Results("tea", Decomposition("tea"), (hit,), Scoring("contrast"))
    for text in (results.to_json(), results.to_json(indent=1)):
        assert all(sign.isprintable() or sign == "\n" for sign in text)
        stored = _strictly(text)["hits"][0]["metadata"]
        assert stored == {"n": None, "i": "Infinity", "e": "\x9b\u202e", "\x85": 1}


def test_what_has_no_end_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    for value in (circle, {"n": 10**5000}):
        with pytest.raises(ArgumentError, match="metadata"):
            dumps(value)
