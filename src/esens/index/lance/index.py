"""The default index on disk: a folder with a Lance table, compared exactly at the speed of memory.

Up to :data:`ANN_ABOVE` documents their vectors are read into memory, once, and then what is new when somebody has
written; documents stay on disk until they are found. Beyond, :meth:`LanceIndex.optimise` makes an approximate
index, and indexes of words and of the metadata. ``my.lance?search=exact`` compares with every document, however
many there are, ``my.lance?search=approximate`` uses an approximate index, however few. Filters are Lance's own.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import Array, top_k
from esens.arrays.scan import cores, scan
from esens.arrays.searched import SearchedRows
from esens.arrays.unit import Vectors
from esens.errors import ArgumentError
from esens.index.base import BaseWritableIndex, Neighbours, Scan, without_words
from esens.index.check import IndexCheck, IndexProblem
from esens.index.filters import Filter
from esens.index.lance.check import TableCheck
from esens.index.lance.snapshot import LanceSnapshot, RowIds, VectorRows
from esens.index.lance.table import LanceTable, TableVersion
from esens.index.ranges import SAMPLE, KeptSample, Sample
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

ANN_ABOVE = 200_000
"""Documents above which :meth:`LanceIndex.optimise` makes an approximate index, and a search uses it."""
FILTERED_SAMPLE = SAMPLE // 4
"""Vectors in the sample of a filter: it is drawn anew for every filter, and read from disk one by one."""
EXACT, APPROXIMATE = "exact", "approximate"
_NO_WORD_INDEX = (
    "it has an approximate index of its vectors, and none of its words. To write to it again by esens index makes "
    "one, and with ?search=exact all words are read into memory"
)
_FEW = 512  # documents that fulfil a filter and are compared one and all


class RankedRows(NamedTuple):
    """Rows of the table and their scores, greatest first; and their vectors where they were read anyway."""

    row_ids: RowIds
    scores: Vectors
    vectors: Vectors | None


class LanceIndex(BaseWritableIndex):
    """Documents and their unit vectors in a folder; safe for threads, and while other processes read and write.

    Every call sees the latest version, whoever wrote it. Corpus order is the order in which ids came first; a
    document that takes another's place keeps that place.
    """

    def __init__(self, uri: IndexURI, table: LanceTable) -> None:
        """Take an open table."""
        super().__init__(uri)
        self.dimension, self.embedder_id = table.dimension, table.embedder_id
        self._search_mode = _search_mode(uri)
        self._table = table
        self._threads = cores()
        self._lock = Lock()
        self._current: tuple[TableVersion, LanceSnapshot] | None = None
        self._is_changed = True

    @classmethod
    def open(cls, uri: IndexURI) -> "LanceIndex":
        """Open the index of a folder. Nothing is written, so the folder may be read-only."""
        return cls(uri, LanceTable(uri))

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "LanceIndex":
        """Open the index of a folder to write to it, or make it where it is not there yet."""
        index = cls(uri, LanceTable.prepare(uri, dimension=dimension, embedder_id=embedder_id))
        index.check_compatible(dimension, embedder_id)
        return index

    @property
    def is_scannable(self) -> bool:
        """Whether every document is compared: there are not too many, or there is no approximate index.

        As it was at the last call: a search looks at the table once, when it reads from it.
        """
        current = self._current
        return self._is_compared(self._latest() if current is None or self._is_changed else current[1])

    def __len__(self) -> int:
        """Return how many documents there are."""
        return self._latest().count

    def scan(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> Scan:
        """Return every document, to be compared with every vector: by their cosines."""
        snapshot, probes = self._latest(), self.probes(vectors)
        rows, row_ids = self._rows(snapshot, where)
        return Scan(
            probes,
            rows.scan,
            lambda positions: snapshot.documents(row_ids[list(positions)], where),
            snapshot.has_passages,
            lambda text: _at(snapshot.word_index.scores(text), snapshot, where),
            rows.rough_scan,
        )

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores keep corpus order."""
        snapshot = self._latest()
        ranked = self._rank(snapshot, probes, k, where)
        documents = iter(_copies(snapshot.documents(np.concatenate([rows.row_ids for rows in ranked]), where)))
        return [
            Neighbours(
                tuple(islice(documents, len(row_ids))),
                scores,
                None if not with_vectors else snapshot.vectors(row_ids) if vectors is None else vectors,
            )
            for row_ids, scores, vectors in ranked
        ]

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, by Lance's own index of words."""
        snapshot = self._latest()
        if not snapshot.has_word_index:
            raise without_words(self, _NO_WORD_INDEX)
        found = [snapshot.matching(text, k, where) for text in texts]
        return [
            Neighbours(tuple(_copies(snapshot.documents(row_ids, where))), scores, snapshot.vectors(row_ids))
            for row_ids, scores in found
        ]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's cosines: exactly, or by a sample where there are too many."""
        snapshot, probes = self._latest(), self.probes(vectors)
        if self._is_compared(snapshot):
            return [score_range(scores) for scores in self._rows(snapshot, where)[0].scan(probes)]
        return super().score_ranges(probes, where=where)

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return vectors of documents that fulfil a filter, drawn at random; all where they are fewer."""
        return _draw(self._latest(), where, size)

    def comparable(self, stored: npt.ArrayLike) -> Vectors:
        """Return stored vectors as they are: they were brought to unit length before they were written."""
        return np.asarray(stored, np.float32).reshape(-1, self.dimension)

    def fetch_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the unit vectors of those of these documents that are there, by id."""
        snapshot = self._latest()
        row_ids = snapshot.find(ids)
        return dict(zip(row_ids, snapshot.vectors(_array(row_ids)), strict=True))

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        snapshot = self._latest()
        documents = _copies(snapshot.documents(_array(snapshot.find(ids))))
        return {document.id: document for document in documents}

    def write(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Add documents in one commit; one whose id is there already takes its place."""
        self._table.upsert(documents, rows)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents in one commit; return how many were there."""
        return self._table.delete(ids)

    def optimise(self) -> None:
        """Make it fast again after much was written; above :data:`ANN_ABOVE` documents, make indexes.

        One of the vectors, which is approximate, one of the words and one of every field of the metadata. Small
        files are joined, old versions that nobody can be reading are removed. Others may read meanwhile, and wait
        to write.
        """
        with self.changing():
            self._table.optimise(ann_above=self._ann_above)

    def check(self) -> IndexCheck:
        """Compare every document, and every file, with what was written."""
        return self._report(self._table.check())

    def repair(self) -> IndexCheck:
        """Remove documents that are not what was written, so that they can be written anew, and mend indexes."""
        before = self._table.check()
        if not before.conditions and not before.indexes:
            return self._report(before)
        with self.changing():
            self._table.remove_damaged(before)
        self.optimise()
        names, count = (*before.damaged, *before.lost), len(before.damaged) + before.lost_rows
        removed = IndexProblem(f"{count:,} documents were removed", "esens index writes them anew", names)
        done = [str(removed)] if before.conditions else []
        done += [f"the index {name!r} was made anew" for name in before.indexes]
        return replace(self._report(self._table.check()), repaired=tuple(done))

    def _report(self, check: TableCheck) -> IndexCheck:
        return IndexCheck(
            str(self.uri),
            check.rows,
            self.dimension,
            self.embedder_id,
            tuple(check.checked()),
            tuple(check.unchecked()),
            tuple(check.problems()),
        )

    def _sample(self, where: Filter | None) -> KeptSample:
        """Return the sample of the latest version, whoever wrote that."""
        snapshot = self._latest()
        return snapshot.samples.of(where, lambda condition: _draw(snapshot, condition, SAMPLE))

    @property
    def _ann_above(self) -> float:
        return {EXACT: math.inf, APPROXIMATE: 0}.get(self._search_mode, ANN_ABOVE)

    def _is_compared(self, snapshot: LanceSnapshot) -> bool:
        return snapshot.count <= self._ann_above or "vector" not in snapshot.indexed

    def _forget(self) -> None:
        super()._forget()
        self._is_changed = True

    def _latest(self) -> LanceSnapshot:
        with self._lock:
            self._is_changed = False  # before the look: what is written meanwhile counts as not seen
            version = self._table.version()
            if self._current is None or self._current[0] != version:
                seen, earlier = (self._current[0].number, self._current[1].loaded) if self._current else (0, None)
                self._current = (version, self._table.snapshot(version, after=seen, earlier=earlier))
            return self._current[1]

    def _rank(self, snapshot: LanceSnapshot, probes: Vectors, k: int, where: Filter | None) -> list[RankedRows]:
        if not self._is_compared(snapshot):
            # By their own vectors: an approximate index rounds them.
            return [
                _best(rows.row_ids, scan(rows.vectors, probe[None], threads=self._threads)[0], k, rows.vectors)
                for probe, rows in zip(probes, _candidates(snapshot, probes, k, where), strict=True)
            ]
        rows, row_ids = self._rows(snapshot, where)
        return [_best(row_ids, scores, k) for scores in rows.scan(probes)]

    def _rows(self, snapshot: LanceSnapshot, where: Filter | None) -> tuple[SearchedRows, RowIds]:
        """Return the rows that fulfil a filter, to be compared, and their numbers."""
        if where is None:
            return snapshot.searched.at(threads=self._threads), snapshot.row_ids
        positions = snapshot.positions(where)
        return snapshot.searched.at(positions, threads=self._threads), snapshot.row_ids[positions]


def _search_mode(uri: IndexURI) -> str:
    mode = uri.option("search")
    if mode not in ("", EXACT, APPROXIMATE):
        raise ArgumentError("index", f"{uri}: search is {EXACT} or {APPROXIMATE}, not {mode!r}")
    return mode


def _copies(documents: Iterable[Document]) -> list[Document]:
    """Return documents of the caller's own: the snapshot keeps those it has read."""
    return [document.copy() for document in documents]


def _array(row_ids: dict[str, int]) -> RowIds:
    return np.array(list(row_ids.values()), np.uint64)


def _best(row_ids: RowIds, scores: Vectors, k: int, vectors: Vectors | None = None) -> RankedRows:
    best = top_k(scores, k)
    return RankedRows(row_ids[best], scores[best], None if vectors is None else vectors[best])


def _at(scores: Array, snapshot: LanceSnapshot, where: Filter | None) -> Array:
    """Return the scores of the documents that fulfil a filter."""
    return scores if where is None else scores[snapshot.positions(where)]


def _draw(snapshot: LanceSnapshot, where: Filter | None, size: int) -> Sample:
    row_ids = snapshot.select(where)
    return Sample(snapshot.draw(row_ids, size if where is None else min(size, FILTERED_SAMPLE)), len(row_ids))


def _candidates(snapshot: LanceSnapshot, probes: Vectors, k: int, where: Filter | None) -> list[VectorRows]:
    """Return rows for every vector, in corpus order, among which are its k nearest, or nearly."""
    if where is None:
        return snapshot.nearest(probes, k, None)
    count = snapshot.count_where(where)
    if count > _FEW:
        candidates = snapshot.nearest(probes, k, where)
        if all(len(rows.row_ids) >= min(k, count) for rows in candidates):
            return candidates
    return [snapshot.rows(snapshot.select(where))] * len(probes)
