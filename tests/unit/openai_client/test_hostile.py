"""Model servers that hang, drip, flood, lie and vanish: a search costs one bounded wait, and then none.

What is counted is calls and bytes; where time matters the limits are small and the bounds generous.
"""

import asyncio
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from tests.chat_server import Does, answer, chat_server
from tests.hostile_server import ABSENT, MODES, SWAPS, HostileServer, absent_server, hostile_server

import esens
from esens import LLMDecomposer, OpenAIEmbedder
from esens.decompose.rules import decomposer as rules
from esens.errors import DecomposerError, EmbedderError
from esens.openai_client.connection import CLOSED_MEANWHILE

QUERY = "green tea without milk"
LIMITS: dict[str, Any] = {
    "timeout": 0.4,
    "deadline": 0.8,
    "retries": 1,
    "max_failures": 2,
    "pause": 600,
    "max_reply_bytes": 2**20,
}
# Seconds that a busy machine may take where the limits allow one or two; a server that hangs does so for 600.
GENEROUS = 30
MODES_OF_SERVERS = [name for name in (*MODES, ABSENT) if name != SWAPS]
# Far more than a search takes, and far less than the bombs unpack to: 1 GB, and no end.
MOST_MEMORY = 40 * 2**20
# What the system keeps between two sockets comes on top of what is read.
MOST_SENT = 16 * 2**20


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def _server(mode: str, elsewhere: str = "http://127.0.0.1:1/v1") -> AbstractContextManager[HostileServer]:
    return absent_server() if mode == ABSENT else hostile_server(MODES[mode], elsewhere=elsewhere)


def _searcher(decomposer: LLMDecomposer) -> esens.Searcher:
    texts = ["green tea", "milk", "tea with milk"]
    return esens.Searcher.from_documents(
        texts,
        embedder=lambda texts: [[text.count("e"), text.count("m"), 1] for text in texts],
        decomposer=decomposer,
    )


@pytest.fixture
def peak_memory() -> Iterator[Callable[[], int]]:
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.parametrize("mode", MODES_OF_SERVERS)
def test_a_hostile_model_costs_a_bounded_wait_and_then_none(mode: str, peak_memory: Callable[[], int]) -> None:
    with _server(mode) as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, **LIMITS)
        searcher = _searcher(decomposer)
        begun = time.monotonic()
        first = searcher.search(QUERY)
        assert time.monotonic() - begun < GENEROUS
        assert first.decomposition == rules.decompose(QUERY)
        assert first.decomposition.provenance.failure.startswith("openai:small did not answer: ")
        second = searcher.search(QUERY)
        later = [searcher.search(QUERY) for _ in range(20)]
        # All of them come from the first two searches; a busy server may note the last one late.
        assert len(server.requests) <= 2 * (LIMITS["retries"] + 1)
        assert [results.ids for results in (second, *later)] == [first.ids] * 21
        failure = later[-1].decomposition.provenance.failure
        assert "did not answer: no call for another " in failure
        assert decomposer.usage.fallbacks == 22
        decomposer.close()
        assert server.sent < MOST_SENT
        assert peak_memory() < MOST_MEMORY


@pytest.mark.parametrize("mode", ["hangs", "drips", "stops midway", "hangs up", ABSENT])
def test_a_server_that_is_gone_is_not_called_again(mode: str) -> None:
    with _server(mode) as server:
        limits: dict[str, Any] = {"timeout": 0.5, "deadline": 10, "retries": 0, "max_failures": 3}
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, **limits)
        first, second = decomposer(QUERY), decomposer(QUERY)
        assert "no call" not in first.provenance.failure
        assert "no call for another 60 s after a failure (" in second.provenance.failure
        assert len(server.requests) == (mode != ABSENT)
        decomposer.close()


