"""Where the vectors go: one file, or a folder of parts with a note in it of how they came about.

A part is known by its number: part 3 of a job holds rows 3 n to 4 n − 1 of the input, bad ones counted, where n is
the number of rows of a part. Since input and settings are those of the note, so is what the part holds.
"""

import hashlib
import json
from pathlib import Path

from esens.errors import ArgumentError
from esens.indexing.embed_files.job import EmbedJob
from esens.ingest import STANDARD_INPUT
from esens.ingest.folder import files_in
from esens.storage.atomic import remove_leftovers, write_atomically

NOTE = "_esens.json"
_VERSION = 1


def is_file(to: str) -> bool:
    """Whether one file is wanted, and not a folder."""
    return Path(to).suffix.lower() == ".parquet"


def part_path(to: str, number: int) -> Path:
    """Return where a part is, or will be."""
    return Path(to) if is_file(to) else Path(to) / f"part-{number:06}.parquet"


def passages_in(path: Path) -> int | None:
    """Return how many passages a part holds, or None if it is not there, or not whole."""
    import pyarrow
    import pyarrow.parquet

    try:
        return int(pyarrow.parquet.read_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return None


def prepare(job: EmbedJob) -> None:
    """Make the place for the vectors, or check that what is there is of the very same job."""
    to = Path(job.to)
    if job.source != STANDARD_INPUT and to.resolve().is_relative_to(Path(job.source).resolve()):
        raise ArgumentError("to", f"{to} is inside {job.source}, whose documents are read; name another place")
    if is_file(job.to):
        if to.exists():
            raise ArgumentError("to", f"{to} is there already; remove it, or name another")
        to.parent.mkdir(parents=True, exist_ok=True)
        return
    if to.exists() and not to.is_dir():
        raise ArgumentError("to", f"{to} is a file; name a folder, or a file that ends in .parquet")
    to.mkdir(parents=True, exist_ok=True)
    _check_note(to, _settings(job))


def tidy(job: EmbedJob) -> None:
    """Remove what writers that were killed have left."""
    if not is_file(job.to):
        remove_leftovers(Path(job.to))


def _check_note(folder: Path, settings: dict[str, object]) -> None:
    note = folder / NOTE
    if note.exists():
        _refuse_other(folder, _noted(note), settings)
    elif any(files_in(folder)):
        raise ArgumentError("to", f"{folder} holds files that esens embed did not write; name an empty folder")
    else:
        with write_atomically(note) as stream:
            stream.write(json.dumps(settings, indent=2).encode())


def _noted(note: Path) -> dict[str, object]:
    try:
        settings = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArgumentError("to", f"{note} cannot be read ({error}); remove the folder, or name another") from None
    return settings if isinstance(settings, dict) else {}


def _refuse_other(folder: Path, noted: dict[str, object], settings: dict[str, object]) -> None:
    for name, value in settings.items():
        if noted.get(name) != value:
            values = "" if name == "input" else f": {name} was {noted.get(name)!r} and is {value!r} now"
            raise ArgumentError(
                "to",
                f"{folder} was begun with another {name.replace('_', ' ')}{values}; "
                "remove the folder to start again, or name another",
            )


def _settings(job: EmbedJob) -> dict[str, object]:
    return {
        "version": _VERSION,
        "embedder": job.embedder_id.name,
        "hash": job.embedder_id.hash,
        "passage_words": job.words,
        "passage_overlap": job.overlap if job.words else None,
        "part_rows": job.part_rows,
        "format": job.format,
        "fields": job.fields.chosen,
        "input": _input(job.source),
    }


def _input(source: str) -> str | None:
    """Return a hash of the names, sizes and times of the input's files; of standard input nothing is known."""
    if source == STANDARD_INPUT:
        return None
    path = Path(source)
    files = files_in(path) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        if isinstance(file, Path) and file.exists():
            stat = file.stat()
            digest.update(f"{file.relative_to(path)}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    return digest.hexdigest()
