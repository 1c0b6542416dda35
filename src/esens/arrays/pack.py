"""Many things of known sizes, cut into runs that fit a bound."""

from collections.abc import Iterator, Sequence


def pack(sizes: Sequence[int], limit: int) -> Iterator[slice]:
    """Yield runs of things whose sizes add up to at most a limit; what is larger goes alone.

    >>> list(pack([9, 3, 3, 1], 6))
    [slice(0, 1, None), slice(1, 3, None), slice(3, 4, None)]
    """
    first, total = 0, 0
    for number, size in enumerate(sizes):
        if number > first and total + size > limit:
            yield slice(first, number)
            first, total = number, 0
        total += size
    if sizes:
        yield slice(first, len(sizes))
