"""Relevance from a server that reranks as Cohere does: POST /rerank with a query and texts, a score for each back.

vLLM, Infinity, Jina and LiteLLM have such servers, too. The connection is the one to OpenAI's servers, with its
deadline, its bounds and its circuit breaker. The client is imported when one is made.
"""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from esens.decompose.cache import AnswerKey, CachedAnswer
from esens.errors import VerifierError
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, Provider, ServerLimits, ServerSettings, checked_model
from esens.verify.base import DEFAULT_DEADLINE, NoScoresError
from esens.verify.llm import open_cache

if TYPE_CHECKING:
    from esens.openai_client.connection import Connection, Failure, Reopenable

COHERE = Provider("https://api.cohere.com/v2", "COHERE_BASE_URL", "COHERE_API_KEY")
_DEFAULTS: ServerLimits = {
    **LANGUAGE_MODEL_LIMITS,
    "timeout": DEFAULT_DEADLINE / 2,
    "deadline": DEFAULT_DEADLINE,
}
_NO_PATTERN = re.compile(r"(?!)")


class CohereReranker:
    """Scores texts on a server.

    ``model`` is the server's name for it. ``base_url``, else ``COHERE_BASE_URL``, else Cohere's, is the address
    before ``/rerank``; ``api_key``, else ``COHERE_API_KEY``, is sent there. The limits are those of
    :class:`esens.LLMDecomposer`; scores are cached by the server, the model, the query and the text.
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
        self.model = checked_model(model, example="cohere:rerank-v3.5")
        server = ServerSettings.of(base_url, api_key, limits, defaults=_DEFAULTS, provider=COHERE)
        self.base_url = server.base_url
        self.deadline = server.deadline
        self._cache = open_cache(cache)
        self._connection = _reopening_connection(server)

    def __repr__(self) -> str:
        return f"CohereReranker({self.model!r}, base_url={self.base_url!r})"

    @property
    def spec(self) -> str:
        """The spec that names it."""
        return f"cohere:{self.model}"

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        """Return a score for each text; those that are not cached come in one request."""
        known = {text: self._cached(query, text) for text in dict.fromkeys(texts)}
        missing = [text for text, score in known.items() if score is None]
        if missing:
            with self._connection.open() as connection:
                work = connection.submit(self._ask(query, missing, connection, ends))
            try:
                known |= dict(zip(missing, work.result(), strict=True))
            finally:
                work.cancel()
            for text in missing:
                self._put(query, text, known[text])
        return [score for text in texts if (score := known[text]) is not None]

    def close(self) -> None:
        """Close the connections, as happens by itself when nobody holds this any more; a later call opens new."""
        self._connection.close()

    async def _ask(self, query: str, texts: list[str], connection: "Connection", ends: float) -> list[float]:
        from asyncio import CancelledError

        import httpx2

        from esens.openai_client.connection import CLOSED_MEANWHILE

        body = {"model": self.model, "query": query, "documents": texts, "top_n": len(texts)}
        send: Any = partial(connection.client.post, "/rerank", cast_to=httpx2.Response, body=body)
        try:
            return await connection.ask(send, partial(_read, texts=len(texts)), self._error_for, ends=ends)
        except CancelledError:
            if not connection.is_closing:
                raise
            raise NoScoresError(CLOSED_MEANWHILE) from None

    def _error_for(self, failure: "Failure") -> Exception:
        if failure.is_about_settings:
            return VerifierError(f"{self.spec}: {failure.text}")
        return NoScoresError(failure.text)

    def _cached(self, query: str, text: str) -> float | None:
        cached = self._cache.get(self._key(query, text)) if self._cache else None
        return None if cached is None else float(cached.answer)

    def _put(self, query: str, text: str, score: float | None) -> None:
        if self._cache:
            self._cache.put(self._key(query, text), CachedAnswer(repr(score), ""))

    def _key(self, query: str, text: str) -> AnswerKey:
        passage = hashlib.sha256(text.encode()).hexdigest()
        return AnswerKey(self.base_url, self.model, "rerank", json.dumps([query, passage]))


def _read(body: str, *, texts: int) -> list[float]:
    from esens.openai_client.http import UnusableReplyError

    try:
        scores = {int(each["index"]): float(each["relevance_score"]) for each in json.loads(body)["results"]}
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        raise UnusableReplyError("the server's reply is not one of a reranker") from None
    if scores.keys() != set(range(texts)) or not all(map(math.isfinite, scores.values())):
        raise UnusableReplyError(f"the server's reply does not have one finite score for each of {texts} texts")
    return [scores[number] for number in range(texts)]


def _reopening_connection(server: ServerSettings) -> "Reopenable[Connection]":
    from esens.openai_client.connection import Connection, Reopenable

    return Reopenable(partial(Connection, server, name="esens-rerank", refusing=_NO_PATTERN))
