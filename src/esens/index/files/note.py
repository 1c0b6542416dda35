"""What stands beside a file of vectors, in ``FILE.esens.json``: who made the vectors, and hashes of both files.

An earlier esens, or whoever wrote the files, has written down the former; ``esens check --record`` the latter.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from esens.messages import mask_spec
from esens.storage.atomic import write_atomically
from esens.types import EmbedderId

FORMAT = 1


@dataclass(frozen=True)
class FilesNote:
    """What the note says."""

    path: Path
    embedder_id: EmbedderId | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the files as they were when somebody recorded them, by "vectors" and "documents"."""

    @classmethod
    def read(cls, vectors: Path, fail: Callable[[str], Exception]) -> "FilesNote":
        """Read the note of a file of vectors, if there is one."""
        path = vectors.with_name(f"{vectors.name}.esens.json")
        try:
            facts: Any = json.loads(path.read_bytes())
            if facts["format"] > FORMAT:
                raise fail(f"{mask_spec(str(path))} was written by a newer esens; update it")
            made_by = facts["made_by"]
            embedder_id = EmbedderId(str(made_by["name"]), str(made_by["hash"])) if made_by else None
            return cls(path, embedder_id, {str(name): str(text) for name, text in facts.get("sha256", {}).items()})
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            shown = mask_spec(str(path))
            problem = f"{shown} cannot be read ({error}); remove it, and esens forgets who made the vectors"
            raise fail(problem) from None

    def changed(self, files: Mapping[str, Path]) -> list[Path]:
        """Return which of these files are no longer what was recorded."""
        return [path for name, path in files.items() if name in self.hashes and self.hashes[name] != _hash(path)]

    def record(self, files: Mapping[str, Path]) -> None:
        """Keep the hashes of these files as they are now."""
        made_by = self.embedder_id and self.embedder_id._asdict()
        hashes = {name: _hash(path) for name, path in files.items()}
        with write_atomically(self.path) as stream:
            stream.write(json.dumps({"format": FORMAT, "made_by": made_by, "sha256": hashes}, indent=1).encode())


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
