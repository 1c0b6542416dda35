"""Vectors and documents in; neighbours and raw scores out. Every index is named by a short spec."""

from contextlib import closing
from functools import cache
from importlib import import_module
from typing import Any

from esens.errors import ArgumentError, UnknownSpecError
from esens.index.adapter import ErrorTable, engine_errors
from esens.index.base import BaseIndex as BaseIndex
from esens.index.base import BaseWritableIndex as BaseWritableIndex
from esens.index.base import Index as Index
from esens.index.base import ScannableIndex as ScannableIndex
from esens.index.base import WritableIndex as WritableIndex
from esens.index.base import writable
from esens.index.check import IndexCheck as IndexCheck
from esens.index.check import IndexProblem as IndexProblem
from esens.index.memory import MemoryIndex as MemoryIndex
from esens.index.uri import IndexURI
from esens.types import EmbedderId

WRITABLE_SPECS = (
    "FOLDER.lance",
    "postgresql://USER@HOST/DATABASE?table=NAME",
    "qdrant://HOST:PORT/COLLECTION",
    "milvus://HOST:PORT/COLLECTION",
)
INDEX_SPECS = (*WRITABLE_SPECS, "faiss:FILE?documents=FILE", "usearch:FILE?documents=FILE")
ENTRY_POINTS = "esens.indexes"
"""The entry point group by which another package adds an engine: a scheme, and the class behind it."""
# The class behind every scheme. Loaded on first use: each brings a package of its own.
_ENGINES = {
    "lance": "esens.index.lance.index:LanceIndex",
    "postgresql": "esens.index.pgvector.index:PgVectorIndex",
    "postgres": "esens.index.pgvector.index:PgVectorIndex",
    "qdrant": "esens.index.qdrant.index:QdrantIndex",
    "qdrant+https": "esens.index.qdrant.index:QdrantIndex",
    "milvus": "esens.index.milvus.index:MilvusIndex",
    "milvus+https": "esens.index.milvus.index:MilvusIndex",
    "faiss": "esens.index.files.faiss:FaissIndex",
    "usearch": "esens.index.files.usearch:UsearchIndex",
}
# What the file system says of a name that no file can have, before an engine sees it.
_CANNOT_OPEN: ErrorTable = {
    OSError: lambda error, _: f"cannot be opened ({error.strerror or type(error).__name__})"
}


def is_index(spec: str) -> bool:
    """Whether a spec names an index, and not a file of documents."""
    return _class_path(IndexURI.parse(spec)) is not None


def open_index(spec: str) -> Index:
    """Open the index that a spec names."""
    uri = IndexURI.parse(spec)
    with engine_errors(uri, _CANNOT_OPEN):
        index: Index = _engine(uri).open(uri)
    return index


def open_writable(spec: str) -> WritableIndex:
    """Open the index that a spec names, to change what is in it."""
    uri = IndexURI.parse(spec)
    engine = _engine(uri)
    if writable(engine) is None:
        raise ArgumentError(
            "index",
            f"{uri} is only read and cannot be written to; change it with what made it, or make an index that "
            "esens writes to: esens index FILE --to my.lance",
        )
    with engine_errors(uri, _CANNOT_OPEN):
        index: WritableIndex = engine.open(uri)
    return index


def prepare_index(spec: str, *, dimension: int, embedder_id: EmbedderId | None = None) -> WritableIndex:
    """Open the index that a spec names to write to it, or make it where it is not there yet."""
    uri = IndexURI.parse(spec)
    with engine_errors(uri, _CANNOT_OPEN):
        index: WritableIndex = _engine(uri).prepare(uri, dimension=dimension, embedder_id=embedder_id)
    return index


def check_index(spec: str, *, repair: bool = False, record: bool = False) -> IndexCheck:
    """Look at all of the index that a spec names, and return what is wrong with it.

    ``repair`` removes documents that are not what was written from an index in a folder, so that they can be
    written anew. ``record`` keeps the hashes of files of faiss and usearch, which are compared from then on. An
    index that cannot be opened at all is an EngineError.
    """
    if not isinstance(spec, str):
        raise ArgumentError("spec", f"must be a text such as {INDEX_SPECS[0]!r}, got {type(spec).__name__}")
    with closing(open_index(spec)) as index:
        if record:
            _ability(index, "record", "only files of faiss and usearch need it; others keep their own checksums")()
        if repair:
            report: IndexCheck = _ability(
                index, "repair", "only an index in a folder (my.lance) can be repaired"
            )()
        else:
            report = _ability(index, "check", "this engine cannot be checked")()
        return report


def _ability(index: Index, name: str, problem: str) -> Any:
    method = getattr(index, name, None)
    if method is None:
        raise ArgumentError(name, problem)
    return method


def _engine(uri: IndexURI) -> Any:
    """Return the class of an engine; see :class:`BaseIndex` for its class methods."""
    path = _class_path(uri)
    if path is None:
        raise UnknownSpecError("index", str(uri), (*INDEX_SPECS, *(f"{scheme}:…" for scheme in _plugins())))
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def _class_path(uri: IndexURI) -> str | None:
    if not uri.scheme:
        return _ENGINES["lance"] if uri.path.rstrip("/\\").endswith(".lance") else None
    return _ENGINES.get(uri.scheme) or _plugins().get(uri.scheme)


@cache
def _plugins() -> dict[str, str]:
    from importlib.metadata import entry_points  # here, because to import it takes as long as to import numpy

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
