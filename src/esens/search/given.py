"""What a caller excludes beside the words of a query: by example, by text, by a condition on the metadata."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from esens.arrays.unit import Vectors, unit_rows
from esens.documents import ID_FIELDS
from esens.errors import ArgumentError
from esens.index.filters import AllOf, AnyOf, Condition, Filter, Not, parse_filter
from esens.messages import quoted
from esens.score.normalise import Array
from esens.text.plain import single_line
from esens.types import LIKE, Decomposition, Document, Example, Exclusion

Exclude = str | Exclusion | Example | Document | Mapping[str, Any] | Filter | Sequence[float] | Array
"""A text or the id of a document, an exclusion, an example, a document, a filter, or a vector."""

_NAMED_BY = 60  # signs of the text of a document without a title


FindExample = Callable[[str], tuple[Document, Vectors] | None]
"""Gives a document by its id and its vectors, a row a passage; None where there is none."""


class ExampleSource(NamedTuple):
    """Where examples come from."""

    find: FindExample
    embed: Callable[[Document], Vectors]
    """Gives the vector of any document, as one row."""


class _Given(NamedTuple):
    exclusion: Exclusion
    vector: Array | None = None


@dataclass(frozen=True)
class GivenExclusions:
    """The caller's own exclusions: what documents pay for, and filters that none may fulfil."""

    exclusions: tuple[Exclusion, ...]
    vectors: Mapping[int, Array]
    """Of those that are examples."""
    filters: tuple[Filter, ...]

    def added_to(self, decomposition: Decomposition) -> tuple[Decomposition, dict[int, Array]]:
        """Return a decomposition with these exclusions behind its own, and the vectors by their new numbers."""
        own = decomposition.exclusions
        if not self.exclusions:
            return decomposition, {}
        more = replace(decomposition, traps=(), exclusions=(*own, *self.exclusions))
        if not own:
            more = replace(more, reason="no word in it excludes anything; what is excluded was given beside it")
        return more, {len(own) + at: vector for at, vector in self.vectors.items()}

    def filter(self, where: Filter | None) -> Filter | None:
        """Return a filter with what none may fulfil."""
        parts = (*(() if where is None else (where,)), *map(Not, self.filters))
        return parts[0] if len(parts) == 1 else AllOf(parts) if parts else None


def read_exclude(exclude: object, source: ExampleSource) -> GivenExclusions | None:
    """Read what a caller excludes, one thing or several; None where that is nothing."""
    if exclude is None:
        return None
    filters: list[Filter] = []
    given: list[_Given] = []
    for item in _items(exclude):
        if isinstance(item, (Mapping, Condition, AllOf, AnyOf, Not)):
            filters += [] if (each := _read_filter(item)) is None else [each]
        else:
            given.append(_read(item, source))
    vectors = {at: each.vector for at, each in enumerate(given) if each.vector is not None}
    return GivenExclusions(tuple(each.exclusion for each in given), vectors, tuple(filters))


def _read_filter(item: Any) -> Filter | None:
    if isinstance(item, Mapping) and len(item) == 1 and (name := next(iter(item))) in ID_FIELDS:
        problem = (
            f"an id is no metadata to filter by; for fewer like that document: exclude=[{quoted(item[name])}]"
        )
        raise ArgumentError("exclude", problem)
    try:
        return parse_filter(item)
    except ArgumentError as error:
        raise ArgumentError("exclude", error.problem) from None


def _items(exclude: object) -> Iterable[object]:
    one = (str, Exclusion, Example, Document, Mapping, Condition, AllOf, AnyOf, Not)
    if isinstance(exclude, one):
        return (exclude,)
    if not isinstance(exclude, Iterable):
        raise ArgumentError(
            "exclude", f"expected a list of texts, ids, examples or filters, got {quoted(exclude)}"
        )
    items = tuple(exclude)
    if items and all(isinstance(item, (int, float, np.number)) for item in items):
        raise ArgumentError(
            "exclude",
            "is one list of numbers; put a vector in a list: exclude=[vector]; an id is a text: exclude=['9']",
        )
    return items


def _read(item: object, source: ExampleSource) -> _Given:
    match item:
        case Exclusion():
            if item.relation == LIKE:
                raise ArgumentError("exclude", 'an exclusion cannot be "like" a text; give esens.Example(id)')
            return _Given(item)
        case Example():
            return _read_example(item, source)
        case str():
            found = source.find(item) if item.strip() else None
            return _Given(Exclusion(item)) if found is None else _example(*found, 1.0)
        case Document():
            return _example(item, source.embed(item), 1.0)
    return _of_vector(item, 1.0)


def _read_example(example: Example, source: ExampleSource) -> _Given:
    match example.of:
        case Document():
            return _example(example.of, source.embed(example.of), example.weight)
        case str() | int():
            found = source.find(str(example.of))
            if found is None:
                problem = f"there is no document with the id {quoted(example.of)} to be an example; give its text"
                raise ArgumentError("exclude", f"{problem} as esens.Document(id, text), or its vector")
            return _example(*found, example.weight)
    return _of_vector(example.of, example.weight)


def _example(document: Document, vectors: Vectors, weight: float) -> _Given:
    """Return the exclusion of what is like a document; of one in passages, their mean speaks."""
    name = single_line(document.title or document.text)[:_NAMED_BY].strip() or document.whole_id
    return _Given(Exclusion(name, LIKE, weight, example=document.whole_id), _mean(vectors))


def _of_vector(item: object, weight: float) -> _Given:
    try:
        vector = np.asarray(item, np.float32)
    except (TypeError, ValueError):
        raise _no_vector(item) from None
    if vector.ndim != 1 or not vector.size:
        raise _no_vector(item)
    return _Given(Exclusion("the given vector", LIKE, weight), _mean(vector[None]))


def _no_vector(item: object) -> ArgumentError:
    expected = "expected texts, ids, documents, vectors, esens.Exclusion, esens.Example or filters"
    return ArgumentError("exclude", f"{expected}; got {quoted(item)}")


def _mean(vectors: Vectors) -> Array:
    mean = unit_rows(vectors, argument="exclude").mean(axis=0, dtype=np.float64)
    if not mean.any():
        raise ArgumentError("exclude", "a vector is all zeros, and like nothing; give the vector of a document")
    row: Array = unit_rows(mean[None].astype(np.float32), argument="exclude")[0]
    return row
