"""A verifier that asks a language model: one short question for each exclusion and passage, all at once.

Any server that speaks OpenAI's chat protocol will do. This file imports the client only when a verifier is made.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from esens.decompose.cache import AnswerCache, AnswerKey, CachedAnswer
from esens.decompose.llm.response import AnswerError
from esens.decompose.llm.usage import ChatUsage
from esens.errors import VerifierError
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, ServerLimits, ServerSettings, checked_model
from esens.storage.sqlite_cache import cache_folder
from esens.types import Evidence
from esens.verify import prompt
from esens.verify.base import DEFAULT_DEADLINE, Pair, Verification

if TYPE_CHECKING:
    from esens.decompose.llm.chat import Chat
    from esens.openai_client.connection import Reopenable

_DEFAULTS: ServerLimits = {**LANGUAGE_MODEL_LIMITS, "deadline": DEFAULT_DEADLINE}
_Judgement = tuple[Evidence | None, str]
"""What is believed of a pair, and why nothing is where the model failed."""


class LLMVerifier:
    """Reads passages with a language model.

    The arguments are those of :class:`esens.LLMDecomposer`, and ``deadline`` is for all passages of a query
    together. An answer counts if its quote stands in the passage; where there is none, the rules' reading stays.
    Answers are cached by the model, the prompt, the exclusion with its relation, and the passage.
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
        keys = [self._key(pair) for pair in pairs]
        different = dict(zip(keys, pairs, strict=True))
        with self._chat.open() as chat:
            ends = chat.deadline()
            asked = {key: chat.submit(self._judge(key, pair, chat, ends)) for key, pair in different.items()}
        try:
            judged = {key: future.result() for key, future in asked.items()}
        finally:
            for future in asked.values():
                future.cancel()
        failures = [failure for _, failure in judged.values() if failure]
        return Verification([judged[key][0] for key in keys], failures[-1] if failures else "")

    def close(self) -> None:
        """Close the connections, as happens by itself when nobody holds this any more; a later call opens new."""
        self._chat.close()

    async def _judge(self, key: AnswerKey, pair: Pair, chat: "Chat", ends: float) -> _Judgement:
        from asyncio import CancelledError

        from esens.decompose.llm.chat import CLOSED_MEANWHILE, NoAnswerError

        cached = self._cache.get(key) if self._cache else None
        if cached is not None:
            try:
                evidence = prompt.read_evidence(cached.answer, *pair)
            except AnswerError:  # changed since; the model is asked anew
                pass
            else:
                self._count(cached=1)
                return evidence, ""
        try:
            return await self._ask(key, pair, chat, ends), ""
        except AnswerError as error:
            failure = f"an answer was not believed: {chat.redact(str(error))}"
        except NoAnswerError as error:
            failure = str(error)
        except CancelledError:
            if not chat.is_closing:
                raise
            failure = CLOSED_MEANWHILE
        self._count(fallbacks=1)
        return None, failure

    async def _ask(self, key: AnswerKey, pair: Pair, chat: "Chat", ends: float) -> Evidence | None:
        self._count(calls=1)
        reply = await chat.ask(prompt.messages(*pair), prompt.SCHEMA, ends=ends)
        self._count(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        evidence = prompt.read_evidence(reply.content, *pair)
        if self._cache:
            self._cache.put(key, CachedAnswer(reply.content, ""))
        return evidence

    def _key(self, pair: Pair) -> AnswerKey:
        exclusion, document = pair
        passage = hashlib.sha256(document.content.encode()).hexdigest()
        return AnswerKey(
            self.base_url, self.model, prompt.HASH, json.dumps([exclusion.text, exclusion.relation, passage])
        )

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
