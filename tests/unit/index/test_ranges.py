import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.index.ranges import KeptSample, Sample

scores = st.lists(st.integers(-20, 20).map(lambda step: step / 16), min_size=1, max_size=12, unique=True)


def test_an_estimate_is_the_range_of_a_sample() -> None:
    sample = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    (estimate,) = KeptSample(Sample(sample, documents=10)).ranges(np.array([[1, 0]], np.float32))
    assert estimate == ScoreRange(-1, 1, 0, is_exact=False)


def test_a_sample_of_all_is_no_estimate() -> None:
    rows = np.eye(2, dtype=np.float32)
    (exact,) = KeptSample(Sample(rows, documents=2)).ranges(rows[:1])
    assert exact == ScoreRange(0, 1, 0, is_exact=True)
    (nothing,) = KeptSample(Sample(rows[:0], documents=0)).ranges(rows[:1])
    assert tuple(nothing) == (0, 0, 0, True)


@given(scores, st.data())
def test_two_parts_of_the_documents_reach_as_far_as_both(every: list[float], data: st.DataObject) -> None:
    parts = [data.draw(st.lists(st.sampled_from(every), min_size=1, unique=True)) for _ in range(2)]
    first, second = (score_range(np.array(part)) for part in parts)
    both = score_range(np.array(sorted({*parts[0], *parts[1]})))
    assert first.joined(second)[:2] == both[:2]
    if min(map(len, parts)) > 1:  # of one document alone, the second is itself
        assert first.joined(second)[:3] == both[:3]


def test_what_an_engine_compares_otherwise_in_the_last_bit_is_the_same_document() -> None:
    sampled, searched = ScoreRange(-0.5, 0.9, 0.7), ScoreRange(0.2, 0.9 + 1e-7, 0.6)
    assert sampled.joined(searched)[:3] == pytest.approx((-0.5, 0.9, 0.7), abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.integers(512, 1500), st.sampled_from([3, 64, 384]), st.floats(0, 3))
def test_by_rounded_vectors_the_ends_are_those_of_comparing_all(
    seed: int, size: int, dimension: int, skew: float
) -> None:
    random = np.random.default_rng(seed)
    scales = np.exp(skew * random.standard_normal(dimension))  # some numbers are far greater than others
    rows = unit_rows(random.standard_normal((size, dimension)) * scales)
    rows[random.integers(size)] = 0.0
    texts = unit_rows(rows[:3] + random.standard_normal((3, dimension)) * 0.3)
    kept = KeptSample(Sample(rows, size + 1))
    by_comparing_all = [score_range(scores, is_exact=False) for scores in scan(rows, texts)]
    assert kept.ranges(texts) == by_comparing_all
    assert kept.ranges(texts) == by_comparing_all  # which it kept


def test_few_vectors_reach_the_ends() -> None:
    random = np.random.default_rng(0)
    rows, text = unit_rows(random.standard_normal((4096, 384))), unit_rows(random.standard_normal((1, 384)))
    (near,) = KeptSample(Sample(rows, 9999))._near_ends(text)
    assert len(near) < 150


def test_what_is_no_number_is_compared_as_it_is() -> None:
    rows = np.full((600, 4), np.nan, np.float32)
    (over,) = KeptSample(Sample(rows, 601)).ranges(np.eye(4, dtype=np.float32)[:1])
    assert np.isnan(over.low)


@pytest.mark.parametrize("size", [8, 600])
def test_what_a_search_found_is_kept_beside_the_sample(size: int) -> None:
    random = np.random.default_rng(0)
    rows, texts = unit_rows(random.standard_normal((size, 16))), unit_rows(random.standard_normal((2, 16)))
    kept = KeptSample(Sample(rows, 9999))
    before = kept.ranges(texts)
    kept.keep(texts[:1], [ScoreRange(-2.0, 1.5, 1.25)])
    known, unknown = kept.ranges(texts)
    assert known == ScoreRange(before[0].low, 1.5, 1.25, is_exact=False)
    assert unknown == before[1]
    assert [known.has_ends, unknown.has_ends] == [True, False]
