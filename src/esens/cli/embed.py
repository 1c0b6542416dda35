"""``esens embed``: write documents with their vectors to Parquet files, by one process or by many."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.inputs import (
    SOURCES,
    add_fields,
    add_passages,
    add_reading,
    fields_of,
    limits_of,
    passage_options,
    print_skipped,
    report_skipped,
)
from esens.cli.models import add_embedder
from esens.cli.output import print_line, progress_bar
from esens.indexing.embed_files.job import DEFAULT_PART_ROWS, ENGINES

if TYPE_CHECKING:
    from esens.cli.parsing import Commands
    from esens.indexing.embed_files import EmbedReport


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "embed",
        help="write documents with their vectors to Parquet files, in parallel if need be",
        description="Embed documents, and write them with their vectors to Parquet files, for esens index "
        "--vector-field vector. A run that was interrupted goes on with the parts that are missing.",
    )
    parser.add_argument("source", metavar="FILE", help=SOURCES)
    parser.add_argument(
        "--to", required=True, metavar="FOLDER", help="folder for the parts; or a file that ends in .parquet"
    )
    add_embedder(parser)
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="plain: one process (default); ray: many, from Parquet",
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="of ray: processes at a time (default: as many as cores)"
    )
    parser.add_argument(
        "--part-rows",
        type=int,
        default=DEFAULT_PART_ROWS,
        metavar="N",
        help=f"documents of a part (default: {DEFAULT_PART_ROWS})",
    )
    add_passages(parser)
    add_reading(parser)
    add_fields(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, split, embed, write, say what was done."""
    from esens.embed import DEFAULT_EMBEDDER
    from esens.indexing.embed_files import embed_files

    with progress_bar("embedding") as progress:
        done = embed_files(
            options.source,
            options.to,
            embedder=options.embedder or DEFAULT_EMBEDDER,
            engine=options.engine,
            workers=options.workers,
            part_rows=options.part_rows,
            format=options.format,
            fields=fields_of(options),
            on_bad="skip" if options.skip_bad else "stop",
            limits=limits_of(options),
            report=report_skipped,
            progress=progress,
            **passage_options(options),
        )
    print_skipped(done)
    print_line(summary(done))


def summary(done: "EmbedReport") -> str:
    """Return in one line what is there now, and what of it was made."""
    count = done.written + done.existing
    were = "was" if done.existing == 1 else "were"
    existing = f" ({done.existing:,} {were} there already)" if done.existing else ""
    files = "1 file" if count == 1 else f"{count:,} files"
    rows = "1 document or passage" if done.passages == 1 else f"{done.passages:,} documents and passages"
    held = f"{rows} in {files}{existing}"
    return f"{done.to}: {held}, embedded by {done.embedder_id.name}"
