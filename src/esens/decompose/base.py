"""What a decomposer is: any function from a query to a Decomposition, and better still one that takes many."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard, runtime_checkable

from esens.errors import ArgumentError
from esens.types import Decomposition, check_text
from esens.types import Progress as Progress

Decomposer = Callable[[str], Decomposition]


@runtime_checkable
class BatchDecomposer(Protocol):
    """A decomposer that does many queries faster than one by one, as one does that calls a server."""

    def __call__(self, query: str, /) -> Decomposition:
        """Split one query."""
        ...

    def decompose_all(self, queries: Sequence[str], /, *, progress: Progress | None = None) -> list[Decomposition]:
        """Split many, in their order; ``progress`` is called with the number done and the total."""
        ...


def decompose_all(
    queries: Sequence[str], decomposer: Decomposer, progress: Progress | None = None
) -> list[Decomposition]:
    """Split the queries with a decomposer, and check that it returns a Decomposition for each."""
    for query in queries:
        check_query(query)
    if is_batch(decomposer):
        splits = decomposer.decompose_all(queries, progress=progress)
    else:
        splits = []
        for done, query in enumerate(queries, start=1):
            splits.append(decomposer(query))
            if progress is not None:
                progress(done, len(queries))
    if len(splits) != len(queries):
        raise ArgumentError("decomposer", f"returned {len(splits)} decompositions for {len(queries)} queries")
    return [check_split(decomposition) for decomposition in splits]


def is_batch(decomposer: Decomposer) -> TypeGuard[BatchDecomposer]:
    """Whether a decomposer takes many queries at once: what ``isinstance`` says of a protocol, but quickly."""
    return callable(getattr(decomposer, "decompose_all", None))


def check_split(split: object) -> Decomposition:
    """Return what a decomposer gave, if it is a Decomposition."""
    if not isinstance(split, Decomposition):
        raise ArgumentError("decomposer", f"must return a Decomposition, got {type(split).__name__}")
    return split


def check_query(query: str) -> str:
    """Return the query if it is a text that says something."""
    check_text("query", query)
    if not query.strip():
        raise ArgumentError("query", "is empty; say what is wanted")
    return query
