"""Files of usearch, with documents beside them: ``usearch:FILE?documents=FILE.jsonl``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.base import Vectors
from esens.index.files.index import PairIndex, check_file, number
from esens.index.files.sidecar import Numbers, replacing
from esens.index.uri import IndexURI
from esens.text.redact import redact

try:
    from usearch.index import Index, MetricKind
except ImportError:
    raise MissingExtraError("usearch", "usearch") from None

_DTYPES = ("f32", "f16", "bf16", "i8")
# How deep a search looks: deep enough to find the nearest hundred of a thousand documents without fail. The file
# does not keep how deep its user looked.
_EXPANSION = 256
# A graph that is asked for a large part of what it holds may not reach it all, and is no faster than comparing it.
_LARGE_PART = 16
_FEW = 8


class UsearchIndex(PairIndex):
    """A file of usearch, compared by cosine or inner product, and its documents.

    Options beside those of the documents (``documents``, ``id``, ``text``, ``title``, ``key``) and ``readonly``:
    ``expansion`` is how deep a search looks, ``dtype`` how a new file keeps its vectors (f32, f16, bf16, i8). With
    ``readonly=true`` the file is mapped, not read into memory.
    """

    options = ("expansion", "dtype")

    @classmethod
    def _fresh(cls, address: IndexURI, dimension: int) -> "UsearchVectors":
        dtype = address.option("dtype", "f32")
        if dtype not in _DTYPES:
            raise ArgumentError("index", f"{address}: unknown dtype {dtype!r}; valid are: {', '.join(_DTYPES)}")
        return UsearchVectors(address, Index(ndim=dimension, metric="cos", dtype=dtype))

    @classmethod
    def _read(cls, address: IndexURI, path: Path, *, is_read_only: bool) -> "UsearchVectors":
        check_file(address, path)
        with _said(address, f"{path} is no index of usearch, or damaged; write it again"):
            index = Index.restore(path, view=is_read_only)
        return UsearchVectors(address, index)


class UsearchVectors:
    """The vectors of such a file."""

    is_exact = False
    can_remove = True

    def __init__(self, address: IndexURI, index: Any) -> None:
        """Check that the index can be used."""
        self._address, self._index = address, index
        self._is_cosine = index.metric_kind == MetricKind.Cos
        if not self._is_cosine and index.metric_kind != MetricKind.IP:
            raise EngineError(
                str(address), f"compares by {index.metric_kind.name}; build it with the metric cos or ip"
            )
        if index.multi:
            raise EngineError(str(address), "keeps several vectors under a key; build it with multi=False")
        self.dimension = int(index.ndim)
        index.expansion_search = number(address, "expansion") or _EXPANSION
        self._look_up()

    def search(self, vectors: Vectors, k: int) -> list[Numbers]:
        """Return the keys of the k nearest of every vector."""
        is_large_part = _LARGE_PART * k >= len(self.keys)
        with _said(self._address, "cannot be searched"):
            found = self._index.search(vectors, k, exact=is_large_part, threads=int(len(vectors) <= _FEW))
        each = [found] if len(vectors) == 1 else found
        return [np.asarray(one.keys, np.int64) for one in each]

    def search_among(self, vectors: Vectors, k: int, keys: Numbers) -> None:
        """Say that usearch cannot leave out keys."""

    def rows(self, keys: Numbers) -> Vectors:
        """Return the vectors under these keys: of unit length where they are compared by cosine."""
        with _said(self._address, "its vectors cannot be read"):
            rows = np.vstack(self._index.get(keys, dtype="f32"))
        return unit_rows(rows) if self._is_cosine else rows

    def add(self, keys: Numbers, rows: Vectors) -> None:
        """Add vectors under new keys."""
        with _said(self._address, "cannot be added to"):
            # On one thread: when several add at once, usearch now and then leaves a vector that no path leads to.
            self._index.add(keys, rows, threads=1)
        self._look_up()

    def remove(self, keys: Numbers) -> None:
        """Remove the vectors under these keys."""
        with _said(self._address, "cannot be removed from"):
            self._index.remove(keys)
        self._look_up()

    def save(self, path: Path) -> None:
        """Put a file of these vectors in the place of another."""
        with (
            replacing(path) as file,
            _said(self._address, f"{path} cannot be written; see that the disk has room"),
        ):
            self._index.save(file.name)
            if Path(file.name).stat().st_size != self._index.serialized_length:
                raise RuntimeError("the file is not whole")

    def _look_up(self) -> None:
        self.keys = np.asarray(self._index.keys[:], np.int64)


@contextmanager
def _said(address: IndexURI, problem: str) -> Iterator[None]:
    """Say what usearch says in one line of ours."""
    try:
        yield
    except (RuntimeError, ValueError, TypeError, MemoryError) as error:
        raise EngineError(str(address), f"{problem} ({redact(str(error))})") from None
