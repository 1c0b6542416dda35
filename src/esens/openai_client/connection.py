"""One client to one server, with one bound on simultaneous calls.

Client and calls live on an event loop in a thread of their own. So the same code serves callers that wait and
callers that await, from any thread and inside a running loop such as a notebook's.
"""

import asyncio
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import httpx2
import openai

from esens.openai_client.server import ServerSettings
from esens.text.redact import redact

T = TypeVar("T")
C = TypeVar("C", bound="Closable")

_CLOSING_SECONDS = 5
_SETTINGS_ARE_WRONG = {
    401: "the server does not accept the key; check OPENAI_API_KEY",
    403: "the server does not allow this; check the key and what it may use",
    404: "the server has no such model or address; check the model's name and the base URL (most end in /v1)",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply, for people; ``status`` is HTTP's, None where no reply came at all."""

    text: str
    status: int | None = None

    @property
    def is_about_settings(self) -> bool:
        """Whether a setting is wrong, so that trying again does not help."""
        return self.status in _SETTINGS_ARE_WRONG


class Connection:
    """A client, and the thread and loop that it lives on."""

    def __init__(self, server: ServerSettings, *, name: str) -> None:
        """Open it; ``name`` is the thread's."""
        self._server = server
        self._tries = f"after {server.timeout:g} s" + (f", {server.retries + 1} times" if server.retries else "")
        self.client = openai.AsyncOpenAI(
            api_key=server.api_key,
            base_url=server.base_url,
            max_retries=server.retries,  # on 408, 409, 429, 5xx and lost connections, backing off as it asks
            timeout=server.timeout,
            http_client=_DeadlineClient(server.timeout),
        )
        self.bound = asyncio.Semaphore(server.concurrency)
        started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        thread = threading.Thread(target=_live, args=(self.client, started), name=name, daemon=True)
        thread.start()
        self._loop, stop = started.result()
        self.close = weakref.finalize(self, _end, self._loop, stop, thread)

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start work on the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def body(self, request: Awaitable[Any], explain: Callable[[Failure], Exception]) -> str:
        """Return the body of a raw reply; where none comes, raise what ``explain`` makes of the failure."""
        try:
            reply = await request
            problem: Exception | None = None
        except openai.APIError as error:
            problem = explain(self._failure(error))
        if problem is not None:
            raise problem  # out here, so that no traceback leads to the request and its headers
        return str(reply.text)

    def redact(self, text: str) -> str:
        """Return a text from outside as it may be shown: without the key."""
        return redact(text, key=self._server.api_key)

    def _failure(self, error: openai.APIError) -> Failure:
        if isinstance(error, openai.APITimeoutError):
            return Failure(f"timed out {self._tries}")
        if not isinstance(error, openai.APIStatusError):
            cause = error.__cause__ or error
            return Failure(f"no connection ({self.redact(str(cause) or type(cause).__name__)})")
        status, message = error.status_code, f"HTTP {error.status_code}: {self.redact(_message_of(error))}"
        advice = _SETTINGS_ARE_WRONG.get(status)
        return Failure(f"{advice} ({message})" if advice else message, status)


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

    def get(self) -> C:
        """Return it, open."""
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                self._opened = (os.getpid(), self._opening())
            return self._opened[1]

    def close(self) -> None:
        """Close it if it is open."""
        with self._lock:
            if self._opened is not None:
                self._opened[1].close()
                self._opened = None


class _DeadlineClient(httpx2.AsyncClient):
    """Ends a try when its time is over, even if the server sends single bytes all the time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(timeout=seconds, follow_redirects=True, limits=openai.DEFAULT_CONNECTION_LIMITS)
        self._seconds = seconds

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            async with asyncio.timeout(self._seconds):
                return await super().send(request, **options)
        except TimeoutError:
            raise httpx2.ReadTimeout("the time is over", request=request) from None


def _live(client: openai.AsyncOpenAI, started: "Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    async def until_stopped() -> None:
        stop = asyncio.Event()
        async with client:
            started.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()

    asyncio.run(until_stopped())


def _end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(stop.set)
    if thread is not threading.current_thread():  # the last to let go of it may be work on its own loop
        thread.join(_CLOSING_SECONDS)


def _message_of(error: openai.APIStatusError) -> str:
    """Return the server's own words; a page of HTML says nothing."""
    body = error.body
    message = body.get("message") or body.get("error") or body.get("detail") if isinstance(body, dict) else body
    text = str(message or "").strip()
    return "no reason given" if not text or text.startswith("<") else text
