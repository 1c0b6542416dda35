"""A verifier that asks a language model: one short question for each exclusion and passage, all at once.

And one for each exclusion by itself: what texts may call it, for the rules that read all other documents.

Any server that speaks OpenAI's chat protocol will do. This file imports the client only when a verifier is made.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

from esens.decompose.cache import AnswerCache, AnswerKey, CachedAnswer
from esens.decompose.llm.response import AnswerError
from esens.decompose.llm.usage import ChatUsage
from esens.errors import VerifierError
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, ServerLimits, ServerSettings, checked_model
from esens.storage.sqlite_cache import cache_folder
from esens.verify import kinds_prompt, prompt
from esens.verify.base import DEFAULT_DEADLINE, NamedKinds, Pair, Verification

if TYPE_CHECKING:
    from esens.decompose.llm.chat import Chat
    from esens.decompose.llm.prompt import Message
    from esens.openai_client.connection import Reopenable
    from esens.types import Evidence

_DEFAULTS: ServerLimits = {**LANGUAGE_MODEL_LIMITS, "deadline": DEFAULT_DEADLINE}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Question(Generic[T]):
    """What is asked, under which key its answer is kept, and what reads that; it may find it no answer."""

    key: AnswerKey
    messages: "Sequence[Message]"
    schema: dict[str, Any]
    read: Callable[[str], T]


@dataclass(frozen=True, slots=True)
class _Believed(Generic[T]):
    """What is believed of an answer, or None and why nothing is."""

    value: T | None
    failure: str = ""


class LLMVerifier:
    """Reads passages with a language model.

    The arguments are those of :class:`esens.LLMDecomposer`, and ``deadline`` is for all passages of a query
    together. An answer counts if its quote stands in the passage; where there is none, the rules' reading stays.
    Answers are cached by the model, the prompt, the exclusion with its relation, and the passage. Names of kinds
    are asked for once for each exclusion.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        cache: bool | str | Path = True,
        **limits: Unpack[ServerLimits],
    ) -> None:
        self.model = checked_model(model, example="openai:gpt-4o-mini")
        server = ServerSettings.of(base_url, api_key, limits, defaults=_DEFAULTS)
        self.base_url = server.base_url
        self.usage = ChatUsage()
        self._cache = open_cache(cache)
        self._chat = _reopening_chat(self.model, server)

    def __repr__(self) -> str:
        return f"LLMVerifier({self.model!r}, base_url={self.base_url!r})"

    @property
    def spec(self) -> str:
        """The spec that names this verifier."""
        return f"openai:{self.model}"

    def verify(self, pairs: Sequence[Pair]) -> Verification:
        """Return what the model says of each pair; equal ones are asked once."""
        return Verification(*self._answers([self._about(pair) for pair in pairs]))

    def name_kinds(self, things: Sequence[str]) -> NamedKinds:
        """Return what texts may call each thing; equal ones are asked once."""
        answers, failure = self._answers([self._about_kinds(thing) for thing in things])
        return NamedKinds([answer or () for answer in answers], failure)

    def _answers(self, questions: Sequence[_Question[T]]) -> tuple[list[T | None], str]:
        """Return what is believed, None where that is nothing, and why nothing is where the model failed."""
        different = {question.key: question for question in questions}
        with self._chat.open() as chat:
            ends = chat.deadline()
            asked = {key: chat.submit(self._answer(question, chat, ends)) for key, question in different.items()}
        try:
            answers = {key: future.result() for key, future in asked.items()}
        finally:
            for future in asked.values():
                future.cancel()
        failures = [answer.failure for answer in answers.values() if answer.failure]
        return [answers[question.key].value for question in questions], failures[-1] if failures else ""

    def close(self) -> None:
        """Close the connections, as happens by itself when nobody holds this any more; a later call opens new."""
        self._chat.close()

    async def _answer(self, question: _Question[T], chat: "Chat", ends: float) -> _Believed[T]:
        from asyncio import CancelledError

        from esens.decompose.llm.chat import CLOSED_MEANWHILE, NoAnswerError

        cached = self._cache.get(question.key) if self._cache else None
        if cached is not None:
            try:
                answer = question.read(cached.answer)
            except AnswerError:  # changed since; the model is asked anew
                pass
            else:
                self._count(cached=1)
                return _Believed(answer)
        try:
            answer = await self._ask(question, chat, ends)
        except AnswerError as error:
            failure = f"an answer was not believed: {chat.redact(str(error))}"
        except NoAnswerError as error:
            failure = str(error)
        except CancelledError:
            if not chat.is_closing:
                raise
            failure = CLOSED_MEANWHILE
        else:
            return _Believed(answer)
        self._count(fallbacks=1)
        return _Believed(None, failure)

    async def _ask(self, question: _Question[T], chat: "Chat", ends: float) -> T:
        self._count(calls=1)
        reply = await chat.ask(question.messages, question.schema, ends=ends)
        self._count(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        answer = question.read(reply.content)
        if self._cache:
            self._cache.put(question.key, CachedAnswer(reply.content, ""))
        return answer

    def _about(self, pair: Pair) -> "_Question[Evidence | None]":
        exclusion, document = pair
        passage = hashlib.sha256(document.content.encode()).hexdigest()
        about = json.dumps([exclusion.text, exclusion.relation, passage])
        key = AnswerKey(self.base_url, self.model, prompt.HASH, about)
        read = partial(prompt.read_evidence, exclusion=exclusion, document=document)
        return _Question(key, prompt.messages(*pair), prompt.SCHEMA, read)

    def _about_kinds(self, thing: str) -> _Question[tuple[str, ...]]:
        key = AnswerKey(self.base_url, self.model, kinds_prompt.HASH, thing)
        return _Question(key, kinds_prompt.messages(thing), kinds_prompt.SCHEMA, kinds_prompt.read_kinds)

    def _count(self, **more: int) -> None:
        # Only work on the chat's own loop comes here, so no two threads count at once.
        self.usage = replace(self.usage, **{name: getattr(self.usage, name) + n for name, n in more.items()})


def open_cache(cache: bool | str | Path) -> AnswerCache | None:
    """Return the file of answers: True is the usual place, False none."""
    if cache is False:
        return None
    return AnswerCache(cache_folder() / "verifications.sqlite" if cache is True else cache)


def _reopening_chat(model: str, server: ServerSettings) -> "Reopenable[Chat]":
    from esens.decompose.llm.chat import Chat
    from esens.openai_client.connection import Reopenable

    return Reopenable(partial(Chat, model, server, answer="verification", error=VerifierError))
