import numpy as np
import pytest

from esens.evaluate.statistics import (
    Interval,
    compare,
    compare_over_sets,
    holm,
    interval,
    intervals,
    intervals_of,
    intervals_over_sets,
    median_interval,
)


def test_the_matrix_product_is_the_bootstrap_one_sample_after_another():
    values = np.random.default_rng(1).random((40, 3))
    picks = np.random.default_rng(0).integers(0, 40, size=(500, 40))
    means = np.array([values[pick].mean(axis=0) for pick in picks])
    found = intervals(values, samples=500)
    assert found.mean == pytest.approx(values.mean(axis=0))
    assert found.low == pytest.approx(np.percentile(means, 2.5, axis=0))
    assert found.high == pytest.approx(np.percentile(means, 97.5, axis=0))


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    random = np.random.default_rng(2)
    covered = [
        one.low <= 0.3 <= one.high
        for one in (interval((random.random(200) < 0.3).astype(float)) for _ in range(300))
    ]
    assert 0.9 < np.mean(covered) < 0.99


def test_a_sure_value_has_no_width():
    assert interval([1.0] * 9) == Interval(1, 1, 1)


def test_tables_resampled_together_have_the_intervals_of_each():
    random = np.random.default_rng(5)
    tables = {"a": random.random((30, 2)), "b": random.random((12, 1)), "c": random.random((30, 3))}
    found = intervals_of(tables)
    assert list(found) == ["a", "b", "c"]
    for name, table in tables.items():
        assert np.array(found[name]) == pytest.approx(np.array(intervals(table)))


def test_the_median_has_an_interval_of_its_own():
    found = median_interval([1, 2, 3, 4, 1000])
    assert found.mean == 3
    assert 1 <= found.low <= 3 <= found.high <= 1000


def test_equal_methods_do_not_differ():
    values = np.random.default_rng(3).random((50, 1))
    found = compare(values, values)[0]
    assert found.difference == Interval(0, 0, 0)
    assert found.p == 1


def test_a_clear_difference_is_significant_and_an_even_one_is_not():
    random = np.random.default_rng(4)
    base = random.random((200, 1))
    ours = np.concatenate([base + 0.2, base + random.normal(0, 0.1, (200, 1))], axis=1)
    clear, even = compare(ours, base)
    assert clear.p < 0.001
    assert clear.difference.low > 0
    assert even.p > 0.01


def test_p_is_the_share_of_all_signs_where_they_can_all_be_tried():
    differences = np.array([0.5, 1.0, -0.25, 0.75, 1.25])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 5)).reshape(5, -1).T
    exact = np.mean(np.abs(signs @ differences) >= differences.sum() - 1e-12)
    assert compare(differences[:, None], np.zeros((5, 1)))[0].p == pytest.approx(exact, abs=0.02)


def test_corrected_values_keep_their_order_and_never_exceed_one():
    assert holm([0.5, 0.001, 0.9]) == [1.0, 0.003, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Interval(0.5, 0.25, 1.0), ".500 (.250–1.000)"),
        (Interval(-0.05, -0.1, 0.02), "-.050 (-.100 to .020)"),
        (Interval(12.0, 3.5, 20.25), "12.000 (3.500–20.250)"),
    ],
)
def test_it_prints_as_figures_are_printed(value, shown):
    assert str(value) == shown


def test_every_set_counts_the_same_however_many_queries_it_has():
    few, many = np.zeros((4, 1)), np.ones((400, 1))
    assert intervals_over_sets([few, many]).at(0) == Interval(0.5, 0.5, 0.5)
    (found,) = compare_over_sets([few, many], [many[:4], many])
    assert found.difference == Interval(-0.5, -0.5, -0.5)
    assert found.p == pytest.approx(1 / 8, abs=0.01)  # all four signs alike, either way


def test_one_set_is_compared_as_ever():
    random = np.random.default_rng(0)
    ours, theirs = random.random((2, 30, 3))
    assert compare_over_sets([ours], [theirs]) == compare(ours, theirs)
    np.testing.assert_array_equal(intervals_over_sets([ours]), intervals(ours))
