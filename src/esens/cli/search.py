"""``esens search``: search a file or a folder."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.options import (
    SOURCES,
    add_fields,
    add_parts,
    add_printing,
    add_reading,
    add_scoring,
    decomposer,
    decomposition,
    documents,
    print_results,
    progress_bar,
    scoring,
)

if TYPE_CHECKING:
    from esens.cli.options import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "search",
        help="search the documents of a file or a folder",
        description="Search the documents of a file or a folder, and leave out what the query excludes.",
    )
    parser.add_argument("source", metavar="FILE", help=SOURCES)
    parser.add_argument("query", nargs="+", metavar="QUERY", help="one or more queries")
    add_scoring(parser, k=10)
    add_parts(parser)
    add_reading(parser)
    add_fields(parser)
    add_printing(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, embed, search, print."""
    from esens.search import Searcher

    corpus = documents(options, options.source)
    queries: list[str] = options.query
    given = [known for query in queries if (known := decomposition(options, query)) is not None]
    with decomposer(options) as chosen:
        with progress_bar("embedding") as progress:
            searcher = Searcher.from_documents(
                corpus, embedder=options.embedder, decomposer=chosen, progress=progress
            )
        results = searcher.search(queries, decomposition=given or None, **scoring(options))
    print_results(results, as_json=options.json, explain=options.explain)
