"""Marqo's weighted query: the mean of the texts' vectors, where an unwanted text has a negative weight.

v = Σ wᵢ·xᵢ / Σ |wᵢ| with weight 1 for the wanted text and −w for each trap (marqo-ai/marqo, tensor_search.py and
core/utils/vector_interpolation.py; earlier versions divide by the number of texts, which is the same direction).
Of the query and its traps this would be ``subtract`` at another length. But Marqo's users write what they want and
what they do not want as two texts, so the wanted text is the target here. The default of 0.4 is that of an example
in Marqo's documentation.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import SplitVectors, spec_of
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class NegativeMean:
    """Marqo's way: the mean of the vectors of what is wanted and, with this negative weight, of what is not."""

    weight: float = 0.4

    @property
    def name(self) -> str:
        """Its name with the weight of a trap, without its sign."""
        return spec_of("negative-mean", self.weight)

    def vector(self, split: SplitVectors) -> Scores:
        """Return the weighted mean."""
        traps: Scores = split.traps.sum(axis=0, dtype=np.float64)
        return (split.target - self.weight * traps) / (1 + self.weight * len(split.traps))
