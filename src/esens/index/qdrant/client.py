"""How a collection of Qdrant is reached and made, and what its errors mean."""

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import ErrorTable, engine_errors
from esens.index.layout import NOTE, PARTS, choose_vector, embedder_of_note, note_of, read_note
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

from esens.index.qdrant.folder import SerialClient, check_trusted, remember
from esens.index.qdrant.folder import is_new as is_new_folder
from esens.index.qdrant.limits import bounding_hooks

MEMORY = ":memory:"
_OPTIONS = ("vector", *PARTS)
_SERVER_OPTIONS = (*_OPTIONS, "timeout", "pause", "grpc")
_FOLDER_OPTIONS = (*_OPTIONS, "collection", "trusted")
_GRPC_PORT = 6334
_TIMEOUT = 30


def connect(uri: IndexURI, *, is_new: bool) -> tuple[Any, str]:
    """Return a client and the name of the collection that a spec names."""
    uri.check_options(_SERVER_OPTIONS if uri.server else _FOLDER_OPTIONS)
    if not uri.server:
        return _open_folder(uri, is_new=is_new)
    if "@" in uri.server:
        raise ArgumentError("index", "a spec of Qdrant holds no key; set QDRANT_API_KEY instead")
    prefix, _, collection = uri.path.rpartition("/")
    _check_collection(uri, collection)
    scheme = "https" if uri.scheme.endswith("https") else "http"
    grpc_port = uri.option("grpc").lower()
    seconds = uri.seconds("timeout", _TIMEOUT)
    with engine_errors(uri, ERRORS):
        client = QdrantClient(
            url=f"{scheme}://{uri.server}" + (f"/{prefix}" if prefix else ""),
            api_key=os.environ.get("QDRANT_API_KEY") or None,
            timeout=seconds,
            event_hooks=bounding_hooks(seconds),
            prefer_grpc=grpc_port not in ("", "false"),
            grpc_port=int(grpc_port) if grpc_port.isdecimal() else _GRPC_PORT,
            check_compatibility=False,  # it costs a request and a thread, and only warns
        )
    return client, collection


def _open_folder(uri: IndexURI, *, is_new: bool) -> tuple[Any, str]:
    collection = uri.option("collection")
    _check_collection(uri, collection)
    if uri.path == MEMORY:
        return SerialClient(QdrantClient(location=MEMORY)), collection
    folder = Path(uri.path)
    if not is_new and not (folder / "meta.json").is_file():  # the client would make one
        raise EngineError(str(uri), "there is no folder of Qdrant's here")
    check_trusted(uri, folder)
    is_made_now = is_new_folder(folder)
    with engine_errors(uri, ERRORS):
        # Its connection to SQLite may go from thread to thread, since one at a time has it.
        client = SerialClient(QdrantClient(path=uri.path, force_disable_check_same_thread=True))
    if is_made_now:
        remember(folder)
    return client, collection


def _check_collection(uri: IndexURI, collection: str) -> None:
    if not collection:
        raise ArgumentError(
            "index",
            f"{uri}: name a collection, as in qdrant://HOST:PORT/COLLECTION or qdrant:FOLDER?collection=NAME",
        )


def create_collection(
    client: QdrantClient, collection: str, vector: str, dimension: int, embedder_id: EmbedderId | None
) -> None:
    """Make a collection of ours, which can be searched by words where Qdrant knows how to."""
    params = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
    client.create_collection(
        collection, vectors_config={vector: params} if vector else params, metadata={NOTE: note_of(embedder_id)}
    )
    with suppress(UnexpectedResponse, grpc.RpcError):  # a server before 1.20 ranks no words; hybrid search says so
        for field in ("text", "title"):
            client.create_payload_index(collection, field, models.TextIndexParams(type="text", scoring=True))


