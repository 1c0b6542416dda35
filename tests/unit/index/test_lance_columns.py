from typing import Any

import pytest

from esens.index.filters import matches, parse_filter
from esens.index.lance.columns import KEPT, Columns, kept

METADATA: list[dict[str, Any]] = [
    {"x": 1},
    {"x": True},
    {"x": 1.0},
    {"x": "1"},
    {"x": ["1", 1]},
    {"x": [True]},
    {"x": None},
    {"x": {"1": 1}},
    {"x": [[1]]},
    {},
    {"x": "(1, 'a')"},
]


@pytest.mark.parametrize("wanted", [1, True, "1", [1, "2"], {"!=": 1}, {">=": 1, "<": 2}, {">": "0"}], ids=str)
def test_a_mask_is_what_every_document_fulfils(wanted: Any) -> None:
    columns = Columns(METADATA)
    for asked in ({"x": 1}, {"x": True}, {"x": wanted}, {"x": wanted}):  # what was asked before changes nothing
        where = parse_filter(asked)
        assert columns.mask(where).tolist() == [matches(metadata, where) for metadata in METADATA]


def test_no_condition_is_fulfilled_by_all() -> None:
    assert Columns(METADATA).mask(None).all()
    assert Columns([]).mask(parse_filter({"x": 1})).tolist() == []


def test_so_many_are_kept_and_the_oldest_is_forgotten() -> None:
    memory: dict[str, int] = {}
    for n in range(KEPT + 3):
        assert kept(memory, str(n), lambda made=n: made) == n  # type: ignore[misc]
    assert list(memory) == [str(n) for n in range(3, KEPT + 3)]
    assert kept(memory, "5", lambda: -1) == 5
