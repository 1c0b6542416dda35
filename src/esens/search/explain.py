"""A ranking becomes hits, each with its reasons, on the scale of plain retrieval.

A score is a share of what relevance reaches at most, so it is mapped to where a document with that share would
stand in plain retrieval of what its relevance is measured by: low + share · (high − low) of those raw scores. By
the default score that is what is wanted, so that a document which loses nothing scores about what it scores where
nothing is excluded.
"""

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from itertools import repeat
from typing import Any

import numpy as np

from esens.arrays.rank import Positions, ranks_of
from esens.evidence.lead_match import naming_words, title_words
from esens.evidence.names import excluded_name
from esens.index.filters import filter_text
from esens.score.base import PlainScale
from esens.score.contrast import nearness
from esens.search.assess import Assessment, SweptCandidates
from esens.search.candidates import CandidateSet
from esens.search.options import parameters_of
from esens.search.passages import as_documents
from esens.search.plan import QueryPlan
from esens.search.rank import Ranking
from esens.types import (
    LIKE,
    Candidate,
    Candidates,
    Document,
    Evidence,
    Exclusion,
    Explanation,
    Hit,
    Loss,
    Results,
    Scoring,
)

Reasons = dict[str, Sequence[Any]]
"""The fields of explanations by name, an entry a document in each."""
_FIELDS = tuple((field.name, field.default) for field in fields(Explanation))


def plain_results(plan: QueryPlan, candidates: CandidateSet, best: Positions, *, note: str = "") -> Results:
    """Return the nearest documents as results."""
    ranks = ranks_of(np.arange(len(best)), candidates.plain[best])
    before = candidates.plain_ranks(best)  # those of passages, where documents were split
    scores, similarities = candidates.plain_scores(best).tolist(), candidates.raw.query[best].tolist()
    rows = zip(candidates.documents.at(best), scores, before, ranks.tolist(), similarities, strict=True)
    hits = [
        Hit(document.copy(), score, Explanation(score, 0.0, rank_before, rank, similarity))
        for document, score, rank_before, rank, similarity in rows
    ]
    return _results(plan, candidates, hits, note=note)


def ranked_results(plan: QueryPlan, candidates: CandidateSet, ranking: Ranking, *, note: str = "") -> Results:
    """Return the best documents as results, and what was left out."""
    ranks = ranks_of(np.arange(len(ranking.scores)), ranking.scores)
    if plan.scorer.mode == "flag":
        hits = _as_plain(plan, candidates, ranking.best, ranks)
    else:
        hits = _as_scored(plan, candidates, ranking, ranks)
    removed: list[Hit] = []
    if ranking.removed is not None:
        ranks = ranks_of(ranking.removed.positions, candidates.plain)
        removed = _as_plain(plan, candidates, ranking.removed, ranks)
    results = _results(plan, candidates, hits, removed, note)
    if ranking.swept is None:
        return results
    return replace(results, candidates=_swept(plan, candidates, ranking.swept, ranking.scale))


def _swept(plan: QueryPlan, candidates: CandidateSet, swept: SweptCandidates, scale: PlainScale) -> Candidates:
    """Return candidates with the terms of their scores."""
    assessment = swept.assessment
    hits = _as_plain(plan, candidates, assessment, np.zeros(len(assessment.positions), np.intp))
    hits = list(as_documents(candidates, hits)[0])
    columns = np.stack([*np.broadcast_arrays(*swept.losses), assessment.names]).transpose(2, 1, 0).tolist()
    documents = [
        Candidate(
            hit.document,
            hit.explanation.rank_before,
            hit.score,
            relevance,
            tuple(_loss(row, _evidence(assessment, at, trap)) for trap, row in enumerate(rows)),
        )
        for at, (hit, relevance, rows) in enumerate(
            zip(hits, assessment.terms.relevance.tolist(), columns, strict=True)
        )
    ]
    relations = [
        _relation(exclusion, is_property=is_property)
        for exclusion, is_property in zip(plan.decomposition.exclusions, assessment.has, strict=True)
    ]
    ceiling = swept.ceiling if np.isfinite(swept.ceiling) else None
    threshold = plan.scorer.threshold
    return Candidates(scale.low, scale.unit, threshold, ceiling, tuple(relations), tuple(documents))


def _results(
    plan: QueryPlan, candidates: CandidateSet, hits: list[Hit], removed: Sequence[Hit] = (), note: str = ""
) -> Results:
    parameters = parameters_of(plan.scorer) | ({"hybrid": asdict(plan.hybrid)} if plan.hybrid else {})
    scoring = Scoring(plan.scorer.name, parameters, plan.is_plain)
    by_document, removed_by_document = as_documents(candidates, hits, removed)
    ruled_out = tuple(map(filter_text, plan.ruled_out))
    return Results(
        plan.query, plan.decomposition, by_document, scoring, removed_by_document, note, ruled_out=ruled_out
    )


