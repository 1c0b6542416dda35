"""Ranks that were computed before, kept under a hash of all that they came from.

The key is made of the inputs themselves (the vectors, the judged documents, the method's name and parameter) and
of the source code that ranks. So a changed document, model, decomposition or line of code finds nothing kept, and
no figure can be printed that its inputs would not give today.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from esens.errors import InputError
from esens.storage.atomic import write_atomically
from esens.storage.sqlite_cache import cache_folder

Ranks = npt.NDArray[np.int32]
Key = Mapping[str, str]


class Store:
    """A folder with a file for each array of ranks."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Use this folder; without one, the user's cache folder."""
        self.folder = cache_folder() / "ranks" if folder is None else Path(folder).expanduser()

    def get(self, key: Key) -> Ranks | None:
        """Return what is kept under this key, or None; a damaged file counts as nothing kept."""
        path = self._path(key)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                ranks = np.asarray(kept["ranks"], np.int32)
                return ranks if str(kept["key"]) == _text(key) else None
        except Exception:  # noqa: BLE001 - numpy raises a dozen kinds of them on damaged bytes
            return None

    def put(self, key: Key, ranks: Ranks) -> None:
        """Keep ranks. A file appears whole or not at all, also when the process is killed while it writes."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with write_atomically(path) as file:
                np.savez_compressed(file, ranks=ranks, key=np.array(_text(key)))
        except OSError as error:
            raise InputError(
                path, f"results cannot be kept there ({error.strerror}); name another folder"
            ) from None

    def _path(self, key: Key) -> Path:
        return self.folder / f"{hashlib.sha256(_text(key).encode()).hexdigest()[:32]}.npz"


def hash_of(*arrays: npt.NDArray[np.generic]) -> str:
    """Return a hash of what arrays hold, their shapes and kinds included; a mapped file is read in parts."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        for start in range(0, len(array), 4096):
            digest.update(np.ascontiguousarray(array[start : start + 4096]).view(np.uint8).data)
    return digest.hexdigest()


@cache
def code_hash() -> str:
    """Return a hash of the whole package, its tables included: no list of the parts that rank can go stale."""
    digest = hashlib.sha256()
    root = Path(str(resources.files("esens")))
    for path in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _text(key: Key) -> str:
    return json.dumps(dict(key), sort_keys=True)
