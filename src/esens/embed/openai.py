"""Embeddings from any server that speaks OpenAI's embeddings API. The client is imported when one is made."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from esens.embed.base import Vectors, at_unit_length, checked_texts, fingerprint
from esens.embed.openai_response import EmbeddingResponse, ResponseError, read_response
from esens.embed.prompts import query_prompt_of
from esens.errors import ArgumentError, EmbedderError
from esens.openai_client.server import ServerLimits, ServerSettings, at_least, checked_model
from esens.text.plain import single_line
from esens.types import check_text

if TYPE_CHECKING:
    from asyncio import Semaphore

    from esens.openai_client.connection import Connection, Failure, Reopenable

# Small enough for every server we know of, and a corpus that comes 128 at a time still fills several requests.
DEFAULT_BATCH_SIZE = 32
# Nothing stands in for an embedder, so it is more patient than a decomposer, and asks again sooner.
EMBEDDING_LIMITS: ServerLimits = {
    "timeout": 60.0,
    "retries": 5,
    "concurrency": 8,
    "max_failures": 3,
    "pause": 10.0,
    "max_reply_bytes": 64 * 2**20,  # 32 vectors of 16,000 dimensions take half of it, as floats in text
}
# OpenAI takes no more texts, and no more tokens, in one request.
MOST_TEXTS = 2048
MOST_TOKENS = 300_000
_BEGINNING = 40
_OK = 200
# Some servers break on a long text, or on an encoding that they do not know, as they say in an error of their own.
_TOO_LONG = "too (large|long)|context (length|size)"
_ENCODING = "encoding|base64"
_REFUSING = re.compile(f"{_TOO_LONG}|{_ENCODING}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EmbeddingUsage:
    """What was used so far: requests that were answered, the texts in them, the tokens that the server read."""

    requests: int = 0
    texts: int = 0
    tokens: int = 0

    def __str__(self) -> str:
        return f"{self.requests:,} requests, {self.texts:,} texts, {self.tokens:,} tokens"


class OpenAIEmbedder:
    """Embeds texts on a server.

    ``model`` is the server's name for it. ``base_url`` is the server's, else ``OPENAI_BASE_URL``, else OpenAI's;
    ``api_key``, else ``OPENAI_API_KEY``, is sent there, and a server of your own may need none. ``dimensions``
    asks for shorter vectors, of models that can. ``query_prompt`` stands before every query: None takes what the
    model is known to want, "" nothing. ``batch_size`` bounds the texts in a request. The limits are those of
    :class:`esens.LLMDecomposer`, for a request instead of a query.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        query_prompt: str | None = None,
        batch_size: int = DEFAULT_BATCH_SIZE,
        **limits: Unpack[ServerLimits],
    ) -> None:
        self.model = checked_model(model, example="openai:text-embedding-3-small")
        self.query_prompt = query_prompt_of(model) if query_prompt is None else query_prompt
        check_text("query_prompt", self.query_prompt)
        self.dimensions = None if dimensions is None else int(at_least("dimensions", dimensions, 1))
        self._batch_size = _checked_batch_size(batch_size)
        server = ServerSettings.of(base_url, api_key, limits, defaults=EMBEDDING_LIMITS)
        self._concurrency = server.concurrency
        self.base_url = server.base_url
        self._connection = _reopening_connection(server)
        # Base64 is a quarter of the bytes. A server that does not know it either ignores it or says so.
        self._encoding = "base64"
        self._usage = EmbeddingUsage()

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, base_url={self.base_url!r}, dimensions={self.dimensions})"

    @property
    def name(self) -> str:
        """The spec that names this embedder, and the dimensions where they were chosen."""
        return f"openai:{self.model}" + (f" ({self.dimensions} dimensions)" if self.dimensions else "")

    @property
    def fingerprint(self) -> str:
        """What made the vectors, as far as it can be known from here: a server may change its model unseen."""
        return fingerprint(
            "openai",
            base_url=self.base_url,
            model=self.model,
            dimensions=self.dimensions,
            query_prompt=self.query_prompt,
        )

    @property
    def usage(self) -> EmbeddingUsage:
        """What was used so far, over all calls."""
        return self._usage

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each document."""
        return self._embed(checked_texts(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each query, its prompt in front."""
        return self._embed([self.query_prompt + text for text in checked_texts(texts)])

    def close(self) -> None:
        """Close the connections, as also happens when the object is deleted; a later call opens new ones."""
        self._connection.close()

    def _embed(self, texts: list[str]) -> Vectors:
        import asyncio
        from concurrent.futures import FIRST_EXCEPTION, wait

        if not texts:
            return np.zeros((0, 0), np.float32)
        queue = asyncio.Semaphore(self._concurrency)  # a request's time begins when those before it here are done
        with self._connection.open() as connection:
            requests = [
                connection.submit(self._rows(batch, connection, queue))
                for batch in batches(texts, self._batch_size)
            ]
        try:
            for future in wait(requests, return_when=FIRST_EXCEPTION).done:
                future.result()  # the first failure ends the rest
            return self._join([future.result() for future in requests])
        finally:
            for future in requests:
                future.cancel()

    async def _rows(self, texts: list[str], connection: "Connection", queue: "Semaphore") -> Vectors:
        from asyncio import CancelledError

        from esens.openai_client.connection import CLOSED_MEANWHILE

        try:
            async with queue:
                reply = await self._reply(texts, connection, connection.deadline())
        except CancelledError:
            if not connection.is_closing:
                raise
            raise EmbedderError(f"{self.name} did not answer: {CLOSED_MEANWHILE}") from None
        # Only work on the connection's own loop comes here, so no two threads count at once.
        used = self._usage
        self._usage = replace(
            used, requests=used.requests + 1, texts=used.texts + len(texts), tokens=used.tokens + reply.tokens
        )
        return at_unit_length(reply.rows)

    async def _reply(self, texts: list[str], connection: "Connection", ends: float) -> EmbeddingResponse:
        encoding = self._encoding
        try:
            reply = await self._ask(texts, encoding, connection, ends)
        except _UnknownEncodingError:
            encoding = "float"
            reply = await self._ask(texts, encoding, connection, ends)
        self._encoding = encoding  # learnt only now: a text refused for what it says teaches nothing
        return reply

    async def _ask(
        self, texts: list[str], encoding: str, connection: "Connection", ends: float
    ) -> EmbeddingResponse:
        create: Any = connection.client.embeddings.with_raw_response.create
        shorter = {"dimensions": self.dimensions} if self.dimensions else {}
        send = partial(create, model=self.model, input=texts, encoding_format=encoding, **shorter)
        explain = partial(self._explain, texts=texts, encoding=encoding)
        return await connection.ask(send, partial(_read, texts=len(texts)), explain, ends=ends)

    def _explain(self, failure: "Failure", *, texts: list[str], encoding: str) -> Exception:
        if failure.is_about_settings:
            return EmbedderError(f"{self.name}: {failure.text}")
        if failure.status == _OK:
            return EmbedderError(f"{self.name}: the reply of {self.base_url} cannot be used: {failure.text}")
        if not failure.is_about_request:
            return EmbedderError(f"{self.name} did not answer: {failure.text}")
        reason = failure.text.lower()
        if encoding != "float" and re.search(_ENCODING, reason):
            return _UnknownEncodingError()
        advice = "Leave dimensions out." if self.dimensions and "dimension" in reason else _advice(texts)
        return EmbedderError(f"{self.name}: the server refuses a request ({failure.text}). {advice}")

    def _join(self, parts: list[Vectors]) -> Vectors:
        dimensions = sorted({part.shape[1] for part in parts})
        if len(dimensions) > 1:
            raise EmbedderError(
                f"{self.name}: the server gave vectors of {dimensions[0]} and of {dimensions[1]} dimensions"
            )
        if self.dimensions not in (None, dimensions[0]):
            raise EmbedderError(
                f"{self.name}: the server gave vectors of {dimensions[0]} dimensions; "
                "the model cannot shorten them, so leave dimensions out"
            )
        return np.concatenate(parts)


