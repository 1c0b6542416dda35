"""Rows rounded to eight bits, and how far off a raw score by them can be.

They are a quarter of the memory to read, and their products are sums of small whole numbers, so that three vectors
meet all rows in less time than one meets the rows themselves. A rounded raw score is off by no more than a bound
that is known, so what is surely too far away need never be compared exactly: filter, then refine (the
vector-approximation file of Weber, Schek and Blott, 1998).
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import simsimd

from esens.arrays.ranges import score_range
from esens.arrays.rank import Positions
from esens.arrays.scan import PAIRS_WORTH_A_THREAD, run_parts
from esens.arrays.unit import Vectors

Codes = npt.NDArray[np.int8]

_MOST = 127
_BLOCK = 256
_SAMPLE = 4096  # rows that say well enough where the mean is
_FLOAT, _OPERATIONS = 2.0**-23, 8
"""What an operation in single precision takes or adds at most; and how many there are beside the sums."""


class QuantizedRows(NamedTuple):
    """Rows as whole numbers from −127 to 127, each times a scale of its own, beside what all have in common.

    Many embedders put all texts into a narrow cone, so each row is told apart into its part along the mean of all,
    which is kept as it is, and the rest, which is rounded: its error is then measured by how far rows lie apart.
    """

    codes: Codes
    scales: Vectors
    mean: Vectors
    """The direction of the mean, of unit length."""
    along: Vectors
    """How far each row goes that way."""
    longest: float
    """The length of the longest rest."""
    error: float
    """How long what a rest lost is at most."""
    reach: float
    """How long a row is at most, or 1."""

    def at(self, positions: Positions) -> "QuantizedRows":
        """Return some of the rows."""
        codes, scales, along = self.codes[positions], self.scales[positions], self.along[positions]
        return self._replace(codes=codes, scales=scales, along=along)


class RoughScores(NamedTuple):
    """Raw scores by rounded vectors, a row a vector; ``errors`` says how far off those of each can be."""

    raw: Vectors
    errors: Vectors


def quantize(rows: Vectors, *, threads: int = 1) -> QuantizedRows:
    """Return rows rounded to eight bits."""
    mean = rows[:: 1 + len(rows) // _SAMPLE].mean(axis=0, dtype=np.float64)
    mean = (mean / (np.linalg.norm(mean) or 1.0)).astype(np.float32)
    codes = np.empty(rows.shape, np.int8)
    scales, along, lengths, lost = np.empty((4, len(rows)), np.float32)

    def round_part(part: slice) -> None:
        along[part], rest = _apart(rows[part], mean)
        codes[part], scales[part], lengths[part], lost[part] = _rounded(rest)

    run_parts(round_part, (slice(start, start + _BLOCK) for start in range(0, len(rows), _BLOCK)), threads)
    longest, error = float(lengths.max(initial=0.0)), float(lost.max(initial=0.0))
    reach = max(1.0, float(np.hypot(along, lengths).max(initial=0.0)))
    return QuantizedRows(codes, scales, mean, along, longest, error, reach)


def rough_scan(rows: QuantizedRows, vectors: Vectors, *, threads: int = 1) -> RoughScores:
    """Return the raw scores of unit vectors with all rows, nearly."""
    scores = np.empty((len(vectors), len(rows.codes)), np.float32)
    along, rest = _apart(vectors, rows.mean)
    probes, units, lengths, lost = _rounded(rest)

    def compare(part: slice) -> None:
        put(part, np.asarray(simsimd.cdist(rows.codes[part], probes, metric="dot", out_dtype="float32")).T)

    def put(part: slice, products: Iterable[Vectors]) -> None:
        for row, product, unit, common in zip(scores, products, units, along, strict=True):
            found = np.multiply(product, rows.scales[part], out=row[part])
            found *= unit
            found += rows.along[part] * common

    if scores.size < PAIRS_WORTH_A_THREAD:  # on the caller's own thread, as few exact ones are
        put(slice(None), [np.asarray(simsimd.dot(rows.codes, probe, out_dtype="float32")) for probe in probes])
    else:
        step = min(_BLOCK * 32, max(1, -(-len(rows.codes) // threads)))
        run_parts(compare, (slice(start, start + step) for start in range(0, len(rows.codes), step)), threads)
    # |d·q − d'·q'| ≤ |d − d'|·|q| + |d'|·|q − q'|, by Cauchy and Schwarz, of the rests; and what is lost in sums.
    summed = 2 * (rows.codes.shape[1] + _OPERATIONS) * _FLOAT * rows.reach
    errors = rows.error * lengths + (rows.longest + rows.error) * lost + summed
    return RoughScores(scores, errors.astype(np.float32))


def may_be_ends(scores: Vectors, error: float | np.float32) -> npt.NDArray[np.bool_]:
    """Return which rows may have the least, the greatest or the second greatest raw score, given rounded ones."""
    around = score_range(scores)
    return np.asarray((scores <= around.low + 2 * error) | (scores >= around.second - 2 * error), np.bool_)


def _apart(rows: Vectors, mean: Vectors) -> tuple[Vectors, Vectors]:
    """Return how far each row goes along a direction, and what remains of it."""
    along = np.einsum("ij,j->i", rows, mean)
    return along, rows - along[:, None] * mean


def _rounded(rows: Vectors) -> tuple[Codes, Vectors, Vectors, Vectors]:
    """Return whole numbers, the scale of each row, how long it is, and how long what it loses is."""
    scales = np.abs(rows).max(axis=1) / np.float32(_MOST)
    wholes = np.rint(rows / np.where(scales > 0, scales, 1)[:, None])
    lost = rows - wholes * scales[:, None]
    lengths, errors = (np.sqrt(np.einsum("ij,ij->i", part, part)) for part in (rows, lost))
    return wholes.astype(np.int8), scales, lengths, errors
