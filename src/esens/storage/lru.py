"""The last few values that were costly to compute, under keys; safe for threads."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from threading import RLock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """At most ``size`` values; beyond, the one that was not used for longest is dropped.

    A value is computed once, also where several threads want it at the same time.

    >>> squares = LRUCache[int, int](2)
    >>> [squares.get(n, lambda n=n: n * n) for n in (1, 2, 1, 3)], list(squares)
    ([1, 4, 1, 9], [1, 3])
    """

    def __init__(self, size: int) -> None:
        """Keep at most so many values."""
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """Return the value under a key; compute it where it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            else:
                self.put(key, compute())
            return self._values[key]

    def find(self, key: K) -> V | None:
        """Return the value under a key, None where there is none; for those who compute several at once."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Keep a value under a key."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys, the one that was not used for longest first."""
        with self._lock:
            return iter(list(self._values))
