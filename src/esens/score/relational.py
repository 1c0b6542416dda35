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

In both, the words of what is wanted count beside vectors, where documents were read for them (the nearest are):

    P(d) becomes (1 − w)·P(d) + w·c(d)           c is the share of the target's words that the text has

Who says that it lacks the thing loses nothing by that: its c is 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from esens.arrays.rank import top_k
from esens.score.base import FittedScorer, Flags, Losses, PlainScale, RawScores, Readings, ScoreRanges, Terms
from esens.score.contrast import Contrast
from esens.score.normalise import Array, Scores, min_max
from esens.score.parameters import checked_share
from esens.score.residual import FEWEST, NEIGHBOURHOOD, ResidualFit, fit_residual, residual_slope

_QUARTER = 4
"""Of few documents, only so many are the most relevant: the rest is of other sorts, and would set the norm."""
_DENIAL_GAIN, _LEAST_GAIN = 0.2, 0.05
"""What a document that denies the thing gains on its similarity to the whole query; near the top, less."""
MOST_BY_VECTOR = 0.98
"""What a document loses at most for being near to an excluded subject that it is not named for. So those that lose
most stand by their relevance, and before those that are named for it; in a small set they are the first, too."""
_KEPT = 1_000
"""Of so many first places of plain retrieval, a document that denies the thing keeps its own."""
_NO_TERMS = Terms(np.zeros(0), np.zeros(0), np.zeros((0, 0)))
_MOST_BY_DENIAL = 1.5
"""Who is so much nearer to the query than to the target is so by the words of the denial, and gains the least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relational(Contrast):
    """The parameters of :class:`~esens.score.contrast.Contrast`, some with other defaults, and one of its own.

    Query and target count alike. ``query_share`` is how much of the relevance comes from the query's own words
    where a property is excluded; the excluded words are among them. Mentions in passing are not embedded again:
    where they would cost, what the text says of the thing is read anyway. ``words`` is w, how much of the
    relevance comes from the words of what is wanted in the text of the 50 documents nearest to it.
    """

    alpha: float = 0.5
    gamma: float = 0.5
    spare_mentions: bool = False
    query_share: float = 0.0
    words: float = 0.2

    def __post_init__(self) -> None:
        Contrast.__post_init__(self)
        for field in ("query_share", "words"):
            object.__setattr__(self, field, checked_share(field, getattr(self, field), may_be_zero=True))

    @property
    def name(self) -> str:
        """It goes by relations."""
        return "relational"

    @property
    def candidates(self) -> int:
        """As many as count for the residual and for who denies the thing."""
        return NEIGHBOURHOOD

    @property
    def seeks_traps(self) -> bool:
        """It is left out: where a property is excluded it tells nothing, and else little."""
        return False

    @property
    def reads_statements(self) -> bool:
        """What documents say counts."""
        return True

    @property
    def reads_wanted(self) -> int:
        """Of those that are most relevant, the words count."""
        return NEIGHBOURHOOD if self.words > 0 else 0

    @property
    def fit_depth(self) -> int | None:
        """Those that are most relevant, and one more in the place of an example that is among them.

        The places of plain retrieval reach farther; behind the known ones nobody scores more than who is there.
        """
        return NEIGHBOURHOOD + 1 if self.query_share == 0 else None

    @property
    def _is_wide(self) -> bool:
        """Always: what counts beside relevance is counted among the neighbours of query and target."""
        return True

    def fit(self, raw: RawScores, has: Sequence[bool]) -> "FittedRelational":
        """Return the score for one query, given which of its traps are properties."""
        fits = [_fit(raw, row) if is_property else None for row, is_property in enumerate(has)]
        return FittedRelational(self, tuple(fits), _Places.of(raw) if any(has) else None)


class _Places(NamedTuple):
    """The first places of plain retrieval, and the documents that have them once the target is asked for."""

    query: Array
    """The raw scores of plain retrieval's first documents with the query, the least first."""
    nearest: RawScores
    """As many documents, the nearest to what is wanted."""
    gains_from: float
    """The least raw score with the query from which on a denial gains: so few places, that few must be read."""

    @classmethod
    def of(cls, raw: RawScores) -> "_Places":
        query = np.sort(raw.query[top_k(raw.query, _KEPT)])
        nearest = raw.at(top_k(cast("Array", raw.target), _KEPT))
        return cls(query, nearest, float(query[-_near(raw, FEWEST) :].min(initial=np.inf)))

    def relevance(self, query: Array, nearest: Scores) -> Scores:
        """Return, of documents with these raw scores, the relevance of who now has their place; 0 of the rest."""
        by_place = np.append(0.0, np.sort(nearest))
        return np.asarray(by_place[np.searchsorted(self.query, query, side="right")], np.float64)


