"""Counts for Prometheus, in its text format. A few lines, since the client library would be all that they need."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
Gauge = tuple[str, str, Callable[[], int]]
"""The name of a gauge with its labels, what it says, and what gives its value."""


class Metrics:
    """What happened so far. Only the event loop writes, so that nothing needs a lock."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, int]] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self._seconds: Counter[str] = Counter()
        self.fallbacks = 0
        """Queries that a language model should have split, and the rules did."""
        self._gauges: list[Gauge] = []

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count an answer; ``route`` is the pattern of its address, of which there are few."""
        self._answers[route, status] += 1
        self._buckets[route][bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment] # a Counter adds up floats as well

    def watch(self, name: str, what: str, value: Callable[[], int]) -> None:
        """Show the value of a function as a gauge."""
        self._gauges.append((name, what, value))

    def text(self) -> str:
        """Return all of it as Prometheus reads it."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("esens_requests_total", "counter", "Answers, by route and status.")
        for (route, status), count in sorted(self._answers.items()):
            yield f'esens_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head("esens_request_seconds", "histogram", "How long requests took.")
        for route, buckets in sorted(self._buckets.items()):
            below = 0
            for bound, count in zip((*_BOUNDS, "+Inf"), buckets, strict=True):
                below += count
                yield f'esens_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}'
            yield f'esens_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'esens_request_seconds_count{{route="{route}"}} {below}'
        yield from _head(
            "esens_model_fallbacks_total", "counter", "Queries split by the rules for want of a model."
        )
        yield f"esens_model_fallbacks_total {self.fallbacks}"
        seen: set[str] = set()
        for labelled, what, value in self._gauges:
            name = labelled.partition("{")[0]
            if name not in seen:
                yield from _head(name, "gauge", what)
                seen.add(name)
            yield f"{labelled} {value()}"


def _head(name: str, kind: str, what: str) -> Iterator[str]:
    yield f"# HELP {name} {what}"
    yield f"# TYPE {name} {kind}"
