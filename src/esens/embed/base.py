"""What every embedder offers, and what its vectors must be."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.types import check_text

Vectors = npt.NDArray[np.float32]
TextsToVectors = Callable[[Sequence[str]], npt.ArrayLike]

# Raised when vectors come to be made another way, so that none of the old ones is used again.
_FINGERPRINT_VERSION = 1


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors: documents and queries apart, since some models treat them apart.

    One whose vectors may be cached has a ``fingerprint`` too: a string that differs wherever the vectors do. One
    that knows the length of its vectors before it has made any may say so as its ``dimension``. One whose
    ``has_many_callers`` is true is called by several threads at once when a corpus is embedded.
    """

    @property
    def name(self) -> str:
        """What it is called, precise enough to tell two models apart."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query."""
        ...


@runtime_checkable
class TextEncoder(Protocol):
    """A model with ``encode``: a SentenceTransformer, a StaticModel of model2vec, a FlagModel and others."""

    def encode(self, texts: Any, /) -> Any:
        """Return a row for each text."""
        ...


@runtime_checkable
class LangChainEmbeddings(Protocol):
    """An embedder in the shape of LangChain's ``Embeddings``."""

    def embed_documents(self, texts: list[str], /) -> Any:
        """Return a row for each document."""
        ...

    def embed_query(self, text: str, /) -> Any:
        """Return the row of one query."""
        ...


EmbedderLike = str | Embedder | LangChainEmbeddings | TextEncoder | TextsToVectors
"""What is taken wherever an embedder is: a spec, an object of one of these shapes, or a function."""


def fingerprint_of(embedder: Embedder) -> str | None:
    """Return what an embedder's vectors depend on, or None where that is unknown, as for a function."""
    value = getattr(embedder, "fingerprint", None)
    return value if isinstance(value, str) and value else None


def dimension_of(embedder: Embedder) -> int | None:
    """Return how long an embedder's vectors are, where it says so before it has embedded anything."""
    value = getattr(embedder, "dimension", None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def fingerprint(kind: str, **parts: object) -> str:
    """Return a fingerprint of everything that a vector depends on."""
    return json.dumps({"version": _FINGERPRINT_VERSION, "embedder": kind, **parts}, sort_keys=True)


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file, as hexadecimal digits; a file that has not changed is read once a process."""
    status = file.stat()
    return _hash_of(file.resolve(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _hash_of(file: Path, _size: int, _changed: int) -> str:
    import hashlib  # 3 ms that most programs need not spend

    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def checked_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts if each of them is one."""
    for position, text in enumerate(texts):
        check_text(f"texts[{position}]", text)
    return list(texts)


def a_row_each(vectors: npt.ArrayLike, texts: int) -> Vectors:
    """Return what an embedder made of so many texts, if it is a matrix of finite numbers with a row a text."""
    try:
        rows = np.asarray(vectors, np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError("embedder", f"did not return a matrix of numbers ({error})") from None
    if rows.ndim != 2 or len(rows) != texts:
        raise ArgumentError("embedder", f"returned shape {rows.shape} for {texts} texts; expected a row a text")
    if not np.isfinite(rows).all():
        raise ArgumentError("embedder", "returned NaN or infinity")
    return rows


def at_unit_length(rows: Vectors) -> Vectors:
    """Return the rows at unit length; a row of zeros stays one, and is similar to nothing."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1, lengths), np.float32)
