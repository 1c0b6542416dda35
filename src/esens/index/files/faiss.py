"""Files of faiss, with documents beside them: ``faiss:FILE?documents=FILE.jsonl``."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.unit import Vectors, unit_rows
from esens.errors import EngineError, MissingExtraError
from esens.index.base import Metric  # noqa: TC001 - read with the annotation
from esens.index.files.index import FileIndex, check_file, positive_option
from esens.index.files.sidecar import Positions
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


class FaissIndex(FileIndex):
    """A file of faiss and its documents.

    The metric is the file's: inner product, or the distance L2 where vectors have unit length. Flat, IVF, HNSW, PQ
    and SQ indexes can be used, also with ids (IDMap) or behind a transformation (OPQ); what PQ, SQ and PCA give
    back are approximations, and scores are theirs.

    Options beside those of the documents (``documents``, ``id``, ``text``, ``title``, ``key``): ``nprobe`` is how
    many lists of an IVF index a search looks through, ``efsearch`` how deep it looks in an HNSW graph; without
    them, what the file says.
    """

    options = tuple(_EFFORTS)
    writing = "faiss: faiss.write_index(index, 'FILE')"

    @classmethod
    def read_vectors(cls, uri: IndexURI, path: Path) -> "FaissVectors":
        """Read the vectors of a file."""
        check_file(uri, path)
        with _faiss_errors(uri, f"{path} is no index of faiss, or damaged; write it again"):
            # Lists in a file of their own would be opened for writing else, and the index file says which that is.
            index = faiss.read_index(str(path), faiss.IO_FLAG_READ_ONLY)
        with _faiss_errors(uri, "cannot be used"):
            return FaissVectors(uri, index)


class FaissVectors:
    """The vectors of such a file.

    Keys are the ids of an IDMap or of an IVF index, and positions in any other.
    """

    def __init__(self, uri: IndexURI, index: Any) -> None:
        """Find out what the index is made of, and check that it can be used."""
        self._uri, self._index = uri, index
        _check_lists(uri, index)
        self.dimension = int(index.d)
        self._set_efforts()
        is_map = isinstance(index, faiss.IndexIDMap)
        self._inner = faiss.downcast_index(index.index) if is_map else index
        is_transformed = isinstance(self._inner, faiss.IndexPreTransform)
        self._core = faiss.downcast_index(self._inner.index) if is_transformed else self._inner
        self.keys, self._order = self._read_keys(is_map=is_map)
        if isinstance(self._core, faiss.IndexIVF):  # so that it finds the list of an id, to read a vector
            self._core.set_direct_map_type(faiss.DirectMap.Hashtable)
        if index.metric_type not in (faiss.METRIC_L2, faiss.METRIC_INNER_PRODUCT):
            raise EngineError(str(uri), "compares by neither inner product nor L2; build it with one of them")
        self.metric: Metric = "cosine" if index.metric_type == faiss.METRIC_L2 else "ip"
        self._check_vectors()

    def search(self, vectors: Vectors, k: int) -> list[Positions]:
        """Return the keys of the k nearest of every vector."""
        return self._search(vectors, k, None)

    def search_among(self, vectors: Vectors, k: int, keys: Positions) -> list[Positions] | None:
        """Return the keys of the k nearest among these; None for graphs, which lose their way among few."""
        if isinstance(self._core, faiss.IndexIVF):
            kind, effort = faiss.SearchParametersIVF, {"nprobe": self._core.nprobe}
        elif isinstance(self._core, faiss.IndexFlat):
            kind, effort = faiss.SearchParameters, {}
        else:
            return None
        return self._search(vectors, k, kind(sel=faiss.IDSelectorBatch(keys), **effort))

    def rows(self, keys: Positions) -> Vectors:
        """Return the vectors under these keys: of unit length where they are compared by distance."""
        rows = self._read_back(keys)
        return unit_rows(rows) if self.metric == "cosine" else rows

    def _search(self, vectors: Vectors, k: int, parameters: Any) -> list[Positions]:
        with _faiss_errors(self._uri, "cannot be searched"), _threads(len(vectors)):
            _, nearest = self._index.search(vectors, k, params=parameters)
        return [keys[keys >= 0] for keys in nearest]  # -1 where there are no more

    def _read_back(self, keys: Positions) -> Vectors:
        with _faiss_errors(
            self._uri, "its vectors cannot be read back, which scores need; build another kind of index"
        ):
            rows: Vectors = self._inner.reconstruct_batch(self._inner_keys(keys))
        return rows

    def _read_keys(self, *, is_map: bool) -> tuple[Positions, Positions | None]:
        """Return the keys of all vectors, and the order that sorts those of a map."""
        if is_map:
            keys = faiss.vector_to_array(self._index.id_map).astype(np.int64)
            return keys, np.argsort(keys, kind="stable")
        if isinstance(self._core, faiss.IndexIVF):
            return _ids_of_lists(self._core), None
        return np.arange(self._index.ntotal), None

    def _inner_keys(self, keys: Positions) -> Positions:
        """Return what the index inside a map calls these keys."""
        if self._order is None:
            return keys
        return np.asarray(self._order[np.searchsorted(self.keys, keys, sorter=self._order)], np.int64)

    def _set_efforts(self) -> None:
        for option, name in _EFFORTS.items():
            effort = positive_option(self._uri, option)
            if effort is not None:
                with _faiss_errors(self._uri, f"has no {option} to set; leave that option out"):
                    faiss.ParameterSpace().set_index_parameter(self._index, name, effort)

    def _check_vectors(self) -> None:
        if len(np.unique(self.keys)) < len(self.keys):
            raise EngineError(str(self._uri), "has several vectors under one id; each needs one of its own")
        if not len(self.keys):
            return
        some = np.random.default_rng(0).choice(self.keys, min(SAMPLE, len(self.keys)), replace=False)
        if self.metric == "ip":
            self._read_back(some[:1])
            return
        lengths = np.linalg.norm(self._read_back(some), axis=1)
        is_whole = isinstance(self._core, (faiss.IndexFlat, faiss.IndexIVFFlat, faiss.IndexHNSWFlat))
        off = np.abs(lengths - 1).max() if is_whole else abs(lengths.mean() - 1)
        if off > (_WHOLE if is_whole else _QUANTISED):
            raise EngineError(
                str(self._uri),
                f"compares by L2, but vectors' lengths are {off:.3g} away from 1, so distances are no cosines; "
                "bring vectors to unit length, or build it with METRIC_INNER_PRODUCT",
            )


def _check_lists(uri: IndexURI, index: Any) -> None:
    """Refuse lists in a file of their own: the index file names it, and it could name any file."""
    ivf = faiss.try_extract_index_ivf(index)  # looks below maps, transformations and refinements
    lists = faiss.downcast_InvertedLists(ivf.invlists) if ivf else None
    if isinstance(lists, faiss.OnDiskInvertedLists):
        raise EngineError(
            str(uri),
            f"keeps its lists in another file, {redact(lists.filename)}, which would be read unchecked; bring "
            "both into one file with faiss: ArrayInvertedLists.merge_from, replace_invlists, write_index",
        )


def _ids_of_lists(index: Any) -> Positions:
    lists = index.invlists
    ids = [
        faiss.rev_swig_ptr(lists.get_ids(at), lists.list_size(at)).copy()
        for at in range(lists.nlist)
        if lists.list_size(at)
    ]
    return np.concatenate([np.zeros(0, np.int64), *ids])


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
def _faiss_errors(uri: IndexURI, problem: str) -> Iterator[None]:
    """Raise what faiss raises as an error of one line."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        raise EngineError(str(uri), f"{problem} ({redact(_plain(str(error)))})") from None


def _plain(text: str) -> str:
    """Leave out where in its source faiss says so."""
    return text.rpartition("failed: ")[2] if "failed: " in text else text.rpartition(".cpp:")[2] or text
