"""A server that gave no answer is left alone for a while: whoever asks meanwhile gets an error at once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from esens.errors import EngineError
from esens.index.uri import IndexURI

PAUSE = 5
"""Seconds for which a server is left alone, unless the spec says otherwise (``pause=SECONDS``)."""


class CircuitBreaker:
    """Remembers that a server gave no answer. Safe for threads: after the pause, one of them tries again."""

    def __init__(self, uri: IndexURI, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the spec, whose option ``pause`` says for how long."""
        self._uri = uri
        self._pause = uri.seconds("pause", PAUSE)
        self._clock = clock
        self._lock = Lock()
        self._silent_since: float | None = None
        self._try_at = 0.0

    @contextmanager
    def guard(self, is_silence: Callable[[Exception], bool]) -> Iterator[None]:
        """Refuse at once while the server is left alone; else see whether it answers.

        An error that is no silence is an answer, too.
        """
        self._check()
        try:
            yield
        except Exception as error:
            if is_silence(error):
                self._open()
            else:
                self._close()
            raise
        else:
            self._close()

    def _check(self) -> None:
        with self._lock:
            if self._silent_since is None:
                return
            now = self._clock()
            if now < self._try_at:
                raise EngineError(
                    str(self._uri),
                    f"the server gave no answer {now - self._silent_since:.0f} s ago, so it is not asked again "
                    f"for {self._try_at - now:.0f} s (&pause=SECONDS); see that it runs",
                )
            self._try_at = now + self._pause  # this caller tries; others do not until it knows

    def _open(self) -> None:
        with self._lock:
            self._silent_since = self._clock()
            self._try_at = self._silent_since + self._pause

    def _close(self) -> None:
        with self._lock:
            self._silent_since = None
