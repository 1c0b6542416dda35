"""How a collection of Qdrant is reached and made, and what goes wrong."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    import httpx
    from qdrant_client import QdrantClient, models
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse
except ImportError:
    raise MissingExtraError("qdrant-client", "qdrant") from None


FIELDS = ("id", "text", "title", "metadata")
"""Options that name a part of a document."""
_OPTIONS = ("vector", *FIELDS, "timeout", "grpc")
MEMORY = ":memory:"
_GRPC_PORT = 6334
# What the client and those it stands on raise, all of which becomes an EngineError.
_FAILURES = (ApiException, QdrantException, grpc.RpcError, sqlite3.Error, OSError, ValueError, RuntimeError)


def connected(address: IndexURI, *, is_new: bool) -> tuple[QdrantClient, str]:
    """Return a client and the name of the collection that a spec names."""
    address.check_options(_OPTIONS if address.server else ("collection", *_OPTIONS))
    if not address.server:
        return _local(address, is_new=is_new)
    if "@" in address.server:
        raise ArgumentError("index", "a spec of Qdrant holds no key; set QDRANT_API_KEY instead")
    prefix, _, collection = address.path.rpartition("/")
    _check_collection(address, collection)
    scheme = "https" if address.scheme.endswith("https") else "http"
    grpc_port = address.option("grpc").lower()
    with told(address):
        client = QdrantClient(
            url=f"{scheme}://{address.server}" + (f"/{prefix}" if prefix else ""),
            api_key=os.environ.get("QDRANT_API_KEY") or None,
            timeout=timeout_of(address),
            prefer_grpc=grpc_port not in ("", "false"),
            grpc_port=int(grpc_port) if grpc_port.isdecimal() else _GRPC_PORT,
            check_compatibility=False,  # it costs a request and a thread, and only warns
        )
    return client, collection


def _local(address: IndexURI, *, is_new: bool) -> tuple[QdrantClient, str]:
    collection = address.option("collection")
    _check_collection(address, collection)
    if address.path == MEMORY:
        return QdrantClient(location=MEMORY), collection
    if not is_new and not Path(address.path, "meta.json").is_file():  # the client would make one
        raise EngineError(str(address), "there is no folder of Qdrant's here")
    with told(address):
        return QdrantClient(path=address.path), collection


def _check_collection(address: IndexURI, collection: str) -> None:
    if not collection:
        raise ArgumentError(
            "index",
            f"{address}: name a collection, as in qdrant://HOST:PORT/COLLECTION or qdrant:FOLDER?collection=NAME",
        )


def create(
    client: QdrantClient, collection: str, vector: str, dimension: int, embedder_id: EmbedderId | None
) -> None:
    """Make a collection of ours."""
    params = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
    client.create_collection(
        collection,
        vectors_config={vector: params} if vector else params,
        metadata=metadata_of(embedder_id) if embedder_id else None,
    )


def metadata_of(embedder_id: EmbedderId) -> dict[str, Any]:
    """Return what a collection keeps of the embedder."""
    return {"esens_embedder": embedder_id.name, "esens_embedder_hash": embedder_id.hash}


def made_by_of(metadata: Any) -> EmbedderId | None:
    """Return the embedder that made the vectors, where the collection says so."""
    found = metadata or {}
    name, hash_ = found.get("esens_embedder"), found.get("esens_embedder_hash")
    return EmbedderId(str(name), str(hash_ or "")) if name else None


def vector_of(address: IndexURI, vectors: Any) -> tuple[str, Any]:
    """Return the name and the settings of the vector that is searched; one without a name is called ""."""
    named = {"": vectors} if isinstance(vectors, models.VectorParams) else dict(vectors or {})
    usable = {name: params for name, params in named.items() if not params.multivector_config}
    name = chosen_vector(address, list(usable))
    return name, usable[name]


@contextmanager
def closing_on_error(client: QdrantClient) -> Iterator[None]:
    """Close the client where what follows fails."""
    try:
        yield
    except BaseException:
        client.close()
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
        raise EngineError(str(address), problem)  # out here, so that no traceback leads to the request and its key


def _problem(error: Exception, address: IndexURI) -> str:
    if isinstance(error, UnexpectedResponse):
        return _refusal(error.status_code, _redact(error.content.decode(errors="replace")))
    if isinstance(error, ResponseHandlingException):
        return _silence(error.source, address)
    if isinstance(error, json.JSONDecodeError):
        return _silence(error, address)
    if isinstance(error, grpc.RpcError):
        return _grpc_problem(error, address)
    if "already accessed by another instance" in str(error):
        return "the folder is open elsewhere, and one at a time may open it; close that one, or run a server"
    return _redact(str(error) or type(error).__name__)


def _refusal(status: int | None, said: str) -> str:
    if status in (401, 403):
        return f"the server does not accept the key (HTTP {status}: {said}); check QDRANT_API_KEY"
    if status == 404:
        return f"the server has no such collection or address (HTTP 404: {said})"
    return f"the server refuses (HTTP {status}: {said})"


def _silence(error: Exception, address: IndexURI) -> str:
    if isinstance(error, httpx.TimeoutException):
        return f"no answer after {timeout_of(address)} s; wait longer with ?timeout=SECONDS"
    if isinstance(error, httpx.TransportError):
        return f"no connection to the server ({_redact(str(error))}); check host and port, and whether it runs"
    return f"what answers is no Qdrant server that this client understands ({_redact(str(error))})"


def _grpc_problem(error: Any, address: IndexURI) -> str:
    code, said = error.code(), _redact(error.details() or "")
    if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return f"the server does not accept the key ({said}); check QDRANT_API_KEY"
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"no answer after {timeout_of(address)} s; wait longer with ?timeout=SECONDS"
    if code == grpc.StatusCode.UNAVAILABLE:
        return f"no connection to the server ({said}); check host and port, and whether it runs"
    return f"the server refuses ({code.name}: {said})"


def _redact(text: str) -> str:
    return redact(text, key=os.environ.get("QDRANT_API_KEY", ""))