@dataclass(frozen=True, slots=True)
class FittedRelational(FittedScorer):
    """The score of one query.

    ``fits`` has the fit of the residual for each trap that is a property, and None for the others; ``places`` is
    there where one is.
    """

    scorer: Relational
    fits: tuple[ResidualFit | None, ...]
    places: _Places | None

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return P and what is lost of it; without ``readings`` the text of every document is silent."""
        contrast = self._contrast(raw, ranges, readings)
        shares = self._losses(raw, contrast.sides, readings).shares(self.scorer.beta)
        share = shares.max(axis=0)
        if any(self.fits):
            relevance = self._relevance(raw, ranges, readings)
        else:
            relevance = self._with_words(contrast.relevance, raw.coverage)
        return Terms(relevance, relevance * share, shares, share)

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:
        """Return the scale of what relevance is measured by.

        Few texts have all the words of what is wanted, so that words would make scores smaller. They do not: on
        this scale the most relevant document stands where the vectors alone put the most relevant.
        """
        scale = PlainScale.of(ranges, *self._weights)
        if raw.coverage is None or not raw.coverage.size:
            return scale
        by_vectors = self._by_vectors(raw, ranges)
        greatest = self._with_words(by_vectors, raw.coverage).max()
        return scale._replace(unit=scale.unit * by_vectors.max() / greatest) if greatest > 0 else scale

    def most(self, raw: RawScores, ranges: ScoreRanges) -> Scores | None:
        """Return what documents score at most, whatever they say; None where no trap is a property."""
        if not any(self.fits):
            return None
        return np.maximum(self._wanted(raw, ranges), self._denying(raw, ranges))

    def losses(self, raw: RawScores, ranges: ScoreRanges, readings: Readings) -> Losses | None:
        """Return what documents lose at any beta: their relevance does not depend on it."""
        return self._losses(raw, self._contrast(raw, ranges, readings).sides, readings)

    def _contrast(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None) -> Terms:
        """Return the terms of the contrast; where every trap is a property nobody asks for them."""
        if all(self.fits):
            return _NO_TERMS
        return Contrast.terms(self.scorer, raw, ranges, readings)

    def _losses(self, raw: RawScores, sides: Scores, readings: Readings | None) -> Losses:
        rows = [
            _subject_loss(sides[row], raw.weight_of(row), readings, row)
            if fit is None
            else _property_loss(raw, fit, readings, row)
            for row, fit in enumerate(self.fits)
        ]
        return Losses(*map(_stacked, zip(*rows, strict=True)))

    def _relevance(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None) -> Scores:
        wanted = self._wanted(raw, ranges)
        if readings is None:
            return wanted
        denies = np.any([readings.denied[row] for row, fit in enumerate(self.fits) if fit is not None], axis=0)
        return np.where(denies, np.maximum(wanted, self._denying(raw, ranges)), wanted) if denies.any() else wanted

    def _wanted(self, raw: RawScores, ranges: ScoreRanges) -> Scores:
        """Return the relevance of documents."""
        return self._with_words(self._by_vectors(raw, ranges), raw.coverage)

    def _denying(self, raw: RawScores, ranges: ScoreRanges) -> Scores:
        """Return the relevance of documents that deny the thing, where it is more.

        Among the first of plain retrieval they gain; farther behind they are at least as relevant as who now has
        the place that they had there, which holds for cosines that lie close together as well.
        """
        places = cast("_Places", self.places)
        by_vectors, by_query = self._by_vectors(raw, ranges), self.scorer.weight * min_max(raw.query, ranges.query)
        gained = np.minimum((1 + _DENIAL_GAIN) * by_query, self.scorer.weight + _LEAST_GAIN * by_query)
        gained = np.maximum((1 + _LEAST_GAIN) * by_query, np.minimum(gained, _MOST_BY_DENIAL * by_vectors))
        gained = np.where(raw.query >= places.gains_from, self._with_words(gained, _whole(raw.coverage)), 0.0)
        kept = places.relevance(raw.query, self._wanted(places.nearest, ranges))
        return np.maximum(gained, np.minimum(kept, _MOST_BY_DENIAL * self._wanted(raw, ranges)))

    def _by_vectors(self, raw: RawScores, ranges: ScoreRanges) -> Scores:
        """Return the relevance by vectors alone."""
        alpha, gamma = self._weights
        return alpha * min_max(raw.query, ranges.query) + gamma * min_max(cast("Array", raw.target), ranges.target)

    @property
    def _weights(self) -> tuple[float, float]:
        """How much query and target count: where a property is excluded, its words are in the query's vector."""
        scorer = self.scorer
        if not any(self.fits):
            return scorer.alpha, scorer.gamma
        return scorer.weight * scorer.query_share, scorer.weight * (1 - scorer.query_share)

    def _with_words(self, relevance: Scores, coverage: Array | None) -> Scores:
        """Return relevance with its share from words, where documents were read for them."""
        if coverage is None:
            return relevance
        share = self.scorer.words
        return np.asarray((1 - share) * relevance + share * self.scorer.weight * coverage, np.float64)


