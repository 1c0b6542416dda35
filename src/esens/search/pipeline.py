"""The way of a query after it is embedded: retrieve, score, read the few that can still matter, rank, explain."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from esens.messages import quoted
from esens.search.best import BelowCeilingError
from esens.search.candidates import CandidateSet
from esens.search.evidence import EvidenceReader, TextScorer
from esens.search.explain import plain_results, ranked_results
from esens.search.plan import QueryPlan
from esens.search.rank import rank, rank_plainly
from esens.search.second_stage import NO_STAGE, SecondStage, rescored
from esens.types import LIKE, Results

_NUMBER = re.compile(r"\d+")


def run(
    plan: QueryPlan,
    candidate_sets: Iterable[CandidateSet],
    score_texts: TextScorer,
    stage: SecondStage = NO_STAGE,
) -> Results:
    """Return the results of the first candidate set that holds all that can be among them, else of the deepest.

    Where a caller named models that look at the first candidates once more, a note says if one of them failed.
    """
    plan, candidate_sets, failure = rescored(plan, candidate_sets, stage)
    evidence = EvidenceReader(plan, score_texts, stage)
    results = _first_settled(plan, candidate_sets, evidence, score_texts)
    note = " ".join(filter(None, (_note_of_ids(plan, results), failure, evidence.note, results.note)))
    return results if note == results.note else replace(results, note=note)


def _first_settled(
    plan: QueryPlan, candidate_sets: Iterable[CandidateSet], evidence: EvidenceReader, score_texts: TextScorer
) -> Results:
    results = None
    for candidates in candidate_sets:
        with suppress(BelowCeilingError):  # only of few that were preselected; all others follow
            results, is_settled = _results(plan, candidates, evidence, score_texts)
            if is_settled:
                return results
    assert results is not None  # noqa: S101 - there is always a first set
    return results


def _results(
    plan: QueryPlan, candidates: CandidateSet, evidence: EvidenceReader, score_texts: TextScorer
) -> tuple[Results, bool]:
    if plan.is_plain:
        best, is_settled = rank_plainly(plan, candidates)
        note = "" if is_settled else _note(plan, candidates, len(best))
        return plain_results(plan, candidates, best, note=note), is_settled
    ranking = rank(plan, candidates, evidence, score_texts)
    note = "" if ranking.is_settled else _note(plan, candidates, len(ranking.scores))
    return ranked_results(plan, candidates, ranking, note=note), ranking.is_settled


def _note_of_ids(plan: QueryPlan, results: Results) -> str:
    """Return a note on what was excluded as words and looks like an id of these documents; as a rule nothing."""
    texts = [each.text for each in plan.decomposition.exclusions if each.relation != LIKE]
    if not any(map(_NUMBER.search, texts)):
        return ""
    ids = {_NUMBER.sub("0", hit.id) for hit in results if _NUMBER.search(hit.id) and not hit.id.isdecimal()}
    mistyped = [text for text in texts if _NUMBER.sub("0", text) in ids]
    return " ".join(f"No document has the id {quoted(text)}: it was excluded as a word." for text in mistyped)


def _note(plan: QueryPlan, candidates: CandidateSet, results: int) -> str:
    looked_at = f"the {candidates.raw.query.size:,} candidates nearest to what is asked and wanted"
    if results < plan.k:
        return f"{results} of {plan.k} results: no more are among {looked_at}, and no others were asked for."
    return f"These are the best of {looked_at}; others that the engine was not asked for may score as high."
