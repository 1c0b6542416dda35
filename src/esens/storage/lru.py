"""The last few values that were costly to compute, under keys; safe for threads."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from threading import RLock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """At most ``size`` values; beyond, the one that was not used for longest is dropped.

    With ``weigh``, which says how much a value weighs, it is their weight that is at most ``size``. A value is
    computed once, also where several threads want it at the same time.

    >>> squares = LRUCache[int, int](2)
    >>> [squares.get(n, lambda n=n: n * n) for n in (1, 2, 1, 3)], list(squares)
    ([1, 4, 1, 9], [1, 3])
    """

    def __init__(self, size: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        """Keep at most so many values, or so much weight."""
        self._size, self._weigh, self._weight = size, weigh, 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """Return the value under a key; compute it where it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            value = compute()
            self.put(key, value)
            return value

    def find(self, key: K) -> V | None:
        """Return the value under a key, None where there is none; for those who compute several at once."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Keep a value under a key, unless it is too heavy by itself."""
        weight = self._weigh(value)
        with self._lock:
            if key in self._values:
                self._weight -= self._weigh(self._values.pop(key))
            if weight > self._size:
                return
            self._values[key] = value
            self._weight += weight
            while self._weight > self._size:
                _, dropped = self._values.popitem(last=False)
                self._weight -= self._weigh(dropped)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys, the one that was not used for longest first."""
        with self._lock:
            return iter(list(self._values))
