"""The paper's score on numbers small enough to check by hand, min-max, and the one tie rule."""

import numpy as np
import pytest

from esens import Linear
from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import ranks, ranks_of, top_k
from esens.errors import ArgumentError
from esens.score.base import QueryTexts, RawScores, Terms, TextVectors
from esens.score.normalise import Array, min_max, weigh

NO_TRAPS = np.zeros((0, 3))


def _terms(scorer: Linear, query: Array, target: Array | None, traps: Array) -> Terms:
    """The terms of documents that are all there are."""
    raw = RawScores(query, target, traps)
    return scorer.terms(raw, raw.ranges())


def test_min_max_maps_to_zero_and_one() -> None:
    assert min_max(np.array([2.0, 4.0, 3.0])).tolist() == [0.0, 1.0, 0.5]
    assert min_max(np.array([2.0, 3.0]), ScoreRange(0, 4, 4)).tolist() == [0.5, 0.75]


def test_equal_scores_become_zero_and_never_nan() -> None:
    assert min_max(np.full(3, 0.7, np.float32)).tolist() == [0, 0, 0]
    assert min_max(np.array([0.7])).tolist() == [0]
    assert weigh(0.5, np.array([0.7, 0.7]), ScoreRange(0.7, 0.7, 0.7)).tolist() == [0, 0]


def test_the_smallest_difference_survives() -> None:
    near = np.nextafter(np.float32(0.5), np.float32(1))
    assert len(set(min_max(np.array([0.1, 0.5, near, 0.9], np.float32)).tolist())) == 4


def test_a_range_knows_how_wide_it_is() -> None:
    assert score_range(np.array([1.0, -1.0])).width == 2


def test_weighing_is_min_max_times_the_weight() -> None:
    raw = np.array([2.0, 4.0, 3.0])
    np.testing.assert_allclose(weigh(0.3, raw, score_range(raw)), 0.3 * min_max(raw), atol=1e-15)


def test_the_score_is_the_papers() -> None:
    query, target, trap = np.array([0.0, 1, 2, 4]), np.array([4.0, 0, 2, 1]), np.array([1.0, 2, 3, 5])
    scorer = Linear(alpha=0.75, gamma=0.25, beta=0.3)
    by_hand = 0.75 * query / 4 + 0.25 * target / 4 - 0.3 * (trap - 1) / 4
    raw = RawScores(query, target, trap[None])
    np.testing.assert_allclose(scorer.terms(raw, raw.ranges()).score, by_hand, atol=1e-15)
    some = scorer.terms(raw.at(np.array([3, 1])), raw.ranges())
    np.testing.assert_allclose(some.relevance - some.penalty, by_hand[[3, 1]], atol=1e-15)
    np.testing.assert_allclose(some.penalty, 0.3 * (trap[[3, 1]] - 1) / 4, atol=1e-15)


def test_the_worst_exclusion_counts_not_their_sum() -> None:
    terms = _terms(Linear(beta=1), np.zeros(3), None, np.array([[0.0, 1, 0.5], [1.0, 0.2, 0]]))
    assert terms.penalty.tolist() == [1, 1, 0.5]
    assert terms.trap.tolist() == [1, 0, 0]
    assert terms.score.tolist() == [-1, -1, -0.5]


def test_without_traps_nothing_is_excluded() -> None:
    scorer = Linear(alpha=0.5, gamma=0.5, beta=0)
    terms = _terms(scorer, np.array([0.0, 1]), np.array([1.0, 0]), np.zeros((0, 2)))
    assert terms.score.tolist() == [0.5, 0.5]
    assert (terms.relevance.tolist(), terms.penalty.tolist()) == ([0.5, 0.5], [0, 0])


def test_it_takes_no_share_of_the_relevance() -> None:
    assert _terms(Linear(), np.arange(3.0), None, np.arange(3.0)[None]).penalty_share is None


def test_a_narrow_range_far_from_zero_is_still_a_range() -> None:
    near = np.array([1000.0, 1000.0 + 1e-12, 1000.0 + 2e-12])
    score = _terms(Linear(alpha=1, beta=1), near, None, NO_TRAPS).score
    np.testing.assert_allclose(score, [0, 0.5, 1], atol=0.1)
    assert (score[0], score[2]) == (0, 1)


@pytest.mark.parametrize(
    ("scorer", "texts"),
    [
        (Linear(), QueryTexts("q", None, ("a", "b"))),
        (Linear(beta=0), QueryTexts("q")),
        (Linear(variant="target-minus-trap"), QueryTexts("q", "t", ("a", "b"))),
        (Linear(variant="target-minus-trap", beta=0), QueryTexts("t")),
        (Linear(alpha=0.5, gamma=0.5, beta=0), QueryTexts("q", "t")),
    ],
)
def test_it_asks_for_the_texts_that_have_a_weight(scorer: Linear, texts: QueryTexts) -> None:
    assert scorer.texts("q", "t", ("a", "b")) == texts


