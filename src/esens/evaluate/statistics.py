"""Means and how far they can be trusted: bootstrap intervals over queries, and paired comparisons."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

SAMPLES = 2000
FLIPS = 100_000
_FLIPS_AT_ONCE = 1000
_CELLS_AT_ONCE = 2**22
_BOUNDS = (2.5, 97.5)

Values = npt.NDArray[np.floating]
K = TypeVar("K", bound=Hashable)


class Interval(NamedTuple):
    """A mean with its 95 % bootstrap interval over queries."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        mean, low, high = (short(value) for value in self)
        return f"{mean} ({low} to {high})" if self.low < 0 else f"{mean} ({low}–{high})"


class Intervals(NamedTuple):
    """Many means at once, with their intervals: arrays of one shape."""

    mean: Values
    low: Values
    high: Values

    def at(self, number: int) -> Interval:
        """Return one of them."""
        return Interval(float(self.mean[number]), float(self.low[number]), float(self.high[number]))


class Comparison(NamedTuple):
    """The mean difference of two methods on the same queries, and how likely chance alone makes one as large."""

    difference: Interval
    p: float


def interval(values: Sequence[float] | Values, samples: int = SAMPLES) -> Interval:
    """Return the mean of the values with its percentile bootstrap interval; the same values give the same one."""
    return intervals(np.asarray(values, float)[:, None], samples).at(0)


def intervals(values: Values, samples: int = SAMPLES) -> Intervals:
    """Return the mean of each column over its rows, the queries, with its interval."""
    table = np.asarray(values, float)
    return Intervals(table.mean(axis=0), *np.percentile(resampled(table, samples), _BOUNDS, axis=0))


def intervals_over_sets(sets: Sequence[Values], samples: int = SAMPLES) -> Intervals:
    """Return the mean over several sets of queries of each one's mean, column by column, with its interval.

    Every set counts the same, however many queries it has; queries are drawn within their set.
    """
    means = np.mean([np.asarray(table, float).mean(axis=0) for table in sets], axis=0)
    drawn = np.mean([resampled(table, samples) for table in sets], axis=0)
    return Intervals(means, *np.percentile(drawn, _BOUNDS, axis=0))


def intervals_of(tables: Mapping[K, Values], samples: int = SAMPLES) -> dict[K, Intervals]:
    """Return the intervals of many tables; those over equally many queries are resampled together."""
    by_key: dict[K, Intervals] = {}
    for size in {len(table) for table in tables.values()}:
        alike = {key: table for key, table in tables.items() if len(table) == size}
        whole = intervals(np.concatenate(list(alike.values()), axis=1), samples)
        ends = np.cumsum([table.shape[1] for table in alike.values()])
        for key, end, table in zip(alike, ends, alike.values(), strict=True):
            by_key[key] = Intervals(*(part[end - table.shape[1] : end] for part in whole))
    return {key: by_key[key] for key in tables}


def resampled(values: Values, samples: int = SAMPLES) -> npt.NDArray[np.float64]:
    """Return the means of each column over resampled queries, a row a sample.

    A sample draws as many queries as there are, with replacement. How often it drew each is all that its means
    depend on, so all samples of all columns are one matrix product.
    """
    table = np.asarray(values, float)
    return np.concatenate([draws.astype(float) @ table for draws in _draws(len(table), samples)]) / len(table)


def median_interval(values: Sequence[float] | Values, samples: int = SAMPLES) -> Interval:
    """Return the median of the values with its percentile bootstrap interval."""
    array = np.asarray(values, float)
    medians = np.concatenate([np.median(array[picks], axis=1) for picks in _picks(len(array), samples)])
    with np.errstate(invalid="ignore"):  # between a rank and none there is no rank
        return Interval(float(np.median(array)), *map(float, np.percentile(medians, _BOUNDS)))


def compare(ours: Values, theirs: Values) -> list[Comparison]:
    """Compare two methods column by column: the difference with its interval, and a paired randomisation test.

    If neither were better, each query's difference might as well have the other sign. p is the share of random
    signs whose mean difference is at least as large as the one observed (Smucker et al., CIKM 2007), two-sided;
    the observed one counts among them, so that it is never 0.
    """
    return compare_over_sets([ours], [theirs])


def compare_over_sets(ours: Sequence[Values], theirs: Sequence[Values]) -> list[Comparison]:
    """Compare two methods over several sets of queries, every set counting the same."""
    by_set = [np.asarray(one, float) - np.asarray(other, float) for one, other in zip(ours, theirs, strict=True)]
    means = intervals_over_sets(by_set)
    differences = np.concatenate([table / len(table) for table in by_set])  # their sum is that of the sets' means
    observed = np.abs(differences.sum(axis=0))
    random = np.random.default_rng(0)
    as_large = np.zeros(differences.shape[1], int)
    for _ in range(FLIPS // _FLIPS_AT_ONCE):
        signs = 2.0 * random.integers(0, 2, size=(_FLIPS_AT_ONCE, len(differences)), dtype=np.int8) - 1.0
        as_large += np.count_nonzero(np.abs(signs @ differences) >= observed - 1e-12, axis=0)
    p = (1 + as_large) / (1 + FLIPS)
    return [Comparison(means.at(column), float(p[column])) for column in range(len(p))]


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for how many there are (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    stepped = np.asarray(p_values, float)[order] * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return [float(p) for p in corrected]


def short(value: float) -> str:
    """Write a figure as figures are printed: three decimals, no zero before the point.

    >>> short(0.5), short(-0.05), short(1.0)
    ('.500', '-.050', '1.000')
    """
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def _picks(queries: int, samples: int) -> Iterator[npt.NDArray[np.int64]]:
    """Draw the queries of every sample, some samples at a time; seeded, so that a figure is always the same."""
    random = np.random.default_rng(0)
    at_once = max(1, _CELLS_AT_ONCE // queries)
    for start in range(0, samples, at_once):
        yield random.integers(0, queries, size=(min(at_once, samples - start), queries))


@lru_cache(maxsize=1)
def _draws(queries: int, samples: int) -> tuple[npt.NDArray[np.uint16], ...]:
    """Return how often each sample (a row) drew each query (a column), some samples at a time."""
    return tuple(_counted(picks) for picks in _picks(queries, samples))


def _counted(picks: npt.NDArray[np.int64]) -> npt.NDArray[np.uint16]:
    samples, queries = picks.shape
    cells = picks + queries * np.arange(samples)[:, None]
    counts = np.bincount(cells.ravel(), minlength=samples * queries)
    return counts.reshape(samples, queries).astype(np.uint16)
