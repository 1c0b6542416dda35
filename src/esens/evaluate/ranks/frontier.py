"""The rank of every judged document at every beta, from one look at the scores.

Whether d outranks g, S(d) > S(g), is linear in beta. So the two ends of the grid decide: what outranks g at both
does so all the way, what does so at neither never does, and what changes sides does so once, where the line
between its two leads crosses zero. Counting the crossings per step of the grid gives all ranks at once.

That is computed in single precision. Where rounding could decide, the few documents concerned are compared at
every beta in double precision, by the very terms of :class:`esens.score.linear.Linear`; so each rank is the one
that a loop over the betas would find.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.pack import pack
from esens.embed.corpus import Progress
from esens.errors import ArgumentError
from esens.evaluate.dataset import Gold
from esens.evaluate.ranks.matmul import Corpus, Matrix, Scored, Tile
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.score.linear import Linear

GRID = np.arange(101) / 100
Ranks = npt.NDArray[np.int32]
Positions = npt.NDArray[np.intp]
Doubles = npt.NDArray[np.float64]

# How far single precision may be off, in units of the score: a few roundings of 6e-8 each, and twice that.
_DOUBT = 5e-7
# By how much of its span a grid is looked at beyond its end, so that who crosses just there is seen to cross.
_BEYOND = 0.1
_DOUBTFUL_AT_ONCE = 4096


def frontier(
    corpus: Corpus,
    vectors: QueryVectors,
    gold: Gold,
    betas: Sequence[float] | npt.NDArray[np.floating] = GRID,
    *,
    alpha: float = 1.0,
    gamma: float = 0.0,
    progress: Progress | None = None,
) -> Ranks:
    """Return the rank of each judged document (a row each) at each beta (a column each); betas must rise.

    rank = 1 + the documents with a strictly greater score. With several traps the penalty is that of the nearest;
    a query without a trap is ranked plainly at every beta.
    """
    grid = _Grid(_checked(betas, alpha, gamma))
    _check_gold(gold, len(vectors), len(corpus))
    ranks = np.ones((len(gold.query), len(grid.betas)), np.int32)
    blocks = _blocks(vectors, gold, max(1, corpus.rows_at_once() // 2), (alpha, gamma))
    done = 0
    with closing(_scored_ahead(corpus, blocks)) as ahead:
        for scored, queries in ahead:
            _rank(scored, queries, grid, ranks)
            done += len(queries)
            del scored  # before the next but one is computed
            if progress is not None:
                progress(done, len(vectors))
    return ranks


@dataclass(frozen=True)
class _Grid:
    """The betas, rising."""

    betas: Doubles

    @cached_property
    def span(self) -> float:
        """From the first beta to the last, and beyond."""
        return float(self.betas[-1] - self.betas[0]) * (1 + _BEYOND)

    @cached_property
    def knots(self) -> Doubles:
        return np.append(self.betas, self.betas[0] + self.span)

    @cached_property
    def is_even(self) -> bool:
        steps = np.diff(self.betas)
        return bool(np.ptp(steps) <= 1e-9 * steps[0])

    @cached_property
    def least_step(self) -> float:
        """The shortest step, as a part of the span."""
        return float(np.diff(self.knots).min() / self.span)

    def positions(self, part: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """Return where a part of the span ends, counted in steps of the grid."""
        if self.is_even:
            return part * np.float32((len(self.betas) - 1) * (1 + _BEYOND))
        return np.asarray(np.interp(self.betas[0] + part * self.span, self.knots, np.arange(len(self.knots))))


@dataclass(frozen=True)
class _BlockQuery:
    """One query of a block: which rows of raw scores are its positive terms and its traps, and its gold."""

    positive: tuple[tuple[int, float], ...]
    traps: range
    golds: slice
    """Its judged documents among all."""
    columns: range
    """Its judged documents among those of the block."""
    positions: Positions


class _RowRanges(NamedTuple):
    """The least raw score of each row, and how far apart its least and greatest are."""

    low: Doubles
    range: Doubles


class _Line(NamedTuple):
    """Scores that are linear in beta: ``unit`` × (start − beta × slope) is S, up to a constant."""

    start: Matrix
    slope: Matrix | None
    unit: float


def _checked(betas: Sequence[float] | npt.NDArray[np.floating], alpha: float, gamma: float) -> Doubles:
    grid = np.asarray(betas, np.float64)
    if grid.ndim != 1 or not len(grid) or not np.all(np.diff(grid) > 0):
        raise ArgumentError("betas", "give at least one, each greater than the one before")
    for beta in (grid[0], grid[-1]):
        Linear(alpha=alpha, gamma=gamma, beta=float(beta))
    return grid


def _check_gold(gold: Gold, queries: int, documents: int) -> None:
    if not len(gold.query):
        return
    if np.any(np.diff(gold.query) < 0) or gold.query[0] < 0 or gold.query[-1] >= queries:
        raise ArgumentError("gold", "its queries must stand in order, and be among those asked")
    if gold.position.min() < 0 or gold.position.max() >= documents:
        raise ArgumentError("gold", f"its documents must stand in the corpus, from 0 to {documents - 1}")


def _blocks(
    vectors: QueryVectors, gold: Gold, rows: int, weights: tuple[float, float]
) -> Iterator[tuple[Matrix, list[_BlockQuery]]]:
    """Cut the queries into blocks whose raw scores fit the memory, one query at least."""
    starts = np.searchsorted(gold.query, np.arange(len(vectors) + 1))
    heights = [len(_vectors_of(vectors, number, weights)) for number in range(len(vectors))]
    for part in pack(heights, rows):
        numbers = range(part.start, part.stop)
        queries, height, first = [], 0, int(starts[part.start])
        for number in numbers:
            golds = slice(int(starts[number]), int(starts[number + 1]))
            traps = int(vectors.first[number + 1] - vectors.first[number])
            terms = [weight for weight in weights if weight] if traps else [1.0]
            top = height + heights[number]
            queries.append(
                _BlockQuery(
                    positive=tuple((height + row, weight) for row, weight in enumerate(terms)),
                    traps=range(top - traps, top),
                    golds=golds,
                    columns=range(golds.start - first, golds.stop - first),
                    positions=gold.position[golds],
                )
            )
            height = top
        yield np.concatenate([_vectors_of(vectors, number, weights) for number in numbers]), queries


def _vectors_of(vectors: QueryVectors, number: int, weights: tuple[float, float]) -> Matrix:
    traps = vectors.traps[vectors.traps_of(number)]
    query, target = vectors.query[number : number + 1], vectors.target[number : number + 1]
    if not len(traps):
        return query
    alpha, gamma = weights
    return np.concatenate([query[: bool(alpha)], target[: bool(gamma)], traps])


def _scored_ahead(
    corpus: Corpus, blocks: Iterable[tuple[Matrix, list[_BlockQuery]]]
) -> Generator[tuple[Scored, list[_BlockQuery]], None, None]:
    """Yield the raw scores of each block; while one is looked at, those of the next are computed."""
    with ThreadPoolExecutor(1, thread_name_prefix="esens-frontier") as pool:
        ahead = None
        for vectors, queries in blocks:
            following = pool.submit(corpus.scored, vectors), queries
            if ahead is not None:
                yield ahead[0].result(), ahead[1]
            ahead = following
        if ahead is not None:
            yield ahead[0].result(), ahead[1]


def _rank(scored: Scored, queries: Sequence[_BlockQuery], grid: _Grid, ranks: Ranks) -> None:
    ranges, at_gold = _first_look(scored, queries)
    for tile in scored:
        for query in queries:
            _count(tile, query, ranges, at_gold, grid, ranks)


def _first_look(scored: Scored, queries: Sequence[_BlockQuery]) -> tuple[_RowRanges, Matrix]:
    """Return the ranges of all rows, and the raw scores of the judged documents, a column each."""
    rows = max(top for query in queries for top in (query.traps.stop, query.positive[-1][0] + 1))
    low, high = np.full(rows, np.inf), np.full(rows, -np.inf)
    positions = np.concatenate([query.positions for query in queries])
    at_gold = np.empty((rows, len(positions)), np.float32)
    for tile in scored:
        np.minimum(low, tile.raw.min(axis=1), out=low)
        np.maximum(high, tile.raw.max(axis=1), out=high)
        here = np.flatnonzero((positions >= tile.start) & (positions < tile.start + tile.raw.shape[1]))
        at_gold[:, here] = tile.raw[:, positions[here] - tile.start]
    return _RowRanges(low, high - low), at_gold


def _count(tile: Tile, query: _BlockQuery, ranges: _RowRanges, at_gold: Matrix, grid: _Grid, ranks: Ranks) -> None:
    """Add, for each judged document of a query, how many documents of the tile outrank it at each beta."""
    line, gold_line = _line(tile.raw, query, ranges, grid), _line(at_gold, query, ranges, grid)
    doubt = np.float32(_DOUBT * (sum(weight for _, weight in query.positive) + grid.betas[-1]) / line.unit)
    judged = _exact(at_gold, np.asarray(query.columns, np.intp), query, ranges, grid)
    for number, column in enumerate(query.columns):
        lead = line.start - gold_line.start[column]
        if line.slope is None or gold_line.slope is None or len(grid.betas) == 1:
            sure, doubtful = _leading(lead, grid, doubt)
        else:
            change = line.slope - gold_line.slope[column]
            change *= np.float32(grid.span)
            sure, doubtful = _leading_or_crossing(lead, change, grid, doubt)
        ranks[query.golds.start + number] += sure
        for start in range(0, len(doubtful), _DOUBTFUL_AT_ONCE):
            rivals = _exact(tile.raw, doubtful[start : start + _DOUBTFUL_AT_ONCE], query, ranges, grid)
            outranking = np.count_nonzero(rivals > judged[number], axis=0)
            ranks[query.golds.start + number] += outranking.astype(np.int32)


def _line(raw: Matrix, query: _BlockQuery, ranges: _RowRanges, grid: _Grid) -> _Line:
    """Return S as a line from the first beta on, in single precision.

    Ranks do not change with the unit, so one positive term alone is used as it is, without a pass over the
    documents. All else is computed at the scale of the normalised scores, where the bound on rounding holds.
    """
    (row, weight), *others = query.positive
    is_raw = not others and ranges.range[row] > 0 and grid.betas[0] == 0
    unit = weight / ranges.range[row] if is_raw else 1.0
    start = raw[row] if is_raw else _sum([_scaled(raw, ranges, *term) for term in query.positive])
    if not query.traps:
        return _Line(start, None, unit)
    slope = _scaled(raw, ranges, query.traps[0], 1 / unit)
    for trap in query.traps[1:]:
        np.maximum(slope, _scaled(raw, ranges, trap, 1 / unit), out=slope)
    return _Line(start - np.float32(grid.betas[0]) * slope if grid.betas[0] else start, slope, unit)


def _sum(terms: Sequence[Matrix]) -> Matrix:
    total = terms[0]
    for term in terms[1:]:
        total += term
    return total


def _scaled(raw: Matrix, ranges: _RowRanges, row: int, weight: float) -> Matrix:
    scaled: Matrix = raw[row] - np.float32(ranges.low[row])
    scaled *= np.float32(weight / ranges.range[row] if ranges.range[row] > 0 else 0.0)
    return scaled


def _leading(lead: Matrix, grid: _Grid, doubt: np.float32) -> tuple[npt.NDArray[np.int32], Positions]:
    """Return how many lead at each beta, where leads stay the same; and who only double precision can tell."""
    counts = np.full(len(grid.betas), np.count_nonzero(lead > doubt), np.int32)
    return counts, np.flatnonzero(np.abs(lead) <= doubt)


def _leading_or_crossing(
    lead: Matrix, change: Matrix, grid: _Grid, doubt: np.float32
) -> tuple[npt.NDArray[np.int32], Positions]:
    """Return how many lead at each beta, given their leads at the first and what they lose over the grid's span.

    Those whom rounding could put on either side are not counted but returned beside, by position. Who is in doubt
    at some beta either crosses nearby or changes so little that it is close from the start.
    """
    leads = lead > 0
    crosses = leads ^ (lead > change)
    near = doubt * np.float32(1 + (1 + _BEYOND) / _BEYOND)
    unsure = np.flatnonzero((lead <= near) & (lead >= -near))
    leads[unsure] = crosses[unsure] = False
    crossing = np.flatnonzero(crosses)
    before, lost = lead[crossing], change[crossing]
    position = grid.positions(before / lost)
    close = np.flatnonzero(np.abs((position - np.rint(position)) * lost) <= doubt / np.float32(grid.least_step))
    steps = np.ceil(position).astype(np.intp)
    steps[close] = len(grid.knots) * 2  # where nobody counts
    leaving = steps[np.flatnonzero(lost > 0)]
    left = np.cumsum(2 * _per_step(leaving, grid) - _per_step(steps, grid))
    leads[crossing[close]] = False
    counts = (np.count_nonzero(leads) - left).astype(np.int32)
    return counts, np.concatenate([unsure, crossing[close]])


def _per_step(steps: Positions, grid: _Grid) -> Positions:
    return np.bincount(steps, minlength=len(grid.betas))[: len(grid.betas)]


def _exact(raw: Matrix, at: Positions, query: _BlockQuery, ranges: _RowRanges, grid: _Grid) -> Doubles:
    """Return S of a few documents (a row each) at every beta, in double precision, as ``Linear.terms`` does."""
    score = np.zeros((len(at), 1))
    for row, weight in query.positive:
        score += _terms(raw[row, at], np.array([weight]), row, ranges)
    if not query.traps:
        return np.broadcast_to(score, (len(at), len(grid.betas)))
    penalty = _terms(raw[query.traps[0], at], grid.betas, query.traps[0], ranges)
    for row in query.traps[1:]:
        np.maximum(penalty, _terms(raw[row, at], grid.betas, row, ranges), out=penalty)
    return score - penalty


def _terms(raw: Matrix, weights: Doubles, row: int, ranges: _RowRanges) -> Doubles:
    low, span = ranges.low[row], ranges.range[row]
    scale = weights / span if span > 0 else np.zeros_like(weights)
    return np.asarray((raw.astype(np.float64) - low)[:, None] * scale)
