"""``esens delete``: remove documents from an index."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.output import notify, print_line
from esens.index import WRITABLE_SPECS

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "delete",
        help="remove documents from an index",
        description="Remove documents, and the passages of those that were split, from an index.",
    )
    parser.add_argument("index", metavar="INDEX", help=" or ".join(WRITABLE_SPECS))
    parser.add_argument("ids", nargs="+", metavar="ID", help="ids of documents")
    return parser


def run(options: argparse.Namespace) -> None:
    """Open, remove, say how many were there."""
    from esens.index import open_writable
    from esens.index.passages import delete_documents
    from esens.index.uri import IndexURI

    index = open_writable(options.index)
    ids, gone = set(options.ids), delete_documents(index, options.ids)
    documents = "1 document" if len(ids) == 1 else f"{len(ids):,} documents"
    print_line(f"{IndexURI.parse(options.index)}: {len(gone):,} of {documents} removed")
    if len(gone) < len(ids):
        notify(f"esens: not there: {', '.join(sorted(ids - set(gone)))}")
