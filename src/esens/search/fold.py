"""Passages become documents again: of each document its best passage, under the document's own id.

Long documents are indexed as passages (``esens index``), each of which knows what it is a passage of.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from esens.rank import top_k
from esens.search.scored import Scored
from esens.types import Document, Hit

_LOOKED_UP = 1000
"""Passages of plain retrieval that are looked up to say how a document stood there."""


def document_id(document: Document) -> str:
    """Return the id of the document that this is, or is a passage of."""
    found = document.metadata.get("passage_of")
    return found if isinstance(found, str) and found else document.id


def has_passages(hits: Iterable[Hit]) -> bool:
    """Whether one of these is a passage of something longer."""
    return any(document_id(hit.document) != hit.id for hit in hits)


def folded(hits: Sequence[Hit], scored: Scored, k: int, *, without: Sequence[Hit] = ()) -> tuple[Hit, ...]:
    """Return the best hit of each of the first k documents, ranked anew; none of a document in ``without``."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(document_id(hit.document), hit)
    for hit in without:
        best.pop(document_id(hit.document), None)
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
    depth = min(
        depth + len(kept),  # some may share the last rank
        _LOOKED_UP,
        scored.seen if scored.seen is not None else _LOOKED_UP,
    )
    positions = top_k(scored.raw[0], depth)
    best: dict[str, float] = {}
    for at, document in zip(positions, scored.lookup(positions.tolist()), strict=True):
        best.setdefault(document_id(document), float(scored.raw[0, at]))
    return {id_: 1 + sum(score > best[id_] for score in best.values()) for id_ in kept if id_ in best}