@pytest.mark.parametrize("mode", MODES_OF_SERVERS)
def test_a_hostile_embedder_is_an_error_within_bounds_and_then_at_once(
    mode: str, peak_memory: Callable[[], int]
) -> None:
    with _server(mode) as server:
        embedder = OpenAIEmbedder("small", base_url=server.base_url, **LIMITS)
        begun = time.monotonic()
        for _ in range(2):
            with pytest.raises(EmbedderError, match="openai:small") as raised:
                embedder.embed_queries(["tea"])
            assert raised.value.__cause__ is None
        assert time.monotonic() - begun < GENEROUS
        for _ in range(20):
            with pytest.raises(EmbedderError, match="did not answer: no call for another "):
                embedder.embed_documents(["tea"])
        assert len(server.requests) <= 2 * (LIMITS["retries"] + 1)
        embedder.close()
        assert server.sent < MOST_SENT
        assert peak_memory() < MOST_MEMORY


def test_a_redirect_takes_the_query_nowhere() -> None:
    with chat_server() as other, hostile_server(MODES["redirects"], elsewhere=other.base_url) as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, **LIMITS)
        failure = decomposer(QUERY).provenance.failure
        assert f"HTTP 307 sends on to {other.base_url}/chat/completions, which is not followed" in failure
        with pytest.raises(
            EmbedderError, match=r"HTTP 307 sends on to .* which is not followed; check the base URL"
        ):
            OpenAIEmbedder("small", base_url=server.base_url, **LIMITS).embed_queries([QUERY])
        assert other.asked == []
        assert len(server.requests) == 2
        decomposer.close()


@pytest.mark.parametrize("seconds", ["5", "60", "3600"])
def test_a_wish_beyond_the_deadline_ends_the_tries(seconds: str) -> None:
    with hostile_server(MODES[f"Retry-After {seconds}"]) as server:
        limits: dict[str, Any] = {"timeout": 3, "deadline": 4, "retries": 5}
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, **limits)
        assert "HTTP 429: no reason given; no time is left to try again" in decomposer(QUERY).provenance.failure
        assert len(server.requests) == 1
        decomposer.close()


def test_the_deadline_is_for_all_tries_and_answers_together() -> None:
    with chat_server() as server:
        server.otherwise = lambda _: Does("nonsense", wait=1)
        decomposer = LLMDecomposer(
            "small", base_url=server.base_url, cache=False, timeout=10, deadline=1.8, retries=9
        )
        begun = time.monotonic()
        failure = decomposer(QUERY).provenance.failure
        assert time.monotonic() - begun < GENEROUS
        assert "no reply within 1.8 s" in failure
        assert len(server.asked) == 2  # the first answer was refused, and the second came too late
        server.otherwise = lambda _: Does(answer("green tea", "milk"))
        assert not decomposer(QUERY).provenance.failure  # it was slow, and not gone
        decomposer.close()


def test_a_long_batch_is_no_reason_to_hurry() -> None:
    with chat_server() as server:
        server.otherwise = lambda _: Does(answer("tea", "milk"), wait=0.12)
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, deadline=2, concurrency=1)
        queries = [f"tea number {i} without milk" for i in range(20)]
        assert all(not split.provenance.failure for split in decomposer.decompose_all(queries))
        decomposer.close()


def test_after_the_pause_one_call_closes_the_breaker() -> None:
    with chat_server() as server:
        server.otherwise = lambda _: Does(status=500)
        limits: dict[str, Any] = {"retries": 0, "max_failures": 2, "pause": 0.5}
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, **limits)
        for _ in range(9):
            decomposer(QUERY)
        assert len(server.asked) == 2
        time.sleep(0.6)
        for _ in range(9):
            decomposer(QUERY)
        assert len(server.asked) == 3
        server.otherwise = lambda _: Does(answer("green tea", "milk"))
        time.sleep(0.6)
        assert not [split for split in map(decomposer, [QUERY] * 9) if split.provenance.failure]
        assert len(server.asked) == 3 + 9
        decomposer.close()


def test_a_batch_stops_asking_a_server_that_is_gone() -> None:
    with hostile_server(MODES["hangs"]) as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, concurrency=4, **LIMITS)
        begun = time.monotonic()
        splits = decomposer.decompose_all([f"tea number {i} without milk" for i in range(400)])
        assert time.monotonic() - begun < GENEROUS
        assert [split.traps for split in splits] == [("milk",)] * 400
        assert len(server.requests) <= 4 * 2
        decomposer.close()


