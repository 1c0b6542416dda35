"""Questions to a language model on a server that speaks OpenAI's chat protocol, and its replies."""

import json
import re
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from esens.decompose.llm.prompt import Message
from esens.errors import DecomposerError, EsensError
from esens.openai_client.connection import CLOSED_MEANWHILE as CLOSED_MEANWHILE
from esens.openai_client.connection import Connection, Failure
from esens.openai_client.http import UnusableReplyError
from esens.openai_client.server import ServerSettings, token_count

T = TypeVar("T")

# Ends a model that runs on; room enough for one that thinks aloud first.
_MOST_TOKENS = 2048
_FORM = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)


class NoAnswerError(Exception):
    """The server gave no answer that can be used; the text says why."""


class _BadRequestError(NoAnswerError):
    """The server does not take the request as it is."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model wrote, and what that took."""

    content: str
    input_tokens: int = 0
    output_tokens: int = 0
    finish: str = "stop"
    refusal: str = ""

    @property
    def is_cut_off(self) -> bool:
        """Whether the model wrote on until it was stopped."""
        return self.finish == "length"


class Chat:
    """Questions to one model on one server."""

    def __init__(
        self,
        model: str,
        server: ServerSettings,
        *,
        answer: str = "decomposition",
        error: type[EsensError] = DecomposerError,
    ) -> None:
        """Take a model; its answers are called ``answer``, and wrong settings raise ``error``."""
        self._model, self._answer, self._error = model, answer, error
        self._options: dict[str, Any] = {"temperature": 0, "max_tokens": _MOST_TOKENS, "response_format": "schema"}
        # Some servers fail on a form that they do not know.
        self._connection = Connection(server, name="esens-chat", refusing=_FORM)
        self.close: Callable[[], object] = self._connection.close
        # Looked up here, because it imports a lot, which is nobody's waiting time.
        self._create: Any = self._connection.client.chat.completions.with_raw_response.create

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start work on the connection's loop, from any thread."""
        return self._connection.submit(work)

    def redact(self, text: str) -> str:
        """Return a text from outside as it may be shown: without the key."""
        return self._connection.redact(text)

    @property
    def is_closing(self) -> bool:
        """Whether work that is cancelled now is so because of that."""
        return self._connection.is_closing

    def deadline(self) -> float:
        """Return when a conversation must be over that begins now."""
        return self._connection.deadline()

    async def ask(self, messages: Sequence[Message], schema: dict[str, Any], *, ends: float) -> ChatReply:
        """Return the model's reply; only from work that runs on the loop."""
        options = self._options
        while True:
            try:
                reply = await self._ask(messages, _request(options, self._answer, schema), ends)
            except _BadRequestError as error:
                simpler = _simpler(options, str(error))
                if simpler is None:
                    raise
                options = simpler
            else:
                self._options = options  # learnt only now: a query refused for what it says teaches nothing
                return reply

    async def _ask(self, messages: Sequence[Message], request: dict[str, Any], ends: float) -> ChatReply:
        send = partial(self._create, model=self._model, messages=list(messages), **request)
        return self._checked(await self._connection.ask(send, _read, self._error_for, ends=ends))

    def _error_for(self, failure: Failure) -> Exception:
        if failure.is_about_settings:
            return self._error(f"openai:{self._model}: {failure.text}")
        return (_BadRequestError if failure.is_about_request else NoAnswerError)(failure.text)

    def _checked(self, reply: ChatReply) -> ChatReply:
        if reply.refusal:
            raise NoAnswerError(f"the model refused: {self.redact(reply.refusal)}")
        if reply.finish == "content_filter":
            raise NoAnswerError("the server's content filter held the answer back")
        return reply


def _read(body: str) -> ChatReply:
    try:
        completion = json.loads(body)
        choice = completion["choices"][0]
        message, usage = choice["message"], completion.get("usage") or {}
        content, refusal = message.get("content"), message.get("refusal")
        tokens_in, tokens_out = (token_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
        finish = str(choice.get("finish_reason"))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        raise UnusableReplyError("the server's reply is not a chat completion") from None
    text = content if isinstance(content, str) else ""
    return ChatReply(text, tokens_in, tokens_out, finish, str(refusal or ""))


def _request(options: dict[str, Any], answer: str, schema: dict[str, Any]) -> dict[str, Any]:
    if options.get("response_format") != "schema":
        return options
    named = {"name": answer, "strict": True, "schema": schema}
    return {**options, "response_format": {"type": "json_schema", "json_schema": named}}


def _simpler(options: dict[str, Any], problem: str) -> dict[str, Any] | None:
    """Return the options without the one that the server says it does not know, or None if it names none."""
    text = problem.lower()
    for name in ("temperature", "max_tokens"):  # reasoning models know neither
        if name in options and name in text:
            return {key: value for key, value in options.items() if key != name}
    if "response_format" in options and re.search("response_format|json|schema|grammar|structured", text):
        plain = {key: value for key, value in options.items() if key != "response_format"}
        return plain | (
            {"response_format": {"type": "json_object"}} if options["response_format"] == "schema" else {}
        )
    return None
