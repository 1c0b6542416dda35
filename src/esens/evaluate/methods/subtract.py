"""Vector subtraction: search with the query's vector minus a share of the trap's.

v = q − w·Σ traps. chromem-go's "subtract" mode for its one negative text is w = 1 (philippgille/chromem-go,
collection.go); Marqo's ``{query: 1, trap: -w}`` has the same direction (see ``negative_mean``). With several traps
each is subtracted with the same weight, as Marqo does. The query's vector holds the trap already, which is why a
weight below 1 does not yet turn against it.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitVectors, spec_of
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class Subtract:
    """Search with the query's vector minus this share of the vector of what is excluded.

    Where nothing of it is left, all documents score 0.
    """

    weight: float = 0.4

    @property
    def name(self) -> str:
        """Its name with its weight."""
        return spec_of("subtract", self.weight)

    def vector(self, split: SplitVectors) -> Scores:
        """Return the difference."""
        traps: Scores = split.traps.sum(axis=0, dtype=np.float64)
        return split.query - self.weight * traps
