"""The default index on disk: a folder with a Lance table, compared exactly at the speed of memory.

Up to :data:`ANN_ABOVE` documents their vectors are read into memory, once, and then what is new when somebody has
written; documents stay on disk until they are found. Beyond, an approximate index is made by
:meth:`LanceIndex.optimise`. ``my.lance?search=exact`` compares with every document, however many there are,
``my.lance?search=approximate`` uses an approximate index, however few.
"""

import math
from collections.abc import Sequence
from itertools import islice
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import top_k
from esens.arrays.scan import cores, scan
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError
from esens.index.base import Neighbours, Scan, Vectors, check_compatible
from esens.index.filters import Filter
from esens.index.lance.snapshot import RowIds, Rows, Snapshot
from esens.index.lance.table import LanceTable, Version
from esens.index.ranges import SAMPLE, TOP, estimate_ranges
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId, documents_of

ANN_ABOVE = 200_000
"""Documents above which :meth:`LanceIndex.optimise` makes an approximate index, and a search uses it."""
EXACT, APPROXIMATE = "exact", "approximate"
_FEW = 2048  # documents that fulfil a filter and are compared one and all
_WIDER = 4  # times as many candidates, where too few of them fulfil a filter
_WIDEST = 20_000


class _Found(NamedTuple):
    """Rows of the table and their scores, greatest first."""

    row_ids: RowIds
    scores: Vectors


class LanceIndex:
    """Documents and their unit vectors in a folder; safe for threads, and while other processes read and write.

    Every call sees the latest version, whoever wrote it. Corpus order is the order in which ids came first; a
    document that takes another's place keeps that place.
    """

    def __init__(self, address: IndexURI, table: LanceTable) -> None:
        """Take an open table."""
        self._address = address
        self._search = _search(address)
        self._table = table
        self._threads = cores()
        self._lock = Lock()
        self._seen: tuple[Version, Snapshot] | None = None

    @classmethod
    def open(cls, address: IndexURI) -> "LanceIndex":
        """Open the index of a folder. Nothing is written, so the folder may be read-only."""
        return cls(address, LanceTable(address))

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "LanceIndex":
        """Open the index of a folder to write to it, or make it where it is not there yet."""
        table = LanceTable.prepare(address, dimension=dimension, embedder_id=embedder_id)
        check_compatible(
            address, dimension=(table.dimension, dimension), embedder_id=(table.embedder_id, embedder_id)
        )
        return cls(address, table)

    max_neighbours: int | None = None

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._table.dimension

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors, where the index knows."""
        return self._table.embedder_id

    @property
    def is_scannable(self) -> bool:
        """Whether every document is compared: there are not too many, or there is no approximate index."""
        return self._is_scanned(self._latest())

    def __len__(self) -> int:
        """Return how many documents there are."""
        return self._latest().count

    def __repr__(self) -> str:
        return f"LanceIndex({str(self._address)!r})"

    def scan(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> Scan:
        """Return the cosine of every vector (a row each) with every document (a column each)."""
        snapshot = self._latest()
        raw, row_ids = self._scanned(snapshot, self._asked(vectors), where)
        return Scan(raw, lambda positions: snapshot.documents(row_ids[list(positions)]))

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep corpus order."""
        snapshot, asked = self._latest(), self._asked(vectors)
        found = self._found(snapshot, asked, k, where)
        documents = iter(snapshot.documents(np.concatenate([one.row_ids for one in found])))
        return [
            Neighbours(
                tuple(islice(documents, len(row_ids))), scores, snapshot.vectors(row_ids) if with_vectors else None
            )
            for row_ids, scores in found
        ]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return how far the cosines of every vector reach: exactly, or by a sample where there are too many."""
        snapshot, asked = self._latest(), self._asked(vectors)
        if self._is_scanned(snapshot):
            return [score_range(scores) for scores in self._scanned(snapshot, asked, where)[0]]
        top = [scores for _, scores in self._found(snapshot, asked, TOP, where)]
        return estimate_ranges(asked, top, snapshot.sample(where, SAMPLE), len(snapshot.allowed(where)))

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the unit vectors of these documents, a row each."""
        snapshot = self._latest()
        found = snapshot.find(ids)
        for id_ in ids:
            if id_ not in found:
                raise not_there(id_)
        return snapshot.vectors(np.array([found[id_] for id_ in ids], np.uint64))

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        snapshot = self._latest()
        found = snapshot.find(ids)
        documents = snapshot.documents(np.array(list(found.values()), np.uint64))
        return {document.id: document for document in documents}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        given = documents_of(documents)
        rows = a_row_a_document(vectors, len(given), dimension=self.dimension)
        if given:
            self._table.upsert(given, rows)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        return self._table.delete(ids)

    def optimise(self) -> None:
        """Make it fast again after much was written; above :data:`ANN_ABOVE` documents, make an approximate index.

        Small files are joined, old versions that nobody can be reading are removed. Others may read meanwhile, and
        wait to write.
        """
        self._table.optimise(ann_above=self._ann_above)

    @property
    def _ann_above(self) -> float:
        return {EXACT: math.inf, APPROXIMATE: 0}.get(self._search, ANN_ABOVE)

    def _is_scanned(self, snapshot: Snapshot) -> bool:
        return snapshot.count <= self._ann_above or "vector" not in snapshot.indexed

    def _asked(self, vectors: npt.ArrayLike) -> Vectors:
        return unit_rows(vectors, argument="query vectors", dimension=self.dimension)

    def _latest(self) -> Snapshot:
        version = self._table.version()
        with self._lock:
            if self._seen is None or self._seen[0] != version:
                earlier = self._seen[1].columns if self._seen else {}
                self._seen = (version, self._table.snapshot(version, earlier=earlier))
            return self._seen[1]

    def _found(self, snapshot: Snapshot, asked: Vectors, k: int, where: Filter | None) -> list[_Found]:
        if not self._is_scanned(snapshot):
            # By their own vectors: an approximate index rounds them.
            return [
                _best(rows.row_ids, scan(rows.vectors, vector[None], threads=self._threads)[0], k)
                for vector, rows in zip(asked, _candidates(snapshot, asked, max(k, 1), where), strict=True)
            ]
        raw, row_ids = self._scanned(snapshot, asked, where)
        return [_best(row_ids, scores, k) for scores in raw]

    def _scanned(self, snapshot: Snapshot, asked: Vectors, where: Filter | None) -> tuple[Vectors, RowIds]:
        raw = scan(snapshot.matrix, asked, threads=self._threads)
        if not where:
            return raw, snapshot.row_ids
        mask = snapshot.mask(where)
        return raw[:, mask], snapshot.row_ids[mask]


