"""A program as a user writes it, for type checkers: mypy and pyright must see these types. It also runs."""

from collections.abc import Sequence
from typing import assert_type

import numpy as np
import numpy.typing as npt

import esens


def embed(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Embed by letters: enough to compare by."""
    return np.array([[text.lower().count(letter) + 1 for letter in "aeinorst"] for text in texts], np.float32)


split = esens.decompose("pasta without mushrooms")
assert_type(split, esens.Decomposition)
assert_type(split.target, str)
assert_type(split.traps, tuple[str, ...])
assert_type(split.exclusions, tuple[esens.Exclusion, ...])
assert_type(split.exclusions[0].weight, float)

searcher = esens.Searcher.from_documents(
    ["pasta with mushrooms", {"id": "b", "text": "pasta with tomatoes"}], embedder=embed
)
assert_type(searcher, esens.Searcher)
results = searcher.search("pasta without mushrooms", k=2, score=esens.Relational(beta=2.0), mode="soft")
assert_type(results, esens.Results)
assert_type(results.decomposition, esens.Decomposition)
assert_type(results.note, str)
for hit in results:
    assert_type(hit, esens.Hit)
    assert_type(hit.id, str)
    assert_type(hit.rank, int)
    assert_type(hit.score, float)
    assert_type(hit.document, esens.Document)
    assert_type(hit.explanation, esens.Explanation)

assert_type(esens.rerank("pasta without mushrooms", ["pasta with tomatoes"], embedder=embed), esens.Results)
assert_type(esens.Reranker(embedder=embed), esens.Reranker)
assert_type(esens.__version__, str)

scorer: esens.Scorer = esens.Contrast(beta=1.0)
index: esens.Index = esens.MemoryIndex([esens.Document("1", "tea")], embed(["tea"]))
assert issubclass(esens.errors.ArgumentError, esens.errors.EsensError)
assert len(results) == 2, results
