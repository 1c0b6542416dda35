"""Candidates become a ranking: the k best, and what was left out of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import Positions, top_k
from esens.score.base import PlainScale, RawScores
from esens.score.contrast import BestSentences, with_sentences
from esens.score.normalise import Scores
from esens.search.assess import Assessment, Assessor, SweptCandidates
from esens.search.best import ColumnPart, best_of
from esens.search.candidates import CandidateSet
from esens.search.evidence import EvidenceReader, TextScorer
from esens.search.plan import QueryPlan
from esens.text.sentences import sentences_of

_SENTENCES_READ = 40  # of one document: a bound on what a long one costs


class Ranking(NamedTuple):
    """The best candidates, best first, of passages of one document the best; and the excluded among the first."""

    best: Assessment
    scores: Scores
    """What they are ranked by."""
    removed: Assessment | None
    is_settled: bool
    """Whether looking deeper cannot change them."""
    scale: PlainScale
    """Where scores stand among those of plain retrieval."""
    swept: SweptCandidates | None = None


def rank(plan: QueryPlan, candidates: CandidateSet, evidence: EvidenceReader, score_texts: TextScorer) -> Ranking:
    """Return the best candidates for a query that excludes something."""
    assessor = Assessor(plan, candidates, evidence)
    if evidence.verifies:
        assessor.verify()
    ranking = _rank(plan, candidates, assessor, score_texts)
    return ranking._replace(swept=assessor.sweep(plan.candidates)) if plan.candidates else ranking


def _rank(plan: QueryPlan, candidates: CandidateSet, assessor: Assessor, score_texts: TextScorer) -> Ranking:
    if plan.scorer.mode == "flag":
        best, is_settled = rank_plainly(plan, candidates)
        scores = np.asarray(candidates.plain[best], np.float64)
        return Ranking(assessor.assess(best), scores, None, is_settled, assessor.scale)
    best, scores = assessor.best(max(plan.k, plan.scorer.sentences))
    is_settled = _is_settled(candidates, scores, plan.k)
    assessment = assessor.assess(best)
    if plan.scorer.sentences:
        assessment = _reread(plan, candidates, assessment, score_texts)
        order = top_k(assessment.terms.score, plan.k)
        assessment, scores = assessment.at(order), assessment.terms.score[order]
    removed = assessor.removed(assessment) if plan.scorer.mode == "hard" else None
    return Ranking(assessment, scores, removed, is_settled, assessor.scale)


def rank_plainly(plan: QueryPlan, candidates: CandidateSet) -> tuple[Positions, bool]:
    """Return the nearest candidates, and whether looking deeper cannot change them."""
    plain, beyond = candidates.plain, candidates.beyond
    part = None if beyond is None else ColumnPart(np.arange(plain.size), beyond.nearest)
    best, scores = best_of(candidates, plain, lambda positions: plain[positions], plan.k, part=part)
    return best, _is_settled(candidates, scores, plan.k)


def _is_settled(candidates: CandidateSet, scores: Scores, k: int) -> bool:
    if candidates.is_complete or not k:
        return True
    return len(scores) >= k and scores[k - 1] >= candidates.ceiling


def _reread(
    plan: QueryPlan, candidates: CandidateSet, assessment: Assessment, score_texts: TextScorer
) -> Assessment:
    """Return the assessment with half of the relevance taken from each document's best sentences."""
    if not len(assessment.positions):
        return assessment
    sentences = [sentences_of(document.text)[:_SENTENCES_READ] for document in assessment.documents]
    rows = score_texts([sentence for of_document in sentences for sentence in of_document])
    counts = [len(of_document) for of_document in sentences]
    raw = RawScores.of(plan.texts, _lengthened(rows, assessment.raw, counts))
    starts = np.cumsum([0, *counts])[:-1]
    assert raw.target is not None  # noqa: S101 - the score that reads sentences compares them with the target
    best = BestSentences(*(np.maximum.reduceat(row, starts) for row in (raw.query, raw.target)))
    terms = with_sentences(assessment.terms, best, plan.scorer.weight, candidates.ranges)
    nearest = [
        int(raw.target[start : start + count].argmax()) for start, count in zip(starts, counts, strict=True)
    ]
    chosen = [of_document[at] for of_document, at in zip(sentences, nearest, strict=True)]
    return replace(assessment, terms=terms, sentences=chosen)


def _lengthened(rows: npt.NDArray[np.floating], raw: RawScores, counts: Sequence[int]) -> npt.NDArray[np.floating]:
    """Return cosines of sentences on the scale of their documents: times the length of a document's vector."""
    return rows if raw.lengths is None else rows * np.repeat(raw.lengths, counts)
