"""Our score: relevance, less the share of it that a document loses for being about what is excluded.

    P(d) = α·s(d, query) + γ·s(d, target)
    c(d) = n(d, trap) − n(d, target) + ν·named(d, trap)
    a(d) = min(1, β·max(0, c(d)))
    S(d) = P(d)·(1 − a(d))

s is min-max normalised over the scored documents, as in the paper's score. n, the nearness, is so too, but reaches
from the least to the second greatest raw score: one document that says nothing but a name must not set the scale.
The contrast c compares the two sides instead of subtracting one: only a document nearer to the excluded side than
to the wanted side pays, and one that mentions the excluded thing in passing keeps its score to the last bit.
``named`` is how much of the excluded thing's name is in the document's own title or opening.

Where all scored documents are alike, the last of them is far behind without being far off. So nobody pays who is
not named for a trap, and whose cosine with it is clearly below that with the target.

What is lost is a share of the document's own relevance, and relevance goes from the least to the greatest there
is, so that β means much the same for every embedder and corpus. With several traps, the one with the greatest
contrast counts: the worst exclusion, not their sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import Vectors
from esens.score.base import (
    Losses,
    PlainScale,
    QueryTexts,
    RawScores,
    Readings,
    Scorer,
    ScoreRanges,
    Terms,
    TextVectors,
)
from esens.score.compose import compose
from esens.score.normalise import Array, Scores, min_max
from esens.score.parameters import check_wanted, checked_choice, checked_count, checked_share, checked_weight

_T = TypeVar("_T")

DEFAULT_ALPHA, DEFAULT_GAMMA = 0.75, 0.25
DEFAULT_BETA = 2.0
NAME_WEIGHT = 0.2
CLEARLY = 0.2
"""How far below the target's a cosine with the trap must be to say that a document is not about it."""
MODES = ("soft", "hard", "flag")
_WIDE = 80
"""Neighbours of query and of target: so many hold .98 of the best ten, see benchmarks/results/one_request.md."""
DEFAULT_THRESHOLD = 0.7
"""The lost share from which on a document counts as excluded; see benchmarks/results/contrast.md, "Threshold"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast(Scorer):
    """How much the query (alpha) and its target (gamma) count, and how steeply the contrast costs (beta).

    ``naming`` is ν, how much a name adds to the contrast.

    ``mode`` says what becomes of the excluded: "soft" pushes it down, "hard" leaves it out, "flag" ranks plainly
    and marks it. In the last two, documents that lose at least ``threshold`` of their relevance count as excluded.
    ``depth`` lets only so many neighbours of query and of target be found; with None an index in memory compares
    all documents, and an engine is asked for the 40 that are most relevant, or, in the last two modes and where
    others may score as high, for 80 of each. ``sentences`` is how many of the best documents are read again
    sentence by sentence. With ``spare_mentions``, a document that mentions the excluded in passing is embedded
    again without the mention, and does not pay for it: up to 100 texts a query, as a rule a few.
    """

    beta: float = DEFAULT_BETA
    alpha: float = DEFAULT_ALPHA
    gamma: float = DEFAULT_GAMMA
    naming: float = NAME_WEIGHT
    mode: str = "soft"
    threshold: float = DEFAULT_THRESHOLD
    depth: int | None = None
    sentences: int = 0
    spare_mentions: bool = True

    def __post_init__(self) -> None:
        for field in ("alpha", "gamma", "beta", "naming"):
            object.__setattr__(self, field, checked_weight(field, getattr(self, field)))
        check_wanted(self.alpha, self.gamma)
        checked_choice("mode", self.mode, MODES)
        object.__setattr__(self, "threshold", checked_share("threshold", self.threshold))
        if self.depth is not None:
            object.__setattr__(self, "depth", checked_count("depth", self.depth, least=1))
        object.__setattr__(self, "sentences", checked_count("sentences", self.sentences, least=0))

    @property
    def name(self) -> str:
        """It contrasts two sides."""
        return "contrast"

    @property
    def weight(self) -> float:
        """The relevance of a document that is the best by query and target."""
        return self.alpha + self.gamma

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:  # noqa: ARG002 - vectors alone count
        """Return the scale of query and target, as far as each counts."""
        return PlainScale.of(ranges, self.alpha, self.gamma)

    @property
    def reads_names(self) -> bool:
        """Whether names count."""
        return self.naming > 0

    @property
    def candidates(self) -> int:
        """So many of the most relevant hold the best ten of 98 queries in 100; see decision 20."""
        return _WIDE if self._is_wide else 40

    @property
    def seeks_traps(self) -> bool:
        """Documents are compared by how near to each trap the nearest are."""
        return True

    @property
    def is_monotone(self) -> bool:
        """Nearer to what is wanted is never worse."""
        return True

    @property
    def fit_depth(self) -> int | None:
        """It is the same for every query."""
        return 0

    @property
    def distinct_traps(self) -> bool:
        """A trap is compared without what it repeats of the target: that part says nothing about the sides."""
        return True

    def texts(self, query: str, target: str, traps: Sequence[str]) -> QueryTexts:
        """Return the query, the target and the traps; at beta 0 the query alone."""
        return QueryTexts(query) if self.beta == 0 else QueryTexts(query, target, tuple(traps))

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        """Return the vector whose neighbours are the most relevant; where more than these is wanted, the texts."""
        if self._is_wide:
            return np.stack([vectors.query, _wanted(vectors.target)]).astype(np.float32)
        wanted, over = vectors._replace(traps=vectors.traps[:0]), ranges._replace(traps=())
        return compose(0.0, self.alpha, self.gamma, vectors=wanted, ranges=over)

    @property
    def wide(self) -> "Contrast":
        """By query and target: where much is excluded, one of them has what is not."""
        return self if self._is_wide else replace(self, depth=_WIDE)

    def ceiling(self, ends: RawScores, ranges: ScoreRanges) -> float:
        """Return the relevance of the most relevant's last: who is behind it has less, and a trap only costs."""
        return float(Contrast._relevance(self, ends, ranges)[0]) if ends.query.size == 1 else -np.inf

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return P and what is lost of it; without ``readings`` the losses are lower bounds."""
        relevance = Contrast._relevance(self, raw, ranges)
        near = nearness(raw, ranges)
        sides = near.traps - near.target
        margin = CLEARLY if raw.lengths is None else CLEARLY * raw.lengths
        may_pay = raw.traps > _wanted(raw.target) - margin
        if readings is not None and self.reads_names:
            sides += self.naming * readings.names
            may_pay |= readings.names > 0
        sides = raw.weigh(np.where(may_pay, sides, np.minimum(sides, 0.0)))
        share = np.clip(self.beta * sides.max(axis=0), 0.0, 1.0)
        return Terms(relevance, relevance * share, sides, share)

    def losses(self, raw: RawScores, ranges: ScoreRanges, readings: Readings) -> Losses | None:
        """Return what the contrast costs at any beta."""
        sides = Contrast.terms(self, raw, ranges, readings).sides
        return Losses(np.zeros((len(sides), 1)), sides, np.ones((len(sides), 1)))

    @property
    def _is_wide(self) -> bool:
        """Whether more is wanted of an engine than the best: how plain retrieval ranks, or so many candidates."""
        return self.mode != "soft" or self.depth is not None

    def _relevance(self, raw: RawScores, ranges: ScoreRanges) -> Scores:
        by_target = min_max(_wanted(raw.target), _wanted(ranges.target))
        return self.alpha * min_max(raw.query, ranges.query) + self.gamma * by_target


class Nearness(NamedTuple):
    """The two sides: 0 for the least similar of the scored documents, 1 for the second most; a row a trap."""

    target: Scores
    traps: Scores


def nearness(raw: RawScores, ranges: ScoreRanges) -> Nearness:
    """Return both sides of each document."""
    traps = [min_max(trap, _side(over)) for trap, over in zip(raw.traps, ranges.traps, strict=True)]
    return Nearness(min_max(_wanted(raw.target), _side(_wanted(ranges.target))), np.stack(traps))


class BestSentences(NamedTuple):
    """The raw scores of a document's best sentences: the nearest to the query, and the nearest to the target."""

    query: Array
    target: Array


def with_sentences(terms: Terms, best: BestSentences, weight: float, ranges: ScoreRanges) -> Terms:
    """Return the terms with half of the relevance taken from the best sentences.

    Sentences speak for a document and not against it: each is compared with what is wanted, never with a trap.
    They are normalised by the ranges of the documents, and may lie beyond them.
    """
    by_sentences = min_max(best.query, ranges.query) + min_max(best.target, ranges.target)
    relevance = np.maximum(0.0, 0.5 * (terms.relevance + 0.5 * weight * by_sentences))
    share = np.zeros(len(relevance)) if terms.penalty_share is None else terms.penalty_share
    return terms._replace(relevance=relevance, penalty=relevance * share)


def _side(over: ScoreRange) -> ScoreRange:
    """Return the range of a side: up to the second greatest raw score, if that says more than the least."""
    return over._replace(high=over.second) if over.second > over.low else over


def _wanted(value: _T | None) -> _T:
    """Return what belongs to the target, which this score never goes without."""
    assert value is not None  # noqa: S101 - texts() asks for it
    return value
