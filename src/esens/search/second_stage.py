"""The second stage: models that look once more at the first candidates, where a caller names any.

A relevance model says how relevant they are to what is wanted, in the place of the embedder; what a query excludes
is then applied by our score. A verifier says what they say of the excluded, in the place of the rules.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.ranges import score_range
from esens.arrays.rank import Positions, top_k
from esens.errors import ArgumentError
from esens.score.base import Scorer
from esens.score.normalise import Scores, min_max
from esens.score.parameters import checked_count
from esens.search.candidates import CandidateSet
from esens.search.options import parameters_of
from esens.search.plan import QueryPlan
from esens.verify import (
    DEFAULT_RESCORED,
    DEFAULT_VERIFIED,
    NoScoresError,
    RelevanceModel,
    Verifier,
    relevance_of,
    verifier_of,
)


@dataclass(frozen=True, slots=True)
class SecondStage:
    """Which models look at the first candidates, and at how many; by default none does."""

    verifier: Verifier | None = None
    verify: int = DEFAULT_VERIFIED
    relevance: RelevanceModel | None = None
    rescore: int = DEFAULT_RESCORED

    @classmethod
    def of(
        cls,
        verifier: str | Verifier | None,
        verify: int,
        relevance: str | RelevanceModel | None,
        rescore: int,
        *,
        cache: bool | Path = True,
    ) -> "SecondStage":
        """Return the stage that these options of a search name."""
        depths = checked_count("verify", verify, least=1), checked_count("rescore", rescore, least=1)
        models = verifier_of(verifier, cache=cache), relevance_of(relevance, cache=cache)
        return cls(models[0], depths[0], models[1], depths[1])

    @property
    def is_empty(self) -> bool:
        """Whether no model looks at them."""
        return self.verifier is None and self.relevance is None

    @property
    def name(self) -> str:
        """What it adds to the name of a search: the specs of its models."""
        models = [self.relevance and f"relevance {self.relevance.spec}", self.verifier and self.verifier.spec]
        return "".join(f" + {model}" for model in models if model)


NO_STAGE = SecondStage()


def rescored(
    plan: QueryPlan, candidate_sets: Iterable[CandidateSet], stage: SecondStage
) -> tuple[QueryPlan, Iterator[CandidateSet], str]:
    """Return plan and candidates by a relevance model's scores, where there is one, and why not where it failed.

    The first candidates by what is wanted, ``stage.rescore`` or k of them if that is more, are then all there are.
    """
    sets, model = iter(candidate_sets), stage.relevance
    if model is None:
        return plan, sets, ""
    scorer = _by_query_alone(plan.scorer)
    candidates = next(sets)
    pool = _first(plan, candidates, max(stage.rescore, plan.k))
    contents = [document.content for document in candidates.documents.at(pool)]
    wanted = plan.query if plan.is_plain else plan.decomposition.target
    try:
        ends = time.monotonic() + model.deadline
        scores = np.array(model.scores(wanted, contents, ends=ends) if contents else [], np.float64)
    except NoScoresError as error:
        note = f"{model.spec} gave no scores ({error}), so relevance is the embedder's."
        return plan, chain([candidates], sets), note
    if scores.shape != (len(contents),) or not np.isfinite(scores).all():
        raise ArgumentError(
            "relevance", f"{model.spec} must give a finite score for each of {len(contents)} texts"
        )
    return replace(plan, scorer=scorer, hybrid=None), iter([_with_scores(candidates, pool, scores)]), ""


def _first(plan: QueryPlan, candidates: CandidateSet, depth: int) -> Positions:
    """Return the candidates that fit what is wanted best, by their vectors and in hybrid search by both legs."""
    raw = candidates.raw
    pool = np.arange(raw.query.size) if candidates.pool is None else candidates.pool
    wanted = candidates.plain if raw.target is None else raw.target
    if plan.hybrid is not None and raw.target is not None and raw.words is not None:
        wanted = plan.hybrid.fuse(min_max(raw.target, candidates.ranges.target), raw.words)
    return np.sort(pool[top_k(wanted[pool], depth)])


def _with_scores(candidates: CandidateSet, pool: Positions, scores: Scores) -> CandidateSet:
    """Return the candidates with these scores for the query's; only those that have one can be found.

    The others stay, below them, since what is usual among documents is measured over all.
    """
    query = np.full(candidates.raw.query.size, np.nextafter(scores.min(initial=0.0), -np.inf))
    query[pool] = scores
    return replace(
        candidates,
        raw=candidates.raw._replace(query=query, words=None),
        fused=None,
        ranges=candidates.ranges._replace(query=score_range(scores)),
        pool=pool,
        plain_depth=len(pool),
        is_complete=candidates.is_complete and len(pool) == query.size,
        ceiling=-np.inf,
    )


def _by_query_alone(scorer: Scorer) -> Scorer:
    """Return the score with all relevance from the scores of the query, in whose place the model's are."""
    own = parameters_of(scorer)
    if own.get("sentences"):
        raise ArgumentError("sentences", "are compared by the embedder, not by a relevance model; drop one")
    changes: dict[str, Any] = {"query_share": 1.0, "words": 0.0} if "query_share" in own else {}
    if {"alpha", "gamma"} <= own.keys():
        changes |= {"alpha": own["alpha"] + own["gamma"], "gamma": 0.0}
    record: Any = scorer
    changed: Scorer = replace(record, **changes) if changes else scorer
    return changed
