import numpy as np

from esens.index.ranges import estimate_ranges


def test_a_span_is_the_least_of_a_sample_and_the_nearest_two() -> None:
    sample = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    nearest = [np.array([0.9, 0.7], np.float32)]
    (span,) = estimate_ranges(np.array([[1, 0]], np.float32), nearest, sample, count=10)
    assert (span.low, span.is_exact) == (-1, False)
    assert [span.high, span.second] == nearest[0].tolist()


def test_the_nearest_are_not_below_the_least() -> None:
    # Those of a filter may all be far, and none of them in the sample.
    sample = np.array([[1, 0]], np.float32)
    nearest = [np.array([0.5, -0.5], np.float32)]
    (span,) = estimate_ranges(np.array([[1, 0]], np.float32), nearest, sample, count=10)
    assert span.low == -0.5


def test_a_sample_of_all_is_no_estimate() -> None:
    rows = np.eye(2, dtype=np.float32)
    (span,) = estimate_ranges(rows[:1], [np.array([1, 0], np.float32)], rows, count=2)
    assert span.is_exact
    (none,) = estimate_ranges(rows[:1], [np.zeros(0, np.float32)], rows[:0], count=0)
    assert tuple(none) == (0, 0, 0, True)
