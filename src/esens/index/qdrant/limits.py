"""How long an answer of a server may take as a whole, and how large it may be: httpx bounds single reads only."""

import math
import time
from collections.abc import Iterator
from typing import Any

import httpx

MOST_BYTES = 2**29
"""Of one answer: 16,384 neighbours with vectors of 1,536 numbers take 400 MB as JSON."""
_UNTIL = "esens.until"


def bounding_hooks(seconds: float) -> dict[str, list[Any]]:
    """Return hooks for a client of httpx that end an answer which takes longer, or is larger.

    Answers come unpacked: of packed ones nobody knows how large they are.
    """

    def begin(request: httpx.Request) -> None:
        request.headers["accept-encoding"] = "identity"
        until = time.monotonic() + seconds
        # The head of an answer passes no hook, and httpx gives each of its reads all of the time again.
        request.extensions["timeout"]["read"] = _TimeLeft(until)
        request.extensions[_UNTIL] = until

    def bound(response: httpx.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx.DecodingError("the answer is packed, though it was not asked to be")
        stream: Any = response.stream
        response.stream = _BoundedStream(stream, response.request.extensions[_UNTIL])

    return {"request": [begin], "response": [bound]}


class _TimeLeft:
    """A number of seconds for a socket: what is left, in whole ones, whenever it is asked for."""

    def __init__(self, until: float) -> None:
        self._until = until

    def __index__(self) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise httpx.ReadTimeout("the answer goes on and on")
        return math.ceil(left)


class _BoundedStream(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, until: float) -> None:
        self._stream, self._until = stream, until

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if time.monotonic() > self._until:
                raise httpx.ReadTimeout("the answer goes on and on")
            if size > MOST_BYTES:
                raise httpx.DecodingError(f"the answer is larger than {MOST_BYTES:,} bytes")
            yield part

    def close(self) -> None:
        self._stream.close()
