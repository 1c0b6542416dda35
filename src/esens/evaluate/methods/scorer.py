"""Any score of a search as a method: what is measured is what is shipped."""

from dataclasses import dataclass

from esens.score.base import Scorer


@dataclass(frozen=True, slots=True)
class ScorerMethod:
    """Rank as a search with this scorer does."""

    scorer: Scorer

    @property
    def name(self) -> str:
        """The scorer with its parameters."""
        return repr(self.scorer)
