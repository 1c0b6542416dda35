"""A dataset is checked when it is made, and can be divided into folds."""

import pytest

from esens import Document
from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query


def test_a_dataset_made_by_hand_is_checked() -> None:
    with pytest.raises(ArgumentError, match="more than one query with the id 'q'"):
        Dataset("mine", (Query("q", "x"), Query("q", "y")))
    with pytest.raises(ArgumentError, match="more than one document with the id 'd'"):
        Dataset("mine", (), (Document("d", "x"), Document("d", "y")))
    with pytest.raises(ArgumentError, match="the grade of 'd' must be 1 or more"):
        Query("q", "x", {"d": 0})


def _queries(count: int, *, in_pairs: bool = False) -> Dataset:
    pairs = [str(number // 2) if in_pairs else "" for number in range(count)]
    return Dataset("d", tuple(Query(str(number), "text", pair=pair) for number, pair in enumerate(pairs)))


@pytest.mark.parametrize("folds", [1, 2, 3, 7])
def test_every_query_is_in_one_fold(folds: int) -> None:
    dataset = _queries(7)
    parts = [dataset.fold(number, folds) for number in range(1, folds + 1)]
    assert sorted(query.id for part in parts for query in part.queries) == [query.id for query in dataset.queries]
    assert [query.id for query in parts[-1].queries] == [str(number) for number in range(folds - 1, 7, folds)]


def test_a_pair_is_in_one_fold_and_a_note_says_what_is_left() -> None:
    part = _queries(8, in_pairs=True).fold(2, 2)
    assert [query.id for query in part.queries] == ["2", "3", "6", "7"]
    assert part.notes == ("Fold 2/2: 4 of 8 queries.",)
    assert part.hash != _queries(8, in_pairs=True).hash


@pytest.mark.parametrize(("number", "folds"), [(0, 2), (3, 2), (1, 0), (5, 5)])
def test_a_fold_that_is_none_or_empty_is_refused(number: int, folds: int) -> None:
    with pytest.raises(ArgumentError, match="fold"):
        _queries(4).fold(number, folds)
