import numpy as np
import pytest

from esens.arrays.rank import ranks, ranks_of, top_k
from esens.errors import ArgumentError
from esens.score.linear import Weights, linear, terms
from esens.score.normalise import Extent, extent, min_max


def test_min_max_maps_to_zero_and_one() -> None:
    assert min_max(np.array([2.0, 4.0, 3.0])).tolist() == [0.0, 1.0, 0.5]
    assert min_max(np.array([2.0, 3.0]), Extent(0, 4)).tolist() == [0.5, 0.75]


def test_equal_scores_become_zero_and_never_nan() -> None:
    assert min_max(np.full(3, 0.7, np.float32)).tolist() == [0, 0, 0]
    assert min_max(np.array([0.7])).tolist() == [0]


def test_the_smallest_difference_survives() -> None:
    near = np.nextafter(np.float32(0.5), np.float32(1))
    assert len(set(min_max(np.array([0.1, 0.5, near, 0.9], np.float32)).tolist())) == 4


def test_extent_knows_its_range() -> None:
    assert extent(np.array([1.0, -1.0])).range == 2


def test_the_score_is_the_papers() -> None:
    query, target, trap = np.array([0.0, 1, 2, 4]), np.array([4.0, 0, 2, 1]), np.array([1.0, 2, 3, 5])
    weights = Weights(alpha=0.75, gamma=0.25, beta=0.3)
    by_hand = 0.75 * query / 4 + 0.25 * target / 4 - 0.3 * (trap - 1) / 4
    np.testing.assert_allclose(linear(weights, query=query, target=target, traps=trap[None]), by_hand, atol=1e-15)
    why = terms(weights, query=query, target=target, traps=trap[None], at=np.array([3, 1]))
    np.testing.assert_allclose(why.relevance - why.exclusion, by_hand[[3, 1]], atol=1e-15)
    np.testing.assert_allclose(why.exclusion, 0.3 * (trap[[3, 1]] - 1) / 4, atol=1e-15)


def test_the_worst_exclusion_counts_not_their_sum() -> None:
    traps = np.array([[0.0, 1, 0.5], [1.0, 0.2, 0]])
    why = terms(Weights(beta=1), query=np.zeros(3), target=None, traps=traps, at=np.arange(3))
    assert why.exclusion.tolist() == [1, 1, 0.5]
    assert why.trap.tolist() == [1, 0, 0]
    assert linear(Weights(beta=1), query=np.zeros(3), target=None, traps=traps).tolist() == [-1, -1, -0.5]


def test_without_traps_nothing_is_excluded() -> None:
    weights, query, target, none = Weights(0.5, 0.5, 0), np.array([0.0, 1]), np.array([1.0, 0]), np.zeros((0, 2))
    assert linear(weights, query=query, target=target, traps=none).tolist() == [0.5, 0.5]
    why = terms(weights, query=query, target=target, traps=none, at=np.array([1]))
    assert (why.relevance.tolist(), why.exclusion.tolist()) == ([0.5], [0])


def test_a_narrow_range_far_from_zero_is_still_a_range() -> None:
    near = np.array([1000.0, 1000.0 + 1e-12, 1000.0 + 2e-12])
    score = linear(Weights(1, 0, 1), query=near, target=None, traps=np.zeros((0, 3)))
    np.testing.assert_allclose(score, [0, 0.5, 1], atol=0.1)
    assert (score[0], score[2]) == (0, 1)


@pytest.mark.parametrize("name", ["alpha", "gamma", "beta"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_a_weight_is_a_number_of_at_least_zero(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=name) as raised:
        Weights(**{name: value})  # type: ignore[arg-type]
    assert raised.value.argument == name


def test_something_must_be_wanted() -> None:
    with pytest.raises(ArgumentError, match="both 0"):
        Weights(alpha=0, gamma=0)


def test_variants_are_the_papers() -> None:
    assert Weights.of(beta=0.1) == Weights(1, 0, 0.1)
    assert Weights.of(variant="baseline-minus-trap", beta=0.1) == Weights(1, 0, 0.1)
    assert Weights.of(variant="target-minus-trap", beta=0.1) == Weights(0, 1, 0.1)
    assert Weights.of(alpha=0.75, gamma=0.25, beta=0.1) == Weights(0.75, 0.25, 0.1)
    assert Weights.of(gamma=1, beta=0.1) == Weights(0, 1, 0.1)


def test_an_unknown_variant_lists_the_valid_ones() -> None:
    with pytest.raises(ArgumentError, match="baseline-minus-trap, target-minus-trap"):
        Weights.of(variant="other", beta=0.1)
    with pytest.raises(ArgumentError, match="not both"):
        Weights.of(variant="target-minus-trap", alpha=1, beta=0.1)


def test_equal_scores_keep_corpus_order_and_share_a_rank() -> None:
    scores = np.array([1.0, 3, 2, 3, 2])
    best = top_k(scores, 4)
    assert best.tolist() == [1, 3, 2, 4]
    assert ranks_of(best, scores).tolist() == [1, 1, 3, 3]


@pytest.mark.parametrize(("k", "expected"), [(0, []), (1, [1]), (2, [1, 2]), (9, [1, 2, 0])])
def test_k_may_be_nothing_or_more_than_there_is(k: int, expected: list[int]) -> None:
    assert top_k(np.array([1.0, 3, 2]), k).tolist() == expected


@pytest.mark.parametrize("rows", [255, 256, 2815, 2816, 2817, 100_003])
@pytest.mark.parametrize("levels", [2, 50, None])
@pytest.mark.parametrize("k", [1, 10, 11])
def test_top_k_of_a_large_corpus_is_that_of_a_full_sort(rows: int, levels: int | None, k: int) -> None:
    random = np.random.default_rng(rows + k)
    scores = random.standard_normal(rows) if levels is None else random.integers(0, levels, rows).astype(float)
    assert top_k(scores, k).tolist() == np.argsort(-scores, kind="stable")[:k].tolist()


def test_documents_that_differ_in_the_last_bit_do_not_tie() -> None:
    near = np.float32(0.5) + np.arange(4, dtype=np.float32) * np.spacing(np.float32(0.5))
    raw = np.concatenate([np.array([-0.1], np.float32), near, np.array([0.9], np.float32)])
    score = linear(Weights(1, 0, 0.3), query=raw, target=None, traps=np.zeros((0, 6)))
    assert len(set(score.tolist())) == 6


def test_every_document_has_a_rank() -> None:
    assert ranks(np.array([1.0, 3, 2, 3, 2])).tolist() == [5, 1, 3, 1, 3]


def test_nothing_has_no_rank() -> None:
    assert ranks(np.zeros(0)).size == 0
    assert ranks_of(np.zeros(0, np.intp), np.array([1.0])).size == 0
