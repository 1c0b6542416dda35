"""The embedder that calls a server, against a real one on loopback that behaves and misbehaves."""

import asyncio
import json
import logging
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.chat_server import Body, Does
from tests.embedding_server import EmbeddingServer, embedding_server, embeddings, embeds, vector_of

import esens
from esens import OpenAIEmbedder
from esens.embed import Embedder, embedder_of
from esens.embed.openai import MOST_TEXTS, MOST_TOKENS, EmbeddingUsage, batches
from esens.embed.openai_response import ResponseError, read_response
from esens.errors import ArgumentError, EmbedderError, MissingExtraError

KEY = "sk-very-secret-0123456789"
QWEN3_PROMPT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

Make = Callable[..., OpenAIEmbedder]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with embedding_server() as state:
        yield state


@pytest.fixture
def make(server: EmbeddingServer) -> Iterator[Make]:
    made: list[OpenAIEmbedder] = []

    def maker(model: str = "small", **settings: Any) -> OpenAIEmbedder:
        usual: dict[str, Any] = {"base_url": server.base_url, "retries": 0}
        made.append(OpenAIEmbedder(model, **usual | settings))
        return made[-1]

    yield maker
    for one in made:
        one.close()


def _texts(number: int) -> list[str]:
    return [f"text number {i}" for i in range(number)]


def _expected(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.stack([vector_of(text) for text in texts])


def _assert_close(found: npt.ArrayLike, expected: npt.ArrayLike) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), atol=1e-7)


# What it does when all goes well.


def test_every_text_has_its_vector(make: Make) -> None:
    embedder = make()
    assert isinstance(embedder, Embedder)
    texts = ["a cat", "a dog", "a cat"]
    found = embedder.embed_documents(texts)
    assert found.dtype == np.float32
    _assert_close(found, _expected(texts))
    np.testing.assert_array_equal(embedder.embed_queries(texts), found)
    assert embedder.usage == EmbeddingUsage(requests=2, texts=6, tokens=12)
    assert str(embedder.usage) == "2 requests, 6 texts, 12 tokens"


def test_what_goes_over_the_wire(server: EmbeddingServer, make: Make) -> None:
    make(api_key=KEY).embed_documents(["a cat"])
    make(dimensions=3).embed_documents(["a cat"])
    assert server.asked[0] == {"model": "small", "input": ["a cat"], "encoding_format": "base64"}
    assert server.asked[1]["dimensions"] == 3
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_many_keep_their_order_whatever_is_answered_first(server: EmbeddingServer, make: Make) -> None:
    def does(body: Body) -> Does:
        found = embeddings(body)
        found["data"].reverse()
        return Does(body=json.dumps(found), wait=0.1 if "text number 0" in body["input"] else 0)

    server.otherwise = does
    texts = _texts(100)
    _assert_close(make(batch_size=7).embed_documents(texts), _expected(texts))
    assert max(len(body["input"]) for body in server.asked) == 7
    assert len(server.asked) == 15


