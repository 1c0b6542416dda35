"""The indexes that the contract is about: a line each, which gives the spec of one that is not there yet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.postgres import existing_table, fresh_table, indexed_table
from tests.servers import fresh_milvus, fresh_qdrant

Fresh = Callable[[pytest.FixtureRequest, Path], str]

INDEXES: dict[str, Fresh] = {
    "memory": lambda request, folder: "memory",
    "memory-one-thread": lambda request, folder: "memory one thread",
    "lance": lambda request, folder: f"{folder / 'index.lance'}",
    "pgvector": lambda request, folder: fresh_table(request),
    "pgvector-hnsw": lambda request, folder: indexed_table(request),
    "pgvector-existing": lambda request, folder: existing_table(request),
    "qdrant": fresh_qdrant,
    "milvus": fresh_milvus,
    "faiss": lambda request, folder: f"faiss:{folder / 'x.index'}?documents={folder / 'x.jsonl'}",
    "usearch": lambda request, folder: f"usearch:{folder / 'x.usearch'}?documents={folder / 'x.jsonl'}",
}
