"""Which source reads what: the format says so, or the name, or the first line."""

import os
from collections.abc import Sequence
from pathlib import Path

from esens.documents import TEXT_FIELDS
from esens.errors import ArgumentError, InputError, UnknownSpecError
from esens.ingest.fields import Fields
from esens.ingest.folder import Folder, holds
from esens.ingest.limits import Limits
from esens.ingest.lines import STANDARD_INPUT
from esens.ingest.pages import ENDINGS as PAGES
from esens.ingest.parquet import ENDINGS as PARQUET
from esens.ingest.parquet import ParquetFiles
from esens.ingest.record import RecordSource
from esens.ingest.tables import TabularFile
from esens.messages import quoted

FORMATS = ("jsonl", "json", "csv", "text", "parquet", "folder")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "text",
    ".text": "text",
    ".md": "page",
    ".html": "page",
    ".htm": "page",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_VALID = (
    "a JSONL, JSON, CSV, Parquet or text file",
    f"a folder of {', '.join(PAGES)} or {', '.join(PARQUET)} files",
    f"{STANDARD_INPUT} for standard input",
)


def source_of(
    source: str | Path,
    format: str | None,  # noqa: A002 - the word for it
    fields: Fields,
    text_fields: Sequence[str] = TEXT_FIELDS,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> RecordSource:
    """Return what reads this input; nothing is read yet. A table is known by one of these fields in its header."""
    if format is not None and format not in FORMATS:
        raise ArgumentError("format", f"unknown format {quoted(format)}; valid are: {', '.join(FORMATS)}")
    if not isinstance(fields, Fields):
        raise ArgumentError("fields", f"expected esens.ingest.Fields(…), got {type(fields).__name__}")
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError("documents", f"expected the path of a file or a folder, got {type(source).__name__}")
    if "://" in str(source):
        raise UnknownSpecError("documents", str(source), _VALID)
    path = Path(source)
    is_folder = str(source) != STANDARD_INPUT and _is_folder(path)
    kind = format or (_folder_kind(path) if is_folder else _kind(path))
    if is_folder and kind not in ("folder", "parquet"):
        raise ArgumentError("format", f"{path} is a directory, and {kind} is read from one file; name that")
    if kind == "page":
        return _page(path, fields, limits)
    if kind == "folder":
        return _folder(path, is_folder, fields, limits)
    if kind == "parquet":
        return _parquet(source, fields)
    return TabularFile(source, kind, fields, text_fields, limits)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:  # a name that is too long
        raise InputError(path, error.strerror or "cannot be read") from None


def _kind(path: Path) -> str | None:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


def _folder_kind(path: Path) -> str:
    is_parquet = holds(path, PARQUET)
    if is_parquet and holds(path, PAGES):
        problem = f"{path} holds both Parquet files and pages; say which are meant: parquet or folder"
        raise ArgumentError("format", problem)
    return "parquet" if is_parquet else "folder"


def _folder(path: Path, is_folder: bool, fields: Fields, limits: Limits) -> RecordSource:
    if not is_folder:
        raise ArgumentError("format", f"{path} is no folder; leave the format away, or name the file's own")
    if fields.chosen:
        raise ArgumentError("fields", f"{path} is a folder, whose pages have no fields to choose from")
    return Folder(path, limits=limits)


def _page(path: Path, fields: Fields, limits: Limits) -> RecordSource:
    if fields.chosen:
        raise ArgumentError("fields", f"{path} is a page, which has no fields to choose from")
    return Folder(path.parent, only=path, limits=limits)


def _parquet(source: str | Path, fields: Fields) -> RecordSource:
    if str(source) == STANDARD_INPUT:
        raise ArgumentError("format", "Parquet is not read from standard input; write it into a file first")
    return ParquetFiles(Path(source), fields.vector)
