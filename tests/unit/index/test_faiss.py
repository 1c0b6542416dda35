"""Files of faiss of every kind that users have."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esens import MemoryIndex
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index import base, open_index
from esens.index.adapter import typical_length
from esens.index.files import index as file_index
from esens.index.files.index import FileIndex
from esens.index.filters import parse_filter
from esens.types import Document

faiss = pytest.importorskip("faiss")

DIMENSION, SIZE = 16, 600
IP, L2 = faiss.METRIC_INNER_PRODUCT, faiss.METRIC_L2


def _unit(rows: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


VECTORS, QUERIES = _unit(SIZE), _unit(3, seed=1)
DOCUMENTS = [Document(f"d{i}", f"text {i}", metadata={"kind": "abc"[i % 3], "n": i}) for i in range(SIZE)]
ORACLE = MemoryIndex(DOCUMENTS, VECTORS)
EXACT = [
    ("Flat", IP),
    ("Flat", L2),
    ("IVF8,Flat", IP),
    ("IVF8,Flat", L2),
    ("HNSW32", IP),
    ("HNSW32", L2),
    ("IDMap,Flat", IP),
    ("IDMap2,Flat", L2),
    ("IDMap,HNSW32", IP),
    ("IDMap,IVF8,Flat", IP),
    ("Flat,RFlat", IP),
    ("RR16,Flat", IP),
    ("RR16,IVF8,Flat", IP),
]
QUANTISED = ["SQ8", "SQfp16", "PQ8x4", "IVF8,PQ8x4", "IVF8,SQ8", "RR16,PQ8x4", "RR16,IVF8,PQ8x4", "HNSW32,SQ8"]
FULL = {"nprobe": 8, "efsearch": 200}


def _spec(folder: Path, kind: str, metric: int = IP, vectors: np.ndarray = VECTORS, **options: object) -> str:
    index = faiss.index_factory(DIMENSION, kind, metric)
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # so small a training is slower on several
    index.train(vectors)
    faiss.omp_set_num_threads(threads)
    keys = 3 * np.arange(len(vectors)) + 7
    if kind.startswith("IDMap"):
        index.add_with_ids(vectors, keys)
    else:
        index.add(vectors)
    faiss.write_index(index, str(folder / "v.index"))
    with (folder / "d.jsonl").open("w") as file:
        for document, key in zip(DOCUMENTS, keys.tolist(), strict=False):
            row = {"id": document.id, "text": document.text, **document.metadata}
            file.write(json.dumps(row | ({"key": key} if kind.startswith("IDMap") else {})) + "\n")
    options |= {"key": "key"} if kind.startswith("IDMap") else {}
    options |= {"nprobe": FULL["nprobe"]} if "IVF" in kind else {}
    options |= {"efsearch": FULL["efsearch"]} if "HNSW" in kind else {}
    more = "".join(f"&{name}={value}" for name, value in options.items())
    return f"faiss:{folder / 'v.index'}?documents={folder / 'd.jsonl'}{more}"


def _set_sample(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (base, file_index):
        monkeypatch.setattr(module, "SAMPLE", size)


def _opened(spec: str) -> FileIndex:
    index = open_index(spec)
    assert isinstance(index, FileIndex)
    return index


def _same(index: Any, oracle: MemoryIndex, k: int = 10, **where: Any) -> None:
    asked = parse_filter(where)
    for found, exact in zip(
        index.nearest(QUERIES, k, where=asked, with_vectors=True),
        oracle.nearest(QUERIES, k, where=asked),
        strict=True,
    ):
        assert found.documents == exact.documents
        np.testing.assert_allclose(found.scores, exact.scores, atol=2e-6)
        np.testing.assert_allclose(found.vectors, oracle.vectors(found.ids), atol=2e-6)


@pytest.mark.parametrize("sample", [20, 4096])
@pytest.mark.parametrize(("kind", "metric"), EXACT)
def test_whole_vectors_score_as_the_oracles_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, metric: int, sample: int
) -> None:
    _set_sample(monkeypatch, sample)
    index = _opened(_spec(tmp_path, kind, metric))
    assert (len(index), index.dimension) == (SIZE, DIMENSION)
    _same(index, ORACLE)
    _same(index, ORACLE, kind="a")
    _same(index, ORACLE, n={">=": 590})
    _same(index, ORACLE, k=SIZE)
    for span, exact in zip(index.score_ranges(QUERIES), ORACLE.score_ranges(QUERIES), strict=True):
        assert span.is_exact == (sample > SIZE)
        assert exact.low - 2e-6 <= span.low <= span.second <= span.high <= exact.high + 2e-6
        assert not span.is_exact or span[:3] == pytest.approx(exact[:3], abs=2e-6)


@pytest.mark.parametrize("metric", [IP, L2])
@pytest.mark.parametrize("kind", QUANTISED)
def test_quantised_vectors_score_as_what_they_give_back(tmp_path: Path, kind: str, metric: int) -> None:
    index = _opened(_spec(tmp_path, kind, metric))
    ids = [document.id for document in DOCUMENTS]
    (everything,) = index.nearest(QUERIES[:1], SIZE, with_vectors=True)
    assert everything.vectors is not None
    rows = everything.vectors[np.argsort([ids.index(id_) for id_ in everything.ids])]
    oracle = rows @ QUERIES.T
    for found, exact in zip(index.nearest(QUERIES, 10), oracle.T, strict=True):
        assert len(set(found.ids) & {ids[i] for i in np.argsort(-exact)[:20]}) >= 8
        np.testing.assert_allclose(found.scores, [exact[ids.index(id_)] for id_ in found.ids], atol=1e-6)
    assert np.mean(np.sum(rows * VECTORS, axis=1)) > 0.6
    if metric == L2:
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_inner_products_of_longer_vectors_rank_as_they_do_in_faiss(tmp_path: Path) -> None:
    lengths = np.linspace(0.5, 3, SIZE, dtype=np.float32)
    vectors = VECTORS * lengths[:, None]
    index = _opened(_spec(tmp_path, "Flat", vectors=vectors))
    raw = QUERIES @ vectors.T / typical_length(vectors[:64])
    for found, exact in zip(index.nearest(QUERIES, 10, with_vectors=True), raw, strict=True):
        assert found.ids == tuple(f"d{i}" for i in np.argsort(-exact)[:10])
        np.testing.assert_allclose(found.scores, np.sort(exact)[::-1][:10], rtol=1e-5)
        assert found.vectors is not None
        np.testing.assert_allclose(
            found.vectors * typical_length(vectors[:64]), vectors[[int(id_[1:]) for id_ in found.ids]], rtol=1e-5
        )
    assert [span.low for span in index.score_ranges(QUERIES)] == pytest.approx(raw.min(axis=1).tolist(), abs=1e-5)


def test_distances_of_longer_vectors_are_an_error(tmp_path: Path) -> None:
    vectors = VECTORS.copy()
    vectors[5] *= 1.01
    with pytest.raises(EngineError, match=r"compares by L2, but vectors' lengths are 0\.01 away.*unit length"):
        _opened(_spec(tmp_path, "Flat", L2, vectors))


@pytest.mark.parametrize("kind", ["IVF8,Flat", "IDMap,IVF8,Flat", "RR16,IVF8,Flat", "IVF8,Flat,RFlat"])
def test_lists_in_a_file_of_their_own_are_refused_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    spec = _spec(tmp_path, kind)
    index = faiss.read_index(str(tmp_path / "v.index"))
    ivf, lists = faiss.extract_index_ivf(index), tmp_path / "lists"
    on_disk = faiss.OnDiskInvertedLists(ivf.nlist, ivf.code_size, str(lists))
    on_disk.merge_from_1(ivf.invlists)
    ivf.replace_invlists(on_disk, False)
    faiss.write_index(index, str(tmp_path / "v.index"))
    modes, read = [], faiss.read_index

    def watched(*given: Any) -> Any:
        found = read(*given)
        below = faiss.downcast_InvertedLists(faiss.extract_index_ivf(found).invlists)
        modes.append(below.read_only)
        return found

    monkeypatch.setattr(faiss, "read_index", watched)
    with pytest.raises(EngineError, match=r"keeps its lists in another file, .*lists, .*replace_invlists"):
        _opened(spec)
    assert modes == [True]


def test_other_metrics_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="neither inner product nor L2"):
        _opened(_spec(tmp_path, "Flat", faiss.METRIC_L1))


def test_ids_that_stand_twice_are_an_error(tmp_path: Path) -> None:
    spec = _spec(tmp_path, "IDMap,Flat")
    index = faiss.read_index(str(tmp_path / "v.index"))
    index.add_with_ids(VECTORS[:1], np.array([7]))
    faiss.write_index(index, str(tmp_path / "v.index"))
    with pytest.raises(EngineError, match="several vectors under one id"):
        _opened(spec)


def test_ids_need_a_field_that_holds_them(tmp_path: Path) -> None:
    spec = _spec(tmp_path, "IDMap,Flat").replace("&key=key", "")
    with pytest.raises(
        EngineError, match=r"documents have no vector among 600: the key 0 .* from 7 to 1804.*key="
    ):
        _opened(spec)


def test_vectors_that_cannot_be_read_back_are_an_error(tmp_path: Path) -> None:
    spec = _spec(tmp_path, "Flat")
    quantiser = faiss.IndexFlatL2(DIMENSION)
    index = faiss.IndexIVFSpectralHash(quantiser, DIMENSION, 4, 16, 1.0)
    index.train(VECTORS)
    index.add(VECTORS)
    faiss.write_index(index, str(tmp_path / "v.index"))
    with pytest.raises(EngineError, match="cannot be read back, which scores need"):
        _opened(spec)


def test_how_deep_to_look(tmp_path: Path) -> None:
    spec = _spec(tmp_path, "IVF8,Flat")
    index: Any = _opened(spec.replace("nprobe=8", "nprobe=1"))
    assert index._vectors._core.nprobe == 1
    assert len(index.nearest(QUERIES, SIZE)[0].ids) == SIZE  # more than one list holds: all are compared
    with pytest.raises(EngineError, match="has no efsearch to set; leave that option out"):
        _opened(f"{spec}&efsearch=3")
    for bad in ("0", "-1", "many"):
        with pytest.raises(ArgumentError, match="nprobe is a whole number of at least 1"):
            _opened(spec.replace("nprobe=8", f"nprobe={bad}"))


def test_the_files_that_the_docs_write_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[3] / "docs" / "engines" / "faiss-usearch.md").read_text(encoding="utf-8")
    (block,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "write_index" in block)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "faiss-usearch.md", "exec"), {"vectors": VECTORS, "documents": DOCUMENTS})
    _same(_opened(f"faiss:{tmp_path / 'docs.faiss'}"), ORACLE, kind="a")


def test_a_folder_of_langchain_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "index.faiss").write_bytes(b"")
    with pytest.raises(EngineError, match=r"as LangChain writes it. Name .*index\.faiss.*Export the documents"):
        _opened(f"faiss:{tmp_path}?documents={_touched(tmp_path / 'd.jsonl')}")


def test_threads_are_as_they_were(tmp_path: Path) -> None:
    index = _opened(_spec(tmp_path, "Flat"))
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(2)
    try:
        index._vectors.search(QUERIES, 3)
        assert faiss.omp_get_max_threads() == 2
    finally:
        faiss.omp_set_num_threads(before)
    many = _unit(40, seed=4)
    for found, exact in zip(index.nearest(many, 5), ORACLE.nearest(many, 5), strict=True):
        assert found.ids == exact.ids


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "esens.index.files.faiss", raising=False)
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtraError, match=r"faiss-cpu is not installed.*esens\[faiss\]"):
        _opened("faiss:x")


def _touched(path: Path) -> Path:
    path.touch()
    return path
