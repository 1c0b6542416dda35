"""A retriever that is not ours, as a source of candidates: what it is asked, and what becomes of its answers."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from esens.types import Decomposition

T = TypeVar("T")

DEFAULT_FETCH_K = 100
"""How many candidates another retriever is asked for: what is wanted may stand deep below what is excluded."""


def retriever_queries(query: str, split: Decomposition) -> tuple[str, ...]:
    """Return what another retriever is asked: the query, and what is wanted of it where something is excluded."""
    return (query, split.target) if split.traps and split.target != query else (query,)


def merged(answers: Iterable[Iterable[T]], key: Callable[[T], Hashable]) -> list[T]:
    """Return what was found, each thing once, in the order in which it came first."""
    merged_answers: dict[Hashable, T] = {}
    for answer in answers:
        for each in answer:
            merged_answers.setdefault(key(each), each)
    return list(merged_answers.values())


def excludes(split: Decomposition, options: dict[str, Any]) -> bool:
    """Whether a query, or the caller beside it, excludes anything; another retriever's order stays where not."""
    return bool(split.traps) or bool(options.get("exclude"))
