"""Scores become hits: plain retrieval, and the paper's score."""

from collections.abc import Sequence
from typing import NamedTuple

from esens.about.names import Lookup
from esens.rank import Positions, ranks_of, top_k
from esens.score.linear import Weights, linear, terms
from esens.score.normalise import Array
from esens.types import Explanation, Hit


class Found(NamedTuple):
    """The hits, and what was left out of them."""

    hits: tuple[Hit, ...]
    removed: tuple[Hit, ...] = ()


def plain_hits(lookup: Lookup, raw: Array, k: int) -> tuple[Hit, ...]:
    """Return the k nearest documents."""
    best = top_k(raw, k)
    columns = zip(lookup(best.tolist()), raw[best].tolist(), ranks_of(best, raw).tolist(), strict=True)
    return tuple(
        Hit(document, cosine, Explanation(cosine, 0.0, rank, rank, cosine)) for document, cosine, rank in columns
    )


def linear_hits(weights: Weights, traps: Sequence[str], lookup: Lookup, raw: Array, k: int) -> tuple[Hit, ...]:
    """Return the k best documents by the paper's score."""
    given = 1 + (weights.gamma > 0)
    target, excluded = raw[1] if given > 1 else None, raw[given:]
    score = linear(weights, query=raw[0], target=target, traps=excluded)
    best = top_k(score, k)
    why = _explained(weights, traps, raw[0], target, excluded, best, ranks_of(best, score))
    columns = zip(lookup(best.tolist()), score[best].tolist(), why, strict=True)
    return tuple(Hit(document, value, explanation) for document, value, explanation in columns)


def _explained(
    weights: Weights,
    names: Sequence[str],
    query: Array,
    target: Array | None,
    traps: Array,
    best: Positions,
    ranks: Positions,
) -> list[Explanation]:
    why = terms(weights, query=query, target=target, traps=traps, at=best)
    has_trap = len(traps) > 0
    columns = zip(why.relevance, why.exclusion, ranks_of(best, query), ranks, query[best], strict=True)
    return [
        Explanation(
            relevance=float(relevance),
            exclusion=float(exclusion),
            rank_before=int(before),
            rank_after=int(after),
            query_similarity=float(similarity),
            trap=names[why.trap[i]] if has_trap else None,
            trap_similarity=float(traps[why.trap[i], best[i]]) if has_trap else None,
        )
        for i, (relevance, exclusion, before, after, similarity) in enumerate(columns)
    ]
