"""Files of usearch as users have them."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esens import MemoryIndex
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import open_index
from esens.index.adapter import typical_length
from esens.types import Document

usearch = pytest.importorskip("usearch.index")

DIMENSION, SIZE = 16, 2000


def _rows(rows: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)


VECTORS, QUERIES = _rows(SIZE), _rows(3, seed=1)
DOCUMENTS = [Document(f"d{i}", f"text {i}") for i in range(SIZE)]


def _spec(folder: Path, *, vectors: np.ndarray = VECTORS, **options: Any) -> str:
    index = usearch.Index(ndim=DIMENSION, **options)
    index.add(np.arange(len(vectors)), vectors, threads=1)
    index.save(folder / "v.usearch")
    lines = (json.dumps({"id": document.id, "text": document.text}) for document in DOCUMENTS)
    (folder / "d.jsonl").write_text("\n".join(lines))
    return f"usearch:{folder / 'v.usearch'}?documents={folder / 'd.jsonl'}"


@pytest.mark.parametrize(("dtype", "error"), [("f32", 2e-6), ("f16", 1e-3), ("bf16", 1e-2), ("i8", 2e-2)])
@pytest.mark.parametrize("mapped", ["true", "false"])
def test_every_way_to_keep_vectors(tmp_path: Path, dtype: str, error: float, mapped: str) -> None:
    index = open_index(f"{_spec(tmp_path, metric='cos', dtype=dtype)}&map={mapped}")
    oracle = MemoryIndex(DOCUMENTS, VECTORS)
    for k in (1, 10, SIZE + 50):
        for found, exact in zip(index.nearest(QUERIES, k), oracle.nearest(QUERIES, k), strict=True):
            assert len(found.ids) == len(set(found.ids)) == min(k, SIZE)
            np.testing.assert_allclose(found.scores, exact.scores, atol=error)
            if dtype == "f32":
                assert found.documents == exact.documents
    hits = index.nearest(QUERIES, 10, with_vectors=True)[0]
    assert hits.vectors is not None
    np.testing.assert_allclose(hits.vectors, oracle.vectors(hits.ids), atol=error)


def test_inner_products_stay_inner_products(tmp_path: Path) -> None:
    index = open_index(_spec(tmp_path, metric="ip", dtype="f32"))
    queries = QUERIES / np.linalg.norm(QUERIES, axis=1, keepdims=True)
    raw = queries @ VECTORS.T / typical_length(VECTORS[:64])
    for found, exact in zip(index.nearest(QUERIES, 10), raw, strict=True):
        assert found.ids == tuple(f"d{i}" for i in np.argsort(-exact)[:10])
        np.testing.assert_allclose(found.scores, np.sort(exact)[::-1][:10], rtol=1e-5)


def test_what_cannot_be_compared_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="compares by L2sq; build it with the metric cos or ip"):
        open_index(_spec(tmp_path, metric="l2sq", dtype="f32"))


def test_several_vectors_under_a_key_are_an_error(tmp_path: Path) -> None:
    spec = _spec(tmp_path, metric="cos", dtype="f32", multi=True)
    with pytest.raises(EngineError, match="several vectors under a key"):
        open_index(spec)


def test_options_of_searches(tmp_path: Path) -> None:
    spec = _spec(tmp_path, metric="cos", dtype="f32")
    index: Any = open_index(f"{spec}&expansion=99")
    assert index._vectors._index.expansion_search == 99
    with pytest.raises(ArgumentError, match="expansion is a whole number"):
        open_index(f"{spec}&expansion=x")
    with pytest.raises(ArgumentError, match="map is true or false, got 'yes'"):
        open_index(f"{spec}&map=yes")


def test_a_search_looks_deep_enough_and_many_vectors_are_one_call(tmp_path: Path) -> None:
    index, oracle = open_index(_spec(tmp_path, metric="cos", dtype="f32")), MemoryIndex(DOCUMENTS, VECTORS)
    many = _rows(40, seed=4)
    for found, exact in zip(index.nearest(many, 10), oracle.nearest(many, 10), strict=True):
        assert found.ids == exact.ids


def test_a_large_part_is_compared_and_not_walked_to(tmp_path: Path) -> None:
    index = open_index(f"{_spec(tmp_path, metric='cos', dtype='f32')}&expansion=1")
    oracle, many = MemoryIndex(DOCUMENTS, VECTORS), _rows(40, seed=4)
    for found, exact in zip(index.nearest(many, 125), oracle.nearest(many, 125), strict=True):
        assert found.ids == exact.ids


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "esens.index.files.usearch", raising=False)
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(MissingExtraError, match=r"usearch is not installed.*esens\[usearch\]"):
        open_index("usearch:x")
