"""Documents whose metadata are of every kind, and random filters over them."""

from typing import Any

from hypothesis import strategies as st

from esens.index.filters import AllOf, AnyOf, Condition, Filter, Not, fold_filter
from esens.types import Document

FIELDS = ("x", "y", "or", 'a "b".c')
VALUES: tuple[Any, ...] = (0, 1, 1.0, 2.5, -3, 2**40, True, False, "", "a", "b", "1", "true", "ü 'q\" \\ %s", "aa")
_STORED: tuple[Any, ...] = (*VALUES, None, [], ["a", 1], [True, "b"], [[1]], {"deep": "a"}, [2.5, -3, "1"])
VARIED = [
    Document(
        f"v{i}",
        "",
        metadata={
            name: _STORED[(i * step + shift) % len(_STORED)]
            for shift, (name, step) in enumerate(zip(FIELDS, (1, 3, 5, 7), strict=True))
            if (i + shift) % 4
        },
    )
    for i in range(40)
]


def filters() -> st.SearchStrategy[Filter]:
    """Return random trees of conditions."""
    fields, values = st.sampled_from(FIELDS), st.sampled_from(VALUES)
    conditions = st.one_of(
        st.builds(Condition, fields, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), values),
        st.builds(Condition, fields, st.sampled_from(("in", "not in")), st.lists(values, max_size=3).map(tuple)),
    )
    return st.recursive(conditions, _groups, max_leaves=5)


def orders_texts(where: Filter) -> bool:
    """Whether a text is compared by < or >, which an engine may refuse to do."""
    return fold_filter(
        where,
        condition=lambda condition: condition.op in ("<", "<=", ">", ">=") and isinstance(condition.value, str),
        all_of=any,
        any_of=any,
        negate=bool,
    )


def _groups(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several), st.builds(Not, parts))
