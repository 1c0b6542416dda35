"""A few threads on which blocking calls run, so that an event loop does not have to wait for them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import Any

from esens.arrays.scan import cores


class Workers:
    """Threads, as many as pay off or as are named, started on first need. Calls beyond them wait their turn."""

    def __init__(self, threads: int | None = None) -> None:
        # An embedder on a server leaves the cores idle while it waits, hence a few more than there are.
        self._threads = cores() + 4 if threads is None else threads
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()

    async def run(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Return what a function returns, from one of the threads."""
        import asyncio  # here, because most programs never need it

        return await asyncio.wrap_future(self.submit(function, *arguments, **options))

    def submit(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> "Future[Any]":
        """Return what will hold the result of a function, once one of the threads has called it."""
        return self._started().submit(partial(copy_context().run, function, *arguments, **options))

    def close(self) -> None:
        """End the threads when what they do is done. They start again if they are needed again."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)

    def _started(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="esens-search")
            return self._pool
