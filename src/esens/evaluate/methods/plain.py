"""Plain retrieval: the cosine of the whole query, as if nothing were excluded. All others are measured by it."""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitScores
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class Plain:
    """Rank by the cosine of the whole query, as if nothing were excluded."""

    @property
    def name(self) -> str:
        """Its name."""
        return "plain"

    def scores(self, raw: SplitScores) -> Scores:
        """Return the query's raw scores."""
        return np.asarray(raw.query, np.float64)
