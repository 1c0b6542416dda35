"""How many cores a matrix product takes."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext

from esens.index.memory import cores


class AllCoresButOne:
    """Leaves one core to whoever looks at the scores: a product that waits for it would be slower with it.

    BLAS's threads are those of the whole process. So whoever comes first sets them and whoever goes last sets them
    back.
    """

    def __init__(self) -> None:
        self._lock, self._inside, self._limits = threading.Lock(), 0, ExitStack()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Hold the threads down while inside."""
        with self._lock:
            if self._inside == 0:
                self._limits.enter_context(_blas_threads(max(1, cores() - 1)))
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._limits.close()


all_cores_but_one = AllCoresButOne()


def _blas_threads(number: int) -> AbstractContextManager[object]:
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:  # it only makes this faster
        return nullcontext()
    return threadpool_limits(number, user_api="blas")  # type: ignore[no-any-return]
