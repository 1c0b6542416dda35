"""The ids of an input that were read before, and where they stand; on disk once there are many."""

from esens.errors import EsensError


class SeenIds:
    """A temporary SQLite file. SQLite holds 2 MB of it in memory and takes the file away in the end."""

    def __init__(self) -> None:
        import sqlite3  # importing esens is quick, and few programs read files

        self._error = sqlite3.Error
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE met (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def first_place(self, id: str, place: str) -> str | None:  # noqa: A002 - the word for it
        """Store an id and its place; return the place where it stood before, if it did."""
        try:
            if self._database.execute("INSERT OR IGNORE INTO met VALUES (?, ?)", (id, place)).rowcount:
                return None
            ((before,),) = self._database.execute("SELECT place FROM met WHERE id = ?", (id,))
        except self._error as error:
            problem = f"the ids read so far cannot be stored in a temporary file ({error})"
            raise EsensError(f"{problem}; give it room, or name another folder by SQLITE_TMPDIR") from None
        return str(before)

    def close(self) -> None:
        """Forget everything."""
        self._database.close()
