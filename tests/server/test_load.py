"""Under load: what is refused, what goes on, what is finished. Nothing here measures seconds."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx
import pytest
from tests.chat_server import ChatServer, Does, chat_server, splits
from tests.server.running import Call, Held, Running, running, searcher, until
from tests.verifiers import Says
from tests.words import by_words

from esens import LLMDecomposer, Reranker
from esens.server.limits import Lane
from esens.server.problems import RefusedError
from esens.server.service import Service
from esens.server.settings import Settings
from esens.verify import Verification
from esens.verify.base import Pair

SEARCH = {"query": "salad without vinegar"}


@contextmanager
def held(calls: int, **options: Any) -> Iterator[tuple[Running, Held, list[Call]]]:
    """Run a service in which so many searches stand still."""
    embedder = Held()
    with running({"salads": searcher(embedder)}, **options) as service:
        assert service.post("/v1/search", SEARCH).status_code == 200  # all is loaded, so that the next is quick
        embedder.holds = True
        # Each asks for something else: what was embedded before is not embedded again.
        bodies = [{"query": f"{number} salads without vinegar"} for number in range(calls)]
        pending = service.in_threads([partial(service.post, "/v1/search", body) for body in bodies])
        try:
            embedder.wait_for(min(calls, options.get("threads", calls)))
            yield service, embedder, pending
        finally:
            embedder.gate.set()
            for call in pending:
                call.result()


def test_more_than_threads_and_queue_hold_is_refused_and_the_rest_answered() -> None:
    with held(3, threads=2, queue=1) as (service, embedder, pending):
        until(lambda: service.service.lanes["search"].count == 3)
        refused = service.post("/v1/search", SEARCH)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
        assert int(refused.headers["Retry-After"]) > 0
        embedder.gate.set()
        assert [call.result().status_code for call in pending] == [200, 200, 200]
        assert service.post("/v1/search", SEARCH).status_code == 200


def test_while_searches_stand_still_the_loop_goes_round_and_others_are_served() -> None:
    with held(2, threads=2) as (service, _, pending):
        for _ in range(50):
            assert service.client.get("/health").status_code == 200
        path = "/v1/collections/salads/documents"
        assert service.post(path, {"documents": [{"text": "written meanwhile"}]}).status_code == 200
        assert service.client.get("/ready").status_code == 200
        assert all(call.is_alive() for call in pending)


def test_no_more_requests_are_under_way_than_allowed() -> None:
    with held(2, threads=2, max_requests=2) as (service, embedder, pending):
        assert service.client.get("/v1/collections").status_code == 503
        assert service.client.get("/health").status_code == 200  # busy is not dead
        embedder.gate.set()
        assert [call.result().status_code for call in pending] == [200, 200]
        assert service.client.get("/v1/collections").status_code == 200


def test_what_takes_too_long_is_told_so_and_keeps_its_place_until_it_ends() -> None:
    with held(1, threads=1, queue=0, timeout=1) as (service, embedder, pending):
        answer = pending[0].result()
        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "timeout")
        assert service.post("/v1/search", SEARCH).status_code == 503  # the thread is still busy
        embedder.gate.set()
        until(lambda: service.service.lanes["search"].count == 0)
        assert service.post("/v1/search", SEARCH).status_code == 200


def test_a_queued_search_whose_time_is_over_is_never_begun() -> None:
    with held(2, threads=1, queue=1, timeout=1) as (service, embedder, pending):
        assert [call.result().status_code for call in pending] == [504, 504]
        embedder.gate.set()
        until(lambda: service.service.lanes["search"].count == 0)
        assert not embedder.entered.acquire(blocking=False)


def test_clients_that_hang_up_leave_no_trace() -> None:
    with running(timeout=30) as service:
        host, port = service.url.removeprefix("http://").split(":")
        for _ in range(20):
            with socket.create_connection((host, int(port))) as sender:
                sender.sendall(b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        until(lambda: "esens_requests_under_way 1" in service.client.get("/metrics").text)  # its own


def test_a_stop_finishes_what_was_accepted() -> None:
    embedder = Held()
    results = []
    with running({"salads": searcher(embedder)}, threads=2) as service:
        embedder.holds = True
        pending = service.in_threads(
            [partial(httpx.post, f"{service.url}/v1/search", json=SEARCH, timeout=60)] * 3
        )
        embedder.wait_for(2)
        until(lambda: service.service.lanes["search"].count == 3)
        threading.Timer(0.5, embedder.gate.set).start()  # after the stop has begun
        results = pending
    assert [call.result().status_code for call in results] == [200, 200, 200]
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{service.url}/health")


@contextmanager
def with_model(server: ChatServer, **options: Any) -> Iterator[Running]:
    """Run a service whose queries a language model splits."""
    model = LLMDecomposer(
        "tiny", base_url=server.base_url, cache=False, retries=0, timeout=60, deadline=60, max_failures=0
    )
    settings = Settings(port=0, decomposer="openai:tiny", **options)
    reranker = Reranker(embedder=by_words, decomposer=model)
    service = Service({"salads": searcher(decomposer=model)}, settings, decomposer=model, reranker=reranker)
    with running(service=service, **options) as state:
        yield state
    model.close()


def test_a_language_model_that_stands_still_holds_up_only_those_who_need_it() -> None:
    gate = threading.Event()

    class Slow(Does):
        def text(self) -> str:
            assert gate.wait(60)
            return super().text()

    with chat_server() as server, with_model(server, threads=1, queue=0, model_requests=3) as service:
        server.otherwise = lambda _: Slow(splits("salad without vinegar"))
        pending = service.in_threads([partial(service.post, "/v1/search", SEARCH)] * 3)
        until(lambda: len(server.asked) == 3)
        split = {"target": "salad", "exclusions": ["vinegar"]}
        for _ in range(5):
            assert service.post("/v1/search", {**SEARCH, "decomposition": split}).status_code == 200
        fourth = service.post("/v1/search", SEARCH).json()  # beyond those that may wait
        assert fourth["provenance"]["decomposer"] == "rules"
        assert "too many" in fourth["provenance"]["failure"]
        assert fourth["traps"] == ["vinegar"]
        assert all(call.is_alive() for call in pending)
        gate.set()
        decomposers = {call.result().json().get("provenance", {}).get("decomposer") for call in pending}
        assert decomposers <= {"openai:tiny", None}  # None: the one thread was busy when they came back
        assert "openai:tiny" in decomposers


class HeldVerifier(Says):
    """A verifier that stands still until somebody lets it go on."""

    def __init__(self) -> None:
        super().__init__({})
        self.gate, self.entered = threading.Event(), threading.Semaphore(0)

    def verify(self, pairs: Sequence[Pair]) -> Verification:
        self.entered.release()
        assert self.gate.wait(60)
        return super().verify(pairs)


def test_a_model_that_reads_documents_holds_up_only_those_who_exclude_something() -> None:
    verifier = HeldVerifier()
    options: dict[str, Any] = {"verifier": "openai:tiny", "threads": 1, "queue": 0, "model_requests": 2}
    service = Service({"salads": searcher(verifier=verifier)}, Settings(port=0, **options))
    with running(service=service, **options) as state:
        pending = []
        for _ in range(2):
            pending += state.in_threads([partial(state.post, "/v1/search", SEARCH)])
            assert verifier.entered.acquire(timeout=60)
        assert state.post("/v1/search", SEARCH).status_code == 503
        for _ in range(5):
            assert state.post("/v1/search", {"query": "salad"}).status_code == 200
        verifier.gate.set()
        assert [call.result().status_code for call in pending] == [200, 200]
    assert len(verifier.calls) == 2


def test_a_dead_language_model_is_replaced_by_the_rules() -> None:
    with chat_server() as server, with_model(server) as service:
        server.otherwise = lambda _: Does(status=500, message="out of order")
        for path, body in (("/v1/search", SEARCH), ("/v1/decompose", SEARCH)):
            answer = service.post(path, body)
            assert answer.status_code == 200
            assert answer.json()["traps"] == ["vinegar"]
            assert answer.json()["provenance"]["failure"]
        assert "esens_model_fallbacks_total 2" in service.client.get("/metrics").text


def test_a_lane_refuses_at_once_and_has_room_again_when_a_call_failed() -> None:
    lane = Lane("tests", 1, 0)
    gate = threading.Event()

    async def is_empty() -> None:
        while lane.count:
            await asyncio.sleep(0.001)

    async def use() -> None:
        first = asyncio.create_task(lane.run(gate.wait, 60))
        await asyncio.sleep(0)
        with pytest.raises(RefusedError, match="too many tests"):
            await lane.run(int)
        gate.set()
        assert await first is True
        await is_empty()
        with pytest.raises(ZeroDivisionError):
            await lane.run(lambda: 1 // 0)
        await is_empty()
        assert await lane.run(lambda: 3) == 3

    asyncio.run(use())
    lane.close()


def test_the_loop_turns_while_every_thread_computes() -> None:
    """The loop is looked at from within: it turns hundreds of times while searches hold all threads."""
    embedder = Held()
    turns = 0

    async def watch(service: Service) -> None:
        nonlocal turns
        lane = service.lanes["search"]
        embedder.holds = True
        calls = [asyncio.create_task(lane.run(service.searchers["salads"].search, "salad")) for _ in range(2)]
        await asyncio.to_thread(embedder.wait_for, 2)
        while turns < 500:
            await asyncio.sleep(0)
            turns += 1
        assert not any(call.done() for call in calls)
        embedder.gate.set()
        await asyncio.gather(*calls)

    service = Service({"salads": searcher(embedder)}, Settings(threads=2))
    asyncio.run(watch(service))
    service.close()
    assert turns == 500
