"""Fresh collections of Qdrant and Milvus: in a folder, or on the server that the environment names."""

import os
import socket
from pathlib import Path
from uuid import uuid4

import pytest


def fresh_qdrant(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the spec of a collection that is not there yet; one on a server is deleted afterwards."""
    client = pytest.importorskip("qdrant_client")
    url = os.environ.get("ESENS_TEST_QDRANT_URL")
    if not url:
        return f"qdrant:{folder}/qdrant?collection=docs"
    name = f"esens_test_{uuid4().hex}"

    def remove() -> None:
        server = client.QdrantClient(url=url, check_compatibility=False)
        server.delete_collection(name)
        server.close()

    request.addfinalizer(remove)
    return f"{url.replace('https:', 'qdrant+https:').replace('http:', 'qdrant:').rstrip('/')}/{name}"


def fresh_milvus(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the spec of a collection that is not there yet; one on a server is dropped afterwards."""
    client = pytest.importorskip("pymilvus")
    uri = os.environ.get("ESENS_TEST_MILVUS_URI")
    if not uri:
        pytest.importorskip("milvus_lite")
        return f"milvus:{folder}/milvus.db?collection=docs"
    name = f"esens_test_{uuid4().hex}"

    def remove() -> None:
        server = client.MilvusClient(uri, timeout=10)
        server.drop_collection(name)
        server.close()

    request.addfinalizer(remove)
    return f"{uri.replace('https:', 'milvus+https:').replace('http:', 'milvus:').rstrip('/')}/{name}"


def closed_port() -> int:
    """Return a port of this machine on which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
