"""A circuit breaker: after failures in a row a server is left alone for a while, and then tried by one call."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class CircuitBreaker:
    """Counts failures in a row and says whether a call may go out.

    It is closed at first, and calls go out. ``max_failures`` in a row open it for ``pause`` seconds of the
    ``clock``; 0 never opens it. After the pause one call goes out, and the pause begins anew: the call's success
    closes the breaker, and a call that never ends keeps nobody waiting for longer than a pause.
    """

    max_failures: int
    pause: float
    clock: Callable[[], float]
    last_failure: str = ""
    _failures: int = 0
    _next_call: float = 0.0
    _last_success: float = float("-inf")

    def admit(self) -> float:
        """Return 0 if a call may go out now, else the seconds until one may."""
        now = self.clock()
        if not self.is_open:
            return 0.0
        if now < self._next_call:
            return self._next_call - now
        self._next_call = now + self.pause
        return 0.0

    @property
    def is_open(self) -> bool:
        """Whether calls are held back, but for one a pause."""
        return 0 < self.max_failures <= self._failures

    def succeed(self) -> None:
        """Say that the server gave a reply."""
        self._failures = 0
        self._last_success = self.clock()

    def fail(self, reason: str, *, began: float, is_gone: bool) -> None:
        """Say that a call that began then got no reply; a server that is gone is not tried ``max_failures`` times.

        One that replied to others meanwhile is not gone, but slow.
        """
        self.last_failure = reason
        gone = is_gone and self._last_success < began
        self._failures = max(self._failures + 1, self.max_failures if gone else 0)
        self._next_call = self.clock() + self.pause
