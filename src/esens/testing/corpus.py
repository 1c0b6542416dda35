"""Documents and filters that the conformance suite tries an index with."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from esens.arrays.unit import Vectors
from esens.documents import Document
from esens.index.filters import AllOf, AnyOf, Condition, Filter, Not, fold_filter

DIMENSION, SIZE = 32, 1000
FILTERS: Sequence[dict[str, Any]] = [
    {"kind": "a"},
    {"kind": ["a", "c"]},
    {"kind": {"!=": "a"}},
    {"kind": {"not in": ["a", "b"]}},
    {"n": {">=": 990}},
    {"n": {">": 100, "<": 110}},
    {"n": {"<=": 3}},
    {"share": {"<": 0.25}},
    {"even": True},
    {"kind": "b", "even": False},
    {"rare": "yes"},
    {"rare": {"!=": "yes"}},
    {"rare": {"not in": ["yes"]}},
    {"tags": "t3"},
    {"tags": ["t1", "t2"]},
    {"kind": "O'Brien; DROP TABLE docs --"},
    {'a field\'s "name"': 'a "value" %s {}'},
    {"n": "7"},
    {"even": 1},
    {"or": [{"n": {"<": 3}}, {"kind": "c", "even": True}]},
    {"not": {"or": [{"kind": "a"}, {"rare": "yes"}]}},
    {"not": {"missing": {"<": 3}}},
    {"or": []},
    {"and": []},
]
ODD_IDS = ("a b", "o'brien\"", "茶/ü?#1", "x" * 300, "%s {}", "\\n", "-1", "☃" * 40)
_FIELDS = ("x", "y", "or", 'a "b".c')
_VALUES: Sequence[Any] = (
    0, 1, 1.0, 2.5, -3, 2**40, True, False, "", "a", "b", "1", "true", "ü 'q\" \\ %s", "aa",
)  # fmt: skip
_STORED: Sequence[Any] = (*_VALUES, None, [], ["a", 1], [True, "b"], [[1]], {"deep": "a"}, [2.5, -3, "1"])


def plain_corpus() -> tuple[list[Document], Vectors]:
    """Return a thousand documents and their vectors; those of the first twenty come twice, to tie."""
    vectors = np.random.default_rng(5).standard_normal((SIZE, DIMENSION)).astype(np.float32)
    vectors[500:520] = vectors[:20]
    return [_plain_document(i) for i in range(SIZE)], vectors


def query_vectors() -> Vectors:
    """Return five unit vectors."""
    rows = np.random.default_rng(6).standard_normal((5, DIMENSION)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def varied_corpus() -> tuple[list[Document], Vectors]:
    """Return documents whose metadata are of every kind, for random filters."""
    documents = [_varied_document(i) for i in range(40)]
    return documents, np.random.default_rng(7).standard_normal((40, DIMENSION)).astype(np.float32)


def random_filters() -> st.SearchStrategy[Filter]:
    """Return random trees of conditions."""
    fields, values = st.sampled_from(_FIELDS), st.sampled_from(_VALUES)
    conditions = st.one_of(
        st.builds(Condition, fields, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), values),
        st.builds(Condition, fields, st.sampled_from(("in", "not in")), st.lists(values, max_size=3).map(tuple)),
    )
    return st.recursive(conditions, _groups, max_leaves=5)


def orders_texts(where: Filter) -> bool:
    """Whether a filter compares a text by < or >, which an engine may refuse to do."""
    return fold_filter(
        where,
        condition=lambda condition: condition.op not in ("=", "in") and isinstance(condition.value, str),
        all_of=any,
        any_of=any,
        negate=bool,
    )


def _groups(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several), st.builds(Not, parts))


def _plain_document(i: int) -> Document:
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


def _varied_document(i: int) -> Document:
    metadata = {
        name: _STORED[(i * step + shift) % len(_STORED)]
        for shift, (name, step) in enumerate(zip(_FIELDS, (1, 3, 5, 7), strict=True))
        if (i + shift) % 4
    }
    return Document(f"v{i}", "", metadata=metadata)
