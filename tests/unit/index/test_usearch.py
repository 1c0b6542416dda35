"""Files of usearch as users have them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esens import MemoryIndex
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import open_writable, prepare_index
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
@pytest.mark.parametrize("readonly", ["true", "false"])
def test_every_way_to_keep_vectors(tmp_path: Path, dtype: str, error: float, readonly: str) -> None:
    index = open_writable(f"{_spec(tmp_path, metric='cos', dtype=dtype)}&readonly={readonly}")
    oracle = MemoryIndex(DOCUMENTS, VECTORS)
    for k in (1, 10, SIZE + 50):
        for found, exact in zip(index.nearest(QUERIES, k), oracle.nearest(QUERIES, k), strict=True):
            assert len(found.ids) == len(set(found.ids)) == min(k, SIZE)
            np.testing.assert_allclose(found.scores, exact.scores, atol=error)
            if dtype == "f32":
                assert found.documents == exact.documents
    ids = ["d5", "d1999"]
    np.testing.assert_allclose(index.vectors(ids), oracle.vectors(ids), atol=error)
    np.testing.assert_allclose(
        scan(index.vectors(ids), unit_rows(QUERIES)), scan(oracle.vectors(ids), unit_rows(QUERIES)), atol=error
    )


def test_inner_products_stay_inner_products(tmp_path: Path) -> None:
    index = open_writable(_spec(tmp_path, metric="ip", dtype="f32"))
    queries = QUERIES / np.linalg.norm(QUERIES, axis=1, keepdims=True)
    raw = queries @ VECTORS.T
    for found, exact in zip(index.nearest(QUERIES, 10), raw, strict=True):
        assert found.ids == tuple(f"d{i}" for i in np.argsort(-exact)[:10])
        np.testing.assert_allclose(found.scores, np.sort(exact)[::-1][:10], rtol=1e-5)
    np.testing.assert_array_equal(index.vectors(["d5"]), VECTORS[5:6])


def test_what_cannot_be_compared_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="compares by L2sq; build it with the metric cos or ip"):
        open_writable(_spec(tmp_path, metric="l2sq", dtype="f32"))


def test_several_vectors_under_a_key_are_an_error(tmp_path: Path) -> None:
    spec = _spec(tmp_path, metric="cos", dtype="f32", multi=True)
    with pytest.raises(EngineError, match="several vectors under a key"):
        open_writable(spec)


def test_options_of_new_files_and_of_searches(tmp_path: Path) -> None:
    spec = f"usearch:{tmp_path / 'new'}"
    index: Any = prepare_index(f"{spec}?dtype=f16&expansion=99", dimension=DIMENSION)
    assert str(index._state.vectors._index.dtype).endswith("F16")
    assert index._state.vectors._index.expansion_search == 99
    index.upsert(DOCUMENTS[:5], VECTORS[:5])
    assert index._state.vectors._index.expansion_search == 99
    with pytest.raises(ArgumentError, match="expansion is a whole number"):
        open_writable(f"{spec}?expansion=x")
    with pytest.raises(ArgumentError, match="unknown dtype 'f8'; valid are: f32, f16"):
        prepare_index(f"usearch:{tmp_path / 'other'}?dtype=f8", dimension=DIMENSION)
    assert not (tmp_path / "other.jsonl").exists()


def test_a_search_looks_deep_enough_and_many_vectors_are_one_call(tmp_path: Path) -> None:
    index, oracle = open_writable(_spec(tmp_path, metric="cos", dtype="f32")), MemoryIndex(DOCUMENTS, VECTORS)
    many = _rows(40, seed=4)
    for found, exact in zip(index.nearest(many, 10), oracle.nearest(many, 10), strict=True):
        assert found.ids == exact.ids


def test_a_large_part_is_compared_and_not_walked_to(tmp_path: Path) -> None:
    index = open_writable(f"{_spec(tmp_path, metric='cos', dtype='f32')}&expansion=1")
    oracle, many = MemoryIndex(DOCUMENTS, VECTORS), _rows(40, seed=4)
    for found, exact in zip(index.nearest(many, 125), oracle.nearest(many, 125), strict=True):
        assert found.ids == exact.ids


def test_a_file_that_usearch_cut_without_a_word_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f"usearch:{tmp_path / 'v'}"
    index = prepare_index(spec, dimension=DIMENSION)
    index.upsert(DOCUMENTS[:20], VECTORS[:20])
    save = usearch.Index.save

    def cut(self: Any, path: str) -> None:
        save(self, path)
        os.truncate(path, Path(path).stat().st_size - 100)

    monkeypatch.setattr(usearch.Index, "save", cut)
    with pytest.raises(
        EngineError, match=r"cannot be written; see that the disk has room \(the file is not whole"
    ):
        index.upsert(DOCUMENTS[20:30], VECTORS[20:30])
    assert len(open_writable(spec)) == 20


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "esens.index.files.usearch", raising=False)
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(MissingExtraError, match=r"usearch is not installed.*esens\[usearch\]"):
        open_writable("usearch:x")
