"""``esens decompose``: show what a query wants and what it excludes."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.models import add_decomposer, open_decomposer
from esens.cli.output import console, print_json, progress_bar

if TYPE_CHECKING:
    from esens.cli.parsing import Commands
    from esens.types import Decomposition


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "decompose",
        help="split a query into what is wanted and what is excluded",
        description="Split a query into what is wanted (target) and what is excluded (traps).",
    )
    parser.add_argument(
        "query", metavar="QUERY_OR_FILE", help="a query, or a file of queries (a line each); - is stdin"
    )
    add_decomposer(parser)
    parser.add_argument("--json", action="store_true", help='{"target": …, "traps": […], …}, a line a query')
    parser.add_argument("--explain", action="store_true", help="say how sure this reading is, and why")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, decompose, print."""
    from esens.decompose import decompose

    queries = _queries(options.query)
    with open_decomposer(options) as chosen, progress_bar("decomposing") as progress:
        decompositions = decompose(queries, decomposer=chosen, progress=progress)
    if options.json:
        for decomposition in decompositions:
            print_json(decomposition.to_dict())
    else:
        _print(queries, decompositions, explain=options.explain)


def _queries(argument: str) -> list[str]:
    from esens.ingest import STANDARD_INPUT, read_queries

    # A query may be longer than a file name can be, so ask the file system only about what looks like one.
    may_be_file = "\n" not in argument and len(argument) < 256
    has_file_name = " " not in argument and argument.endswith((".txt", ".jsonl", ".csv"))
    is_file = argument == STANDARD_INPUT or has_file_name or (may_be_file and Path(argument).is_file())
    return read_queries(argument) if is_file else [argument]


def _print(queries: "list[str]", decompositions: "list[Decomposition]", *, explain: bool) -> None:
    from rich.text import Text

    from esens.text.plain import single_line

    out = console()
    for query, decomposition in zip(queries, decompositions, strict=True):
        traps = single_line(" | ".join(decomposition.traps))
        out.print(Text.assemble(("query    ", "dim"), single_line(query)), soft_wrap=True)
        out.print(
            Text.assemble(("wanted   ", "dim"), (single_line(decomposition.target), "green")), soft_wrap=True
        )
        out.print(
            Text.assemble(("excluded ", "dim"), (traps or "nothing", "red" if traps else "dim")),
            soft_wrap=True,
        )
        if explain:
            out.print(Text.assemble(("because  ", "dim"), single_line(decomposition.why)), soft_wrap=True)
        out.print()