def _search(address: IndexURI) -> str:
    chosen = address.option("search")
    if chosen not in ("", EXACT, APPROXIMATE):
        raise ArgumentError("index", f"{address}: search is {EXACT} or {APPROXIMATE}, not {chosen!r}")
    return chosen


def _best(row_ids: RowIds, scores: Vectors, k: int) -> _Found:
    best = top_k(scores, k)
    return _Found(row_ids[best], scores[best])


def _candidates(snapshot: Snapshot, asked: Vectors, k: int, where: Filter | None) -> list[Rows]:
    """Return rows for every vector, in corpus order, among which are its k nearest, or nearly."""
    if not where:
        return snapshot.nearest(asked, k)
    allowed = snapshot.allowed(where)
    wide = 2 * k * snapshot.count // max(len(allowed), 1)
    while len(allowed) > _FEW and wide <= _WIDEST:
        # The index knows nothing of filters, so it is asked for more than are wanted.
        found = [_among(rows, allowed) for rows in snapshot.nearest(asked, wide)]
        if all(len(rows.row_ids) >= k for rows in found):
            return found
        wide *= _WIDER
    return [snapshot.rows(allowed)] * len(asked)


def _among(rows: Rows, allowed: RowIds) -> Rows:
    is_allowed = np.isin(rows.row_ids, allowed)
    return Rows(rows.row_ids[is_allowed], rows.vectors[is_allowed])
