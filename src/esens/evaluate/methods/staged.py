"""The default search with a second stage: a verifier, a relevance model, or both, as ``Searcher`` takes them."""

from dataclasses import dataclass, field

from esens.score.base import Scorer
from esens.search.options import scorer_of
from esens.search.second_stage import SecondStage


@dataclass(frozen=True, slots=True)
class StagedSearch:
    """The default search, whose first candidates these models read."""

    stage: SecondStage
    notes: list[str] = field(default_factory=list, compare=False)
    """What a search said of models that failed, a note a query."""

    @property
    def name(self) -> str:
        """The name of the default search, and the models."""
        return f"esens{self.stage.name}"

    @property
    def scorer(self) -> Scorer:
        """The score that a search takes."""
        return scorer_of(None)
