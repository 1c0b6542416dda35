"""What a program writes into a hit changes nothing for the next search, whatever the index keeps in memory."""

from pathlib import Path

import numpy as np
import pytest
from tests.contract.indexes import INDEXES

from esens import Decomposition, Document, Searcher
from esens.arrays.unit import Vectors
from esens.testing.corpus import DIMENSION

TEXTS = {"tea": [1.0, 0.0, 0.0], "tea, not milk": [0.8, 0.6, 0.0], "milk": [0.0, 1.0, 0.0]}
SPLITS = {"plain": Decomposition("tea"), "with an exclusion": Decomposition("tea", ("milk",))}


@pytest.mark.parametrize("split", SPLITS.values(), ids=list(SPLITS))
@pytest.mark.parametrize("name", INDEXES)
def test_a_hit_is_the_callers_own(
    name: str, split: Decomposition, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    documents = [Document(str(at), f"tea {at}", metadata={"tags": ["a"], "at": at}) for at in range(3)]
    vectors = padded([[1.0, 0.1, 0.0], [1.0, 0.2, 0.1], [0.0, 0.0, 1.0]])
    index = INDEXES[name](request, tmp_path, documents, vectors)
    searcher = Searcher(index, embedder=lambda texts: padded([TEXTS[text] for text in texts]))
    for _ in range(2):
        hits = list(searcher.search("tea, not milk", k=3, decomposition=split))
        assert {hit.id: hit.metadata["at"] for hit in hits} == {"0": 0, "1": 1, "2": 2}
        assert all(hit.metadata["tags"] == ["a"] and "note" not in hit.metadata for hit in hits)
        for hit in hits:
            hit.document.metadata["tags"].append("b")
            hit.document.metadata["note"] = "mine"  # type: ignore[index] # a mapping, by its type
    index.close()


def padded(rows: list[list[float]]) -> Vectors:
    return np.pad(np.array(rows, np.float32), ((0, 0), (0, DIMENSION - 3)))
