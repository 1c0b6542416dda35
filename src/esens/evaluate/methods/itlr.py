"""Inference-time logical reasoning (ITLR, arXiv 2503.17860): cosines as truth values, joined by fuzzy logic.

"target AND NOT trap" is s(target)·(1 − s(trap)), each further trap one more factor. A cosine below 0 is no truth
value, and counts as 0.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitScores
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class LogicalProduct:
    """Fuzzy logic: the cosine of what is wanted times one minus that of what is excluded."""

    @property
    def name(self) -> str:
        """Its name."""
        return "itlr"

    def scores(self, raw: SplitScores) -> Scores:
        """Return the product."""
        target, traps = (np.clip(np.asarray(rows, np.float64), 0.0, 1.0) for rows in (raw.target, raw.traps))
        return np.asarray(target * np.prod(1.0 - traps, axis=0), np.float64)
