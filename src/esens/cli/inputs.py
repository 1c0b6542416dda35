"""What a command reads: options for files, fields and passages, and the documents they name."""

import argparse
from typing import TYPE_CHECKING, Any, Protocol

from esens.cli.output import notify
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_ROW_BYTES, DEFAULT_UNPACK_RATIO, DEFAULT_WORDS, FORMATS

if TYPE_CHECKING:
    from esens.errors import InputError
    from esens.ingest import Fields, Limits, RowReader
    from esens.types import Document

SOURCES = (
    "JSONL, JSON, CSV, Parquet or plain text (a line a document), a folder of .txt, .md and .html pages, "
    "or - for stdin"
)
LIMITS = ("max_row_bytes", "max_unpack_ratio")


class ReadCounts(Protocol):
    """How much of an input was read, and how much was not."""

    @property
    def read(self) -> int:
        """Rows that were read."""

    @property
    def bad(self) -> int:
        """Rows that were skipped."""

    @property
    def ignored(self) -> int:
        """Files of a folder with other endings."""


def add_passages(parser: argparse.ArgumentParser) -> None:
    """Add how long documents are split."""
    parser.add_argument(
        "--passage-words",
        dest="words",
        type=int,
        default=DEFAULT_WORDS,
        metavar="N",
        help=f"split longer documents into passages of at most N words (default: {DEFAULT_WORDS}; 0 splits none)",
    )
    parser.add_argument(
        "--passage-overlap",
        dest="overlap",
        type=int,
        default=None,
        metavar="N",
        help=f"words that a passage repeats of the one before (default: {DEFAULT_OVERLAP})",
    )


def passage_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return how documents are split, as keywords of what splits them."""
    words, overlap = options.words, options.overlap
    # Short passages overlap less, unless somebody says how much.
    return {
        "words": words or None,
        "overlap": min(DEFAULT_OVERLAP, words // 4) if overlap is None else overlap,
    }


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how files are read."""
    parser.add_argument("--format", choices=FORMATS, help="format of the input, if its name does not say it")
    parser.add_argument(
        "--max-row-bytes",
        type=int,
        metavar="N",
        help=f"a line, a row or a page of more bytes is bad (default: {DEFAULT_ROW_BYTES})",
    )
    parser.add_argument(
        "--max-unpack-ratio",
        type=int,
        metavar="N",
        help=f"a gzipped file may unpack to so many times its size (default: {DEFAULT_UNPACK_RATIO})",
    )


def limits_of(options: argparse.Namespace) -> "Limits":
    """Return how much an input may hold in one place."""
    from esens.ingest import Limits

    typed = {name.removeprefix("max_"): getattr(options, name) for name in LIMITS}
    return Limits(**{name: value for name, value in typed.items() if value is not None})


def add_fields(parser: argparse.ArgumentParser, *, vector: bool = False) -> None:
    """Add which field holds what, the vector only where it is asked for, and what happens to bad rows."""
    group = parser.add_argument_group("rows of JSONL, JSON, CSV and Parquet")
    group.add_argument("--id-field", metavar="NAME", help="field with the id (default: id or _id, or a number)")
    group.add_argument("--title-field", metavar="NAME", help="field with the title (default: title)")
    group.add_argument(
        "--text-field", metavar="NAME", help="field with the text (default: text, or content, body and their like)"
    )
    if vector:
        group.add_argument("--vector-field", metavar="NAME", help="field with the vector (default: none)")
    parser.add_argument(
        "--skip-bad", action="store_true", help="report rows and files that cannot be read, and go on without them"
    )


def fields_of(options: argparse.Namespace) -> "Fields":
    """Return which field holds what."""
    from esens.ingest import Fields

    return Fields(
        options.id_field, options.title_field, options.text_field, getattr(options, "vector_field", None)
    )


def open_rows(options: argparse.Namespace, source: str) -> "RowReader":
    """Return the rows that the options ask for; with --skip-bad, each bad row is reported on standard error."""
    from esens.ingest import read_rows

    return read_rows(
        source,
        format=options.format,
        fields=fields_of(options),
        on_bad="skip" if options.skip_bad else "stop",
        report=report_skipped,
        limits=limits_of(options),
    )


def report_skipped(error: "InputError") -> None:
    """Say on standard error which row was skipped, and why."""
    notify(f"esens: skipped: {error}")


def read_documents(options: argparse.Namespace, source: str) -> "list[Document]":
    """Read all documents of an input, and say what was left out."""
    rows = open_rows(options, source)
    documents = [row.document for row in rows]
    print_skipped(rows)
    return documents


def print_skipped(rows: ReadCounts) -> None:
    """Say on standard error what a reading left out, if anything."""
    if rows.ignored:
        what = "1 file with another ending" if rows.ignored == 1 else f"{rows.ignored} files with other endings"
        notify(f"esens: ignored {what}")
    if rows.bad:
        total = rows.read + rows.bad
        notify(f"esens: skipped {rows.bad} bad of {total} row{'' if total == 1 else 's'}")
