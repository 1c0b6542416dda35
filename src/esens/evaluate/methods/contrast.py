"""Our own score: relevance, less the share of it that a document loses for being about what is excluded.

See ``esens.score.contrast``. Unlike the others here it compares the two sides, and reads what a document is named
for.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import Sides, spec_of
from esens.score.contrast import DEFAULT_BETA, Contrast, contrast
from esens.score.normalise import Scores

CONTRAST_GRID = np.linspace(0.0, 5.0, 21)
"""Every beta worth a look: at 5 a fifth of the range between the sides costs all relevance."""


@dataclass(frozen=True, slots=True)
class ContrastOfSides:
    """S(d) = P(d)·(1 − min(1, β·contrast(d))); at beta 0, as in a search, plain retrieval."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("contrast", self.beta)

    def scores_of(self, sides: Sides) -> Scores:
        """Return the score of every document."""
        raw = sides.raw._replace(traps=sides.own)
        if self.beta == 0:
            return raw.query.astype(np.float64)
        return contrast(Contrast(beta=self.beta), raw, over=raw.extents(), names=sides.names).score
