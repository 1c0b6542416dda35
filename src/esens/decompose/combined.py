"""Decomposers made of others: the rules with a language model behind them, and a least confidence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from esens.decompose.base import Decomposer, decompose_all
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


def checked_confidence(argument: str, value: float) -> float:
    """Return a confidence if it is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ArgumentError(argument, f"must be from 0 to 1, got {value!r}")
    return float(value)
