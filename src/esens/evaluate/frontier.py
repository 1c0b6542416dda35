"""The rank of every judged document at every beta, from one look at the scores.

Whether d outranks g, S(d) > S(g), is linear in beta. So the two ends of the grid decide: what outranks g at both
does so all the way, what does so at neither never does, and what changes sides does so once, where the line
between its two leads crosses zero. Counting the crossings per step of the grid gives all ranks at once.

That is computed in single precision. Where rounding could decide, the few documents concerned are compared at
every beta in double precision, by the very terms of :func:`esens.score.linear.linear`; so each rank is the one
that a loop over the betas would find.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.evaluate.dataset import Gold
from esens.evaluate.products import Corpus, Matrix, Tile
from esens.evaluate.vectors import QueryVectors
from esens.score.linear import Weights
from esens.search import Progress

GRID = np.arange(101) / 100
Ranks = npt.NDArray[np.int32]

# How far, in units of the score's own size, single precision may be off: a few roundings of 6e-8 each.
_DOUBT = 1e-6
_WORKERS = 2


def frontier(
    corpus: Corpus,
    asked: QueryVectors,
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
    ranks = np.empty((len(gold.query), len(grid.betas)), np.int32)
    blocks = _blocks(asked, gold, max(1, corpus.rows_at_once() // _WORKERS), alpha, gamma)

    def work(block: _Block) -> int:
        ranks[block.golds] = _ranks(corpus, block, grid)
        return len(block.queries)

    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="esens-frontier") as pool:
        done = 0
        for some in pool.map(work, blocks):
            done += some
            if progress is not None:
                progress(done, len(asked))
    return ranks


@dataclass(frozen=True)
class _Grid:
    """The betas, rising."""

    betas: npt.NDArray[np.float64]

    @cached_property
    def least_step(self) -> float:
        return float(np.diff(self.betas).min(initial=np.inf))

    @cached_property
    def is_even(self) -> bool:
        return bool(np.ptp(np.diff(self.betas)) <= 1e-9) if len(self.betas) > 2 else True

    def positions(self, part: Matrix) -> Matrix:
        """Return where on the grid, counted in steps, a part of the way from its first to its last beta is."""
        if self.is_even:
            return np.asarray(part * np.float32(len(self.betas) - 1))
        at = self.betas[0] + part * (self.betas[-1] - self.betas[0])
        return np.asarray(np.interp(at, self.betas, np.arange(len(self.betas))), np.float32)


@dataclass(frozen=True)
class _Asked:
    """One query of a block: which rows of raw scores are its positive terms and its traps, and its gold."""

    positive: tuple[tuple[int, float], ...]
    traps: range
    golds: range
    positions: npt.NDArray[np.intp]


@dataclass(frozen=True)
class _Block:
    """Some queries, the vectors they need, and which judged documents are theirs."""

    vectors: Matrix
    queries: tuple[_Asked, ...]
    golds: slice


class _Extents(NamedTuple):
    """The least raw score of each row, and how far apart its least and greatest are."""

    low: npt.NDArray[np.float64]
    range: npt.NDArray[np.float64]


def _checked(
    betas: Sequence[float] | npt.NDArray[np.floating], alpha: float, gamma: float
) -> npt.NDArray[np.float64]:
    grid = np.asarray(betas, np.float64)
    if grid.ndim != 1 or not len(grid) or not np.all(np.diff(grid) > 0):
        raise ArgumentError("betas", "give at least one, each greater than the one before")
    for beta in (grid[0], grid[-1]):
        Weights(alpha, gamma, float(beta))
    return grid


def _blocks(asked: QueryVectors, gold: Gold, rows: int, alpha: float, gamma: float) -> list[_Block]:
    """Cut the queries into blocks whose raw scores fit the memory, one query at least."""
    starts = np.searchsorted(gold.query, np.arange(len(asked) + 1))
    heights = np.array([len(_vectors_of(asked, number, alpha, gamma)) for number in range(len(asked))])
    blocks, first = [], 0
    while first < len(asked):
        last = first + max(1, int(np.searchsorted(np.cumsum(heights[first:]), rows, side="right")))
        blocks.append(_block(asked, gold, starts, range(first, min(last, len(asked))), alpha, gamma))
        first = last
    return blocks


def _block(
    asked: QueryVectors, gold: Gold, starts: npt.NDArray[np.intp], numbers: range, alpha: float, gamma: float
) -> _Block:
    golds = slice(int(starts[numbers.start]), int(starts[numbers.stop]))
    vectors, queries, height = [], [], 0
    for number in numbers:
        own = _vectors_of(asked, number, alpha, gamma)
        has_traps = asked.first[number + 1] > asked.first[number]
        weights = [weight for weight in (alpha, gamma) if weight] if has_traps else [1.0]
        positive = tuple((height + row, weight) for row, weight in enumerate(weights))
        traps = range(height + len(weights), height + len(own))
        own_golds = range(int(starts[number]) - golds.start, int(starts[number + 1]) - golds.start)
        queries.append(_Asked(positive, traps, own_golds, gold.position[starts[number] : starts[number + 1]]))
        vectors.append(own)
        height += len(own)
    return _Block(np.concatenate(vectors), tuple(queries), golds)


def _vectors_of(asked: QueryVectors, number: int, alpha: float, gamma: float) -> Matrix:
    traps = asked.traps[asked.traps_of(number)]
    query, target = asked.query[number : number + 1], asked.target[number : number + 1]
    if not len(traps):
        return query
    return np.concatenate([query[: bool(alpha)], target[: bool(gamma)], traps])


def _ranks(corpus: Corpus, block: _Block, grid: _Grid) -> Ranks:
    scored = corpus.scored(block.vectors)
    extents, at_gold = _first_look(scored, block)
    counts = np.ones((block.golds.stop - block.golds.start, len(grid.betas)), np.int32)
    for tile in scored:
        for one in block.queries:
            _count(tile, one, extents, at_gold, grid, counts)
    return counts


def _first_look(scored: Iterable[Tile], block: _Block) -> tuple[_Extents, Matrix]:
    """Return the extents of all rows, and the raw scores of the judged documents, a column each."""
    low, high = np.full(len(block.vectors), np.inf), np.full(len(block.vectors), -np.inf)
    positions = np.concatenate([one.positions for one in block.queries])
    at_gold = np.empty((len(block.vectors), len(positions)), np.float32)
    for tile in scored:
        np.minimum(low, tile.raw.min(axis=1), out=low)
        np.maximum(high, tile.raw.max(axis=1), out=high)
        here = np.flatnonzero((positions >= tile.start) & (positions < tile.start + tile.raw.shape[1]))
        at_gold[:, here] = tile.raw[:, positions[here] - tile.start]
    return _Extents(low, high - low), at_gold


def _count(
    tile: Tile, one: _Asked, extents: _Extents, at_gold: Matrix, grid: _Grid, counts: npt.NDArray[np.int32]
) -> None:
    """Add, for each judged document of a query, how many documents of the tile outrank it at each beta."""
    first, last = _at_ends(tile.raw, one, extents, grid)
    doubt = np.float32(_DOUBT * (sum(weight for _, weight in one.positive) + grid.betas[-1]))
    for gold in one.golds:
        own = at_gold[:, gold : gold + 1]
        own_first, own_last = _at_ends(own, one, extents, grid)
        sure, doubtful = _outranking(first - own_first, last - own_last, grid, doubt)
        counts[gold] += sure
        if doubtful.size:
            scores = _exact(tile.raw[:, doubtful], one, extents, grid)
            counts[gold] += np.count_nonzero(scores > _exact(own, one, extents, grid), axis=0)


def _at_ends(raw: Matrix, one: _Asked, extents: _Extents, grid: _Grid) -> tuple[Matrix, Matrix]:
    """Return S at the first and at the last beta, in single precision."""
    wanted = _scaled(raw, extents, *one.positive[0])
    for row, weight in one.positive[1:]:
        wanted += _scaled(raw, extents, row, weight)
    if not one.traps:
        return wanted, wanted
    nearness = _scaled(raw, extents, one.traps[0], 1.0)
    for row in one.traps[1:]:
        np.maximum(nearness, _scaled(raw, extents, row, 1.0), out=nearness)
    first, last = np.float32(grid.betas[0]), np.float32(grid.betas[-1])
    return (wanted - first * nearness if first else wanted), wanted - last * nearness


def _scaled(raw: Matrix, extents: _Extents, row: int, weight: float) -> Matrix:
    scaled: Matrix = raw[row] - np.float32(extents.low[row])
    scaled *= np.float32(weight / extents.range[row] if extents.range[row] > 0 else 0.0)
    return scaled


def _outranking(
    lead: Matrix, late_lead: Matrix, grid: _Grid, doubt: np.float32
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Return how many documents lead at each beta, given their leads at the first and at the last.

    Those that rounding could put on either side are not counted but returned beside, by position.
    """
    unsure = np.flatnonzero((np.abs(lead) <= doubt) | (np.abs(late_lead) <= doubt))
    leads, leads_late = lead > 0, late_lead > 0
    leads[unsure] = leads_late[unsure] = False
    crossing = np.flatnonzero(leads ^ leads_late)
    before, after = lead[crossing], late_lead[crossing]
    change = before - after
    position = grid.positions(before / change)
    per_step = np.float32(grid.least_step / (grid.betas[-1] - grid.betas[0])) if crossing.size else np.float32(0)
    close = np.abs(position - np.rint(position)) * np.abs(change) * per_step <= doubt
    direction = np.sign(-change)
    direction[close] = 0
    step = np.ceil(position).astype(np.intp)
    moves = np.bincount(step, weights=direction, minlength=len(grid.betas) + 1)[: len(grid.betas)]
    steady = np.count_nonzero(leads) - np.count_nonzero(leads[crossing[close]])
    return (steady + np.cumsum(moves)).astype(np.int32), np.concatenate([unsure, crossing[close]])


def _exact(raw: Matrix, one: _Asked, extents: _Extents, grid: _Grid) -> npt.NDArray[np.float64]:
    """Return S of a few documents (a row each) at every beta, in double precision, term by term as ``linear``."""
    positive = np.sum([_terms(raw[row], np.array([weight]), row, extents) for row, weight in one.positive], axis=0)
    if not one.traps:
        return np.broadcast_to(positive, (raw.shape[1], len(grid.betas)))
    penalty = np.max([_terms(raw[row], grid.betas, row, extents) for row in one.traps], axis=0)
    return np.asarray(positive - penalty)


def _terms(raw: Matrix, weights: npt.NDArray[np.float64], row: int, extents: _Extents) -> npt.NDArray[np.float64]:
    low, span = extents.low[row], extents.range[row]
    scale = weights / span if span > 0 else np.zeros_like(weights)
    return np.asarray(np.subtract(raw, low, dtype=np.float64)[:, None] * scale)
