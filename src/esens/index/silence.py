"""A server that gave no answer is left alone for a while: whoever asks meanwhile gets an error at once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from esens.circuit_breaker import CircuitBreaker
from esens.errors import EngineError
from esens.index.uri import IndexURI

PAUSE = 5
"""Seconds for which a server is left alone, unless the spec says otherwise (``pause=SECONDS``)."""


class SilenceGuard:
    """Remembers that a server gave no answer. Safe for threads: after the pause, one of them tries again."""

    def __init__(self, uri: IndexURI, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the spec, whose option ``pause`` says for how long."""
        self._uri = uri
        self._clock = clock
        self._breaker = CircuitBreaker(1, uri.seconds("pause", PAUSE), clock)
        self._lock = Lock()
        self._silent_since = 0.0

    @contextmanager
    def watch(self, is_silence: Callable[[Exception], bool]) -> Iterator[None]:
        """Refuse at once while the server is left alone; else see whether it answers.

        An error that is no silence is an answer, too.
        """
        began = self._admit()
        try:
            yield
        except Exception as error:
            self._note(began, answered=not is_silence(error))
            raise
        self._note(began, answered=True)

    def _admit(self) -> float:
        """Return when the call begins, if one may."""
        with self._lock:
            now = self._clock()
            wait = self._breaker.admit()
        if wait:
            raise EngineError(
                str(self._uri),
                f"the server gave no answer {now - self._silent_since:.0f} s ago, so it is not asked again "
                f"for {wait:.0f} s (&pause=SECONDS); see that it runs",
            )
        return now

    def _note(self, began: float, *, answered: bool) -> None:
        with self._lock:
            if answered:
                self._breaker.succeed()
            else:
                self._silent_since = self._clock()
                self._breaker.fail("no answer", began=began, is_gone=True)
