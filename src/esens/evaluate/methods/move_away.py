"""Weaviate's ``moveAwayFrom`` of a nearText search (weaviate/weaviate, nearText/searcher_movements.go).

v = q + ½·force·(q − trap); of several concepts Weaviate takes the mean (vectorizer/combine.go). With one trap this
is ``subtract`` with weight force/(2 + force), at another length: force 1 is weight ⅓, and none reaches weight 1.
Weaviate asks for a force in every query and has no default; 1 is the greatest that its ``moveTo`` takes.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitVectors, spec_of
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class MoveAway:
    """Weaviate's moveAwayFrom: the query's vector is pushed away from what is excluded, by this force."""

    force: float = 1.0

    @property
    def name(self) -> str:
        """Its name with its force."""
        return spec_of("move-away", self.force)

    def vector(self, split: SplitVectors) -> Scores:
        """Return the moved vector."""
        traps: Scores = split.traps.mean(axis=0, dtype=np.float64)
        return split.query + 0.5 * self.force * (split.query - traps)
