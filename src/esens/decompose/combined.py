"""Decomposers made of others: the rules with a language model behind them, and a least confidence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from esens.decompose.base import Decomposer, check_query, check_split, decompose_all
from esens.decompose.rules import decomposer as rules
from esens.errors import ArgumentError
from esens.types import Decomposition, Progress

DEFAULT_THRESHOLD = 0.8


class HybridDecomposer:
    """The rules first; a language model only where they are less sure than ``threshold``.

    That is where a cue may exclude or not, where it names nothing, where a query would be empty without its
    exclusion, and where a language has no table. ``model`` is any decomposer; ``asked`` counts the queries that
    went to it.
    """

    def __init__(self, model: Decomposer, *, threshold: float = DEFAULT_THRESHOLD) -> None:
        self.model = model
        self.threshold = checked_confidence("threshold", threshold)
        self.asked = 0

    def __call__(self, query: str, /) -> Decomposition:
        """Split one query."""
        return self.decompose_all([query])[0]

    def decompose_all(self, queries: Sequence[str], /, *, progress: Progress | None = None) -> list[Decomposition]:
        """Split many; those that go to the model go there together."""
        splits = [rules.decompose(query) for query in queries]
        unsure = [number for number, split in enumerate(splits) if split.confidence < self.threshold]
        self.asked += len(unsure)
        if unsure:
            answers = decompose_all([queries[number] for number in unsure], self.model, progress)
            for number, answer in zip(unsure, answers, strict=True):
                splits[number] = answer
        return splits

    async def adecompose(self, query: str, /) -> Decomposition:
        """Split one query without blocking the event loop."""
        import asyncio  # here, because most programs never need it

        split = await asyncio.to_thread(rules.decompose, query)
        if split.confidence >= self.threshold:
            return split
        self.asked += 1
        return await adecompose(query, self.model)

    def close(self) -> None:
        """Close the model's connections, where it has any."""
        close = getattr(self.model, "close", None)
        if callable(close):
            close()


@dataclass(frozen=True)
class ConfidentDecomposer:
    """A decomposer whose exclusions count only from a least confidence on; below it the query stays whole."""

    decomposer: Decomposer
    least: float

    def __call__(self, query: str, /) -> Decomposition:
        """Split one query."""
        return self.decompose_all([query])[0]

    def decompose_all(self, queries: Sequence[str], /, *, progress: Progress | None = None) -> list[Decomposition]:
        """Split many."""
        splits = decompose_all(queries, self.decomposer, progress)
        return [self._confident(query, split) for query, split in zip(queries, splits, strict=True)]

    async def adecompose(self, query: str, /) -> Decomposition:
        """Split one query without blocking the event loop."""
        return self._confident(query, await adecompose(query, self.decomposer))

    def _confident(self, query: str, split: Decomposition) -> Decomposition:
        if not split.traps or split.confidence >= self.least:
            return split
        doubted = " | ".join(split.traps)
        reason = (
            f"not sure enough that it excludes “{doubted}” ({split.confidence:.2f}, {self.least:g} is the least)"
        )
        return replace(split, target=query, traps=(), exclusions=(), reason=f"{reason}: {split.reason}")


def with_confidence(decomposer: Decomposer, least: float) -> Decomposer:
    """Return the decomposer with a least confidence; 0 lets all exclusions count."""
    return ConfidentDecomposer(decomposer, least) if checked_confidence("min_confidence", least) else decomposer


def is_remote(decomposer: Decomposer) -> bool:
    """Whether a decomposer waits for a server, and can be awaited instead of holding a thread meanwhile."""
    within = decomposer.decomposer if isinstance(decomposer, ConfidentDecomposer) else decomposer
    return callable(getattr(within, "adecompose", None))


async def adecompose(query: str, decomposer: Decomposer) -> Decomposition:
    """Split one query without blocking the event loop: awaited where the decomposer can be, else on a thread."""
    import asyncio

    awaitable = getattr(decomposer, "adecompose", None)
    if callable(awaitable):
        return check_split(await awaitable(check_query(query)))
    return (await asyncio.to_thread(decompose_all, [query], decomposer))[0]


def checked_confidence(argument: str, value: float) -> float:
    """Return a confidence if it is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ArgumentError(argument, f"must be from 0 to 1, got {value!r}")
    return float(value)
