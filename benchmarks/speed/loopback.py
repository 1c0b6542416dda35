"""Requests over loopback, so many at a time or so many a second. Plain sockets: a client that costs little."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np


class Reply(NamedTuple):
    """The status of an answer, and after how many milliseconds it was there."""

    status: int
    milliseconds: float


class Client:
    """Sends bodies to one address, over connections that stay open."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()

    async def post(self, body: dict[str, Any], since: float | None = None) -> Reply:
        """Send a body; what it took counts from when it should have been sent, if that is said."""
        begun = time.perf_counter() if since is None else since
        content = json.dumps(body).encode()
        head = (
            f"POST {self._path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
        writer.write(head.encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(answer.partition("content-length: ")[2].partition("\r\n")[0])
        await reader.readexactly(length)
        self._idle.append((reader, writer))
        return Reply(int(answer.split(" ", 2)[1]), (time.perf_counter() - begun) * 1000)


def all_at_once(url: str, bodies: Sequence[dict[str, Any]], connections: int) -> list[Reply]:
    """Send every body, so many at a time; each connection sends the next when it has its answer."""

    async def send(client: Client, pending: Iterator[dict[str, Any]]) -> list[Reply]:
        return [await client.post(body) for body in pending]

    async def run() -> list[Reply]:
        client, pending = Client(url), iter(bodies)
        parts = await asyncio.gather(*(send(client, pending) for _ in range(connections)))
        client.close()
        return [reply for part in parts for reply in part]

    return asyncio.run(run())


def at_rate(url: str, bodies: Iterator[dict[str, Any]], rate: float, seconds: float, seed: int) -> list[Reply]:
    """Send so many bodies a second at random moments, whether or not those before were answered."""
    gaps = np.random.default_rng(seed).exponential(1 / rate, int(rate * seconds))

    async def run() -> list[Reply]:
        client, tasks = Client(url), []
        due = time.perf_counter()
        for gap in gaps:
            due += gap
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.append(asyncio.create_task(client.post(next(bodies), due)))
        replies = await asyncio.gather(*tasks)
        client.close()
        return replies

    return asyncio.run(run())
