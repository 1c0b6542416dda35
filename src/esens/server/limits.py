"""How much a service does at a time, and how large and how long a request may be.

Work runs on lanes: a few threads each, with a queue of bounded length. What may be slow for a reason of its own (a
write, a model on a server) has another lane than searches, which therefore never wait behind it.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from esens.search.workers import Workers
from esens.server.access import PUBLIC
from esens.server.problems import Problem, RefusedError, busy
from esens.server.settings import Settings


class Lane:
    """Threads with a queue before them. A call that finds the queue full is refused at once."""

    def __init__(self, what: str, threads: int, queue: int) -> None:
        """Take what runs here, in words for those who are refused."""
        self._what = what
        self._workers = Workers(threads)
        self._room = threads + queue
        self.count = 0
        """Calls that run or wait."""

    async def run(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Return what a function returns. One that is cancelled while it runs keeps its thread, and its place."""
        if self.count >= self._room:
            raise busy(self._what)
        loop = asyncio.get_running_loop()
        future = self._workers.submit(function, *arguments, **options)
        self.count += 1
        future.add_done_callback(lambda _: _call_in(loop, self._leave))
        return await asyncio.wrap_future(future)

    def _leave(self) -> None:
        self.count -= 1

    def close(self) -> None:
        """Wait for what runs, and end the threads."""
        self._workers.close()


def _call_in(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    if not loop.is_closed():  # a thread may outlive the loop by the end of its last call
        loop.call_soon_threadsafe(function)


class Limited:
    """Reads a request up to its limits before anything else sees it, and ends one that takes too long."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self.count = 0
        """Requests under way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Whoever watches the service must not take a busy one for a dead one.
        if self.count >= self._settings.max_requests and scope["path"] not in PUBLIC:
            raise busy("requests")
        self.count += 1
        try:
            await self._serve(scope, receive, send)
        finally:
            self.count -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        seconds = self._settings.timeout
        try:
            async with asyncio.timeout(seconds):
                body = await _read(scope, receive, self._settings.max_body_bytes)
        except TimeoutError:
            problem, remedy = f"the request did not arrive within {seconds:g} s", "send it faster, or in parts"
            raise RefusedError(Problem(408, "too_slow", problem, remedy, headers=_CLOSE)) from None
        if body is None:
            return
        has_begun = False

        async def answer(event: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(event)

        try:
            async with asyncio.timeout(seconds):
                await self._app(scope, _replay(body, receive), answer)
        except TimeoutError:
            if has_begun:  # and its reader is too slow: there is nothing left to say
                return
            raise too_slow(seconds) from None


_CLOSE = {"Connection": "close"}


async def _read(scope: Scope, receive: Receive, most: int) -> bytes | None:
    """Return the body of a request; None where its sender has gone."""
    headers = dict(scope["headers"])
    declared = headers.get(b"content-length", b"")
    if declared.isdigit() and int(declared[:20]) > most:
        raise too_large(most)
    parts, size, has_more = [], 0, True
    while has_more:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise too_large(most)
        has_more = event.get("more_body", False)
    # A page of another site may send a form or plain text without being allowed to, but not JSON.
    if size and headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        problem, remedy = "the body is not declared as JSON", "send Content-Type: application/json"
        raise RefusedError(Problem(415, "unsupported_media_type", problem, remedy))
    return b"".join(parts)


def too_slow(seconds: float) -> RefusedError:
    """Return the refusal of what has taken all its time."""
    problem = f"this took more than {seconds:g} s"
    remedy = "ask for less, or try again later; a write may still be done, and can be repeated"
    return RefusedError(Problem(504, "timeout", problem, remedy))


def too_large(most: int) -> RefusedError:
    """Return the refusal of a request of more bytes than are allowed."""
    problem = f"the body is larger than {most:,} bytes"
    return RefusedError(Problem(413, "too_large", problem, "send less at a time", headers=_CLOSE))


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read already, and then whatever comes behind it."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay
