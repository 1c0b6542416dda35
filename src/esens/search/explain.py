"""A ranking becomes hits, each with its reasons, on the scale of plain retrieval.

A score is a share of what relevance reaches at most, so it is mapped to where a document with that share would
stand in plain retrieval of the same query: low + share · (high − low) of the query's raw scores. Where nothing is
excluded that is the raw score itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from esens.arrays.rank import Positions, ranks_of
from esens.score.base import ScoreRanges
from esens.score.contrast import nearness
from esens.search.candidates import CandidateSet
from esens.search.options import parameters_of
from esens.search.passages import as_documents
from esens.search.plan import QueryPlan
from esens.search.rank import Assessment, Ranking
from esens.types import LIKE, Evidence, Exclusion, Explanation, Hit, Results, Scoring


class PlainScale(NamedTuple):
    """Where plain retrieval of the query begins, and what a unit of relevance is worth there."""

    low: float
    unit: float

    @classmethod
    def of(cls, ranges: ScoreRanges, weight: float) -> "PlainScale":
        """Return the scale of a query, for a score whose relevance reaches up to ``weight``."""
        return cls(ranges.query.low, ranges.query.width / weight)


def plain_results(plan: QueryPlan, candidates: CandidateSet, best: Positions, *, note: str = "") -> Results:
    """Return the nearest documents as results."""
    scores = candidates.raw.query[best]
    ranks = ranks_of(np.arange(len(scores)), scores)
    before = candidates.plain_ranks(best)  # those of passages, where documents were split
    rows = zip(candidates.documents.at(best), scores.tolist(), before, ranks.tolist(), strict=True)
    hits = [
        Hit(document, score, Explanation(score, 0.0, rank_before, rank, score))
        for document, score, rank_before, rank in rows
    ]
    return _results(plan, candidates, hits, note=note)


def ranked_results(plan: QueryPlan, candidates: CandidateSet, ranking: Ranking, *, note: str = "") -> Results:
    """Return the best documents as results, and what was left out."""
    ranks = ranks_of(np.arange(len(ranking.scores)), ranking.scores)
    explain = _as_plain if plan.scorer.mode == "flag" else _as_scored
    hits = explain(plan, candidates, ranking.best, ranks)
    removed: list[Hit] = []
    if ranking.removed is not None:
        ranks = ranks_of(ranking.removed.positions, candidates.raw.query)
        removed = _as_plain(plan, candidates, ranking.removed, ranks)
    return _results(plan, candidates, hits, removed, note)


def _results(
    plan: QueryPlan, candidates: CandidateSet, hits: list[Hit], removed: Sequence[Hit] = (), note: str = ""
) -> Results:
    scoring = Scoring(plan.scorer.name, parameters_of(plan.scorer), plan.is_plain)
    by_document, removed_by_document = as_documents(candidates, hits, removed)
    return Results(plan.query, plan.decomposition, by_document, scoring, removed_by_document, note)


def _as_scored(plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, ranks: Positions) -> list[Hit]:
    """Return judged documents as hits."""
    scale = PlainScale.of(candidates.ranges, plan.scorer.weight)
    reasons = _explanations(plan, candidates, assessment, ranks)
    columns = zip(
        assessment.documents,
        assessment.terms.score,
        assessment.terms.relevance,
        assessment.terms.penalty,
        reasons,
        strict=True,
    )
    return [
        Hit(
            document,
            scale.low + scale.unit * float(score),
            replace(why, relevance=scale.low + scale.unit * float(relevance), penalty=scale.unit * float(penalty)),
        )
        for document, score, relevance, penalty, why in columns
    ]


def _as_plain(plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, ranks: Positions) -> list[Hit]:
    """Return judged documents as plain retrieval scores them, marked where they are excluded."""
    threshold = plan.scorer.threshold
    return [
        Hit(
            document,
            why.query_similarity,
            replace(why, is_excluded=why.penalty_share is not None and why.penalty_share >= threshold),
        )
        for document, why in zip(
            assessment.documents, _explanations(plan, candidates, assessment, ranks), strict=True
        )
    ]


def _explanations(
    plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, ranks: Positions
) -> list[Explanation]:
    """Return all reasons, with the plain similarity for the relevance, and no penalty."""
    before, similarity = candidates.plain_ranks(assessment.positions), assessment.raw.query.tolist()
    plain = [
        Explanation(near, 0.0, rank_before, rank_after, near)
        for near, rank_before, rank_after in zip(similarity, before, ranks.tolist(), strict=True)
    ]
    if not len(assessment.raw.traps):
        return plain
    traps, share = assessment.terms.trap.tolist(), assessment.terms.penalty_share
    exclusions, raw = plan.decomposition.exclusions, assessment.raw.traps
    reasons = [
        replace(
            why,
            trap=exclusions[trap].text,
            relation=_relation(exclusions[trap], is_property=assessment.has[trap]),
            trap_similarity=float(raw[trap, at]),
        )
        for at, (why, trap) in enumerate(zip(plain, traps, strict=True))
    ]
    if share is None or assessment.raw.target is None:
        return reasons
    near = nearness(assessment.raw, candidates.ranges)
    return [
        replace(
            why,
            target_similarity=float(assessment.raw.target[at]),
            target_nearness=float(near.target[at]),
            trap_nearness=float(near.traps[trap, at]),
            penalty_share=float(share[at]),
            name_overlap=float(assessment.names[trap, at]),
            mention_ignored=bool(assessment.ignored[trap, at]),
            sentence=assessment.sentences[at],
            evidence=_evidence(assessment, at, trap),
        )
        for at, (why, trap) in enumerate(zip(reasons, traps, strict=True))
    ]


def _relation(exclusion: Exclusion, *, is_property: bool) -> str:
    return "has" if is_property and exclusion.relation != LIKE else exclusion.relation


def _evidence(assessment: Assessment, at: int, trap: int) -> Evidence | None:
    """Return what a document says of a trap: by the rules of properties, by a verifier of all."""
    said = assessment.statements[at][trap] if assessment.statements[at] else None
    return said if said is not None and (assessment.has[trap] or said.told_by) else None
