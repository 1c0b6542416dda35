"""Files of usearch, with documents beside them: ``usearch:FILE?documents=FILE.jsonl``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.unit import Vectors, unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.base import Metric  # noqa: TC001 - read with the annotation
from esens.index.files.index import FileIndex, check_file, positive_option
from esens.index.files.sidecar import Positions
from esens.index.uri import IndexURI
from esens.text.redact import redact

try:
    from usearch.index import Index, MetricKind
except ImportError:
    raise MissingExtraError("usearch", "usearch") from None

# How deep a search looks: deep enough to find the nearest hundred of a thousand documents without fail. The file
# does not keep how deep its user looked.
_EXPANSION = 256
# A graph that is asked for a large part of what it holds may not reach it all, and is no faster than comparing it.
_LARGE_PART = 16
_FEW = 8


class UsearchIndex(FileIndex):
    """A file of usearch, compared by cosine or inner product, and its documents.

    Options beside those of the documents (``documents``, ``id``, ``text``, ``title``, ``key``): ``expansion`` is
    how deep a search looks. With ``map=true`` the file is mapped, not read into memory; it must not change
    meanwhile.
    """

    options = ("expansion", "map")
    writing = "usearch: index.add(keys, vectors); index.save('FILE')"

    @classmethod
    def read_vectors(cls, uri: IndexURI, path: Path) -> "UsearchVectors":
        """Read the vectors of a file."""
        check_file(uri, path)
        is_mapped = uri.option("map", "false")
        if is_mapped not in ("true", "false"):
            raise ArgumentError("index", f"{uri}: map is true or false, got {is_mapped!r}")
        with _usearch_errors(uri, f"{path} is no index of usearch, or damaged; write it again"):
            index = Index.restore(path, view=is_mapped == "true")
        return UsearchVectors(uri, index)


class UsearchVectors:
    """The vectors of such a file."""

    def __init__(self, uri: IndexURI, index: Any) -> None:
        """Check that the index can be used."""
        self._uri, self._index = uri, index
        if index.metric_kind not in (MetricKind.Cos, MetricKind.IP):
            raise EngineError(
                str(uri), f"compares by {index.metric_kind.name}; build it with the metric cos or ip"
            )
        if index.multi:
            raise EngineError(str(uri), "keeps several vectors under a key; build it with multi=False")
        self.metric: Metric = "cosine" if index.metric_kind == MetricKind.Cos else "ip"
        self.dimension = int(index.ndim)
        self.keys = np.asarray(index.keys[:], np.int64)
        index.expansion_search = positive_option(uri, "expansion") or _EXPANSION

    def search(self, vectors: Vectors, k: int) -> list[Positions]:
        """Return the keys of the k nearest of every vector."""
        is_large_part = _LARGE_PART * k >= len(self.keys)
        with _usearch_errors(self._uri, "cannot be searched"):
            matches = self._index.search(vectors, k, exact=is_large_part, threads=int(len(vectors) <= _FEW))
        each = [matches] if len(vectors) == 1 else matches
        return [np.asarray(match.keys, np.int64) for match in each]

    def search_among(self, vectors: Vectors, k: int, keys: Positions) -> None:
        """Say that usearch cannot leave out keys."""

    def rows(self, keys: Positions) -> Vectors:
        """Return the vectors under these keys: of unit length where they are compared by cosine."""
        with _usearch_errors(self._uri, "its vectors cannot be read"):
            rows = np.vstack(self._index.get(keys, dtype="f32"))
        return unit_rows(rows) if self.metric == "cosine" else rows


@contextmanager
def _usearch_errors(uri: IndexURI, problem: str) -> Iterator[None]:
    """Raise what usearch raises as an error of one line."""
    try:
        yield
    except (RuntimeError, ValueError, TypeError, MemoryError) as error:
        raise EngineError(str(uri), f"{problem} ({redact(str(error))})") from None
