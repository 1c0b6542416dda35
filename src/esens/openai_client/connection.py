"""One client to one server, with one bound on simultaneous calls, and with an end to every wait.

Client and calls live on an event loop in a thread of their own. So the same code serves callers that wait and
callers that await, from any thread and inside a running loop such as a notebook's.
"""

import asyncio
import os
import random
import re
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Generic, Protocol, TypeVar

import openai

from esens.circuit_breaker import CircuitBreaker
from esens.openai_client.http import BoundedClient, UnusableReplyError
from esens.openai_client.retry import may_pass, pause_before_retry, retry_after
from esens.openai_client.server import ServerSettings
from esens.text.redact import redact

T = TypeVar("T")
C = TypeVar("C", bound="Closable")

CLOSED_MEANWHILE = "it was closed meanwhile"
_CLOSING_SECONDS = 5
_SETTINGS_ARE_WRONG = {
    401: "the server does not accept the key; check {key}",
    403: "the server does not allow this; check the key and what it may use",
    404: "the server has no such model or address; check the model's name and the base URL (most end in /v1)",
}
_REQUEST_IS_WRONG = (400, 413, 422)
# What a gateway says, or a server without time, is not about the request, whatever its words.
_BUSY = (408, 502, 503, 504)
_OK = 200
# Of a server's own words; of these 300 characters are shown.
_LONGEST_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply, for people.

    ``status`` is HTTP's: 200 where a reply came that cannot be used, None where none came at all.
    ``is_about_request`` says that another request may be answered, ``retry_after`` how long the server asks for.
    """

    text: str
    status: int | None = None
    is_about_request: bool = False
    retry_after: float | None = None

    @property
    def is_about_settings(self) -> bool:
        """Whether a setting is wrong, so that trying again does not help."""
        return self.status in _SETTINGS_ARE_WRONG

    @property
    def is_about_server(self) -> bool:
        """Whether the server is to blame, and not what it was asked."""
        return not self.is_about_settings and not self.is_about_request


class Connection:
    """A client, and the thread and loop that it lives on."""

    def __init__(self, server: ServerSettings, *, name: str, refusing: re.Pattern[str]) -> None:
        """Open it; ``name`` is the thread's, and ``refusing`` tells a server's errors that a request caused."""
        self._server = server
        self._refusing = refusing
        self.client = openai.AsyncOpenAI(
            api_key=server.api_key,
            base_url=server.base_url,
            max_retries=0,  # tries again are counted here, within the deadline
            timeout=server.timeout,
            http_client=BoundedClient(seconds=server.timeout, most_bytes=server.max_reply_bytes),
        )
        self._bound = asyncio.Semaphore(server.concurrency)
        started: Future[_Life] = Future()
        thread = threading.Thread(target=_live, args=(self.client, started), name=name, daemon=True)
        thread.start()
        self._life = started.result()
        self._loop = self._life.loop
        self._breaker = CircuitBreaker(server.max_failures, server.pause, clock=self._loop.time)
        self.close = weakref.finalize(self, _end, self._life, thread)

    @property
    def is_closing(self) -> bool:
        """Whether work that is cancelled now is so because of that."""
        return self._life.is_ending

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start work on the loop, from any thread."""
        self._life.work.add(work)
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def deadline(self) -> float:
        """Return when the time is over that all tries for one thing may take, if it begins now."""
        return self._loop.time() + self._server.deadline

    async def ask(
        self,
        send: Callable[[], Awaitable[Any]],
        read: Callable[[str], T],
        explain: Callable[[Failure], Exception],
        *,
        ends: float,
    ) -> T:
        """Return what ``read`` makes of the reply's body; where none comes, raise what ``explain`` makes of that.

        Failures that may pass are tried again, until ``ends``. ``read`` may raise UnusableReplyError.
        """
        try:
            async with asyncio.timeout_at(ends), self._bound:
                outcome = await self._admitted(send, read, ends)
        except TimeoutError:
            # Not where it began: what waited for others' calls tells nothing about the server.
            outcome = Failure(f"no reply within {self._server.deadline:g} s")
        if isinstance(outcome, Failure):
            raise explain(outcome)  # out here, so that no traceback leads to the request and its headers
        return outcome

    async def _admitted(
        self, send: Callable[[], Awaitable[Any]], read: Callable[[str], T], ends: float
    ) -> T | Failure:
        """Try, if the breaker lets us, and tell it what came of it."""
        if wait := self._breaker.admit():
            return Failure(f"no call for another {ceil(wait)} s after a failure ({self._breaker.last_failure})")
        began = self._loop.time()
        try:
            outcome = await self._tries(send, read, ends)
        except asyncio.CancelledError:
            if self._loop.time() >= ends:
                reason = f"no reply came within {self._server.deadline:g} s"
                # One that had only the rest of the time, after a first answer, says little about the server.
                had_most = ends - began > self._server.deadline / 2
                self._breaker.fail(reason, began=began, is_gone=had_most)
            raise
        if isinstance(outcome, Failure) and outcome.is_about_server:
            self._breaker.fail(outcome.text, began=began, is_gone=outcome.status is None)
        else:
            self._breaker.succeed()
        return outcome

    async def _tries(
        self, send: Callable[[], Awaitable[Any]], read: Callable[[str], T], ends: float
    ) -> T | Failure:
        number = 0
        while True:
            outcome = await self._try(send, read)
            number += 1
            if not isinstance(outcome, Failure) or not outcome.is_about_server or not may_pass(outcome.status):
                return outcome
            if number > self._server.retries:
                return replace(outcome, text=outcome.text + (f", {number} times" if number > 1 else ""))
            left = ends - self._loop.time()
            pause = pause_before_retry(number, wished=outcome.retry_after, left=left, chance=random.random())  # noqa: S311
            if pause is None:
                return replace(outcome, text=f"{outcome.text}; no time is left to try again")
            await asyncio.sleep(pause)

    async def _try(self, send: Callable[[], Awaitable[Any]], read: Callable[[str], T]) -> T | Failure:
        try:
            return read(str((await send()).text))
        except UnusableReplyError as error:
            return Failure(str(error), _OK)
        except openai.APIError as error:
            return self._failure(error)

    def redact(self, text: str) -> str:
        """Return a text from outside as it may be shown: without the key."""
        return redact(text[:_LONGEST_TEXT], key=self._server.api_key)

    def _failure(self, error: openai.APIError) -> Failure:
        if isinstance(error, openai.APITimeoutError):
            return Failure(f"timed out after {self._server.timeout:g} s")
        if not isinstance(error, openai.APIStatusError):
            cause = error.__cause__ or error
            return Failure(f"no connection ({self.redact(str(cause) or type(cause).__name__)})")
        status, headers = error.status_code, error.response.headers
        if 300 <= status < 400:
            elsewhere = self.redact(headers.get("location", "nowhere"))
            return Failure(
                f"HTTP {status} sends on to {elsewhere}, which is not followed; check the base URL", status
            )
        message = f"HTTP {status}: {self.redact(_message_of(error))}"
        if advice := _SETTINGS_ARE_WRONG.get(status):
            return Failure(f"{advice.format(key=self._server.provider.key_variable)} ({message})", status)
        is_refused = status in _REQUEST_IS_WRONG or (status not in _BUSY and bool(self._refusing.search(message)))
        return Failure(message, status, is_refused, retry_after(headers))


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> object:
        """Close it."""
        ...


