"""What language models answered, kept in one SQLite file. It holds queries and answers, never a key."""

from pathlib import Path
from typing import NamedTuple

from esens.errors import DecomposerError
from esens.storage.sqlite_cache import CacheFile, cache_folder

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    endpoint TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL, query TEXT NOT NULL,
    answer TEXT NOT NULL, refused TEXT NOT NULL,
    PRIMARY KEY (endpoint, model, prompt, query)
) WITHOUT ROWID
"""


class AnswerKey(NamedTuple):
    """What an answer depends on."""

    endpoint: str
    model: str
    prompt: str
    query: str


class CachedAnswer(NamedTuple):
    """An answer as the model wrote it, and why its first one was refused, if it was."""

    answer: str
    refused: str


class AnswerCache:
    """A file of answers."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Open or make the file; without a path, at the usual place."""
        self._file = CacheFile(default_path() if path is None else path, _TABLE, _unusable)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.path

    def get(self, key: AnswerKey) -> CachedAnswer | None:
        """Return the answer under this key, or None."""
        wanted = (
            "SELECT answer, refused FROM answers WHERE endpoint = ? AND model = ? AND prompt = ? AND query = ?"
        )
        with self._file.opened() as database:
            row = database.execute(wanted, key).fetchone()
        return None if row is None else CachedAnswer(*row)

    def put(self, key: AnswerKey, answer: CachedAnswer) -> None:
        """Keep an answer; it is on disk when this returns."""
        with self._file.opened() as database:
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", (*key, *answer))


def default_path() -> Path:
    """Return where answers are kept unless somebody says otherwise."""
    return cache_folder() / "decompositions.sqlite"


def _unusable(path: Path, error: Exception) -> DecomposerError:
    return DecomposerError(
        f"{path}: the cache of answers cannot be used ({error}). Remove the file if it is damaged, "
        "name another with cache=PATH (--cache-dir FOLDER), or do without: cache=False (--no-cache)"
    )
