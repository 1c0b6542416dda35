"""A cache of vectors in one SQLite file, so that no text is embedded twice. It stores hashes of the texts only."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from esens.embed import embedder_of
from esens.embed.base import EmbedderLike, Vectors, a_row_each, checked_texts, dimension_of, fingerprint_of
from esens.errors import ArgumentError, EmbedderError
from esens.storage.sqlite_cache import CacheFile, cache_folder

if TYPE_CHECKING:
    import sqlite3

# Texts embedded before their vectors are on disk: what an interrupted run loses at most.
_EMBEDDED_AT_ONCE = 256
# Keys in one question to the database, which takes no more than 999 in old builds.
_KEYS_PER_QUERY = 500
_STORED = np.dtype("<f4")
_TABLES = """
CREATE TABLE IF NOT EXISTS embedders (
    id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS vectors (
    embedder INTEGER NOT NULL, is_query INTEGER NOT NULL, text BLOB NOT NULL,
    vector BLOB NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (embedder, is_query, text)
);
"""


class CachedEmbedder:
    """An embedder that remembers: what it has embedded before, in any process, is read back, bit for bit.

    ``path`` is the file, by default at the usual place. The embedder needs a fingerprint, so that a vector is used
    again only where the very same model would make it.
    """

    def __init__(self, embedder: EmbedderLike, path: str | Path | None = None) -> None:
        self._embedder = embedder_of(embedder)
        value = fingerprint_of(self._embedder)
        if value is None:
            raise ArgumentError(
                "embedder",
                f"{self._embedder.name} has no fingerprint, which would tell its vectors from those of others; "
                "give it a property fingerprint, a string that changes whenever the vectors do",
            )
        self.fingerprint = value
        self._file = CacheFile(default_path() if path is None else path, _TABLES, _unusable)

    @property
    def name(self) -> str:
        """The name of the embedder that makes the vectors."""
        return self._embedder.name

    @property
    def dimension(self) -> int | None:
        """How long the vectors are, where the embedder says so."""
        return dimension_of(self._embedder)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.path

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each document; only those not yet known are embedded."""
        return self._embed(texts, is_query=False)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each query; only those not yet known are embedded."""
        return self._embed(texts, is_query=True)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        keys = [hashlib.sha256(text.encode()).digest() for text in checked_texts(texts)]
        by_key = dict(zip(keys, texts, strict=True))
        rows = self._load(by_key, is_query=is_query)
        missing = [key for key in by_key if key not in rows]
        for part in _parts(missing, _EMBEDDED_AT_ONCE):
            vectors = self._compute([by_key[key] for key in part], is_query=is_query)
            rows.update(zip(part, vectors, strict=True))
            self._store(part, vectors, is_query=is_query)
        return np.stack([rows[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)

    def _compute(self, texts: list[str], *, is_query: bool) -> Vectors:
        embed = self._embedder.embed_queries if is_query else self._embedder.embed_documents
        return a_row_each(embed(texts), len(texts))

    def _load(self, keys: Iterable[bytes], *, is_query: bool) -> dict[bytes, Vectors]:
        """Return what is known and undamaged; a damaged vector counts as unknown, and is replaced."""
        with self._file.opened() as database:
            number, dimension = self._registered(database)
            return {
                key: np.frombuffer(vector, _STORED).astype(np.float32, copy=False)
                for part in _parts(list(keys) if dimension else [], _KEYS_PER_QUERY)
                for key, vector, crc in database.execute(_wanted(len(part)), (number, is_query, *part))
                if _is_whole(key, vector, crc, dimension)
            }

    def _store(self, keys: list[bytes], rows: Vectors, *, is_query: bool) -> None:
        """Put vectors on disk, all of them or none."""
        with self._file.opened() as database:
            database.execute("BEGIN IMMEDIATE")
            number = self._number(database, rows.shape[1])
            stored = (
                (key, row.tobytes()) for key, row in zip(keys, rows.astype(_STORED, copy=False), strict=True)
            )
            database.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)",
                ((number, is_query, key, vector, _crc(key, vector)) for key, vector in stored),
            )
            database.execute("COMMIT")

    def _number(self, database: "sqlite3.Connection", dimension: int) -> int:
        """Return the embedder's number in this file, entering it on first use."""
        database.execute(
            "INSERT OR IGNORE INTO embedders (fingerprint, dimension) VALUES (?, ?)", (self.fingerprint, dimension)
        )
        number, registered = self._registered(database)
        if registered != dimension:
            raise EmbedderError(
                f"{self.name} gives vectors of {dimension} dimensions now, and gave {registered} when {self.path} "
                "was begun: the model has changed under its name. Remove that file, or name another"
            )
        return number

    def _registered(self, database: "sqlite3.Connection") -> tuple[int, int]:
        """Return the embedder's number and dimension, or zeros where it is new."""
        wanted = "SELECT id, dimension FROM embedders WHERE fingerprint = ?"
        return database.execute(wanted, (self.fingerprint,)).fetchone() or (0, 0)


def default_path() -> Path:
    """Return the default file of the cache."""
    return cache_folder() / "vectors.sqlite"


def _wanted(keys: int) -> str:
    places = ", ".join("?" * keys)
    return f"SELECT text, vector, crc FROM vectors WHERE embedder = ? AND is_query = ? AND text IN ({places})"  # noqa: S608 - nothing but question marks


def _is_whole(key: bytes, vector: object, crc: object, dimension: int) -> bool:
    return isinstance(vector, bytes) and len(vector) == dimension * _STORED.itemsize and crc == _crc(key, vector)


def _crc(key: bytes, vector: bytes) -> int:
    # Over the key too, so that no vector passes for another text's.
    return zlib.crc32(vector, zlib.crc32(key))


def _parts(keys: list[bytes], size: int) -> Iterator[list[bytes]]:
    return (keys[start : start + size] for start in range(0, len(keys), size))


def _unusable(path: Path, error: Exception) -> EmbedderError:
    return EmbedderError(
        f"{path}: the cache of vectors cannot be used ({error}). Remove the file if it is damaged, "
        "or name another: CachedEmbedder(embedder, PATH)"
    )
