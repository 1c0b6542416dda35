"""A Lance table as it was at one version: what is read of it agrees, whoever writes meanwhile."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from sys import getsizeof
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute
from lance.query import CombinedFieldsQuery

from esens.arrays.searched import SearchedMatrix
from esens.arrays.unit import Vectors
from esens.documents import PASSAGE_SIGN, stored_document
from esens.errors import EngineError
from esens.index.filters import Filter, matches
from esens.index.lance.checksums import HASHED, damaged_documents, damaged_vectors
from esens.index.lance.schema import CHECKSUM, ORDINAL
from esens.index.lance.typed_columns import UNTYPED, fields_of, filter_sql, is_typed, names_any
from esens.index.ranges import Samples
from esens.index.words import WordIndex
from esens.storage.lru import LRUCache
from esens.types import Document

RowIds = npt.NDArray[np.uint64]
LanceErrors = Callable[[str], AbstractContextManager[None]]
METRIC = "dot"  # of unit vectors the cosine, and of a zero vector 0, where other metrics say "halfway"
PROBES = 50
"""Parts of the approximate index that a search looks into."""
FILTERED_PROBES = 75
"""The same with a filter: what fulfils it is farther away, so its neighbours are spread over more parts."""
REFINE = 10
"""How many times as many candidates as are wanted are compared by their own vectors: the index rounds them."""
DAMAGED = "cannot be read; it may be damaged: make it anew, or take it from a backup"
WORD_COLUMNS = ("title", "text")
"""The columns whose words are searched, as one text."""
KEPT_BYTES = 16 * 2**20
"""Memory that the documents may take which were read last; they are kept for the next searches."""
_ROW_ID = "_rowid"
_ADVICE = (
    "the files are damaged, or another program has changed them. esens check says what else is, and "
    "esens check --repair removes such documents, so that esens index writes them anew"
)
_FEW_ROWS = 4096  # rows that are read faster each by its number than all together
_FEW_IDS = 4096  # ids that are found faster each by the index on disk than by looking at all
_FILTERS = 8  # whose rows and samples are kept
_ROW_BYTES = 300  # what a kept row takes beside its texts
# Candidates whose vectors are looked at, however few are wanted; see benchmarks/results/growth.md. Those that
# fulfil a filter are not so close to each other, so fewer of them change places.
_LEAST, _FILTERED_LEAST = 400, 200


class VectorRows(NamedTuple):
    """Rows of the table by their numbers, and their vectors."""

    row_ids: RowIds
    vectors: Vectors


class StoredRow(NamedTuple):
    """A document that was read, and its metadata as they are stored."""

    document: Document
    metadata: str

    @property
    def bytes(self) -> int:
        """How much memory it takes, or nearly."""
        document = self.document
        texts = (document.id, document.title, document.text, self.metadata, self.metadata)
        return _ROW_BYTES + sum(map(getsizeof, texts))


def kept_rows() -> LRUCache[int, StoredRow]:
    """Return what keeps the rows that were read last, by their numbers."""
    return LRUCache(KEPT_BYTES, lambda row: row.bytes)


class LanceSnapshot:
    """The rows of one version. Vectors that were read are kept, and the last documents; others are on disk.

    A row has a number that is its own until small files are joined, and its content never changes. So of vectors
    that were read at an earlier version only those of the rows that are new since are read, and a document that
    was read at one version is the same at all others that have its row.
    """

    def __init__(
        self,
        table: Any,
        *,
        dimension: int,
        has_typed_columns: bool,
        fail: Callable[[str], EngineError],
        lance_errors: LanceErrors,
        kept: LRUCache[int, StoredRow],
        earlier: VectorRows | None = None,
    ) -> None:
        """Take the table at its version, and the documents and vectors that were read at earlier ones."""
        self._table = table
        self._kept = kept
        self._dimension = dimension
        self._typed = frozenset(filter(is_typed, table.schema.names)) if has_typed_columns else None
        self._checksum = [CHECKSUM] if CHECKSUM in table.schema.names else []
        self._fail = fail
        self._lance_errors = lance_errors
        self._earlier = earlier
        self._loaded: VectorRows | None = None
        self._lock = RLock()
        self._conditions = LRUCache[str, str](_FILTERS)
        self._selections = LRUCache[str, RowIds](_FILTERS)
        self.samples = Samples()
        """The samples of the last few filters, as of this version."""

    @cached_property
    def count(self) -> int:
        """How many rows there are."""
        with self._lance_errors(DAMAGED):
            return int(self._table.count_rows())

    @cached_property
    def indexed(self) -> frozenset[str]:
        """The columns that have an index on disk."""
        with self._lance_errors(DAMAGED):
            return indexed_columns(self._table)

    @cached_property
    def row_ids(self) -> RowIds:
        """The numbers of all rows, in corpus order."""
        return self._in_corpus_order(None)

    @property
    def matrix(self) -> Vectors:
        """The vectors of all rows, in corpus order."""
        with self._lock:
            if self._loaded is None:
                self._loaded = VectorRows(self.row_ids, self._load_vectors())
                self._earlier = None
            return self._loaded.vectors

    @cached_property
    def searched(self) -> SearchedMatrix:
        """The vectors of all rows, as they are searched."""
        return SearchedMatrix(self.matrix)

    @property
    def loaded(self) -> VectorRows | None:
        """The vectors that are in memory, for a later snapshot."""
        with self._lock:
            return self._loaded or self._earlier

    @cached_property
    def word_index(self) -> WordIndex:
        """The words of all rows, in corpus order; read once, when they are first asked for."""
        with self._lock:
            return WordIndex([document.content for document in self.documents(self.row_ids)])

    @cached_property
    def has_passages(self) -> bool:
        """Whether there may be passages of longer documents: these have a number behind a sign in their ids."""
        with self._lance_errors(DAMAGED):
            return bool(self._table.count_rows(filter=f"id LIKE '%{PASSAGE_SIGN}%'"))

    def count_where(self, where: Filter) -> int:
        """Return how many rows fulfil a filter."""
        with self._lance_errors(DAMAGED):
            return int(self._table.count_rows(filter=self._condition(where)))

    def select(self, where: Filter | None) -> RowIds:
        """Return the numbers of the rows that fulfil a filter, in corpus order."""
        if where is None:
            return self.row_ids
        # By its repr: as keys, 1, 1.0 and True are the same, and as values they are not.
        return self._selections.get(repr(where), lambda: self._in_corpus_order(self._condition(where)))

    def positions(self, where: Filter) -> npt.NDArray[np.intp]:
        """Return where the rows that fulfil a filter stand among all rows in corpus order."""
        return self._positions.of(self.select(where))

    def draw(self, row_ids: RowIds, size: int) -> Vectors:
        """Return the vectors of so many of these rows, drawn at random: always the same ones."""
        chosen = np.random.default_rng(0).permutation(len(row_ids))[:size]
        return self.vectors(row_ids[chosen])

    def find(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the rows of those of these ids that are there."""
        with self._lance_errors(DAMAGED):
            return rows_by_id(self._table, ids, _ROW_ID, is_indexed="id" in self.indexed)

    def documents(self, row_ids: RowIds, where: Filter | None = None) -> list[Document]:
        """Return the documents of these rows, from memory or from disk; raise where one is not what was written.

        Each must fulfil the filter by which it was found. They are kept: who hands them out copies them.
        """
        numbers = row_ids.tolist()
        rows = {number: row for number in numbers if (row := self._kept.find(number)) is not None}
        with self._lance_errors(DAMAGED):
            if missing := [number for number in numbers if number not in rows]:
                rows |= self._read_rows(np.array(missing, np.uint64))
            if where is not None:
                self._check_fulfilled(rows.values(), where)
        return [rows[number].document for number in numbers]

    def _read_rows(self, row_ids: RowIds) -> dict[int, StoredRow]:
        """Return rows from disk, by their numbers, and keep them."""
        rows: dict[int, StoredRow] = {}
        for batch in self._read(row_ids, [*HASHED, *self._checksum]):
            if self._checksum:
                self._refuse(damaged_documents(batch), batch)
            columns = (batch[name].to_pylist() for name in (_ROW_ID, "id", "title", "text", "metadata"))
            for number, id_, title, text, metadata in zip(*columns, strict=True):
                rows[number] = StoredRow(stored_document(id_, text, title, json.loads(metadata)), metadata)
                self._kept.put(number, rows[number])
        return rows

    def vectors(self, row_ids: RowIds) -> Vectors:
        """Return the vectors of these rows: from memory where they are there, else from disk."""
        if self._loaded is not None:
            return self.matrix[self._positions.of(row_ids)]
        distinct, back = np.unique(row_ids, return_inverse=True)
        return self._fill(distinct, self._read(distinct, self._vector))[back]

    def rows(self, row_ids: RowIds) -> VectorRows:
        """Return these rows with their vectors."""
        return VectorRows(row_ids, self.vectors(row_ids))

    def nearest(self, probes: Vectors, k: int, where: Filter | None) -> list[VectorRows]:
        """Return the k rows that the index on disk finds for each vector, and a look at what it does not hold yet.

        They are in corpus order, not by their scores: those are for whoever has the vectors to say.
        """
        least = _FILTERED_LEAST if where else _LEAST
        search = {
            "column": "vector",
            "q": probes if len(probes) > 1 else probes[0],
            "k": k,
            "metric": METRIC,
            "nprobes": FILTERED_PROBES if where else PROBES,
            "refine_factor": max(REFINE, -(-least // k)),
        }
        condition = self._condition(where) if where else None
        with self._lance_errors(DAMAGED):
            read = self._table.to_table(
                columns=[ORDINAL, *self._vector, "_distance"],
                nearest=search,
                filter=condition,
                prefilter=True,
                with_row_id=True,
            ).combine_chunks()
        row_ids = read[_ROW_ID].to_numpy()
        probe = read["query_index"].to_numpy() if len(probes) > 1 else np.zeros(len(read), np.int32)
        rows = np.concatenate([np.empty((0, self._dimension), np.float32), *map(matrix_of, read["vector"].chunks)])
        if self._checksum:
            self._refuse(damaged_vectors(read, rows), read)
        order = np.lexsort((read[ORDINAL].to_numpy(), probe))
        parts = np.split(order, np.searchsorted(probe[order], np.arange(1, len(probes))))
        return [VectorRows(row_ids[part], rows[part]) for part in parts]

    @property
    def has_word_index(self) -> bool:
        """Whether there is an index of words on disk."""
        return self.indexed.issuperset(WORD_COLUMNS)

    def matching(self, text: str, k: int, where: Filter | None) -> tuple[RowIds, Vectors]:
        """Return the k rows whose words match a text best by BM25, and their scores; title and text are one.

        Rows that were written since the index was made are looked at one by one.
        """
        with self._lance_errors(DAMAGED):
            read = self._table.to_table(
                columns=[ORDINAL, "_score"],
                full_text_query=CombinedFieldsQuery(text, list(WORD_COLUMNS)),
                limit=k,
                filter=self._condition(where) if where else None,
                prefilter=True,
                with_row_id=True,
            )
        scores = read["_score"].to_numpy()
        order = np.lexsort((read[ORDINAL].to_numpy(), -scores))
        return np.asarray(read[_ROW_ID].to_numpy()[order], np.uint64), scores[order]

    def _condition(self, where: Filter) -> str:
        """Return a filter in Lance's SQL."""
        return self._conditions.get(repr(where), lambda: self._new_condition(where))

    def _new_condition(self, where: Filter) -> str:
        sql = None if self._typed is None else filter_sql(where, self._typed)
        if sql is None:
            return self._evaluated(where, None)
        if not (untyped := fields_of(where) & self._untyped_fields):
            return sql
        is_untyped = names_any(untyped)
        evaluated = self._evaluated(where, is_untyped)
        return f"({UNTYPED} IS NULL OR NOT {is_untyped}) AND {sql} OR {evaluated}"

    def _evaluated(self, where: Filter, among: str | None) -> str:
        """Return SQL that names the rows that fulfil a filter one by one. Their JSON is read in parts."""
        row_ids: list[int] = []
        with self._lance_errors(DAMAGED):
            for batch in self._table.to_batches(columns=["metadata"], filter=among, with_row_id=True):
                rows = zip(batch[_ROW_ID].to_pylist(), batch["metadata"].to_pylist(), strict=True)
                row_ids += [row_id for row_id, metadata in rows if matches(json.loads(metadata), where)]
        return _row_id_condition(row_ids) if row_ids else "false"

    @cached_property
    def _untyped_fields(self) -> frozenset[str]:
        """The fields that some document has, and no column holds."""
        fields: set[str] = set()
        with self._lance_errors(DAMAGED):
            for batch in self._table.to_batches(columns=[UNTYPED], filter=f"{UNTYPED} IS NOT NULL"):
                fields.update(pa.compute.unique(batch[UNTYPED].flatten()).to_pylist())
        return frozenset(fields)

    def _in_corpus_order(self, condition: str | None) -> RowIds:
        with self._lance_errors(DAMAGED):
            read = self._table.to_table(columns=[ORDINAL], filter=condition, with_row_id=True)
        order = np.argsort(read[ORDINAL].to_numpy(), kind="stable")
        return np.asarray(read[_ROW_ID].to_numpy()[order], np.uint64)

    @cached_property
    def _positions(self) -> "_RowPositions":
        return _RowPositions(self.row_ids)

    def _load_vectors(self) -> Vectors:
        if self._earlier is None:
            return self._fill(self.row_ids, self._read(None, self._vector))
        is_loaded = np.isin(self.row_ids, self._earlier.row_ids)
        fresh = self.row_ids[~is_loaded]
        batches = self._read(fresh if len(fresh) <= _FEW_ROWS else None, self._vector)
        vectors = self._fill(self.row_ids, batches)
        positions = _RowPositions(self._earlier.row_ids).of(self.row_ids[is_loaded])
        vectors[is_loaded] = self._earlier.vectors[positions]
        return vectors

    def _fill(self, row_ids: RowIds, batches: Iterable[Any]) -> Vectors:
        vectors = np.empty((len(row_ids), self._dimension), np.float32)
        positions = _RowPositions(row_ids)
        with self._lance_errors(DAMAGED):
            for batch in batches:
                rows = matrix_of(batch["vector"])
                if self._checksum:
                    self._refuse(damaged_vectors(batch, rows), batch)
                vectors[positions.of(batch[_ROW_ID].to_numpy())] = rows
        return vectors

    @property
    def _vector(self) -> list[str]:
        return ["vector", *self._checksum]

    def _check_fulfilled(self, rows: Iterable[StoredRow], where: Filter) -> None:
        """Raise where a row does not fulfil the filter by which it was found."""
        for document, metadata in rows:
            if not matches(json.loads(metadata), where):
                problem = f"document {document.id!r} was found by a filter that it does not fulfil"
                raise self._fail(f"{problem}; {_ADVICE}")

    def _refuse(self, damaged: npt.NDArray[np.intp], batch: Any) -> None:
        """Raise where rows of a batch are damaged."""
        if not len(damaged):
            return
        row_ids = np.asarray(batch[_ROW_ID].to_numpy()[damaged], np.uint64)
        (read,) = self._table.to_table(
            columns=["id"], filter=_row_id_condition(row_ids[:1].tolist()), with_row_id=True
        ).to_pylist()
        others = f" and {len(row_ids) - 1:,} others are" if len(row_ids) > 1 else " is"
        raise self._fail(f"document {read['id']!r}{others} not what was written; {_ADVICE}")

    def _read(self, row_ids: RowIds | None, columns: Sequence[str]) -> Iterator[Any]:
        """Yield these rows, each once, or all of them, in whatever order they come."""
        if row_ids is None:
            yield from self._table.to_batches(columns=[*columns], with_row_id=True)
        elif len(row_ids):
            # Lance reads no more than these: it plans such a filter as a look at the rows by their numbers.
            condition = _row_id_condition(row_ids.tolist())
            yield from self._table.to_batches(columns=[*columns], filter=condition, with_row_id=True)


class _RowPositions:
    """Where rows stand among others, by their numbers."""

    def __init__(self, row_ids: RowIds) -> None:
        self._order = np.argsort(row_ids)
        self._sorted = row_ids[self._order]

    def of(self, row_ids: RowIds) -> npt.NDArray[np.intp]:
        return np.asarray(self._order[np.searchsorted(self._sorted, row_ids)])


def indexed_columns(table: Any) -> frozenset[str]:
    """Return the columns of a table that have an index on disk."""
    return frozenset(column for index in table.describe_indices() for column in index.field_names)


def rows_by_id(table: Any, ids: Sequence[str], column: str, *, is_indexed: bool) -> dict[str, int]:
    """Return what a column holds in the rows of those of these ids that are there, by id."""
    if not ids:
        return {}
    condition = None
    if is_indexed and len(ids) <= _FEW_IDS:
        condition = "id IN ({})".format(", ".join("'" + id_.replace("'", "''") + "'" for id_ in ids))
    is_row_id = column == _ROW_ID
    columns = ["id"] if is_row_id else ["id", column]
    wanted = pa.array(ids, pa.string())
    rows: dict[str, int] = {}
    for batch in table.to_batches(columns=columns, filter=condition, with_row_id=is_row_id):
        hits = batch.filter(pa.compute.is_in(batch["id"], wanted))
        rows.update(zip(hits["id"].to_pylist(), hits[column].to_pylist(), strict=True))
    return rows


def _row_id_condition(row_ids: Sequence[int]) -> str:
    return f"{_ROW_ID} IN ({', '.join(map(str, row_ids))})"


def matrix_of(column: Any) -> Vectors:
    """Return a column of vectors as a matrix."""
    return np.asarray(column.flatten().to_numpy(), np.float32).reshape(len(column), column.type.list_size)
