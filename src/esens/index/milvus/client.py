"""How a collection of Milvus is reached and made, and what its errors mean."""

import json
import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import get_ident
from typing import Any
from urllib.parse import unquote

from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import ErrorTable, engine_errors
from esens.index.layout import NOTE, PARTS, choose_vector, embedder_of_note, note_of, read_note
from esens.index.uri import IndexURI
from esens.text.redact import redact
from esens.types import EmbedderId

try:
    import grpc
    from pymilvus import DataType, FunctionType, MilvusClient, MilvusException
except ImportError:
    raise MissingExtraError("pymilvus", "milvus") from None

from esens.index.milvus.marks import MOST_BYTES

_OPTIONS = ("vector", *PARTS, "timeout", "pause")
_TIMEOUT = 30
_CONNECT_TIMEOUT = 10
_FAILURES = (
    MilvusException,
    grpc.RpcError,
    grpc.FutureTimeoutError,
    OSError,
    ValueError,
    TypeError,
    RecursionError,
)
# These log what they raise, with what must not be shown in it.
_LOGGERS = ("pymilvus.decorators", "pymilvus.client.iterator.query_iterator", "milvus_lite.server_manager")
# How many indexes have a file of Milvus Lite open: the last one closes it.
_open_files: Counter[str] = Counter()


def connect(uri: IndexURI, *, is_new: bool) -> tuple[MilvusClient, str]:
    """Return a client and the name of the collection that a spec names."""
    is_file = not uri.server
    uri.check_options((*_OPTIONS, "collection" if is_file else "database"))
    collection = uri.option("collection") if is_file else uri.path
    if not collection:
        raise ArgumentError(
            "index",
            f"{uri}: name a collection, as in milvus://HOST:PORT/COLLECTION or milvus:FILE.db?collection=NAME",
        )
    if is_file:
        return _open_file(uri, is_new=is_new), collection
    credentials, _, host = uri.server.rpartition("@")
    scheme = "https" if uri.scheme.endswith("https") else "http"
    with milvus_errors(uri):
        client = MilvusClient(
            f"{scheme}://{host}",
            token=unquote(credentials) or os.environ.get("MILVUS_TOKEN", ""),
            db_name=uri.option("database"),
            timeout=min(timeout_of(uri), _CONNECT_TIMEOUT),
        )
    return client, collection


def _open_file(uri: IndexURI, *, is_new: bool) -> MilvusClient:
    if find_spec("milvus_lite") is None:
        raise MissingExtraError("milvus-lite", "milvus")
    path = Path(uri.path).absolute()
    if path.suffix != ".db":
        raise ArgumentError("index", f"{uri}: the name of a file of Milvus Lite ends in .db")
    if not is_new and not path.exists():  # the client would make one
        raise EngineError(str(uri), "there is no such file")
    with milvus_errors(uri):
        path.parent.mkdir(parents=True, exist_ok=True)
        client = MilvusClient(str(path), timeout=timeout_of(uri))
    _open_files[str(path)] += 1
    return client


def close(uri: IndexURI, client: MilvusClient) -> None:
    """Close a client; the last one of a file closes that."""
    client.close()
    path = str(Path(uri.path).absolute())
    if uri.server or not _open_files[path]:
        return
    _open_files[path] -= 1
    if not _open_files[path]:
        from milvus_lite.server_manager import server_manager_instance

        server_manager_instance.release_server(path)


def create_collection(
    uri: IndexURI, client: MilvusClient, collection: str, dimension: int, embedder_id: EmbedderId | None
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
    index.add_index("vector", index_type="AUTOINDEX" if uri.server else "FLAT", metric_type="COSINE")
    try:
        client.create_collection(
            collection,
            schema=schema,
            index_params=index,
            # What this process wrote is found. Strong would find what others write as well, at 200 ms a search.
            consistency_level="Session",
            properties={NOTE: json.dumps(note_of(embedder_id))},
            timeout=timeout_of(uri),
        )
    except _FAILURES:
        client.drop_collection(collection, timeout=timeout_of(uri))  # it may be there, without an index
        raise


def read_embedder(properties: Mapping[str, Any]) -> EmbedderId | None:
    """Return the embedder that made the vectors, where the collection's properties say so."""
    if name := properties.get("esens.embedder"):  # as older versions of esens noted it
        return EmbedderId(str(name), str(properties.get("esens.embedder_hash") or ""))
    return embedder_of_note(read_note(properties.get(NOTE)))


def find_vector(uri: IndexURI, description: Any) -> tuple[str, int]:
    """Return the name and the dimension of the vector that is searched."""
    usable = {
        field["name"]: int(field["params"]["dim"])
        for field in description["fields"]
        if field["type"] == DataType.FLOAT_VECTOR
    }
    name = choose_vector(uri, list(usable))
    return name, usable[name]


def find_words(description: Any) -> str:
    """Return the sparse vector that a function of BM25 makes of a text; nothing where there is none."""
    functions = (each for each in description.get("functions") or () if each["type"] == FunctionType.BM25)
    return next((str(each["output_field_names"][0]) for each in functions), "")


def timeout_of(uri: IndexURI) -> int:
    """Return the seconds that a call may take."""
    return uri.seconds("timeout", _TIMEOUT)


@contextmanager
def milvus_errors(uri: IndexURI) -> Iterator[None]:
    """Raise what the client raises as an EngineError, and keep it from logging the same."""
    with _quiet(), engine_errors(uri, _ERRORS):
        yield


@contextmanager
def _quiet() -> Iterator[None]:
    """Drop what the client logs in this thread meanwhile; its loggers stay as their user set them."""
    thread = get_ident()

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.thread != thread

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(is_of_others)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_of_others)


def is_silence(error: Exception) -> bool:
    """Whether an error means that the server gave no answer in time; the client tries until that is over."""
    if isinstance(error, grpc.FutureTimeoutError):
        return True
    words = _words_of(error).lower() if isinstance(error, (MilvusException, grpc.RpcError)) else ""
    return any(sign in words for sign in ("unavailable", "fail connecting", "timeout", "deadline"))


def _explain(error: Exception, uri: IndexURI) -> str:
    words = _redact(_words_of(error), uri)
    lower = words.lower()
    if "open local milvus failed" in lower:
        return (
            "Milvus Lite cannot open it: another process has it open, and one at a time may, or it is none of its"
        )
    if "unauthenticated" in lower or "auth check failure" in lower or "permission" in lower:
        return f"the server does not accept user and password, or what they may do is not enough ({words})"
    if "fail connecting" in lower or "unavailable" in lower:
        return f"no connection to the server ({words}); check host and port, and whether it runs"
    if "timeout" in lower or "deadline" in lower:
        return f"no answer after {timeout_of(uri)} s ({words}); wait longer with ?timeout=SECONDS"
    return f"Milvus refuses ({words})"


def _words_of(error: Exception) -> str:
    if isinstance(error, grpc.RpcError):
        return f"{error.code().name}: {error.details()}"
    if isinstance(error, MilvusException):
        cause = f" {_words_of(error.__cause__)}" if isinstance(error.__cause__, grpc.RpcError) else ""
        return f"{error.message}{cause}"
    return str(error) or type(error).__name__


def _redact(text: str, uri: IndexURI) -> str:
    user, colon, password = unquote(uri.server.rpartition("@")[0]).partition(":")
    key = password if colon else user  # without a user it is all token
    return redact(redact(text, key=key), key=os.environ.get("MILVUS_TOKEN", ""))


_ERRORS: ErrorTable = dict.fromkeys(_FAILURES, _explain)
