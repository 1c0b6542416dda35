"""The wire to a chat server that speaks OpenAI's protocol: one client, one bound on calls, whoever asks.

Client and calls live on an event loop in a thread of their own. So the same code serves callers that wait and
callers that await, from any thread and inside a running loop such as a notebook's.
"""

import asyncio
import json
import re
import threading
import weakref
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
import openai

from esens.decompose.prompt import Message
from esens.errors import DecomposerError

T = TypeVar("T")

# Ends a model that runs on; room enough for one that thinks aloud first.
_MOST_TOKENS = 2048
_LONGEST_SHOWN = 300
_CLOSING_SECONDS = 5
_FORM = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)
_SETTINGS_ARE_WRONG = {
    401: "the server does not accept the key; check OPENAI_API_KEY",
    403: "the server does not allow this; check the key and what it may use",
    404: "the server has no such model or address; check the model's name and the base URL (most end in /v1)",
}
_SECRETS = (
    (re.compile(r"://[^\s/@]+@"), "://***@"),
    (re.compile(r"\b(bearer|basic)\s+\S+", re.IGNORECASE), r"\1 ***"),
    (re.compile(r"(key|token|secret|password|sig)\b([^:=]{0,20}[:=]\s*)[^\s&]+", re.IGNORECASE), r"\1\2***"),
    (re.compile(r"\bsk-[\w*.-]{4,}"), "***"),
)


class NoAnswerError(Exception):
    """The server gave no answer that can be used; the text says why."""


class _BadRequestError(NoAnswerError):
    """The server does not take the request as it is."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, and what that took."""

    content: str
    input_tokens: int = 0
    output_tokens: int = 0
    is_cut_off: bool = False


class Chat:
    """Questions to one model on one server."""

    def __init__(
        self, model: str, *, base_url: str, api_key: str, timeout: float, retries: int, concurrency: int
    ) -> None:
        self._model = model
        self._api_key = api_key
        self._tries = f"after {timeout:g} s" + (f", {retries + 1} times" if retries else "")
        self._options: dict[str, Any] = {"temperature": 0, "max_tokens": _MOST_TOKENS, "response_format": "schema"}
        self._client = openai.AsyncOpenAI(
            api_key=api_key,
            base_url=base_url,
            max_retries=retries,  # on 408, 409, 429, 5xx and lost connections, backing off as the server asks
            timeout=timeout,
            http_client=_Punctual(timeout),
        )
        self._bound = asyncio.Semaphore(concurrency)
        started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        thread = threading.Thread(target=_live, args=(self._client, started), name="esens-chat", daemon=True)
        thread.start()
        self._loop, stop = started.result()
        self.close = weakref.finalize(self, _end, self._loop, stop, thread)

    def submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Start work on the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def ask(self, messages: Sequence[Message], schema: dict[str, Any]) -> Reply:
        """Return the model's reply; only from work that runs on the loop."""
        async with self._bound:
            options = self._options
            while True:
                try:
                    reply = await self._ask(messages, _request(options, schema))
                except _BadRequestError as error:
                    simpler = _simpler(options, str(error))
                    if simpler is None:
                        raise
                    options = simpler
                else:
                    self._options = options  # learnt only now: a query refused for what it says teaches nothing
                    return reply

    async def _ask(self, messages: Sequence[Message], request: dict[str, Any]) -> Reply:
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            response = await create(model=self._model, messages=list(messages), **request)
            problem: Exception | None = None
        except openai.APIError as error:
            problem = self._explained(error)
        if problem is not None:
            raise problem  # out here, so that no traceback leads to the request and its headers
        return self._reply(response.text)

    def _explained(self, error: openai.APIError) -> Exception:
        if isinstance(error, openai.APITimeoutError):
            return NoAnswerError(f"timed out {self._tries}")
        if not isinstance(error, openai.APIStatusError):
            cause = error.__cause__ or error
            return NoAnswerError(f"no connection ({self.shown(str(cause) or type(cause).__name__)})")
        status, said = error.status_code, self.shown(_said(error))
        if status in _SETTINGS_ARE_WRONG:
            return DecomposerError(f"openai:{self._model}: {_SETTINGS_ARE_WRONG[status]} (HTTP {status}: {said})")
        is_about_form = status in (415, 500, 501) and _FORM.search(
            said
        )  # some servers fail on a form they do not know
        return (_BadRequestError if status in (400, 422) or is_about_form else NoAnswerError)(
            f"HTTP {status}: {said}"
        )

    def _reply(self, body: str) -> Reply:
        try:
            found = json.loads(body)
            choice = found["choices"][0]
            message, usage = choice["message"], found.get("usage") or {}
            content, refusal = message.get("content"), message.get("refusal")
            tokens_in, tokens_out = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            raise NoAnswerError("the server's reply is not a chat completion") from None
        if refusal:
            raise NoAnswerError(f"the model refused: {self.shown(str(refusal))}")
        if choice.get("finish_reason") == "content_filter":
            raise NoAnswerError("the server's content filter held the answer back")
        text = content if isinstance(content, str) else ""
        return Reply(text, tokens_in, tokens_out, choice.get("finish_reason") == "length")

    def shown(self, text: str) -> str:
        """Return a text from outside in one line, shortened, and without the key or what looks like one."""
        line = " ".join(text.replace(self._api_key, "***").split())
        for pattern, replacement in _SECRETS:
            line = pattern.sub(replacement, line)
        return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


class _Punctual(httpx2.AsyncClient):
    """Ends a try when its time is over, even where a server sends byte after byte to keep it waiting."""

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
    if thread is not threading.current_thread():  # the last to let go of a Chat may be work on its own loop
        thread.join(_CLOSING_SECONDS)


def _request(options: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if options.get("response_format") != "schema":
        return options
    named = {"name": "decomposition", "strict": True, "schema": schema}
    return {**options, "response_format": {"type": "json_schema", "json_schema": named}}


def _simpler(options: dict[str, Any], problem: str) -> dict[str, Any] | None:
    """Return the options without the one that the server says it does not know, or None if it names none."""
    said = problem.lower()
    for name in ("temperature", "max_tokens"):  # reasoning models know neither
        if name in options and name in said:
            return {key: value for key, value in options.items() if key != name}
    if "response_format" in options and re.search("response_format|json|schema|grammar|structured", said):
        plain = {key: value for key, value in options.items() if key != "response_format"}
        return plain | (
            {"response_format": {"type": "json_object"}} if options["response_format"] == "schema" else {}
        )
    return None


def _said(error: openai.APIStatusError) -> str:
    """Return the server's own words; a page of HTML says nothing."""
    body = error.body
    message = body.get("message") or body.get("error") or body.get("detail") if isinstance(body, dict) else body
    text = str(message or "").strip()
    return "no reason given" if not text or text.startswith("<") else text
