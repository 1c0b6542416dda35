"""Passages become documents again: of each document its best passage, under the document's own id.

Long documents are indexed as passages (``esens index``), each of which knows what it is a passage of.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from esens.arrays.rank import top_k
from esens.search.scored import Scored
from esens.types import Hit

_GLANCED_AT = 100
"""Documents of plain retrieval that are looked at where no hit is a passage: as a rule there are none at all."""
_LOOKED_UP = 1000
"""Passages of plain retrieval that are looked up to say how a document stood there."""


def has_passages(hits: Sequence[Hit], scored: Scored) -> bool:
    """Whether one of these, or of what stood before them in plain retrieval, is a passage of something longer."""
    if any(hit.document.passage is not None for hit in hits):
        return True
    depth = max((hit.explanation.rank_before or 0 for hit in hits), default=0)
    if depth <= len(hits):
        return False
    above = top_k(scored.raw[0], min(depth, _GLANCED_AT)).tolist()
    return any(document.passage is not None for document in scored.lookup(above))


def folded(hits: Sequence[Hit], scored: Scored, k: int, *, without: Sequence[Hit] = ()) -> tuple[Hit, ...]:
    """Return the best hit of each of the first k documents, ranked anew; none of a document in ``without``."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.document.whole_id, hit)
    for hit in without:
        best.pop(hit.document.whole_id, None)
    kept = dict(list(best.items())[:k])
    before = _ranks_before(kept, scored)
    return tuple(_renamed(list(kept.items()), before))


def _renamed(kept: Sequence[tuple[str, Hit]], before: dict[str, int]) -> Iterator[Hit]:
    scores = [hit.score for _, hit in kept]
    for id_, hit in kept:
        rank = 1 + sum(score > hit.score for score in scores)
        why = replace(hit.explanation, rank_after=rank, rank_before=before.get(id_))
        yield replace(hit, document=replace(hit.document, id=id_), explanation=why)


def _ranks_before(kept: dict[str, Hit], scored: Scored) -> dict[str, int]:
    """Return how these documents stood in plain retrieval, each by its best passage, if that was not far down."""
    depth = max((hit.explanation.rank_before or 0 for hit in kept.values()), default=0)
    positions = scored.first(min(depth, _LOOKED_UP))
    best: dict[str, float] = {}
    for at, document in zip(positions, scored.lookup(positions.tolist()), strict=True):
        best.setdefault(document.whole_id, float(scored.raw[0, at]))
    return {id_: 1 + sum(score > best[id_] for score in best.values()) for id_ in kept if id_ in best}
