"""Hits by the score contrast, in its three modes.

``soft`` ranks by the score. ``hard`` does too, and leaves out every document whose degree reaches the threshold.
``flag`` ranks as plain retrieval does, and marks those documents.

Where sentences are asked for, the best documents are read once more, sentence by sentence, and put in a new order.
"""

from collections.abc import Sequence

import numpy as np

from esens.arrays.rank import top_k
from esens.score.contrast import Contrast
from esens.search.hits import Found
from esens.search.judge import Judge, Read
from esens.search.options import Scoring
from esens.search.scored import Scored
from esens.types import Decomposition, Hit

# The most relevant documents, whose mentions are looked at: as many for every k, so that the first few of many are
# those that are found alone.
_MENTIONS_WITHIN = 100
_REMOVED_SHOWN = 100


def contrasted(
    weights: Contrast,
    scoring: Scoring,
    decomposition: Decomposition,
    scored: Scored,
    k: int,
    read: Read,
) -> Found:
    """Return the k best documents, and what the mode "hard" left out."""
    judge = Judge.of(decomposition, weights, scored)
    wanted = max(k, scoring.sentences)
    if scoring.spare_mentions:
        judge = judge.sparing_mentions(read, max(_MENTIONS_WITHIN, wanted))
    if scoring.mode == "flag":
        return Found(tuple(judge.marked(top_k(judge.raw.query, k), scoring.threshold)))
    limit = scoring.threshold if scoring.mode == "hard" else np.inf
    depth = scoring.depth if scored.spans is None else None  # an engine has looked for candidates already
    ranked = judge.found(depth, wanted, limit)
    hits = judge.reread(ranked.positions, read) if scoring.sentences else judge.hits(ranked)
    found = tuple(hits)[:k]
    return Found(found, _removed(judge, found, k, limit) if scoring.mode == "hard" else ())


def _removed(judge: Judge, hits: Sequence[Hit], k: int, limit: float) -> tuple[Hit, ...]:
    """Return what is left out of the first k of plain retrieval, or of as many as the hits reach down to."""
    depth = min(max([k, *(hit.explanation.rank_before or 0 for hit in hits)]), max(k, _REMOVED_SHOWN))
    near = judge.marked(top_k(judge.raw.query, depth), limit)
    return tuple(hit for hit in near if hit.explanation.is_excluded)
