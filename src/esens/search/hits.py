"""Scores become hits: plain retrieval, and the paper's score."""

from collections.abc import Sequence
from typing import NamedTuple

from esens.arrays.rank import Positions, ranks_of, top_k
from esens.score.linear import Extents, Weights, linear, terms
from esens.score.normalise import Array, Scores
from esens.search.scored import Scored
from esens.types import Explanation, Hit


class Found(NamedTuple):
    """The hits, and what was left out of them."""

    hits: tuple[Hit, ...]
    removed: tuple[Hit, ...] = ()


def plain_hits(scored: Scored, k: int) -> tuple[Hit, ...]:
    """Return the k nearest documents."""
    raw = scored.raw[0]
    best = top_k(raw, k)
    columns = zip(scored.lookup(best.tolist()), raw[best].tolist(), ranks_of(best, raw).tolist(), strict=True)
    return tuple(
        Hit(document, cosine, Explanation(cosine, 0.0, rank, rank, cosine)) for document, cosine, rank in columns
    )


def linear_hits(weights: Weights, traps: Sequence[str], scored: Scored, k: int) -> tuple[Hit, ...]:
    """Return the k best documents by the paper's score."""
    over = scored.linear_extents(has_target=weights.gamma > 0)
    score = linear_scores(weights, scored, over)
    best = top_k(score, k)
    why = _explained(weights, traps, scored, over, best, ranks_of(best, score))
    columns = zip(scored.lookup(best.tolist()), score[best].tolist(), why, strict=True)
    return tuple(Hit(document, value, explanation) for document, value, explanation in columns)


def linear_scores(weights: Weights, scored: Scored, over: Extents) -> Scores:
    """Return the paper's score of every document."""
    query, target, traps = _parts(weights, scored)
    return linear(weights, query=query, target=target, traps=traps, over=over)


def _parts(weights: Weights, scored: Scored) -> tuple[Array, Array | None, Array]:
    """Return the raw scores of the query, of the target where it has a weight, and of the traps."""
    given = 1 + (weights.gamma > 0)
    return scored.raw[0], scored.raw[1] if given > 1 else None, scored.raw[given:]


def _explained(
    weights: Weights, names: Sequence[str], scored: Scored, over: Extents, best: Positions, ranks: Positions
) -> list[Explanation]:
    query, target, traps = _parts(weights, scored)
    why = terms(weights, query=query, target=target, traps=traps, at=best, over=over)
    has_trap = len(traps) > 0
    columns = zip(why.relevance, why.exclusion, scored.ranks_before(best), ranks, query[best], strict=True)
    return [
        Explanation(
            relevance=float(relevance),
            exclusion=float(exclusion),
            rank_before=before,
            rank_after=int(after),
            query_similarity=float(similarity),
            trap=names[why.trap[i]] if has_trap else None,
            trap_similarity=float(traps[why.trap[i], best[i]]) if has_trap else None,
        )
        for i, (relevance, exclusion, before, after, similarity) in enumerate(columns)
    ]
