"""A Lance table as it was at one version: what is read of it agrees, whoever writes meanwhile."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from esens.index.base import Vectors
from esens.index.filters import Filter
from esens.index.lance.columns import Columns, Mask, kept
from esens.types import Document

RowIds = npt.NDArray[np.uint64]
Explained = Callable[[str], AbstractContextManager[None]]
METRIC = "dot"  # of unit vectors the cosine, and of a zero vector 0, where other metrics say "halfway"
PROBES = 50
"""Parts of the approximate index that a search looks into."""
REFINE = 10
"""How many times as many candidates as are asked for are compared by their own vectors: the index rounds them."""
_DAMAGED = "cannot be read; it may be damaged: make it anew, or take it from a backup"
_NUMBER = "_rowid"
_DOCUMENT = ("id", "title", "text", "metadata")
_FEW = 4096  # rows that are read faster each by its number than all together
_SAMPLES = 8  # filters whose samples are kept
_LEAST = 400  # candidates whose vectors are looked at, however few are asked for; see benchmarks/results/growth.md


class Rows(NamedTuple):
    """Rows of the table by their numbers, and their vectors."""

    row_ids: RowIds
    vectors: Vectors


class Column(NamedTuple):
    """One column of every row, and the numbers of the rows in the table, both in corpus order."""

    row_ids: RowIds
    values: npt.NDArray[Any]


class Snapshot:
    """The rows of one version. A column that was asked for is kept; documents are read when they are wanted.

    A row has a number that is its own until small files are joined, and its content never changes. So of a column
    that was read at an earlier version only the rows that are new since are read.
    """

    def __init__(
        self, table: Any, *, dimension: int, explained: Explained, earlier: Mapping[str, Column] | None = None
    ) -> None:
        """Take the table at its version, and the columns that were read at an earlier one."""
        self._table = table
        self._dimension = dimension
        self._explained = explained
        self._earlier = dict(earlier or {})
        self._columns: dict[str, Column] = {}
        self._lock = RLock()
        self._samples: dict[str, Vectors] = {}

    @cached_property
    def count(self) -> int:
        """How many rows there are."""
        with self._explained(_DAMAGED):
            return int(self._table.count_rows())

    @cached_property
    def indexed(self) -> frozenset[str]:
        """The columns that have an index on disk."""
        with self._explained(_DAMAGED):
            return indexed_columns(self._table)

    @cached_property
    def row_ids(self) -> RowIds:
        """The numbers of all rows, in corpus order."""
        with self._explained(_DAMAGED):
            read = self._table.to_table(columns=["place"], with_row_id=True)
        order = np.argsort(read["place"].to_numpy(), kind="stable")
        return np.asarray(read[_NUMBER].to_numpy()[order], np.uint64)

    @property
    def matrix(self) -> Vectors:
        """The vectors of all rows, in corpus order."""
        return self._column("vector")

    @property
    def columns(self) -> dict[str, Column]:
        """The columns that are in memory, for a later snapshot."""
        with self._lock:
            return self._earlier | self._columns

    def mask(self, where: Filter | None) -> Mask:
        """Return which rows fulfil all conditions, in corpus order."""
        with self._lock:
            return self._by_field.mask(where)

    def allowed(self, where: Filter | None) -> RowIds:
        """Return the numbers of the rows that fulfil all conditions, in corpus order."""
        return self.row_ids[self.mask(where)] if where else self.row_ids

    def sample(self, where: Filter | None, size: int) -> Vectors:
        """Return the vectors of so many of the rows that fulfil all conditions, drawn once."""
        with self._lock:
            return kept(self._samples, repr(where), lambda: self._drawn(self.allowed(where), size), most=_SAMPLES)

    def find(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the rows of those of these ids that are there."""
        if not ids:
            return {}
        if "id" not in self.indexed:
            return {id_: int(self.row_ids[self._positions[id_]]) for id_ in ids if id_ in self._positions}
        quoted = ", ".join("'" + id_.replace("'", "''") + "'" for id_ in ids)
        with self._explained(_DAMAGED):
            read = self._table.to_table(columns=["id"], filter=f"id IN ({quoted})", with_row_id=True)
        return dict(zip(read["id"].to_pylist(), read[_NUMBER].to_pylist(), strict=True))

    def documents(self, row_ids: RowIds) -> list[Document]:
        """Return the documents of these rows, read from disk."""
        found: dict[int, Document] = {}
        with self._explained(_DAMAGED):
            for batch in self._rows(row_ids, _DOCUMENT):
                found.update(zip(batch[_NUMBER].to_pylist(), _documents(batch), strict=True))
        return [found[row_id] for row_id in row_ids.tolist()]

    def vectors(self, row_ids: RowIds) -> Vectors:
        """Return the vectors of these rows: from memory where they are there, else from disk."""
        if "vector" in self._columns:
            return self.matrix[self._places.of(row_ids)]
        wanted, back = np.unique(row_ids, return_inverse=True)
        return self._filled("vector", wanted, self._rows(wanted, ["vector"]))[back]

    def nearest(self, vectors: Vectors, k: int) -> list[Rows]:
        """Return the k rows that the index on disk finds for each vector, and a look at what it does not hold yet.

        They are in corpus order, not by their scores: those are for who has the vectors to say.
        """
        with self._explained(_DAMAGED):
            asked = {
                "column": "vector",
                "q": vectors if len(vectors) > 1 else vectors[0],
                "k": k,
                "metric": METRIC,
                "nprobes": PROBES,
                "refine_factor": max(REFINE, -(-_LEAST // k)),
            }
            read = self._table.to_table(
                columns=["place", "vector", "_distance"], nearest=asked, with_row_id=True
            ).combine_chunks()
        places, row_ids = read["place"].to_numpy(), read[_NUMBER].to_numpy()
        of = read["query_index"].to_numpy() if len(vectors) > 1 else np.zeros(len(read), np.int32)
        rows = np.concatenate([np.empty((0, self._dimension), np.float32), *map(_matrix, read["vector"].chunks)])
        order = np.lexsort((places, of))
        parts = np.split(order, np.searchsorted(of[order], np.arange(1, len(vectors))))
        return [Rows(row_ids[part], rows[part]) for part in parts]

    def rows(self, row_ids: RowIds) -> Rows:
        """Return these rows with their vectors."""
        return Rows(row_ids, self.vectors(row_ids))

    def _drawn(self, row_ids: RowIds, size: int) -> Vectors:
        chosen = np.random.default_rng(0).permutation(len(row_ids))[:size]
        return self.vectors(row_ids[chosen])

    @cached_property
    def _by_field(self) -> Columns:
        return Columns(self._column("metadata").tolist())

    @cached_property
    def _places(self) -> "_Places":
        return _Places(self.row_ids)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {id_: at for at, id_ in enumerate(self._column("id"))}

    def _column(self, name: str) -> npt.NDArray[Any]:
        with self._lock:
            if name not in self._columns:
                self._columns[name] = Column(self.row_ids, self._read(name))
                self._earlier.pop(name, None)
            return self._columns[name].values

    def _read(self, name: str) -> npt.NDArray[Any]:
        earlier = self._earlier.get(name)
        if earlier is None:
            return self._filled(name, self.row_ids, self._rows(None, [name]))
        is_known = np.isin(self.row_ids, earlier.row_ids)
        fresh = self.row_ids[~is_known]
        values = self._filled(name, self.row_ids, self._rows(fresh if len(fresh) <= _FEW else None, [name]))
        values[is_known] = earlier.values[_Places(earlier.row_ids).of(self.row_ids[is_known])]
        return values

    def _filled(self, name: str, row_ids: RowIds, batches: Iterable[Any]) -> npt.NDArray[Any]:
        is_vector = name == "vector"
        values = (
            np.empty((len(row_ids), self._dimension), np.float32) if is_vector else np.empty(len(row_ids), object)
        )
        places = _Places(row_ids)
        with self._explained(_DAMAGED):
            for batch in batches:
                values[places.of(batch[_NUMBER].to_numpy())] = _values(name, batch[name])
        return values

    def _rows(self, row_ids: RowIds | None, columns: Sequence[str]) -> Iterator[Any]:
        """Yield these rows, each once, or all of them, in whatever order they come."""
        if row_ids is None:
            yield from self._table.to_batches(columns=[*columns], with_row_id=True)
        elif len(row_ids):
            # Lance reads no more than these: it plans such a filter as a look at the rows by their numbers.
            numbers = ", ".join(map(str, row_ids.tolist()))
            yield from self._table.to_batches(
                columns=[*columns], filter=f"{_NUMBER} IN ({numbers})", with_row_id=True
            )


class _Places:
    """Where rows stand among others, by their numbers."""

    def __init__(self, row_ids: RowIds) -> None:
        self._order = np.argsort(row_ids)
        self._sorted = row_ids[self._order]

    def of(self, row_ids: RowIds) -> npt.NDArray[np.intp]:
        return np.asarray(self._order[np.searchsorted(self._sorted, row_ids)])


def indexed_columns(table: Any) -> frozenset[str]:
    """Return the columns of a table that have an index on disk."""
    return frozenset(column for index in table.describe_indices() for column in index.field_names)


def _values(name: str, column: Any) -> npt.NDArray[Any]:
    if name == "vector":
        return _matrix(column)
    texts = column.to_pylist()
    return np.fromiter(map(json.loads, texts) if name == "metadata" else texts, object, len(texts))


def _matrix(column: Any) -> Vectors:
    return np.asarray(column.flatten().to_numpy(), np.float32).reshape(len(column), column.type.list_size)


def _documents(rows: Any) -> Iterator[Document]:
    fields = (rows[name].to_pylist() for name in _DOCUMENT)
    for id_, title, text, metadata in zip(*fields, strict=True):
        yield Document(id_, text, title, json.loads(metadata))
