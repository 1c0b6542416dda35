"""Hits by the score contrast, in its three modes.

``soft`` ranks by the score. ``hard`` does too, and leaves out every document whose degree reaches the threshold.
``flag`` ranks as plain retrieval does, and marks those documents.

Where sentences are asked for, the best documents are read once more, sentence by sentence, and put in a new order.
"""

import numpy as np

from esens.score.contrast import Contrast, Raw
from esens.score.normalise import Array
from esens.score.rank import top_k
from esens.search.hits import Found, Lookup
from esens.search.judge import Judge, Read
from esens.search.scoring import Scoring
from esens.types import Decomposition

# Documents whose mentions are looked at, beyond those asked for: enough that one which rises is among them.
_MENTIONS_WITHIN = 4


def contrasted(
    weights: Contrast,
    scoring: Scoring,
    decomposition: Decomposition,
    lookup: Lookup,
    raw: Array,
    k: int,
    read: Read,
) -> Found:
    """Return the k best documents, and what the mode "hard" left out, given a row of raw scores a text."""
    judge = Judge.of(decomposition, weights, lookup, Raw(raw[0], raw[1], raw[2:]))
    wanted = max(k, scoring.sentences)
    judge = judge.sparing_mentions(read, _MENTIONS_WITHIN * wanted)
    limit = np.inf if scoring.mode == "soft" else scoring.threshold
    # Nothing is left out softly, so there is nothing to mark.
    near = () if scoring.mode == "soft" else tuple(judge.marked(top_k(judge.raw.query, k), limit))
    if scoring.mode == "flag":
        return Found(near)
    removed = tuple(hit for hit in near if hit.explanation.is_excluded)
    ranked = judge.found(scoring.depth, wanted, limit)
    if scoring.sentences and len(ranked.positions):
        return Found(tuple(judge.reread(ranked.positions, read))[:k], removed)
    return Found(tuple(judge.hits(ranked)), removed)