_Loss = tuple[Scores | float, Scores, Scores | float]
"""A row of losses: what is fixed, the slope, and the most that it costs."""


def _stacked(rows: Sequence[Scores | float]) -> Scores:
    """Return a row a trap; as a rule there is one."""
    first, *others = map(np.atleast_1d, rows)
    return np.stack(np.broadcast_arrays(first, *others)) if others else first[None]


def _subject_loss(side: Scores, weight: float, readings: Readings | None, row: int) -> _Loss:
    """Return what the contrast costs; its weight where the thing is the title, 0 where it is unlike."""
    most = weight * MOST_BY_VECTOR
    if readings is None:
        return 0.0, side, most
    is_settled = readings.subjects[row] | readings.unlike[row]
    return np.where(readings.subjects[row], weight, 0.0), np.where(is_settled, 0.0, side), most


def _property_loss(raw: RawScores, fit: ResidualFit, readings: Readings | None, row: int) -> _Loss:
    """Return what the text costs, and where it is silent the residual."""
    itself = None if row not in raw.examples else 1.0 if raw.lengths is None else raw.lengths
    slope, most = residual_slope(cast("Array", raw.target), raw.traps[row], fit, itself)
    weight = raw.weight_of(row)
    if readings is None:
        return 0.0, weight * slope, weight * most
    is_settled = readings.affirmed[row] | _is_spared(readings, row)
    return np.where(readings.affirmed[row], weight, 0.0), np.where(is_settled, 0.0, weight * slope), weight * most


def _fit(raw: RawScores, row: int) -> ResidualFit:
    """Return the fit of one trap over the most relevant documents."""
    target, trap, fewest = cast("Array", raw.target), raw.traps[row], 0
    if row in raw.examples and trap.size:  # it is near to itself, which says nothing of the others
        fewest, itself = FEWEST, int(trap.argmax())
        target, trap = np.delete(target, itself), np.delete(trap, itself)
    near = top_k(target, _near(raw, fewest))
    return fit_residual(target[near], trap[near])


def _near(raw: RawScores, fewest: int) -> int:
    """Return how many documents are the most relevant."""
    return NEIGHBOURHOOD if raw.is_part else min(NEIGHBOURHOOD, max(fewest, raw.query.size // _QUARTER))


def _whole(coverage: Array | None) -> Array | None:
    """Return the coverage of documents that say all that is wanted."""
    return None if coverage is None else np.ones(coverage.shape)


def _is_spared(readings: Readings, row: int) -> Flags:
    """Return which documents name the thing and do not have it: near to it by that word alone."""
    return np.asarray(readings.denied[row] | readings.mentioned[row], np.bool_)
