"""Passages become documents again: of each document its best passage (MaxP), under the document's own id.

Long documents are indexed as passages (``esens index``), each of which knows what it is a passage of.
"""

from collections.abc import Sequence
from dataclasses import replace

from esens.search.candidates import CandidateSet
from esens.types import Hit

_GLANCED_AT = 100
"""Documents of plain retrieval that are looked at where no hit is a passage: as a rule there are none at all."""
_LOOKED_UP = 1000
"""Passages of plain retrieval that are looked up to say how a document stood there."""


def as_documents(
    candidates: CandidateSet, hits: Sequence[Hit], removed: Sequence[Hit] = ()
) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Return hits and removed under the ids of their documents, with the ranks that documents had before."""
    if not candidates.folds_passages or not _any_passages(candidates, (*hits, *removed)):
        return tuple(hits), tuple(removed)
    before = _plain_ranks(candidates, (*hits, *removed))
    return tuple(_renamed(hit, before) for hit in hits), tuple(_renamed(hit, before) for hit in removed)


def _any_passages(candidates: CandidateSet, hits: Sequence[Hit]) -> bool:
    """Whether one of these, or of what stood before them in plain retrieval, is a passage of something longer."""
    if any(hit.document.passage is not None for hit in hits):
        return True
    depth = max((hit.explanation.rank_before or 0 for hit in hits), default=0)
    if depth <= len(hits):
        return False
    above = candidates.plain_first(min(depth, _GLANCED_AT))
    return any(document.passage is not None for document in candidates.documents.at(above))


def _renamed(hit: Hit, before: dict[str, int]) -> Hit:
    id_ = hit.document.whole_id
    why = replace(hit.explanation, rank_before=before.get(id_))
    return replace(hit, document=replace(hit.document, id=id_), explanation=why)


def _plain_ranks(candidates: CandidateSet, hits: Sequence[Hit]) -> dict[str, int]:
    """Return how documents stood in plain retrieval, each by its best passage, as far as that was looked up."""
    depth = max((hit.explanation.rank_before or 0 for hit in hits), default=0)
    positions = candidates.plain_first(min(depth, _LOOKED_UP))
    best: dict[str, float] = {}
    for position, document in zip(positions, candidates.documents.at(positions), strict=True):
        best.setdefault(document.whole_id, float(candidates.plain[position]))
    wanted = {hit.document.whole_id for hit in hits} & best.keys()
    return {id_: 1 + sum(score > best[id_] for score in best.values()) for id_ in wanted}
