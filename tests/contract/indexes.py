"""The indexes that the contract is about: a line each.

It gives the spec of one that is not there yet; or, where esens only reads, writes one that holds these documents.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.postgres import existing_table, fresh_table, indexed_table
from tests.servers import fresh_milvus, fresh_qdrant

from esens.types import Document

Fresh = Callable[[pytest.FixtureRequest, Path], str]
Write = Callable[[Path, Sequence[Document], np.ndarray], str]

INDEXES: dict[str, Fresh] = {
    "memory": lambda request, folder: "memory",
    "memory-one-thread": lambda request, folder: "memory one thread",
    "lance": lambda request, folder: f"{folder / 'index.lance'}",
    "pgvector": lambda request, folder: fresh_table(request),
    "pgvector-hnsw": lambda request, folder: indexed_table(request),
    "pgvector-existing": lambda request, folder: existing_table(request),
    "qdrant": fresh_qdrant,
    "milvus": fresh_milvus,
}


def _write_documents(folder: Path, documents: Sequence[Document]) -> Path:
    path = folder / "documents.jsonl"
    rows = ({"id": d.id, "text": d.text, "title": d.title, "metadata": dict(d.metadata)} for d in documents)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def _write_faiss(folder: Path, documents: Sequence[Document], vectors: np.ndarray) -> str:
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
    faiss.write_index(index, str(folder / "vectors"))
    return f"faiss:{folder / 'vectors'}?documents={_write_documents(folder, documents)}"


def _write_usearch(folder: Path, documents: Sequence[Document], vectors: np.ndarray) -> str:
    usearch = pytest.importorskip("usearch.index")
    index = usearch.Index(ndim=vectors.shape[1], metric="cos", dtype="f32")
    # On one thread: when several add at once, usearch now and then leaves a vector that no path leads to.
    index.add(np.arange(len(vectors)), vectors.astype(np.float32), threads=1)
    index.save(folder / "vectors")
    return f"usearch:{folder / 'vectors'}?documents={_write_documents(folder, documents)}"


READ_ONLY: dict[str, Write] = {"faiss": _write_faiss, "usearch": _write_usearch}
