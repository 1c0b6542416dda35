"""The vectors of all queries of an evaluation: each query's, its target's, and its traps'."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from esens.arrays.unit import unit_rows
from esens.embed import Embedder
from esens.embed.corpus import Progress, embed_texts
from esens.errors import ArgumentError
from esens.search.plan import compared_traps
from esens.types import Decomposition

Matrix = npt.NDArray[np.float32]
_EMBEDDED_AT_ONCE = 128


@dataclass(frozen=True)
class QueryVectors:
    """Unit rows: one a query, one a target, and those of query i's traps from ``first[i]`` to ``first[i + 1]``.

    ``distinct`` are the traps without what they repeat of the target; where their texts are unknown, as they are.
    """

    query: Matrix
    target: Matrix
    traps: Matrix
    first: npt.NDArray[np.intp]
    distinct: Matrix

    def __post_init__(self) -> None:
        if len(self.target) != len(self.query) or len(self.first) != len(self.query) + 1:
            raise ArgumentError(
                "vectors", "give a target for each query, and one more start of traps than queries"
            )
        if len(self.distinct) != len(self.traps):
            raise ArgumentError(
                "vectors", f"{len(self.distinct)} rows of what only traps say for {len(self.traps)} traps"
            )

    def __len__(self) -> int:
        return len(self.query)

    def traps_of(self, number: int) -> slice:
        """Return where the traps of a query stand."""
        return slice(int(self.first[number]), int(self.first[number + 1]))

    @classmethod
    def of(
        cls, query: npt.ArrayLike, target: npt.ArrayLike | None = None, trap: npt.ArrayLike | None = None
    ) -> "QueryVectors":
        """Take matrices of one shape; a trap of zeros is no trap, and without targets the queries stand in."""
        rows = unit_rows(query, argument="query vectors")
        wanted = rows if target is None else unit_rows(target, argument="target vectors", dimension=rows.shape[1])
        if trap is None:
            return cls(rows, wanted, rows[:0], np.zeros(len(rows) + 1, np.intp), rows[:0])
        excluded = unit_rows(trap, argument="trap vectors", dimension=rows.shape[1])
        if len(wanted) != len(rows) or len(excluded) != len(rows):
            raise ArgumentError("vectors", f"{len(rows)} queries, {len(wanted)} targets, {len(excluded)} traps")
        has_trap = excluded.any(axis=1)
        traps = excluded[has_trap]
        return cls(rows, wanted, traps, np.concatenate([[0], np.cumsum(has_trap)]), traps)


def embed_queries(
    queries: Sequence[str],
    decompositions: Sequence[Decomposition],
    embedder: Embedder,
    progress: Progress | None = None,
) -> QueryVectors:
    """Embed each text once, however often it stands there."""
    traps = [trap for split in decompositions for trap in split.traps]
    distinct = [text for split in decompositions for text in compared_traps(split)]
    targets = [split.target for split in decompositions]
    texts = list(dict.fromkeys([*queries, *targets, *traps, *distinct]))
    row = {text: number for number, text in enumerate(texts)}
    matrix = unit_rows(_embedded(texts, embedder, progress), argument="query vectors")
    first = np.concatenate([[0], np.cumsum([len(split.traps) for split in decompositions], dtype=np.intp)])
    parts = (matrix[[row[text] for text in group]] for group in (queries, targets, traps, distinct))
    query, target, trap, distinct_rows = parts
    return QueryVectors(query, target, trap, first, distinct_rows)


def _embedded(texts: Sequence[str], embedder: Embedder, progress: Progress | None) -> npt.NDArray[np.floating]:
    parts = []
    for start in range(0, len(texts), _EMBEDDED_AT_ONCE):
        parts.append(embed_texts(texts[start : start + _EMBEDDED_AT_ONCE], embedder))
        if progress is not None:
            progress(min(start + _EMBEDDED_AT_ONCE, len(texts)), len(texts))
    return np.concatenate(parts)
