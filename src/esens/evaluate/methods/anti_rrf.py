"""Anti-RRF: rank fusion (Cormack et al., 2009) in which the ranking of a trap counts against a document.

S(d) = 1/(k + rank(d, query)) − Σ 1/(k + rank(d, trap)). The E-SENS paper considered such a variant and gives no
formula; this is the plain reading. Fusion is a sum over rankings, so that of every trap is subtracted.
"""

from dataclasses import dataclass

import numpy as np

from esens.evaluate.methods.base import FUSION_K, SplitScores, reciprocal_ranks, spec_of
from esens.score.normalise import Scores


@dataclass(frozen=True, slots=True)
class AntiReciprocalRankFusion:
    """Rank fusion in which the ranking by what is excluded counts against a document."""

    k: float = FUSION_K

    @property
    def name(self) -> str:
        """Its name with k."""
        return spec_of("anti-rrf", self.k)

    def scores(self, raw: SplitScores) -> Scores:
        """Return the difference of the reciprocal ranks."""
        against = np.sum([reciprocal_ranks(trap, self.k) for trap in raw.traps], axis=0)
        return reciprocal_ranks(raw.query, self.k) - np.asarray(against, np.float64)
