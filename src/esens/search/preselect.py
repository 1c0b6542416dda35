"""The few candidates that can be among the best, told by rounded vectors; only these are compared exactly.

A rounded raw score is off by no more than a bound that is known. So the nearest by rounded vectors, and whatever
may have the least or the greatest raw score of a text, are compared by the vectors themselves; of all others it is
known how near they are at most. Where that may be near enough, the best are sought among all documents instead.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from esens.arrays.quantized import RoughScores, may_be_ends
from esens.arrays.rank import Positions, least_of_best
from esens.index.base import Scan
from esens.score.base import RawScores, ScoreRanges
from esens.score.normalise import Array, Scores
from esens.search.assess import REMOVED_SHOWN
from esens.search.candidates import Beyond, CandidateSet, DocumentReader
from esens.search.evidence import SIGNS_READ
from esens.search.plan import QueryPlan
from esens.search.shortlist import farthest, listed

_WORTH_IT = 8
"""How many times as many documents there must be as candidates."""
_FEW = 16
"""So many documents are ranked by looking closely around each; more, by looking at all between first and last."""


def is_preselectable(plan: QueryPlan) -> bool:
    """Return whether few candidates tell the best: not where words find documents, nor where more are shown."""
    scorer = plan.scorer
    if plan.hybrid is not None or plan.candidates:
        return False
    if plan.is_plain:
        return True
    return scorer.is_monotone and scorer.depth is None and scorer.fit_depth is not None


def preselected(plan: QueryPlan, scanned: Scan) -> CandidateSet | None:
    """Return the candidates; None where no rounded vectors are kept, or these would be too many or too few."""
    rough, first = scanned.rough, listed(max(plan.k, plan.scorer.sentences))
    if rough is None:
        return None
    is_chosen = np.logical_or.reduce([may_be_ends(*each) for each in zip(*rough, strict=True)])
    if _WORTH_IT * (first + np.count_nonzero(is_chosen)) > is_chosen.size:
        return None
    by, errors = _orders(plan, scanned, rough, np.flatnonzero(is_chosen))
    bounds = [least_of_best(scores, first) for scores in by]
    for scores, bound in zip(by, bounds, strict=True):
        is_chosen |= scores >= bound
    columns = np.flatnonzero(is_chosen)
    raw = _raw_of(plan, scanned, columns)
    ranges = raw.ranges()
    beyond = _beyond(plan, raw, ranges, [bound + error for bound, error in zip(bounds, errors, strict=True)])
    if beyond.depth < _looked_at(plan):
        return None
    return CandidateSet(
        raw,
        ranges,
        DocumentReader(lambda positions: scanned.lookup(columns[list(positions)].tolist())),
        folds_passages=scanned.has_passages,
        beyond=beyond,
        rank_plainly=partial(_ranks, scanned, rough),
    )


def _raw_of(plan: QueryPlan, scanned: Scan, columns: Positions) -> RawScores:
    """Return the exact raw scores of some documents."""
    return RawScores.of(plan.texts, scanned.compare(scanned.vectors, columns))._replace(is_part=True)


def _orders(
    plan: QueryPlan, scanned: Scan, rough: RoughScores, ends: Positions
) -> tuple[Sequence[Array], Sequence[float]]:
    """Return by what the first are chosen, and how far below the truth each of these can be.

    That is nearness to query and target. Where the score is linear, a trap takes from what is near to these, too;
    there it is what each document scores at most.
    """
    if plan.scorer.is_linear and not plan.is_plain:
        return [_most(plan, rough, _raw_of(plan, scanned, ends).ranges())], [0.0]
    wanted = 1 if plan.texts.target is None else 2
    return [*rough.raw[:wanted]], rough.errors[:wanted].tolist()


def _most(plan: QueryPlan, rough: RoughScores, ranges: ScoreRanges) -> Scores:
    """Return what documents score at most: as near to what is wanted as they may be, and as far from the traps."""
    shifts = rough.errors.copy()
    shifts[len(shifts) - len(plan.texts.traps) :] *= -1
    return plan.scorer.terms(RawScores.of(plan.texts, rough.raw + shifts[:, None]), ranges).score


def _beyond(plan: QueryPlan, raw: RawScores, ranges: ScoreRanges, most: Sequence[float]) -> Beyond:
    """Return what is known of all others, given what none of them reaches."""
    if plan.is_plain:
        return Beyond(nearest=most[0])
    if plan.scorer.is_linear:
        return Beyond(ceiling=most[0])
    query, *target = (float(np.nextafter(np.float32(bound), np.float32(np.inf))) for bound in most)
    near = [np.count_nonzero(raw.query > query)]
    near += [np.count_nonzero(raw.target > bound) for bound in target if raw.target is not None]
    return Beyond(int(min(near)), farthest(raw, ranges, query, *target), nearest=query)


def _looked_at(plan: QueryPlan) -> int:
    """Return of how many of the nearest documents a score wants to know more, or a user."""
    if plan.is_plain or plan.scorer.is_linear:
        return 0
    removed = max(plan.k, REMOVED_SHOWN) if plan.scorer.mode == "hard" else 0
    return max(SIGNS_READ, plan.scorer.reads_wanted, plan.scorer.fit_depth or 0, removed)


def _ranks(scanned: Scan, rough: RoughScores, scores: Array) -> list[int]:
    """Return the ranks of documents with these raw scores in plain retrieval; only who is close is compared."""
    if not scores.size:
        return []
    raw, error = rough.raw[0], rough.errors[0]
    columns = np.flatnonzero(raw >= scores.min() - error)
    rivals = raw[columns]
    if scores.size <= _FEW:
        is_close = np.logical_or.reduce([np.abs(rivals - score) <= error for score in scores])
    else:
        is_close = rivals <= scores.max() + error
    rivals[is_close] = scanned.compare(scanned.vectors[:1], columns[is_close])[0]
    rivals.sort()
    ranks: list[int] = (1 + rivals.size - np.searchsorted(rivals, scores, side="right")).tolist()
    return ranks
