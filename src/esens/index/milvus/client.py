"""How a collection of Milvus is reached and made, and what goes wrong."""

import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from esens.errors import ArgumentError, EngineError, EsensError, MissingExtraError
from esens.index.collection import (
    chosen_vector,
    timeout_of,
)
from esens.index.uri import IndexURI
from esens.text.redact import redact
from esens.types import EmbedderId

try:
    import grpc
    from pymilvus import DataType, MilvusClient, MilvusException
except ImportError:
    raise MissingExtraError("pymilvus", "milvus") from None

from esens.index.milvus.fields import MOST_BYTES

FIELDS = ("id", "text", "title", "metadata")
"""Options that name a part of a document."""
_OPTIONS = ("vector", *FIELDS, "timeout")
_CONNECT_TIMEOUT = 10
_FAILURES = (MilvusException, grpc.RpcError, grpc.FutureTimeoutError, OSError, ValueError, TypeError)

# What these log is raised as well, and told by an EngineError without what must not be shown.
for _name in ("pymilvus.decorators", "pymilvus.client.iterator.query_iterator", "milvus_lite.server_manager"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

# How many of ours have a file of Milvus Lite open: the last one closes it.
_open_files: Counter[str] = Counter()


def connected(address: IndexURI, *, is_new: bool) -> tuple[MilvusClient, str]:
    """Return a client and the name of the collection that a spec names."""
    is_file = not address.server
    address.check_options((*_OPTIONS, "collection" if is_file else "database"))
    collection = address.option("collection") if is_file else address.path
    if not collection:
        raise ArgumentError(
            "index",
            f"{address}: name a collection, as in milvus://HOST:PORT/COLLECTION or milvus:FILE.db?collection=NAME",
        )
    if is_file:
        return _lite(address, is_new=is_new), collection
    credentials, _, host = address.server.rpartition("@")
    scheme = "https" if address.scheme.endswith("https") else "http"
    with told(address):
        client = MilvusClient(
            f"{scheme}://{host}",
            token=unquote(credentials) or os.environ.get("MILVUS_TOKEN", ""),
            db_name=address.option("database"),
            timeout=min(timeout_of(address), _CONNECT_TIMEOUT),
        )
    return client, collection


def _lite(address: IndexURI, *, is_new: bool) -> MilvusClient:
    if find_spec("milvus_lite") is None:
        raise MissingExtraError("milvus-lite", "milvus")
    path = Path(address.path).absolute()
    if path.suffix != ".db":
        raise ArgumentError("index", f"{address}: the name of a file of Milvus Lite ends in .db")
    if not is_new and not path.exists():  # the client would make one
        raise EngineError(str(address), "there is no such file")
    with told(address):
        path.parent.mkdir(parents=True, exist_ok=True)
        client = MilvusClient(str(path), timeout=timeout_of(address))
    _open_files[str(path)] += 1
    return client


def close(address: IndexURI, client: MilvusClient) -> None:
    """Close a client; the last one of a file closes that."""
    client.close()
    path = str(Path(address.path).absolute())
    if address.server or not _open_files[path]:
        return
    _open_files[path] -= 1
    if not _open_files[path]:
        from milvus_lite.server_manager import server_manager_instance

        server_manager_instance.release_server(path)


def create(
    address: IndexURI, client: MilvusClient, collection: str, dimension: int, embedder_id: EmbedderId | None
) -> None:
    """Make a collection of ours."""
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=MOST_BYTES)
    schema.add_field("title", DataType.VARCHAR, max_length=MOST_BYTES)
    schema.add_field("text", DataType.VARCHAR, max_length=MOST_BYTES)
    schema.add_field("metadata", DataType.JSON)
    schema.add_field("marks", DataType.JSON)
    schema.add_field("lot", DataType.DOUBLE)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="AUTOINDEX" if address.server else "FLAT", metric_type="COSINE")
    try:
        client.create_collection(
            collection,
            schema=schema,
            index_params=index,
            # What this process wrote is found. Strong would find what others write as well, at 200 ms a search.
            consistency_level="Session",
            properties=properties_of(embedder_id) if embedder_id else {},
            timeout=timeout_of(address),
        )
    except _FAILURES:
        client.drop_collection(collection, timeout=timeout_of(address))  # it may be there, without an index
        raise


def properties_of(embedder_id: EmbedderId) -> dict[str, str]:
    """Return what a collection keeps of the embedder."""
    return {"esens.embedder": embedder_id.name, "esens.embedder_hash": embedder_id.hash}


def made_by_of(properties: Any) -> EmbedderId | None:
    """Return the embedder that made the vectors, where the collection says so."""
    name, hash_ = properties.get("esens.embedder"), properties.get("esens.embedder_hash")
    return EmbedderId(str(name), str(hash_ or "")) if name else None


def vector_of(address: IndexURI, described: Any) -> tuple[str, int]:
    """Return the name and the dimension of the vector that is searched."""
    usable = {
        field["name"]: int(field["params"]["dim"])
        for field in described["fields"]
        if field["type"] == DataType.FLOAT_VECTOR
    }
    name = chosen_vector(address, list(usable))
    return name, usable[name]


@contextmanager
def closing_on_error(address: IndexURI, client: MilvusClient) -> Iterator[None]:
    """Close the client where what follows fails."""
    try:
        yield
    except BaseException:
        close(address, client)
        raise


@contextmanager
def told(address: IndexURI) -> Iterator[None]:
    """Tell what goes wrong in the client as an EngineError."""
    problem = ""
    try:
        yield
    except EsensError:
        raise
    except _FAILURES as error:
        problem = _problem(error, address)
    if problem:
        raise EngineError(str(address), problem)  # out here, so that no traceback leads to the token


def _problem(error: Exception, address: IndexURI) -> str:
    said = _redact(_said(error), address)
    lower = said.lower()
    if "open local milvus failed" in lower:
        return (
            "Milvus Lite cannot open it: another process has it open, and one at a time may, or it is none of its"
        )
    if "unauthenticated" in lower or "auth check failure" in lower or "permission" in lower:
        return f"the server does not accept user and password, or what they may do is not enough ({said})"
    if "fail connecting" in lower or "unavailable" in lower:
        return f"no connection to the server ({said}); check host and port, and whether it runs"
    if "timeout" in lower or "deadline" in lower:
        return f"no answer after {timeout_of(address)} s ({said}); wait longer with ?timeout=SECONDS"
    return f"Milvus refuses ({said})"


def _said(error: Exception) -> str:
    if isinstance(error, grpc.RpcError):
        return f"{error.code().name}: {error.details()}"
    if isinstance(error, MilvusException):
        cause = f" {_said(error.__cause__)}" if isinstance(error.__cause__, grpc.RpcError) else ""
        return f"{error.message}{cause}"
    return str(error) or type(error).__name__


def _redact(text: str, address: IndexURI) -> str:
    user, colon, password = unquote(address.server.rpartition("@")[0]).partition(":")
    key = password if colon else user  # without a user it is all token
    return redact(text.replace(key, "***") if key else text, key=os.environ.get("MILVUS_TOKEN", ""))