def _as_scored(plan: QueryPlan, candidates: CandidateSet, ranking: Ranking, ranks: Positions) -> list[Hit]:
    """Return the best documents as hits."""
    scale, terms = ranking.scale, ranking.best.terms
    reasons = _reasons(plan, candidates, ranking.best, ranks) | {
        "relevance": scale.place(terms.relevance).tolist(),
        "penalty": (scale.unit * terms.penalty).tolist(),
    }
    return _hits(ranking.best, scale.place(terms.score).tolist(), reasons)


def _as_plain(plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, ranks: Positions) -> list[Hit]:
    """Return judged documents as plain retrieval scores them, marked where they are excluded."""
    reasons = _reasons(plan, candidates, assessment, ranks)
    if "penalty_share" in reasons:
        reasons["is_excluded"] = [share >= plan.scorer.threshold for share in reasons["penalty_share"]]
    return _hits(assessment, reasons["relevance"], reasons)


def _hits(assessment: Assessment, scores: Sequence[float], reasons: Reasons) -> list[Hit]:
    """Return hits, each with a document of the caller's own: an index may keep what it gave."""
    documents = [document.copy() for document in assessment.documents]
    columns = [reasons.get(name, repeat(default)) for name, default in _FIELDS]
    return list(map(Hit, documents, scores, map(Explanation, *columns)))


def _reasons(plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, ranks: Positions) -> Reasons:
    """Return all reasons, with the plain similarity for the relevance, and no penalty."""
    similarity, share = assessment.raw.query.tolist(), assessment.terms.penalty_share
    reasons: Reasons = {
        "relevance": candidates.plain_scores(assessment.positions).tolist(),
        "penalty": [0.0] * len(similarity),
        "rank_before": candidates.plain_ranks(assessment.positions),
        "rank_after": ranks.tolist(),
        "query_similarity": similarity,
    }
    if not len(assessment.raw.traps):
        return reasons
    traps, every = assessment.terms.trap.tolist(), range(len(similarity))
    exclusions = [plan.decomposition.exclusions[trap] for trap in traps]
    reasons |= {
        "trap": [exclusion.text for exclusion in exclusions],
        "relation": [
            _relation(exclusion, is_property=assessment.has[trap])
            for exclusion, trap in zip(exclusions, traps, strict=True)
        ],
        "trap_similarity": assessment.raw.traps[traps, every].tolist(),
    }
    if share is None or assessment.raw.target is None:
        return reasons
    near = nearness(assessment.raw, candidates.ranges)
    return reasons | {
        "target_similarity": assessment.raw.target.tolist(),
        "target_nearness": near.target.tolist(),
        "trap_nearness": near.traps[traps, every].tolist(),
        "penalty_share": share.tolist(),
        "name_overlap": assessment.names[traps, every].tolist(),
        "mention_ignored": assessment.ignored[traps, every].tolist(),
        "sentence": assessment.sentences,
        "evidence": [
            _evidence(assessment, at, trap) or (_name(plan, assessment.documents[at], trap) if share[at] else None)
            for at, trap in zip(every, traps, strict=True)
        ],
    }


def _loss(row: Sequence[float], evidence: Evidence | None) -> Loss:
    fixed, slope, most, name_overlap = row
    return Loss(fixed, slope, most, name_overlap, evidence)


def _relation(exclusion: Exclusion, *, is_property: bool) -> str:
    """Return how documents stand to an exclusion, as it was read: "without Mercury" may mean an article on it."""
    if exclusion.relation == LIKE:
        return LIKE
    return "has" if is_property else "about" if exclusion.relation == "has" else exclusion.relation


def _evidence(assessment: Assessment, at: int, trap: int) -> Evidence | None:
    """Return what a document says of a trap: by the rules of properties, by a verifier of all."""
    said = assessment.statements[at][trap] if assessment.statements[at] else None
    return said if said is not None and (assessment.has[trap] or said.told_by) else None


def _name(plan: QueryPlan, document: Document, trap: int) -> Evidence | None:
    """Return the words by which a document that pays is named for a subject, or for a name beside it."""
    exclusion = plan.decomposition.exclusions[trap]
    if exclusion.relation == LIKE:
        return None
    words = naming_words(document, plan.trap_terms[trap])
    if words.stance == "silent" and excluded_name(exclusion, plan.target_terms).leads_by(document):
        return title_words(document)
    return None if words.stance == "silent" else words
