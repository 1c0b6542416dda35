"""Orthogonal negation (Widdows, "Orthogonal Negation in Vector Spaces for Modelling Word-Meanings", ACL 2003).

v is the part of the query's vector that is orthogonal to the trap; with several traps, to the space that they
span, which is how Widdows negates a disjunction ("neither this nor that").
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitVectors
from esens.score.normalise import Scores

# Vectors come in single precision: what is shorter than this is rounding, and must not choose the ranking.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """Search with the part of the query's vector that is at right angles to what is excluded.

    Where that is nothing, all documents score 0.
    """

    @property
    def name(self) -> str:
        """Its name."""
        return "orthogonal"

    def vector(self, split: SplitVectors) -> Scores:
        """Return the query's vector without its projection on the traps."""
        query, traps = split.query.astype(np.float64), split.traps.astype(np.float64)
        # Least squares instead of a plain QR, because a trap may be named twice.
        shares = np.linalg.lstsq(traps.T, query, rcond=_ROUNDING)[0]
        left = query - shares @ traps
        return left if np.linalg.norm(left) > _ROUNDING else np.zeros_like(left)
