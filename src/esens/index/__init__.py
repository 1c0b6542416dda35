"""Vectors and documents in; neighbours and raw scores out. Every index is named by a short spec."""

from importlib import import_module
from typing import Protocol

from esens.errors import UnknownSpecError
from esens.index.base import Index as Index
from esens.index.base import ScannableIndex as ScannableIndex
from esens.index.base import WritableIndex as WritableIndex
from esens.index.memory import MemoryIndex as MemoryIndex
from esens.index.uri import Address
from esens.types import EmbedderId

INDEX_SPECS = (
    "FOLDER.lance",
    "postgresql://USER@HOST/DATABASE?table=NAME",
    "qdrant://HOST:PORT/COLLECTION",
    "milvus://HOST:PORT/COLLECTION",
    "faiss:FILE?documents=FILE",
    "usearch:FILE?documents=FILE",
)
# The class behind every scheme. Loaded on first use: each brings a package of its own.
_ENGINES = {
    "lance": ("esens.index.lance.index", "LanceIndex"),
    "postgresql": ("esens.index.pgvector.index", "PgVectorIndex"),
    "postgres": ("esens.index.pgvector.index", "PgVectorIndex"),
    "qdrant": ("esens.index.qdrant.index", "QdrantIndex"),
    "qdrant+https": ("esens.index.qdrant.index", "QdrantIndex"),
    "milvus": ("esens.index.milvus.index", "MilvusIndex"),
    "milvus+https": ("esens.index.milvus.index", "MilvusIndex"),
    "faiss": ("esens.index.files.faiss", "FaissIndex"),
    "usearch": ("esens.index.files.usearch", "UsearchIndex"),
}


class Engine(Protocol):
    """What the class of an engine offers beside what its indexes do."""

    def open(self, address: Address) -> Index:
        """Open an index that is there; EngineError where it is not, or cannot be used."""
        ...

    def prepare(self, address: Address, *, dimension: int, embedder_id: EmbedderId | None) -> WritableIndex:
        """Open an index to write to, or make it where it is not there yet.

        One whose vectors have another dimension, or were made by another embedder, is an error.
        """
        ...


def is_index(spec: str) -> bool:
    """Whether a spec names an index, and not a file of documents."""
    return _engine_name(Address.of(spec)) is not None


def open_index(spec: str) -> Index:
    """Open the index that a spec names."""
    address = Address.of(spec)
    return _engine(address).open(address)


def prepare_index(spec: str, *, dimension: int, embedder_id: EmbedderId | None = None) -> WritableIndex:
    """Open the index that a spec names to write to it, or make it where it is not there yet."""
    address = Address.of(spec)
    return _engine(address).prepare(address, dimension=dimension, embedder_id=embedder_id)


def _engine(address: Address) -> Engine:
    name = _engine_name(address)
    if name is None:
        raise UnknownSpecError("index", str(address), INDEX_SPECS)
    module, engine = _ENGINES[name]
    found: Engine = getattr(import_module(module), engine)
    return found


def _engine_name(address: Address) -> str | None:
    if address.scheme:
        return address.scheme if address.scheme in _ENGINES else None
    return "lance" if address.path.rstrip("/\\").endswith(".lance") else None
