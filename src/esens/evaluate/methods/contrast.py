"""Our own score: relevance, less the share of it that a document loses for being about what is excluded.

See ``esens.score.contrast``. Unlike the others here it compares the two sides, and reads what a document is named
for. ``esens`` is what a search does unless it is told otherwise: the same where a subject is excluded, with
mentions in passing spared; and where a property is, what documents say of it (``esens.score.relational``).
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import spec_of
from esens.score.contrast import DEFAULT_BETA, Contrast
from esens.score.relational import Relational

CONTRAST_GRID = np.linspace(0.0, 5.0, 21)
"""Every beta worth a look: at 5 a fifth of the range between the sides costs all relevance."""


@dataclass(frozen=True, slots=True)
class ContrastAlone:
    """S(d) = P(d)·(1 − min(1, β·contrast(d))), every mention counted; at beta 0 plain retrieval."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name with beta."""
        return spec_of("contrast", self.beta)

    @property
    def scorer(self) -> Contrast:
        """The score that a search takes."""
        return Contrast(beta=self.beta, spare_mentions=False)


@dataclass(frozen=True, slots=True)
class DefaultSearch:
    """What ``Searcher.search`` does by default, at this beta."""

    beta: float = DEFAULT_BETA

    @property
    def name(self) -> str:
        """Its name; with beta where that is not the default."""
        return "esens" if self.beta == DEFAULT_BETA else spec_of("esens", self.beta)

    @property
    def scorer(self) -> Relational:
        """The score that a search takes."""
        return Relational(beta=self.beta)
