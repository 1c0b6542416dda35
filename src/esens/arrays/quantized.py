"""Rows rounded to eight bits, and how far off a raw score by them can be.

They are a quarter of the memory to read, and their products are sums of small whole numbers, so that three vectors
meet all rows in less time than one meets the rows themselves. A rounded raw score is off by no more than a bound
that is known, so what is surely too far away need never be compared exactly: filter, then refine (the
vector-approximation file of Weber, Schek and Blott, 1998).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import simsimd

from esens.arrays.rank import Positions
from esens.arrays.scan import run_parts
from esens.arrays.unit import Vectors

Codes = npt.NDArray[np.int8]

_MOST = 127
_BLOCK = 256
_FLOAT, _OPERATIONS = 2.0**-23, 8
"""What an operation in single precision takes or adds at most; and how many there are beside the sums."""


class QuantizedRows(NamedTuple):
    """Rows as whole numbers from −127 to 127, each row times a scale of its own; how long what is lost may be."""

    codes: Codes
    scales: Vectors
    error: float

    def at(self, positions: Positions) -> "QuantizedRows":
        """Return some of the rows."""
        return QuantizedRows(self.codes[positions], self.scales[positions], self.error)


class RoughScores(NamedTuple):
    """Raw scores by rounded vectors, a row a vector; ``errors`` says how far off those of each can be."""

    raw: Vectors
    errors: npt.NDArray[np.float32]


def quantize(rows: Vectors, *, threads: int = 1) -> QuantizedRows:
    """Return rows rounded to eight bits."""
    codes, scales, lost = (
        np.empty(rows.shape, np.int8),
        np.empty(len(rows), np.float32),
        np.zeros(len(rows), np.float32),
    )

    def round_part(part: slice) -> None:
        codes[part], scales[part], lost[part] = _rounded(rows[part])

    run_parts(round_part, (slice(start, start + _BLOCK) for start in range(0, len(rows), _BLOCK)), threads)
    return QuantizedRows(codes, scales, float(lost.max(initial=0.0)))


def rough_scan(rows: QuantizedRows, vectors: Vectors, *, threads: int = 1) -> RoughScores:
    """Return the raw scores of unit vectors with all rows, nearly."""
    scores = np.empty((len(vectors), len(rows.codes)), np.float32)
    probes, units, lost = _rounded(vectors)

    def compare(part: slice) -> None:
        products = np.asarray(simsimd.cdist(rows.codes[part], probes, metric="dot", out_dtype="float32")).T
        for row, product, unit in zip(scores, products, units, strict=True):
            np.multiply(product, rows.scales[part] * unit, out=row[part])

    step = min(_BLOCK * 32, max(1, -(-len(rows.codes) // threads)))
    run_parts(compare, (slice(start, start + step) for start in range(0, len(rows.codes), step)), threads)
    # |d·q − d'·q'| ≤ |d − d'|·|q| + |d'|·|q − q'|, by Cauchy and Schwarz; and what single precision loses.
    summed = (rows.codes.shape[1] + _OPERATIONS) * _FLOAT
    return RoughScores(scores, (rows.error + (1 + rows.error) * lost + summed).astype(np.float32))


def _rounded(rows: Vectors) -> tuple[Codes, Vectors, Vectors]:
    """Return whole numbers, the scale of each row, and how long what it loses is."""
    scales = np.abs(rows).max(axis=1) / np.float32(_MOST)
    wholes = np.rint(rows / np.where(scales > 0, scales, 1)[:, None])
    lost = rows - wholes * scales[:, None]
    return wholes.astype(np.int8), scales, np.sqrt(np.einsum("ij,ij->i", lost, lost))
