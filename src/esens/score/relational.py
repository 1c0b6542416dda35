"""The default score: each exclusion costs by how documents stand to it.

Where it is the subject of other documents ("excluding Dayton International Airport"), they pay by the contrast of
their two sides, and one that mentions it keeps its score: see ``esens.score.contrast``. Where it is a property of
documents that are otherwise wanted ("pasta without mushrooms"), a document near to both sides is the very one to
pay, so the contrast is of no use. There

    P(d) = s(d, target)                          the query's own vector still has the excluded words in it
    a(d) = 1 where the text affirms the thing, 0 where it denies or only mentions it, else the residual of d
    S(d) = P(d)·(1 − a(d))

and a document that says that it lacks the thing is as relevant as by the whole query, and a little more, where
that is more: it has the words of the query because it answers it. Of several exclusions the one that costs most
counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from esens.arrays.rank import top_k
from esens.score.base import FittedScorer, Flags, RawScores, Readings, ScoreRanges, Terms
from esens.score.contrast import Contrast
from esens.score.normalise import Array, Scores, min_max
from esens.score.parameters import checked_share
from esens.score.residual import FEWEST, MOST, NEIGHBOURHOOD, ResidualFit, fit_residual, residual_share

_QUARTER = 4
"""Of few documents, only so many are the most relevant: the rest is of other sorts, and would set the norm."""
_DENIAL_GAIN, _MOST_GAIN = 0.2, 0.05
"""What a document that denies the thing gains on its similarity to the whole query; near the top, less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relational(Contrast):
    """The parameters of :class:`~esens.score.contrast.Contrast`, some with other defaults, and one of its own.

    Query and target count alike. ``query_share`` is how much of the relevance comes from the query's own words
    where a property is excluded; the excluded words are among them. Mentions in passing are not embedded again:
    where they would cost, what the text says of the thing is read anyway.
    """

    alpha: float = 0.5
    gamma: float = 0.5
    spare_mentions: bool = False
    query_share: float = 0.0

    def __post_init__(self) -> None:
        Contrast.__post_init__(self)
        object.__setattr__(self, "query_share", checked_share("query_share", self.query_share, may_be_zero=True))

    @property
    def name(self) -> str:
        """It goes by relations."""
        return "relational"

    @property
    def reads_statements(self) -> bool:
        """What documents say counts."""
        return True

    def fit(self, raw: RawScores, has: Sequence[bool]) -> "FittedRelational":
        """Return the score for one query, given which of its traps are properties."""
        fits = [_fit(raw, row) if is_property else None for row, is_property in enumerate(has)]
        first = raw.query[top_k(raw.query, NEIGHBOURHOOD)]
        return FittedRelational(self, tuple(fits), float(first.min()) if first.size else np.inf)


@dataclass(frozen=True, slots=True)
class FittedRelational(FittedScorer):
    """The score of one query.

    ``fits`` has the fit of the residual for each trap that is a property, and None for the others. ``first`` is
    the least raw score of those that are first in plain retrieval: only there a denial is worth anything by
    itself, so that not every document must be read.
    """

    scorer: Relational
    fits: tuple[ResidualFit | None, ...]
    first: float

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return P and what is lost of it; without ``readings`` the text of every document is silent."""
        contrast = Contrast.terms(self.scorer, raw, ranges, readings)
        shares = np.stack(
            [
                self._subject_share(contrast.sides[row], raw.weight_of(row), readings, row)
                if fit is None
                else self._property_share(raw, fit, readings, row)
                for row, fit in enumerate(self.fits)
            ]
        )
        share = shares.max(axis=0)
        relevance = self._relevance(raw, ranges, readings) if any(self.fits) else contrast.relevance
        return Terms(relevance, relevance * share, shares, share)

    def most(self, raw: RawScores, ranges: ScoreRanges) -> Scores | None:
        """Return what documents score at most, whatever they say; None where no trap is a property."""
        return np.maximum(*self._relevances(raw, ranges)) if any(self.fits) else None

    def _subject_share(self, side: Scores, weight: float, readings: Readings | None, row: int) -> Scores:
        """Return what the contrast costs; its weight where the thing is the title, 0 where it is unlike."""
        share = np.clip(self.scorer.beta * side, 0.0, 1.0)
        if readings is None:
            return share
        return np.where(readings.subjects[row], weight, np.where(readings.unlike[row], 0.0, share))

    def _property_share(self, raw: RawScores, fit: ResidualFit, readings: Readings | None, row: int) -> Scores:
        """Return what the text costs, and where it is silent the residual."""
        most = 1.0 if row in raw.examples else MOST
        share = residual_share(cast("Array", raw.target), raw.traps[row], fit, self.scorer.beta, most)
        if readings is not None:
            share = np.where(readings.affirmed[row], 1.0, np.where(_is_spared(readings, row), 0.0, share))
        return share * raw.weight_of(row)

    def _relevance(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None) -> Scores:
        wanted, denying = self._relevances(raw, ranges)
        if readings is None:
            return wanted
        denies = np.any([readings.denied[row] for row, fit in enumerate(self.fits) if fit is not None], axis=0)
        return np.where(denies, np.maximum(wanted, denying), wanted)

    def _relevances(self, raw: RawScores, ranges: ScoreRanges) -> tuple[Scores, Scores]:
        """Return the relevance of documents, and of those that deny the thing."""
        by_query = self.scorer.weight * min_max(raw.query, ranges.query)
        by_target = self.scorer.weight * min_max(cast("Array", raw.target), ranges.target)
        share = self.scorer.query_share
        gained = np.minimum((1 + _DENIAL_GAIN) * by_query, self.scorer.weight + _MOST_GAIN * by_query)
        denying = np.where(raw.query >= self.first, gained, 0.0)
        return share * by_query + (1 - share) * by_target, denying


def _fit(raw: RawScores, row: int) -> ResidualFit:
    """Return the fit of one trap over the most relevant documents."""
    target, trap, fewest = cast("Array", raw.target), raw.traps[row], 0
    if row in raw.examples and trap.size:  # it is near to itself, which says nothing of the others
        fewest, itself = FEWEST, int(trap.argmax())
        target, trap = np.delete(target, itself), np.delete(trap, itself)
    most = NEIGHBOURHOOD if raw.is_part else max(fewest, target.size // _QUARTER)
    near = top_k(target, min(NEIGHBOURHOOD, most))
    return fit_residual(target[near], trap[near])


def _is_spared(readings: Readings, row: int) -> Flags:
    """Return which documents name the thing and do not have it: near to it by that word alone."""
    return np.asarray(readings.denied[row] | readings.mentioned[row], np.bool_)
