"""The indexes that the contract is about: a line each, which gives one that holds these documents only."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.postgres import existing_table, fresh_table, indexed_table
from tests.servers import fresh_milvus, fresh_qdrant

from esens.documents import Document
from esens.index import open_index, prepare_index
from esens.index.base import Index, Vectors
from esens.index.memory import MemoryIndex

Fill = Callable[[pytest.FixtureRequest, Path, Sequence[Document], Vectors], Index]
FreshSpec = Callable[[pytest.FixtureRequest, Path], str]


def _write(
    spec: FreshSpec, request: pytest.FixtureRequest, folder: Path, documents: Sequence[Document], vectors: Vectors
) -> Index:
    index = prepare_index(spec(request, folder), dimension=vectors.shape[1])
    index.upsert(documents, vectors)
    return index


def _open_faiss(
    request: pytest.FixtureRequest, folder: Path, documents: Sequence[Document], vectors: Vectors
) -> Index:
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
    faiss.write_index(index, str(folder / "vectors"))
    return open_index(f"faiss:{folder / 'vectors'}?documents={_write_documents(folder, documents)}")


def _open_usearch(
    request: pytest.FixtureRequest, folder: Path, documents: Sequence[Document], vectors: Vectors
) -> Index:
    usearch = pytest.importorskip("usearch.index")
    index = usearch.Index(ndim=vectors.shape[1], metric="cos", dtype="f32")
    # On one thread: when several add at once, usearch now and then leaves a vector that no path leads to.
    index.add(np.arange(len(vectors)), vectors.astype(np.float32), threads=1)
    index.save(folder / "vectors")
    return open_index(f"usearch:{folder / 'vectors'}?documents={_write_documents(folder, documents)}")


def _write_documents(folder: Path, documents: Sequence[Document]) -> Path:
    path = folder / "documents.jsonl"
    rows = ({"id": d.id, "text": d.text, "title": d.title, "metadata": dict(d.metadata)} for d in documents)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


INDEXES: dict[str, Fill] = {
    "memory": lambda request, folder, documents, vectors: MemoryIndex(documents, vectors),
    "memory-one-thread": lambda request, folder, documents, vectors: MemoryIndex(documents, vectors, threads=1),
    "lance": partial(_write, lambda request, folder: f"{folder / 'index.lance'}"),
    "pgvector": partial(_write, lambda request, folder: fresh_table(request)),
    "pgvector-hnsw": partial(_write, lambda request, folder: indexed_table(request)),
    "pgvector-existing": partial(_write, lambda request, folder: existing_table(request)),
    "qdrant": partial(_write, fresh_qdrant),
    "milvus": partial(_write, fresh_milvus),
    "faiss": _open_faiss,
    "usearch": _open_usearch,
}