def read_embedder(metadata: Mapping[str, Any] | None) -> EmbedderId | None:
    """Return the embedder that made the vectors, where the collection's metadata say so."""
    metadata = metadata or {}
    if name := metadata.get("esens_embedder"):  # as older versions of esens noted it
        return EmbedderId(str(name), str(metadata.get("esens_embedder_hash") or ""))
    return embedder_of_note(read_note(metadata.get(NOTE)))


def find_vector(uri: IndexURI, vectors: Any) -> tuple[str, Any]:
    """Return the name and the settings of the vector that is searched; one without a name is called ""."""
    by_name = {"": vectors} if isinstance(vectors, models.VectorParams) else dict(vectors or {})
    usable = {name: params for name, params in by_name.items() if not params.multivector_config}
    name = choose_vector(uri, list(usable))
    return name, usable[name]


def _explain_refusal(error: UnexpectedResponse, _: IndexURI) -> str:
    status, answer = error.status_code, _redact(error.content.decode(errors="replace"))
    if status in (401, 403):
        return f"the server does not accept the key (HTTP {status}: {answer}); check QDRANT_API_KEY"
    if status == 404:
        return f"the server has no such collection or address (HTTP 404: {answer})"
    return f"the server refuses (HTTP {status}: {answer})"


def _explain_silence(error: Exception, uri: IndexURI) -> str:
    error = error.source if isinstance(error, ResponseHandlingException) else error
    if isinstance(error, httpx.TimeoutException):
        return _no_answer(uri)
    if isinstance(error, httpx.TransportError):
        return f"no connection to the server ({_redact(str(error))}); check host and port, and whether it runs"
    return f"what answers is no Qdrant server that this client understands ({_redact(str(error))})"


def _explain_grpc(error: Any, uri: IndexURI) -> str:
    code, details = error.code(), _redact(error.details() or "")
    if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return f"the server does not accept the key ({details}); check QDRANT_API_KEY"
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return _no_answer(uri)
    if code == grpc.StatusCode.UNAVAILABLE:
        return f"no connection to the server ({details}); check host and port, and whether it runs"
    return f"the server refuses ({code.name}: {details})"


def is_silence(error: Exception) -> bool:
    """Whether an error means that the server gave no answer in time."""
    error = error.source if isinstance(error, ResponseHandlingException) else error
    if isinstance(error, grpc.RpcError):
        return bool(error.code() == grpc.StatusCode.DEADLINE_EXCEEDED)
    return isinstance(error, httpx.TimeoutException)


def refusal_of(error: Exception) -> str:
    """Return what the engine says where it has understood a request and cannot do it; else nothing."""
    words = ""
    if isinstance(error, grpc.RpcError):
        if error.code() in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNIMPLEMENTED):
            words = error.details()
    elif isinstance(error, UnexpectedResponse):
        if error.status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
            words = error.content.decode(errors="replace")
    # Of local mode; a server's answer that is no JSON is no refusal.
    elif isinstance(error, (ValueError, NotImplementedError)) and not isinstance(error, json.JSONDecodeError):
        words = str(error)
    return _redact(words)


def _explain_client(error: Exception, _: IndexURI) -> str:
    if "already accessed by another instance" in str(error):
        return "the folder is open elsewhere, and one at a time may open it; close that one, or run a server"
    return _redact(str(error) or type(error).__name__)


def _no_answer(uri: IndexURI) -> str:
    return f"no answer after {uri.seconds('timeout', _TIMEOUT)} s; wait longer with ?timeout=SECONDS"


def _redact(text: str) -> str:
    return redact(text, key=os.environ.get("QDRANT_API_KEY", ""))


ERRORS: ErrorTable = {
    UnexpectedResponse: _explain_refusal,
    ResponseHandlingException: _explain_silence,
    json.JSONDecodeError: _explain_silence,
    grpc.RpcError: _explain_grpc,
    RecursionError: "the payload of a point is nested too deeply to be read",
    **dict.fromkeys(
        (ApiException, QdrantException, sqlite3.Error, OSError, ValueError, RuntimeError), _explain_client
    ),
}