def test_what_a_query_alone_breaks_stops_nobody_else() -> None:
    with chat_server() as server:
        server.otherwise = lambda _: Does(status=400, message="flagged")
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, max_failures=1)
        for _ in range(5):
            assert "HTTP 400: flagged" in decomposer(QUERY).provenance.failure
        server.otherwise = lambda _: Does(answer("green tea", "milk"))
        assert not decomposer(QUERY).provenance.failure
        decomposer.close()


# Closing while others wait.


def _hanging() -> AbstractContextManager[HostileServer]:
    return hostile_server(MODES["hangs"])


def _wait_for_calls(server: HostileServer, number: int) -> None:
    until = time.monotonic() + 30
    while len(server.requests) < number and time.monotonic() < until:
        time.sleep(0.01)


def _in_threads(number: int, work: Callable[[], object]) -> tuple[list[threading.Thread], list[object]]:
    outcomes: list[object] = []

    def run() -> None:
        try:
            outcomes.append(work())
        except BaseException as error:  # noqa: BLE001
            outcomes.append(error)

    threads = [threading.Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    return threads, outcomes


def test_closing_leaves_searches_under_way_to_the_rules() -> None:
    with _hanging() as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, timeout=60, concurrency=2)
        threads, outcomes = _in_threads(1, lambda: decomposer.decompose_all([QUERY, "tea", "milk without tea"]))
        _wait_for_calls(server, 2)  # and the third waits for its turn
        decomposer.close()
        threads[0].join(GENEROUS)
        (splits,) = outcomes
        assert isinstance(splits, list)
        assert splits[0] == rules.decompose(QUERY)
        assert all(split.provenance.failure.endswith(f"{CLOSED_MEANWHILE}; the rules did") for split in splits)


def test_closing_without_a_fallback_is_an_error_of_ours() -> None:
    with _hanging() as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, timeout=60, fallback=None)
        threads, outcomes = _in_threads(1, lambda: decomposer(QUERY))
        _wait_for_calls(server, 1)
        decomposer.close()
        threads[0].join(GENEROUS)
        (outcome,) = outcomes
        assert isinstance(outcome, DecomposerError)
        assert CLOSED_MEANWHILE in str(outcome)


def test_closing_while_awaited_is_no_cancellation() -> None:
    async def main(decomposer: LLMDecomposer, server: HostileServer) -> list[Any]:
        waiting = asyncio.create_task(decomposer.adecompose_all([QUERY] * 3))
        await asyncio.to_thread(_wait_for_calls, server, 1)
        await asyncio.to_thread(decomposer.close)
        return await waiting

    with _hanging() as server:
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, timeout=60)
        splits = asyncio.run(main(decomposer, server))
        assert all(CLOSED_MEANWHILE in split.provenance.failure for split in splits)


def test_closing_an_embedder_under_way_is_an_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    with _hanging() as server:
        embedder = OpenAIEmbedder("small", base_url=server.base_url, timeout=60, batch_size=1, concurrency=2)
        threads, outcomes = _in_threads(1, lambda: embedder.embed_documents(["a", "b", "c", "d", "e"]))
        _wait_for_calls(server, 2)
        embedder.close()
        threads[0].join(GENEROUS)
        (outcome,) = outcomes
        assert isinstance(outcome, EmbedderError)
        assert CLOSED_MEANWHILE in str(outcome)
    assert caplog.text == ""


def test_closing_again_and_again_beside_searches_loses_none(caplog: pytest.LogCaptureFixture) -> None:
    with chat_server() as server:
        server.otherwise = lambda _: Does(answer("green tea", "milk"))
        decomposer = LLMDecomposer("small", base_url=server.base_url, cache=False, concurrency=4)
        threads, outcomes = _in_threads(4, lambda: [decomposer(QUERY).traps for _ in range(25)])
        for _ in range(25):
            time.sleep(0.02)
            decomposer.close()
        for thread in threads:
            thread.join(60)
        decomposer.close()
        assert outcomes == [[("milk",)] * 25] * 4
    assert caplog.text == ""