class Reopenable(Generic[C]):
    """Opens on first use, and again after closing or in a forked process, which has no thread of the old one."""

    def __init__(self, opening: Callable[[], C]) -> None:
        self._opening = opening
        self._opened: tuple[int, C] | None = None
        self._lock = threading.Lock()

    @contextmanager
    def open(self) -> Iterator[C]:
        """Give it, open; nobody closes it while work is handed over, which then ends as it should."""
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                self._opened = (os.getpid(), self._opening())
            yield self._opened[1]

    def close(self) -> None:
        """Close it if it is open."""
        with self._lock:
            if self._opened is not None:
                self._opened[1].close()
                self._opened = None


@dataclass(slots=True)
class _Life:
    """The loop, what ends it, what was given to it to do, and whether that is being ended."""

    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event
    work: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)
    is_ending: bool = False


def _live(client: openai.AsyncOpenAI, started: "Future[_Life]") -> None:
    async def until_stopped() -> None:
        life = _Life(asyncio.get_running_loop(), asyncio.Event())
        async with client:
            started.set_result(life)
            await life.stop.wait()
            await _end_work(life)

    asyncio.run(until_stopped())


async def _end_work(life: _Life) -> None:
    """Cancel what is under way, and let it say so to those who wait for it, while the client is still there."""
    life.is_ending = True
    # Not the tasks of the client's own: their parents end them in order.
    tasks = [task for task in asyncio.all_tasks() if task.get_coro() in life.work]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _end(life: _Life, thread: threading.Thread) -> None:
    with suppress(RuntimeError):  # its thread has ended, and the loop with it
        life.loop.call_soon_threadsafe(life.stop.set)
    if thread is not threading.current_thread():  # the last to let go of it may be work on its own loop
        thread.join(_CLOSING_SECONDS)


def _message_of(error: openai.APIStatusError) -> str:
    """Return the server's own words; a page of HTML says nothing."""
    body = error.body
    message = body.get("message") or body.get("error") or body.get("detail") if isinstance(body, dict) else body
    text = str(message or "").strip()
    return "no reason given" if not text or text.startswith("<") else text
