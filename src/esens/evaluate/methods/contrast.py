"""Our own score: relevance, less the share of it that a document loses for being about what is excluded.

See ``esens.score.contrast``. Unlike the others here it compares the two sides, and reads what a document is named
for. ``esens`` is what a search does unless it is told otherwise: much the same where a subject is excluded; and
where a property is, what documents say of it (``esens.score.relational``).
``esens-hard`` is that with the mode "hard": what is excluded is left out.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import spec_of
from esens.score.base import Scorer
from esens.score.contrast import DEFAULT_BETA, Contrast
from esens.search.options import scorer_of

CONTRAST_GRID = np.linspace(0.0, 5.0, 21)
"""Every beta worth a look: at 5 a fifth of the range between the sides costs all relevance."""
CURVE_GRID = np.array([0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5])
"""Enough of them to draw a line: each costs a search for every query."""


@dataclass(frozen=True, slots=True)
class ContrastAlone:
    """Relevance minus what a document loses, by β, for being nearer to what is excluded than to what is wanted.

    S(d) = P(d)·(1 − min(1, β·contrast(d))), every mention counted; at beta 0 plain retrieval.
    """

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
    """The default search: subjects cost by contrast, properties by what a document's text says of them."""

    beta: float | None = None

    @property
    def name(self) -> str:
        """Its name; with beta where that is not the default."""
        return _name("esens", self.scorer, self.beta, default=scorer_of(None))

    @property
    def scorer(self) -> Scorer:
        """The score that a search takes."""
        return scorer_of(None, beta=self.beta)


@dataclass(frozen=True, slots=True)
class HardSearch:
    """The default search in the mode "hard": what is excluded is not among the results."""

    beta: float | None = None

    @property
    def name(self) -> str:
        """Its name; with beta where that is not the default."""
        return _name("esens-hard", self.scorer, self.beta, default=scorer_of(None, mode="hard"))

    @property
    def scorer(self) -> Scorer:
        """The score that a search takes."""
        return scorer_of(None, beta=self.beta, mode="hard")


def _name(name: str, scorer: Scorer, beta: float | None, *, default: Scorer) -> str:
    return name if beta is None or scorer == default else spec_of(name, beta)
