"""Relevance from a Cohere-shaped server on loopback that behaves and misbehaves."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chat_server import Body, ChatServer, Does, chat_server
from tests.hostile_server import absent_server

from esens.errors import ArgumentError, VerifierError
from esens.verify import NoScoresError, relevance_of
from esens.verify.cohere import CohereReranker

KEY = "co-very-secret-0123456789"
Make = Callable[..., CohereReranker]


def reranks(body: Body) -> Does:
    """Score by length, and give the best first, as servers do."""
    scores = [{"index": at, "relevance_score": len(text) / 100} for at, text in enumerate(body["documents"])]
    return Does(body=json.dumps({"results": sorted(scores, key=lambda each: -each["relevance_score"])}))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COHERE_API_KEY", "COHERE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    with chat_server() as state:
        state.base_url = state.base_url.replace("/v1", "/v2")
        state.otherwise = reranks
        yield state


@pytest.fixture
def make(server: ChatServer) -> Iterator[Make]:
    made: list[CohereReranker] = []

    def maker(**settings: Any) -> CohereReranker:
        usual: dict[str, Any] = {"base_url": server.base_url, "cache": False, "retries": 0}
        made.append(CohereReranker("rerank", **usual | settings))
        return made[-1]

    yield maker
    for one in made:
        one.close()


def _scores(model: CohereReranker, *texts: str) -> list[float]:
    return model.scores("tea", texts, ends=time.monotonic() + 5)


def test_the_scores_are_in_the_order_of_the_texts(server: ChatServer, make: Make) -> None:
    assert _scores(make(), "a", "bbb", "cc", "a") == [0.01, 0.03, 0.02, 0.01]
    assert server.paths == ["/v2/rerank"]
    assert server.asked == [{"model": "rerank", "query": "tea", "documents": ["a", "bbb", "cc"], "top_n": 3}]


def test_the_environment_names_server_and_key_and_openais_key_goes_nowhere(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-this-server")
    monkeypatch.setenv("COHERE_BASE_URL", server.base_url)
    model = relevance_of("cohere:rerank?retries=0")
    assert isinstance(model, CohereReranker)
    _scores(model, "a")
    monkeypatch.setenv("COHERE_API_KEY", KEY)
    other = CohereReranker("rerank", cache=False)
    _scores(other, "a")
    assert [headers["authorization"] for headers in server.headers] == ["Bearer no-key-needed", f"Bearer {KEY}"]
    assert KEY not in repr(other)
    model.close()
    other.close()


def test_coheres_own_server_needs_a_key(server: ChatServer) -> None:
    with pytest.raises(ArgumentError, match="set COHERE_API_KEY"):
        CohereReranker("rerank-v3.5")


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (Does(status=500, message="out of order"), "HTTP 500: out of order"),
        (Does(body="{}"), "not one of a reranker"),
        (Does(body="<html>"), "not one of a reranker"),
        (Does(body="[" * 3_500), "not one of a reranker"),
        (Does(body='{"results": [{"index": 0}]}'), "not one of a reranker"),
        (Does(body='{"results": []}'), "one finite score"),
        (Does(body='{"results": [{"index": 3, "relevance_score": 1}]}'), "one finite score"),
        (Does(body='{"results": [{"index": 0, "relevance_score": NaN}]}'), "one finite score"),
        (Does(body=" " * 5000), "longer than 4,000 bytes"),
        (Does(wait=1, body="{}"), "timed out after 0.2 s"),
        (Does(resets=True), "no connection"),
    ],
)
def test_a_server_that_misbehaves_gives_no_scores(does: Does, why: str, server: ChatServer, make: Make) -> None:
    server.script = [does]
    with pytest.raises(NoScoresError, match=why):
        _scores(make(timeout=0.2 if does.wait else 10, max_reply_bytes=4000), "a")


def test_a_server_that_is_gone_is_left_alone(make: Make) -> None:
    with absent_server() as absent:
        model = make(base_url=absent.base_url)
        for why in ("no connection", "no call for another"):
            with pytest.raises(NoScoresError, match=why):
                _scores(model, "a")


def test_a_key_that_is_wrong_is_an_error(server: ChatServer, make: Make) -> None:
    server.script = [Does(status=401, message=f"bad key {KEY}")]
    with pytest.raises(VerifierError, match="check COHERE_API_KEY") as raised:
        _scores(make(api_key=KEY), "a")
    assert KEY not in str(raised.value)


def test_scores_are_cached(server: ChatServer, make: Make) -> None:
    assert _scores(make(cache=True), "a", "bb") == [0.01, 0.02]
    assert _scores(make(cache=True), "bb", "ccc", "a") == [0.02, 0.03, 0.01]
    assert [body["documents"] for body in server.asked] == [["a", "bb"], ["ccc"]]
