"""The HTTP client: a try ends in time, a body is read up to a limit, and nothing is sent anywhere else."""

import asyncio
from typing import Any

import httpx2
import openai

# What is read of a reply's headers. Its character set and its compression are not: text is UTF-8, as JSON is.
_HEADERS = ("retry-after", "retry-after-ms", "location")


class UnusableReplyError(openai.OpenAIError):
    """A reply came and cannot be used; the text says why. The client hands it on as it is."""


class BoundedClient(httpx2.AsyncClient):
    """Sends requests as they are, and bounds what a server can do with one.

    A try ends after ``seconds`` even if the server sends single bytes all the time. A body of more than
    ``most_bytes`` is not read to its end. Compression is not asked for, and a compressed body is refused, since a
    small one may unpack to any size. Redirects are not followed: the query is for the server that was named.
    """

    def __init__(self, *, seconds: float, most_bytes: int) -> None:
        super().__init__(
            timeout=seconds,
            follow_redirects=False,
            headers={"Accept-Encoding": "identity"},
            limits=openai.DEFAULT_CONNECTION_LIMITS,
        )
        self._seconds = seconds
        self._most_bytes = most_bytes

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return the reply, its body read."""
        try:
            async with asyncio.timeout(self._seconds):
                reply = await super().send(request, **options | {"stream": True})
                try:
                    body = await self._read(reply)
                finally:
                    await reply.aclose()
        except TimeoutError:
            raise httpx2.ReadTimeout("the time is over", request=request) from None
        headers = {name: reply.headers[name] for name in _HEADERS if name in reply.headers}
        return httpx2.Response(reply.status_code, headers=headers, content=body, request=request)

    async def _read(self, reply: httpx2.Response) -> bytes:
        coding = reply.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("", "identity"):
            raise UnusableReplyError(f"the reply is compressed ({coding[:20]!r}), which was not asked for")
        body = bytearray()
        async for chunk in reply.aiter_raw():
            body += chunk
            if len(body) > self._most_bytes:
                raise UnusableReplyError(f"the reply is longer than {self._most_bytes:,} bytes (max_reply_bytes)")
        return bytes(body)