def test_requests_at_once_are_bounded_whoever_asks(server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda body: Does(body=embeds(body).body, wait=0.05)
    embedder = make(batch_size=1, concurrency=3)
    threads = [threading.Thread(target=embedder.embed_documents, args=(_texts(6),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 18
    assert server.most_at_once == 3


def test_no_texts_are_no_requests(server: EmbeddingServer, make: Make) -> None:
    assert make().embed_documents([]).shape == (0, 0)
    assert server.asked == []


def test_an_empty_text_is_sent_as_a_blank(server: EmbeddingServer, make: Make) -> None:
    assert make().embed_documents(["", "x"]).shape == (2, 8)
    assert server.asked[0]["input"] == [" ", "x"]


def test_vectors_are_brought_to_unit_length_and_zeros_stay(server: EmbeddingServer, make: Make) -> None:
    data = [{"index": 0, "embedding": [3, 4]}, {"index": 1, "embedding": [0, 0]}]
    server.script = [Does(body=json.dumps({"data": data}))]
    _assert_close(make().embed_documents(["a", "b"]), [[0.6, 0.8], [0.0, 0.0]])


def test_a_search_uses_it(server: EmbeddingServer, make: Make) -> None:
    searcher = esens.Searcher.from_documents(_texts(300), embedder=make())
    assert searcher.search("text number 217", k=1)[0].id == "217"


def test_it_can_be_called_inside_a_running_loop(make: Make) -> None:
    async def main() -> npt.NDArray[np.float32]:
        return make().embed_documents(["x"])

    _assert_close(asyncio.run(main()), _expected(["x"]))


def test_a_forked_process_can_go_on(server: EmbeddingServer) -> None:
    script = (
        "import os, sys, warnings; warnings.simplefilter('ignore')\n"
        "from esens import OpenAIEmbedder\n"
        "e = OpenAIEmbedder('small', base_url=sys.argv[1])\n"
        "first = e.embed_documents(['x'])\n"
        "if os.fork() == 0: os._exit(not (e.embed_documents(['x']) == first).all())\n"
        "sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, server.base_url], check=False, timeout=60)
    assert done.returncode == 0


def test_it_can_be_closed_and_used_again(make: Make) -> None:
    def serving() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name == "esens-embed"]

    embedder = make()
    embedder.embed_documents(["x"])
    assert serving()
    embedder.close()
    assert not serving()
    embedder.embed_documents(["x"])


# Prompts.


@pytest.mark.parametrize("model", ["Qwen/Qwen3-Embedding-0.6B", "qwen3-embedding:8b"])
def test_qwen3_reads_its_instruction_before_queries_alone(model: str, server: EmbeddingServer, make: Make) -> None:
    embedder = make(model)
    embedder.embed_queries(["a cat"])
    embedder.embed_documents(["a cat"])
    assert [body["input"] for body in server.asked] == [[f"{QWEN3_PROMPT}a cat"], ["a cat"]]


@pytest.mark.parametrize("prompt", ["", "query: "])
def test_a_prompt_of_ones_own(prompt: str, server: EmbeddingServer, make: Make) -> None:
    make("qwen3-embedding", query_prompt=prompt).embed_queries(["a cat"])
    assert server.asked[0]["input"] == [f"{prompt}a cat"]


# Fingerprints.


def test_a_fingerprint_says_what_the_vectors_depend_on_and_no_more(server: EmbeddingServer, make: Make) -> None:
    same = [make(), make(api_key=KEY, batch_size=1, timeout=1, concurrency=1)]
    assert len({embedder.fingerprint for embedder in same}) == 1
    others = [
        make("large"),
        make(base_url="http://127.0.0.1:1/v1"),
        make(dimensions=3),
        make(query_prompt="query: "),
    ]
    assert len({embedder.fingerprint for embedder in [*same, *others]}) == 5
    assert KEY not in same[1].fingerprint


# Servers that know less.


def test_a_server_that_ignores_base64_is_read_too(server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda body: embeds(body, only_floats=True)
    _assert_close(make().embed_documents(["a cat"]), _expected(["a cat"]))
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_refuses_base64_gets_floats_and_is_remembered(
    status: int, server: EmbeddingServer, make: Make
) -> None:
    server.otherwise = lambda body: (
        Does(status=status, message="encoding_format must be float")
        if body["encoding_format"] == "base64"
        else embeds(body)
    )
    embedder = make()
    _assert_close(embedder.embed_documents(["a cat"]), _expected(["a cat"]))
    embedder.embed_documents(["a dog"])
    assert [body["encoding_format"] for body in server.asked] == ["base64", "float", "float"]


def test_a_server_that_numbers_nothing_sends_them_in_order(server: EmbeddingServer, make: Make) -> None:
    def does(body: Body) -> Does:
        found = embeddings(body)
        for one in found["data"]:
            del one["index"]
        del found["usage"]
        return Does(body=json.dumps(found))

    server.otherwise = does
    texts = _texts(5)
    _assert_close(make().embed_documents(texts), _expected(texts))


# Replies that cannot be used.

NUMBERS = [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [3, 4]}]


def _with(number: int, **changed: object) -> str:
    return json.dumps({"data": [one | changed if one["index"] == number else one for one in NUMBERS]})


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<html>hello</html>", "it is not a list of embeddings"),
        ("", "it is not a list of embeddings"),
        ("[]", "it is not a list of embeddings"),
        ("[" * 100_000, "it is not a list of embeddings"),
        ('{"data": null}', "it is not a list of embeddings"),
        ('{"data": [1, 2]}', "it is not a list of embeddings"),
        ('{"data": [{}, {}]}', "it is not a list of embeddings"),
        ('{"data": [], "usage": {"prompt_tokens": Infinity}}', "it is not a list of embeddings"),
        (json.dumps({"data": NUMBERS[:1]}), "it holds 1 embeddings for 2 texts"),
        (json.dumps({"data": [*NUMBERS, NUMBERS[0]]}), "it holds 3 embeddings for 2 texts"),
        (_with(1, index=0), "not numbered from 0 to 1, each once"),
        (_with(1, index=2), "not numbered from 0 to 1, each once"),
        (_with(1, index=None), "not numbered from 0 to 1, each once"),
        (_with(1, index=True), "not numbered from 0 to 1, each once"),
        (_with(1, index="1"), "not numbered from 0 to 1, each once"),
        (_with(1, embedding=[3]), "embedding 1 has 1 dimensions, and embedding 0 has 2"),
        (_with(1, embedding=[3, float("nan")]), "embedding 1 holds NaN or infinity"),
        (_with(0, embedding=[3, 1e300]), "embedding 0 holds NaN or infinity"),
        (_with(1, embedding=[3, None]), "embedding 1 "),
        (_with(1, embedding=[[3, 4]]), "embedding 1 is not a list of numbers"),
        (_with(1, embedding=["a", "b"]), "embedding 1 is not a list of numbers"),
        (_with(0, embedding=[]), "embedding 0 is not a list of numbers"),
        (_with(0, embedding=None), "embedding 0 is not a list of numbers"),
        (_with(0, embedding={}), "embedding 0 is not a list of numbers"),
        (_with(0, embedding="not base64!"), "embedding 0 is not a list of numbers"),
        (_with(0, embedding="AAAA"), "embedding 0 is not a list of numbers"),
    ],
)
def test_a_reply_that_cannot_be_used_is_named(
    body: str, problem: str, server: EmbeddingServer, make: Make
) -> None:
    server.script = [Does(body=body)]
    embedder = make()
    with pytest.raises(EmbedderError, match=r"openai:small: the reply of http.* cannot be used") as raised:
        embedder.embed_documents(["a", "b"])
    assert problem in str(raised.value)
    assert embedder.usage == EmbeddingUsage()


@given(st.text() | st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_any_reply_is_read_or_refused(value: str) -> None:
    for body in (value, f'{{"data": {value}}}', f'{{"data": [{{"index": 0, "embedding": {value}}}]}}'):
        try:
            reply = read_response(body, 1)
        except ResponseError:
            continue
        assert reply.rows.shape[0] == 1
        assert np.isfinite(reply.rows).all()


def test_other_dimensions_than_were_asked_for_are_named(server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda body: embeds({"input": body["input"]})
    with pytest.raises(EmbedderError, match=r"vectors of 8 dimensions; .* leave dimensions out"):
        make(dimensions=3).embed_documents(["a"])


def test_a_server_that_changes_its_mind_is_named(server: EmbeddingServer, make: Make) -> None:
    server.script = [embeds({"input": ["a"], "dimensions": 3})]
    with pytest.raises(EmbedderError, match="vectors of 3 and of 8 dimensions"):
        make(batch_size=1, concurrency=1).embed_documents(["a", "b"])


# Servers that fail.


@pytest.mark.parametrize("status", [401, 403, 404])
def test_wrong_settings_are_told_and_end_the_rest(status: int, server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda _: Does(status=status, message="no such thing")
    with pytest.raises(EmbedderError, match=rf"openai:small: .*check .*\(HTTP {status}: no such thing\)"):
        make(batch_size=1, concurrency=2).embed_documents(_texts(200))
    assert len(server.asked) < 50


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_request_is_shown_with_what_to_do(status: int, server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda _: Does(status=status, message="maximum context length is 8192 tokens")
    with pytest.raises(EmbedderError) as raised:
        make().embed_documents(["short", "a long\n text " * 1000])
    assert str(raised.value) == (
        f"openai:small: the server refuses a request (HTTP {status}: maximum context length is 8192 tokens). "
        "Texts too long: split documents into passages; the longest of these 2 has 13,000 characters and begins "
        "“a long text a long text a long text a”. Too many texts: lower batch_size."
    )


def test_a_model_that_knows_no_dimensions_is_told_so(server: EmbeddingServer, make: Make) -> None:
    server.script = [Does(status=400, message="this model does not support specifying dimensions")]
    with pytest.raises(EmbedderError, match=r"specifying dimensions\)\. Leave dimensions out\.$"):
        make(dimensions=3).embed_documents(["tea"])


def test_neither_server_nor_text_steers_a_terminal(server: EmbeddingServer, make: Make) -> None:
    server.script = [Does(status=400, message="\x1b[2Jno")]
    with pytest.raises(EmbedderError, match=r"HTTP 400: \[2Jno") as raised:
        make().embed_documents(["\x1b[31mtea"])
    assert str(raised.value).isprintable()


def test_a_server_that_breaks_on_a_long_text_is_shown_so_too(server: EmbeddingServer, make: Make) -> None:
    server.script = [Does(status=500, message="input (5002 tokens) is too large to process")]
    with pytest.raises(EmbedderError, match=r"HTTP 500: .* too large .*split documents into passages"):
        make().embed_documents(["tea"])


@pytest.mark.parametrize(
    ("does", "failure"),
    [
        (Does(status=500, message="out of order"), "HTTP 500: out of order"),
        (Does(status=503, body="<html>busy</html>"), "HTTP 503: no reason given"),
        (Does(status=429, message="slow down"), "HTTP 429: slow down"),
        (Does(wait=3), "timed out after 0.5 s"),
        (Does(body=json.dumps({"data": []}), drips=True), "timed out after 0.5 s"),
        (Does(resets=True), "no connection"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_server_that_fails_is_told(does: Does, failure: str, server: EmbeddingServer, make: Make) -> None:
    server.script = [does]
    timeout = 0.5 if "timed out" in failure else 30  # on busy cores an answer may take half a second, too
    with pytest.raises(EmbedderError, match="openai:small did not answer: ") as raised:
        make(timeout=timeout).embed_documents(["x"])
    assert failure in str(raised.value)


def test_a_server_that_is_not_there(make: Make) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(EmbedderError, match="no connection"):
        make(base_url=address).embed_documents(["x"])


def test_the_first_failure_does_not_wait_for_the_slow(server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda body: Does(wait=5) if body["input"] == ["slow"] else Does(status=400)
    begun = time.monotonic()
    with pytest.raises(EmbedderError, match="HTTP 400"):
        make(batch_size=1).embed_documents(["slow", "refused"])
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize(
    "does",
    [Does(status=429, headers={"Retry-After": "0.4"}), Does(status=500), Does(resets=True), Does(wait=1.5)],
    ids=repr,
)
def test_it_backs_off_and_tries_again(does: Does, server: EmbeddingServer, make: Make) -> None:
    server.script = [does]
    embedder = make(retries=1, timeout=1)
    _assert_close(embedder.embed_documents(["x"]), _expected(["x"]))
    first, second = server.times
    assert second - first > 0.3
    assert embedder.usage.requests == 1


def test_retries_end(server: EmbeddingServer, make: Make) -> None:
    server.otherwise = lambda _: Does(status=500, headers={"Retry-After": "0.01"})
    with pytest.raises(EmbedderError, match="HTTP 500"):
        make(retries=3).embed_documents(["x"])
    assert len(server.asked) == 4


# Requests that a server takes.


@given(
    st.lists(st.text(max_size=20) | st.sampled_from(["x" * 100_000, "é" * 100_000, "茶" * 150_000])),
    st.integers(1, 9),
)
def test_requests_hold_every_text_once_in_order_within_bounds(texts: list[str], size: int) -> None:
    made = list(batches(texts, size))
    assert [text for batch in made for text in batch] == [text or " " for text in texts]
    assert all(0 < len(batch) <= size for batch in made)
    assert all(len(batch) == 1 or sum(len(text.encode()) for text in batch) <= MOST_TOKENS + 9 for batch in made)


# Secrets.


def test_the_key_is_nowhere_to_be_seen(
    server: EmbeddingServer, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    telling = f"bad key {KEY}, Authorization: Bearer {KEY}, https://u:{KEY}@host/?api-key={KEY}"
    seen = []
    for status in (400, 401, 403, 404, 422, 429, 500):
        server.script = [Does(status=status, message=telling)]
        embedder = make(api_key=KEY)
        with pytest.raises(EmbedderError) as raised:
            embedder.embed_documents(["x"])
        seen += ["".join(traceback.format_exception(raised.value)), repr(embedder), embedder.name]
        assert raised.value.__context__ is None
    server.script = [Does(body=json.dumps({"data": [{"index": 0, "embedding": KEY}]}))]
    with pytest.raises(EmbedderError) as raised:
        make(api_key=KEY).embed_documents(["x"])
    seen += ["".join(traceback.format_exception(raised.value)), caplog.text]
    assert "HTTP Request" in caplog.text
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"  # it was really sent
    assert not [text for text in seen if KEY in text or KEY[3:] in text]


# Settings.


def test_key_and_address_come_from_the_environment(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url + "/")
    embedder = embedder_of("openai:org/model:tag")
    assert isinstance(embedder, OpenAIEmbedder)
    assert embedder.name == "openai:org/model:tag"
    _assert_close(embedder.embed_queries(["x"]), _expected(["x"]))
    assert server.asked[0]["model"] == "org/model:tag"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    embedder.close()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"base_url": None}, "api_key: is missing; set OPENAI_API_KEY"),
        ({"model": " "}, "model: is empty; name one, as in openai:text-embedding-3-small"),
        ({"model": None}, "model: must be a string"),
        ({"base_url": f"http://me:{KEY}@host/v1"}, "base_url: holds a user name or password"),
        ({"dimensions": 0}, "dimensions: must be a number of at least 1"),
        ({"batch_size": 0}, "batch_size: must be a number of at least 1"),
        ({"batch_size": MOST_TEXTS + 1}, "batch_size: must be at most 2,048"),
        ({"query_prompt": 5}, "query_prompt: must be a string"),
        ({"timeout": 0}, "timeout: must be a number of at least 0.001"),
        ({"retries": -1}, "retries: must be"),
        ({"concurrency": 0}, "concurrency: must be a number of at least 1"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], problem: str, make: Make) -> None:
    with pytest.raises(ArgumentError, match=problem) as raised:
        make(**settings)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(("text", "problem"), [(7, "must be a string, got int"), ("\ud800", "half a surrogate")])
def test_a_text_that_is_none_is_named(text: Any, problem: str, server: EmbeddingServer, make: Make) -> None:
    for embed in (make().embed_documents, make().embed_queries):
        with pytest.raises(ArgumentError, match=rf"texts\[1\]: .*{problem}"):
            embed(["x", text])
    assert server.asked == []


def test_without_the_client_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r'openai is not installed.*pip install "esens\[openai\]"'):
        embedder_of("openai:text-embedding-3-small")