def test_over_one_trap_the_nearest_of_the_probe_are_the_best() -> None:
    random = np.random.default_rng(0)
    rows, texts = random.standard_normal((50, 8)), random.standard_normal((3, 8))
    rows, texts = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (rows, texts))
    raw = RawScores.of(QueryTexts("q", "t", ("p",)), texts @ rows.T)
    scorer = Linear(alpha=0.7, gamma=0.3, beta=0.8)
    vectors = TextVectors.of(QueryTexts("q", "t", ("p",)), texts.astype(np.float32))
    (probe,) = scorer.probes(vectors, raw.ranges())
    assert np.linalg.norm(probe) == pytest.approx(1)
    score = scorer.terms(raw, raw.ranges()).score
    assert top_k(rows @ probe, 50).tolist() == top_k(score, 50).tolist()


def test_a_ceiling_holds_for_all_that_is_behind_the_last_neighbours() -> None:
    random = np.random.default_rng(1)
    texts = QueryTexts("q", None, ("a", "b"))
    rows = random.standard_normal((200, 8)).astype(np.float32)
    vectors = random.standard_normal((3, 8)).astype(np.float32)
    raw, scorer = RawScores.of(texts, vectors @ rows.T), Linear(beta=1.5)
    probes = scorer.probes(TextVectors.of(texts, vectors), raw.ranges())
    near = [top_k(scores, 20) for scores in probes @ rows.T]
    ceiling = scorer.ceiling(raw.at(np.array([some[-1] for some in near])), raw.ranges())
    behind = np.setdiff1d(np.arange(200), np.concatenate(near))
    assert scorer.terms(raw, raw.ranges()).score[behind].max() <= ceiling + 1e-6


@pytest.mark.parametrize("name", ["alpha", "gamma", "beta"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "1", 10**400, True])
def test_a_weight_is_a_number_of_at_least_zero(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=name) as raised:
        Linear(**{name: value})  # type: ignore[arg-type]
    assert raised.value.argument == name


def test_something_must_be_wanted() -> None:
    with pytest.raises(ArgumentError, match="both 0"):
        Linear(alpha=0, gamma=0)


def test_parameters_are_named() -> None:
    with pytest.raises(TypeError):
        Linear(1.0)  # type: ignore[call-arg]


def test_variants_are_the_papers() -> None:
    assert Linear(beta=0.1) == Linear(alpha=1, gamma=0, beta=0.1)
    assert Linear(variant="baseline-minus-trap", beta=0.1) == Linear(alpha=1, gamma=0, beta=0.1)
    assert Linear(variant="target-minus-trap", beta=0.1) == Linear(alpha=0, gamma=1, beta=0.1)
    assert Linear(gamma=1, beta=0.1) == Linear(variant="target-minus-trap", beta=0.1)
    free = Linear(alpha=0.75, gamma=0.25, beta=0.1)
    assert (free.alpha, free.gamma, free.beta, free.weight) == (0.75, 0.25, 0.1, 1)


def test_an_unknown_variant_lists_the_valid_ones() -> None:
    for unknown in ("other", ["other"]):
        with pytest.raises(ArgumentError, match="baseline-minus-trap, target-minus-trap"):
            Linear(variant=unknown, beta=0.1)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="not both"):
        Linear(variant="target-minus-trap", alpha=1, beta=0.1)


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
    score = _terms(Linear(beta=0.3), raw, None, np.zeros((0, 6))).score
    assert len(set(score.tolist())) == 6


def test_every_document_has_a_rank() -> None:
    assert ranks(np.array([1.0, 3, 2, 3, 2])).tolist() == [5, 1, 3, 1, 3]


def test_nothing_has_no_rank() -> None:
    assert ranks(np.zeros(0)).size == 0
    assert ranks_of(np.zeros(0, np.intp), np.array([1.0])).size == 0


def test_a_trap_of_less_weight_costs_less_in_score_and_in_the_composed_vector() -> None:
    texts = QueryTexts("q", None, ("a", "b"), (1.0, 0.25))
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(3, 8)).astype(np.float32)
    rows = rng.normal(size=(40, 8)).astype(np.float32)
    raw, scorer = RawScores.of(texts, vectors @ rows.T), Linear(beta=0.5)
    full = scorer.terms(raw._replace(weights=()), raw.ranges())
    weighed = scorer.terms(raw, raw.ranges())
    assert np.array_equal(weighed.sides[0], full.sides[0])
    assert np.allclose(weighed.sides[1], 0.25 * full.sides[1])
    assert np.all(weighed.penalty <= full.penalty)
    probes = scorer.probes(TextVectors.of(texts, vectors), raw.ranges())
    alone = Linear(beta=0.125).probes(TextVectors.of(texts._replace(weights=()), vectors), raw.ranges())
    assert np.allclose(probes[1], alone[1], atol=1e-6)
