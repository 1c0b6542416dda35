"""How much memory a service keeps when it has answered."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import psutil
from tests.server.running import ChildService

_number = itertools.count()


def resident_while(service: ChildService, rounds: Iterable[Callable[[], Any]]) -> tuple[int, int]:
    """Send requests, round by round; return the bytes that the process has in the middle and in the end.

    The first half only fills what it keeps on purpose, such as vectors of the last texts.
    """
    process = psutil.Process(service.process.pid)
    sizes = []
    for send in rounds:
        send()
        sizes.append(process.memory_info().rss)
    return max(sizes[: len(sizes) // 2]), sizes[-1]


def send_many(service: ChildService, count: int) -> None:
    """Send requests of every kind, the bad ones too, none of them twice."""
    for number in itertools.islice(_number, count):
        query = f"salad {number} without vinegar"
        kind = number % 5
        if kind == 0:
            answer = service.client.post("/v1/decompose", json={"query": query})
        elif kind == 1:
            answer = service.client.post("/v1/rerank", json={"query": query, "documents": [query, "tea"]})
        elif kind == 2:
            answer = service.client.post("/v1/search", json={"query": query, f"field {number}": 1})
        elif kind == 3:
            answer = service.client.get(f"/nothing/{number}")
        else:
            answer = service.client.post("/v1/search", json={"query": query})
        assert answer.status_code == {2: 422, 3: 404}.get(kind, 200)
