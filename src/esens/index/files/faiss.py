"""Files of faiss, with documents beside them: ``faiss:FILE?documents=FILE.jsonl``."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.base import Vectors
from esens.index.files.index import PairIndex, check_file, number
from esens.index.files.sidecar import Numbers, replacing
from esens.index.ranges import SAMPLE
from esens.index.uri import IndexURI
from esens.text.redact import redact

try:
    faiss: Any = import_module("faiss")  # what it says of its types leaves out half of it
except ImportError:
    raise MissingExtraError("faiss-cpu", "faiss") from None

_EFFORTS = {"nprobe": "nprobe", "efsearch": "efSearch"}
# For a few vectors, threads cost more than they bring: half the speed with two.
_FEW = 8
# How far from 1 the lengths of vectors may be where distances are to be cosines. What a quantised index gives back
# are approximations, and often shorter: their mean counts.
_WHOLE, _QUANTISED = 1e-3, 0.3


class FaissIndex(PairIndex):
    """A file of faiss and its documents.

    The metric is the file's: inner product, or the distance L2 where vectors have unit length. Flat, IVF, HNSW, PQ
    and SQ indexes can be used, also with ids (IDMap) or behind a transformation (OPQ); what PQ, SQ and PCA give
    back are approximations, and scores are theirs. A new file is flat, with ids: exact, and documents can leave
    it, which an HNSW graph does not allow.

    Options beside those of the documents (``documents``, ``id``, ``text``, ``title``, ``key``) and ``readonly``:
    ``nprobe`` is how many lists of an IVF index a search looks through, ``efsearch`` how deep it looks in an HNSW
    graph; without them, what the file says.
    """

    options = tuple(_EFFORTS)

    @classmethod
    def _fresh(cls, address: IndexURI, dimension: int) -> "FaissVectors":
        return FaissVectors(address, faiss.IndexIDMap2(faiss.IndexFlatIP(dimension)))

    @classmethod
    def _read(cls, address: IndexURI, path: Path, *, is_read_only: bool) -> "FaissVectors":  # noqa: ARG003
        check_file(address, path)
        with _said(address, f"{path} is no index of faiss, or damaged; write it again"):
            # Lists in a file of their own would be opened for writing else, and the index file says which that is.
            index = faiss.read_index(str(path), faiss.IO_FLAG_READ_ONLY)
        with _said(address, "cannot be used"):
            return FaissVectors(address, index)


class FaissVectors:
    """The vectors of such a file.

    Keys are the ids of an IDMap or of an IVF index, and positions in any other.
    """

    def __init__(self, address: IndexURI, index: Any) -> None:
        """Check that the index can be used."""
        self._address, self._index = address, index
        _check_lists(address, index)
        self.dimension = int(index.d)
        self._set_efforts()
        self._look_up()
        self._is_distance = index.metric_type == faiss.METRIC_L2
        if not self._is_distance and index.metric_type != faiss.METRIC_INNER_PRODUCT:
            raise EngineError(str(address), "compares by neither inner product nor L2; build it with one of them")
        self._check_vectors()

    def search(self, vectors: Vectors, k: int) -> list[Numbers]:
        """Return the keys of the k nearest of every vector."""
        return self._search(vectors, k, None)

    def search_among(self, vectors: Vectors, k: int, keys: Numbers) -> list[Numbers] | None:
        """Return the keys of the k nearest among these; None for graphs, which lose their way among few."""
        if isinstance(self._core, faiss.IndexIVF):
            kind, effort = faiss.SearchParametersIVF, {"nprobe": self._core.nprobe}
        elif isinstance(self._core, faiss.IndexFlat):
            kind, effort = faiss.SearchParameters, {}
        else:
            return None
        return self._search(vectors, k, kind(sel=faiss.IDSelectorBatch(keys), **effort))

    def rows(self, keys: Numbers) -> Vectors:
        """Return the vectors under these keys: of unit length where they are compared by distance."""
        rows = self._read_back(keys)
        return unit_rows(rows) if self._is_distance else rows

    def add(self, keys: Numbers, rows: Vectors) -> None:
        """Add vectors under new keys."""
        self._check_lengths(rows)
        with _said(self._address, "cannot be added to"):
            self._free()
            if self._has_ids:
                self._index.add_with_ids(rows, keys)
            else:
                self._index.add(rows)
            self._look_up()

    def remove(self, keys: Numbers) -> None:
        """Remove the vectors under these keys."""
        with _said(self._address, "cannot be removed from"):
            self._free()
            self._index.remove_ids(keys)
            self._look_up()

    def save(self, path: Path) -> None:
        """Put a file of these vectors in the place of another."""
        self._set_map(faiss.DirectMap.NoMap)  # the file has none either
        try:
            with replacing(path) as file:
                faiss.write_index(self._index, faiss.PyCallbackIOWriter(file.write))
        finally:
            self._set_map(faiss.DirectMap.Hashtable)

    def _search(self, vectors: Vectors, k: int, parameters: Any) -> list[Numbers]:
        with _said(self._address, "cannot be searched"), _threads(len(vectors)):
            _, found = self._index.search(vectors, k, params=parameters)
        return [keys[keys >= 0] for keys in found]  # -1 where it found no more

    def _read_back(self, keys: Numbers) -> Vectors:
        with _said(
            self._address, "its vectors cannot be read back, which scores need; build another kind of index"
        ):
            rows: Vectors = self._inner.reconstruct_batch(self._places(keys))
        return rows

    def _look_up(self) -> None:
        """Find out what the index is made of, and which keys it has."""
        index = self._index
        is_map = isinstance(index, faiss.IndexIDMap)
        self._inner = faiss.downcast_index(index.index) if is_map else index
        is_transformed = isinstance(self._inner, faiss.IndexPreTransform)
        self._core = faiss.downcast_index(self._inner.index) if is_transformed else self._inner
        is_ivf = isinstance(self._core, faiss.IndexIVF)
        self._has_ids = is_map or is_ivf
        # A map over IVF lists loses count of its ids when one goes, and a graph cannot close the gap.
        self.can_remove = not is_map if is_ivf else isinstance(self._core, faiss.IndexFlatCodes)
        self.is_exact = isinstance(self._inner, faiss.IndexFlat)
        places = _ids_of_lists(self._core) if is_ivf else np.arange(index.ntotal)
        self.keys = faiss.vector_to_array(index.id_map).astype(np.int64) if is_map else places
        self._order = np.argsort(self.keys, kind="stable") if is_map else None
        self._set_map(faiss.DirectMap.Hashtable)

    def _places(self, keys: Numbers) -> Numbers:
        """Return what the index inside a map calls these keys."""
        if self._order is None:
            return keys
        return np.asarray(self._order[np.searchsorted(self.keys, keys, sorter=self._order)], np.int64)

    def _free(self) -> None:
        """Make an index of positions one of ids if vectors may leave it, for then positions shift."""
        self._set_map(faiss.DirectMap.NoMap)
        if not self._has_ids and self.can_remove:
            self._index = _with_ids(self._index, self.keys)
            self._look_up()

    def _set_map(self, kind: int) -> None:
        """Choose how an IVF index finds the list of an id, which takes one to read a vector and none to write."""
        if isinstance(self._core, faiss.IndexIVF):
            self._core.set_direct_map_type(kind)

    def _set_efforts(self) -> None:
        for option, name in _EFFORTS.items():
            effort = number(self._address, option)
            if effort is not None:
                with _said(self._address, f"has no {option} to set; leave that option out"):
                    faiss.ParameterSpace().set_index_parameter(self._index, name, effort)

    def _check_lengths(self, rows: Vectors) -> None:
        """Refuse a zero vector among distances: the file could not be opened again."""
        zero = np.flatnonzero(~rows.any(axis=1))
        if self._is_distance and zero.size:
            raise ArgumentError(
                "vectors",
                f"row {zero[0]} is zero, and {self._address} compares by L2, where only vectors of unit length "
                "have cosines; leave that document out, or build the index with METRIC_INNER_PRODUCT",
            )

    def _check_vectors(self) -> None:
        if len(np.unique(self.keys)) < len(self.keys):
            raise EngineError(str(self._address), "has several vectors under one id; each needs one of its own")
        if not len(self.keys):
            return
        some = np.random.default_rng(0).choice(self.keys, min(SAMPLE, len(self.keys)), replace=False)
        if not self._is_distance:
            self._read_back(some[:1])
            return
        lengths = np.linalg.norm(self._read_back(some), axis=1)
        is_whole = isinstance(self._core, (faiss.IndexFlat, faiss.IndexIVFFlat, faiss.IndexHNSWFlat))
        off = np.abs(lengths - 1).max() if is_whole else abs(lengths.mean() - 1)
        if off > (_WHOLE if is_whole else _QUANTISED):
            raise EngineError(
                str(self._address),
                f"compares by L2, but vectors' lengths are {off:.3g} away from 1, so distances are no cosines; "
                "bring vectors to unit length, or build it with METRIC_INNER_PRODUCT",
            )


def _check_lists(address: IndexURI, index: Any) -> None:
    """Refuse lists in a file of their own: they change in place, so a write that fails leaves them half done."""
    ivf = faiss.try_extract_index_ivf(index)  # looks below maps, transformations and refinements
    lists = faiss.downcast_InvertedLists(ivf.invlists) if ivf else None
    if isinstance(lists, faiss.OnDiskInvertedLists):
        raise EngineError(
            str(address),
            f"keeps its lists in another file, {redact(lists.filename)}, which cannot be written safely; bring "
            "both into one file with faiss: ArrayInvertedLists.merge_from, replace_invlists, write_index",
        )


def _ids_of_lists(index: Any) -> Numbers:
    lists = index.invlists
    found = [
        faiss.rev_swig_ptr(lists.get_ids(at), lists.list_size(at)).copy()
        for at in range(lists.nlist)
        if lists.list_size(at)
    ]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _with_ids(index: Any, keys: Numbers) -> Any:
    """Return a map from these keys to the vectors of an index; faiss makes maps of empty ones only."""
    mapped = faiss.IndexIDMap2(faiss.IndexFlatIP(index.d))
    mapped.index = index
    mapped.metric_type, mapped.ntotal = index.metric_type, index.ntotal
    faiss.copy_array_to_vector(keys, mapped.id_map)
    mapped.construct_rev_map()
    mapped.referenced_objects = [index]  # which it points to, and does not own
    return mapped


@contextmanager
def _threads(vectors: int) -> Iterator[None]:
    """Search for a few vectors on one thread. The number is this thread's own, so nobody else sees it change."""
    if vectors > _FEW:
        yield
        return
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


@contextmanager
def _said(address: IndexURI, problem: str) -> Iterator[None]:
    """Say what faiss says in one line of ours."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        raise EngineError(str(address), f"{problem} ({redact(_plain(str(error)))})") from None


def _plain(text: str) -> str:
    """Leave out where in its source faiss says so."""
    return text.rpartition("failed: ")[2] if "failed: " in text else text.rpartition(".cpp:")[2] or text
