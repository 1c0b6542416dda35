"""What is evaluated on: queries with what is known of their answers, and the documents to find them in."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.types import Decomposition, Document

Numbers = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Query:
    """A query, the documents that answer it and how well, and those that it excludes."""

    id: str
    text: str
    relevant: Mapping[str, int] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()
    excluded_title: str = ""
    pair: str = ""
    """What two queries have in common that only count together, as in NevIR."""
    recorded: Mapping[str, Decomposition] = field(default_factory=dict)
    """Decompositions that the data brings along, by the name of who made them."""


class Gold(NamedTuple):
    """The judged documents of all queries as flat arrays: whose, where in the corpus, and how good.

    The grade of an excluded document is 0.
    """

    query: Numbers
    position: Numbers
    grade: Numbers


@dataclass(frozen=True)
class Dataset:
    """Queries and, where they are at hand, the documents."""

    name: str
    queries: tuple[Query, ...]
    corpus: tuple[Document, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader of its figures must know, such as queries that were left out; not part of the hash."""

    @property
    def texts(self) -> list[str]:
        """The queries themselves."""
        return [query.text for query in self.queries]

    @property
    def has_exclusions(self) -> bool:
        """Whether any of its queries is known to exclude something."""
        return any(query.excluded or query.excluded_title for query in self.queries)

    @cached_property
    def gold(self) -> Gold:
        """Where the judged documents stand in the corpus."""
        position = {document.id: number for number, document in enumerate(self.corpus)}
        rows = [
            (number, position[judged], grade)
            for number, query in enumerate(self.queries)
            for judged, grade in (*query.relevant.items(), *((excluded, 0) for excluded in query.excluded))
        ]
        columns = np.array(rows, np.intp).reshape(-1, 3).T
        return Gold(*columns)

    @cached_property
    def hash(self) -> str:
        """A SHA-256 of all that can change a result; the same content has the same hash, whatever its files."""
        digest = hashlib.sha256()
        for part in _content(self):
            digest.update(json.dumps(part, ensure_ascii=False).encode())
            digest.update(b"\n")
        return digest.hexdigest()


def _content(dataset: Dataset) -> Iterable[object]:
    for document in dataset.corpus:
        yield ("document", document.id, document.content)
    for query in dataset.queries:
        recorded = {name: (one.target, *one.traps) for name, one in sorted(query.recorded.items())}
        yield (
            "query",
            query.id,
            query.text,
            sorted(query.relevant.items()),
            sorted(query.excluded),
            query.excluded_title,
            query.pair,
            recorded,
        )
