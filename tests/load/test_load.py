"""``esens serve`` under more than it can do, for a bounded time: ``make test-load``."""

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.load.wrk import Load, load
from tests.server.memory import resident_while, send_many
from tests.server.running import DOCUMENTS, Call, ChildService, until
from tests.server.test_hostile_clients import ATTACKS, carry_out

import esens

pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
pytest.importorskip("wordllama", reason="wordllama is not installed: pip install -e '.[wordllama]'")
SECONDS = 10
REQUESTS = 50_000


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ChildService]:
    esens.build_index(DOCUMENTS, tmp_path / "salads.lance", embedder="wordllama")
    options = ("--queue", "16", "--timeout", "5", "--threads", "2", "--embedder", "wordllama")
    child = ChildService(str(tmp_path / "salads.lance"), *options)
    yield child
    child.stop()


def beside(work: Callable[[], Any], call: Callable[[], int]) -> tuple[Any, list[int]]:
    """Return what some work gives, and all that a call gives again and again meanwhile."""
    running = Call(work)
    given = []
    while running.is_alive():
        given.append(call())
        threading.Event().wait(0.05)
    return running.result(), given


def test_what_is_beyond_the_queue_is_refused_and_all_else_answered(service: ChildService) -> None:
    connections = 128
    sent, probes = beside(
        lambda: load(service.url, connections=connections, seconds=SECONDS),
        lambda: service.client.get("/health").status_code,
    )
    assert isinstance(sent, Load)
    assert sent.served > 0
    assert sent.refused > 0
    assert (sent.other, sent.failed) == (0, 0)
    assert set(probes) == {200}
    assert len(probes) >= SECONDS
    until(lambda: 'esens_lane_calls{lane="search"} 0' in service.client.get("/metrics").text)
    counted = re.search(r'route="/v1/search",status="503"\} (\d+)', service.client.get("/metrics").text)
    assert counted is not None
    # At the end wrk leaves some under way, which it does not count.
    assert sent.refused <= int(counted[1]) <= sent.refused + connections
    assert service.client.post("/v1/search", json={"query": "tea"}).status_code == 200


def test_while_hostile_clients_are_at_it_others_are_answered(service: ChildService) -> None:
    process = psutil.Process(service.process.pid)
    quiet = load(service.url, connections=8, seconds=SECONDS)
    before = process.memory_info().rss
    stop = threading.Event()

    def attack(one: Any) -> int:
        times = 0
        while not stop.is_set():
            carry_out(service.url, one)
            times += 1
            stop.wait(1)
        return times

    calls = [Call(lambda one=one: attack(one)) for one, times in ATTACKS.items() for _ in range(times)]  # type: ignore[misc]
    disturbed = load(service.url, connections=8, seconds=SECONDS)
    stop.set()
    times = [call.result() for call in calls]
    assert all(times)
    assert (disturbed.refused, disturbed.other, disturbed.failed) == (0, 0, 0)
    assert disturbed.served > 0
    assert process.memory_info().rss - before < 200 * 2**20  # of more than a gigabyte that was sent
    print(f"served {quiet.served} alone and {disturbed.served} beside {sum(times)} attacks")  # noqa: T201


def test_fifty_thousand_requests_leave_nothing_in_memory(service: ChildService) -> None:
    sent = 0

    def send() -> None:
        nonlocal sent
        send_many(service, 500)
        part = load(service.url, connections=8, seconds=3 * SECONDS)
        assert (part.refused, part.other, part.failed) == (0, 0, 0)
        sent += 500 + part.served

    def rounds() -> Iterator[Callable[[], None]]:
        while sent < REQUESTS:
            yield send

    middle, last = resident_while(service, rounds())
    print(f"{middle / 2**20:.1f} MB in the middle, {last / 2**20:.1f} MB after {sent} requests")  # noqa: T201
    assert last - middle < 16 * 2**20  # so seven hundred bytes a request would be found