def batches(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield the texts in requests that a server takes; an empty one is sent as a blank, for none takes nothing."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        most = len(text.encode())  # a token is a byte at least
        if batch and (len(batch) == size or tokens + most > MOST_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text or " ")
        tokens += most
    if batch:
        yield batch


def _read(body: str, *, texts: int) -> EmbeddingResponse:
    from esens.openai_client.http import UnusableReplyError

    try:
        return read_response(body, texts)
    except ResponseError as error:
        raise UnusableReplyError(str(error)) from None


class _UnknownEncodingError(Exception):
    """The server does not know the encoding of the request."""


def _advice(texts: list[str]) -> str:
    longest = max(texts, key=len)
    return (
        f"Texts too long: split documents into passages; the longest of these {len(texts)} has {len(longest):,} "
        f"characters and begins “{single_line(longest[:_BEGINNING])}”. Too many texts: lower batch_size."
    )


def _checked_batch_size(size: int) -> int:
    if at_least("batch_size", size, 1) > MOST_TEXTS:
        raise ArgumentError(
            "batch_size", f"must be at most {MOST_TEXTS:,}, the most that servers take; got {size}"
        )
    return int(size)


def _reopening_connection(server: ServerSettings) -> "Reopenable[Connection]":
    from esens.openai_client.connection import Connection, Reopenable

    def opening() -> Connection:
        connection = Connection(server, name="esens-embed", refusing=_REFUSING)
        _ = connection.client.embeddings  # which imports a lot, and that is nobody's waiting time
        return connection

    return Reopenable(opening)
