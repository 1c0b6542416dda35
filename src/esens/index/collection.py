"""What the engines that keep documents in collections have in common: checks, and requests of bounded size."""

from collections.abc import Iterator, Sequence

from esens.errors import ArgumentError, EngineError
from esens.index.uri import IndexURI

TIMEOUT = 30
"""Seconds that a request may take, unless the spec says otherwise."""


def timeout_of(address: IndexURI) -> int:
    """Return the seconds that a request may take."""
    given = address.option("timeout", str(TIMEOUT))
    if not given.isdecimal() or int(given) < 1:
        raise ArgumentError("index", f"{address}: timeout must be whole seconds, at least 1; got {given!r}")
    return int(given)


def no_collection(address: IndexURI, name: str, others: Sequence[str]) -> EngineError:
    """Return the error of a collection that is not there."""
    known = f"those there are: {', '.join(sorted(others))}" if others else "there is none at all"
    return EngineError(str(address), f"there is no collection {name!r}; {known}")


def not_ours(address: IndexURI) -> EngineError:
    """Return the error of writing to a collection that is somebody else's."""
    return EngineError(
        str(address),
        "esens did not make this collection, so it searches it but does not write to it; "
        "name one that is not there yet",
    )


def chosen_vector(address: IndexURI, names: Sequence[str]) -> str:
    """Return which of a collection's vectors is searched."""
    wanted = address.option("vector")
    known = ", ".join(map(repr, names)) or "none"
    if wanted:
        if wanted not in names:
            raise EngineError(str(address), f"it has no vector {wanted!r} to search; those it has: {known}")
        return wanted
    if len(names) != 1:
        raise EngineError(str(address), f"which of its vectors? Say so with ?vector=NAME; those it has: {known}")
    return names[0]


def parts(sizes: Sequence[int], most: int) -> Iterator[slice]:
    """Cut a list of things of these sizes into parts of at most so much; what is larger goes alone.

    >>> list(parts([9, 3, 3, 1], 6))
    [slice(0, 1, None), slice(1, 3, None), slice(3, 4, None)]
    """
    start, total = 0, 0
    for at, size in enumerate(sizes):
        if at > start and total + size > most:
            yield slice(start, at)
            start, total = at, 0
        total += size
    if sizes:
        yield slice(start, len(sizes))
