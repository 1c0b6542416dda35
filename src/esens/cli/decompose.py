"""``esens decompose``: show what a query wants and what it excludes."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.inputs import LIMITS, add_reading, limits_of
from esens.cli.models import add_decomposer, open_decomposer
from esens.cli.output import console, print_json, progress_bar
from esens.errors import ArgumentError

if TYPE_CHECKING:
    from esens.cli.parsing import Commands
    from esens.types import Decomposition

_ENDINGS = (".txt", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "decompose",
        help="split a query into what is wanted and what is excluded",
        description="Split a query into what is wanted (target) and what is excluded (traps).",
    )
    parser.add_argument(
        "query",
        metavar="QUERY_OR_FILE",
        help="a query, or a file of queries (text with a line each, JSONL, CSV or Parquet); - is stdin",
    )
    add_reading(parser)
    parser.add_argument(
        "--query-field",
        metavar="NAME",
        help="field with the query in JSONL, CSV and Parquet (default: query or text)",
    )
    add_decomposer(parser)
    parser.add_argument(
        "--json", action="store_true", help='{"query": …, "target": …, "traps": […], …}, a line a query'
    )
    parser.add_argument("--explain", action="store_true", help="say how sure this reading is, and why")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, decompose, print."""
    from esens.decompose import decompose

    queries = _queries(options)
    with open_decomposer(options) as chosen, progress_bar("decomposing") as progress:
        decompositions = decompose(queries, decomposer=chosen, progress=progress)
    if options.json:
        for query, decomposition in zip(queries, decompositions, strict=True):
            print_json({"query": query, **decomposition.to_dict()})
    else:
        _print(queries, decompositions, explain=options.explain)


def _queries(options: argparse.Namespace) -> list[str]:
    from esens.ingest import read_queries

    if _is_file(options.query):
        limits = limits_of(options)
        return read_queries(options.query, format=options.format, field=options.query_field, limits=limits)
    for name in ("format", "query_field", *LIMITS):
        if getattr(options, name) is not None:
            raise ArgumentError(name, f"is for a file of queries, and there is none named {options.query!r}")
    return [options.query]


def _is_file(argument: str) -> bool:
    from esens.ingest import STANDARD_INPUT

    has_file_name = " " not in argument and argument.endswith(_ENDINGS)
    if argument == STANDARD_INPUT or has_file_name:
        return True
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):  # longer than the name of a file can be, or none for another reason
        return False


def _print(queries: "list[str]", decompositions: "list[Decomposition]", *, explain: bool) -> None:
    from rich.text import Text

    from esens.display import excluded_line
    from esens.text.plain import single_line

    out = console()
    for query, decomposition in zip(queries, decompositions, strict=True):
        excluded = excluded_line(decomposition)
        out.print(Text.assemble(("query    ", "dim"), single_line(query)), soft_wrap=True)
        out.print(
            Text.assemble(("wanted   ", "dim"), (single_line(decomposition.target), "green")), soft_wrap=True
        )
        out.print(
            Text.assemble(("excluded ", "dim"), (excluded or "nothing", "red" if excluded else "dim")),
            soft_wrap=True,
        )
        if explain:
            out.print(Text.assemble(("because  ", "dim"), single_line(decomposition.why)), soft_wrap=True)
        out.print()
