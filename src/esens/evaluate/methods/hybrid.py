"""Hybrid search: BM25 beside the vectors, as ``Searcher.search(hybrid=True)`` has it; see ``esens.score.hybrid``.

``hybrid`` and ``hybrid-rrf`` know of no exclusion: both legs search for the query as it is asked, which is what
vector databases offer. ``esens-hybrid`` and ``esens-hybrid-rrf`` are the default search with both legs.
"""

from dataclasses import dataclass
from typing import ClassVar

from esens.evaluate.methods.base import spec_of
from esens.index.words import word_library
from esens.score.base import Scorer
from esens.score.hybrid import Hybrid
from esens.search.options import scorer_of

_DEFAULT = Hybrid()


@dataclass(frozen=True, slots=True)
class PlainHybrid:
    """Words (BM25) and vectors of the whole query, fused by a weighted sum; the parameter is the words' share."""

    words: float = _DEFAULT.words
    spec: ClassVar[str] = "hybrid"
    fusion: ClassVar[str] = "weighted"
    beta: ClassVar[float | None] = 0.0

    @property
    def name(self) -> str:
        """Its name; with the share of the words where that is not the default."""
        return self.spec if self.words == _DEFAULT.words else spec_of(self.spec, self.words)

    @property
    def scorer(self) -> Scorer:
        """The score that a search takes."""
        return scorer_of(None, beta=self.beta)

    @property
    def hybrid(self) -> Hybrid:
        """How the legs are fused."""
        return Hybrid(fusion=self.fusion, words=self.words)

    @property
    def library(self) -> str:
        """What counts the words; asking for it says at once if it is not installed."""
        return word_library()


@dataclass(frozen=True, slots=True)
class PlainRankFusion(PlainHybrid):
    """Words (BM25) and vectors of the whole query, fused by their ranks."""

    spec: ClassVar[str] = "hybrid-rrf"
    fusion: ClassVar[str] = "rrf"


@dataclass(frozen=True, slots=True)
class ExclusionHybrid(PlainHybrid):
    """The default search over words and vectors; what is excluded counts whichever found a document."""

    spec: ClassVar[str] = "esens-hybrid"
    beta: ClassVar[float | None] = None


@dataclass(frozen=True, slots=True)
class ExclusionRankFusion(ExclusionHybrid):
    """The default search over words and vectors, fused by their ranks."""

    spec: ClassVar[str] = "esens-hybrid-rrf"
    fusion: ClassVar[str] = "rrf"
