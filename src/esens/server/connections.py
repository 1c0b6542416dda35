"""A connection of uvicorn's that does not wait for ever.

What has been asked has its time limits (``limits.py``). Before that nothing has: a client that connects and is
silent, or sends half the head of a request, would keep its connection until it goes by itself.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedConnection(H11Protocol):
    """Closes where the whole head of a request is not there in time, however many bytes of it trickle in."""

    def __init__(self, *arguments: Any, seconds: float, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what came: the end of the wait, or a part of what is waited for."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        self._rest()

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._rest()  # a request is under way, which has limits of its own
        elif self._timer is None:
            self._timer = self.loop.call_later(self._seconds, self.transport.close)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
