"""An embeddings server on loopback: the chat server's wire, and vectors that depend on the text alone."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.chat_server import Body, ChatServer, Does, chat_server

DIMENSIONS = 8

EmbeddingServer = ChatServer


@contextmanager
def embedding_server(port: int = 0) -> Iterator[EmbeddingServer]:
    with chat_server(port) as state:
        state.otherwise = embeds
        yield state


def embeds(body: Body, **how: Any) -> Does:
    """Do what a good server does: a vector for each input, in the encoding that was asked for."""
    return Does(body=json.dumps(embeddings(body, **how)))


def embeddings(body: Body, *, only_floats: bool = False) -> dict[str, Any]:
    encoding = "float" if only_floats else body.get("encoding_format", "float")
    vectors = [vector_of(text, body.get("dimensions", DIMENSIONS)) for text in body["input"]]
    data = [
        {"object": "embedding", "index": number, "embedding": _encoded(vector, encoding)}
        for number, vector in enumerate(vectors)
    ]
    tokens = sum(len(text.split()) for text in body["input"])
    return {"object": "list", "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}


def vector_of(text: str, dimensions: int = DIMENSIONS) -> npt.NDArray[np.float32]:
    """Return a unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dimensions)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def _encoded(vector: npt.NDArray[np.float32], encoding: str) -> object:
    return base64.b64encode(vector.tobytes()).decode() if encoding == "base64" else vector.tolist()
