"""``esens evaluate-decomposer``: how well queries are split, in tables."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.options import add_parts, console, decomposer, progress_bar

if TYPE_CHECKING:
    from esens.cli.options import Commands
    from esens.decompose import Decomposer
    from esens.evaluate.dataset import Dataset
    from esens.evaluate.report import Table


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "evaluate-decomposer",
        help="measure how well queries are split, on benchmarks of yours",
        description="Measure a decomposer: exclusions found and how well they are named, exclusions invented, and "
        "recall and violation of a search with them. A benchmark is a folder with queries.jsonl and, for the "
        "search, corpus.jsonl, or any other form of docs/datasets.md.",
    )
    parser.add_argument(
        "folder", nargs="*", metavar="FOLDER", help="a benchmark; without one, only our own list is measured"
    )
    add_parts(parser)
    parser.add_argument(
        "--no-search", action="store_true", help="leave out the search, which embeds all documents"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file as well")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, measure, print."""
    from esens.decompose import decomposer_of

    with decomposer(options) as chosen:
        found = _measured(options, decomposer_of(chosen))
    out = console()
    for table in found:
        out.print(table)
        out.print()
    if options.write:
        _write(options, found)


def _measured(options: argparse.Namespace, chosen: "Decomposer") -> "list[Table]":
    from esens.embed import embedder_of
    from esens.evaluate import decomposers as measure
    from esens.evaluate.datasets import read_dataset
    from esens.evaluate.report import tables

    benchmarks = [read_dataset(folder) for folder in options.folder]
    times = _times(options.decomposer, chosen, benchmarks)
    embedder = embedder_of(options.embedder) if any(one.has_exclusions for one in benchmarks) else None
    quality, invented, searched = [], [], []
    for one in (*benchmarks, measure.written_here()):
        with progress_bar(f"splitting {one.name}") as progress:
            splits = measure.splits_of(one, {options.decomposer: chosen}, progress)
        if not one.has_exclusions:
            invented += measure.invented(one, splits)
            continue
        quality += measure.quality(one, splits, embedder)
        if one.answer_and_excluded is not None and embedder is not None and not options.no_search:
            with progress_bar(f"embedding {one.name}") as progress:
                searched += measure.end_to_end(one, splits, embedder, progress=progress)
    return tables(quality, invented, searched, times)


def _times(name: str, chosen: "Decomposer", benchmarks: "list[Dataset]") -> list[tuple[str, str, float]]:
    """Return how long a query takes, measured before the embedder warms the machine up.

    One that calls a server is not timed: that would ask, and pay for, every query once more.
    """
    from esens.decompose import BatchDecomposer
    from esens.evaluate.decomposers import milliseconds, written_here

    if isinstance(chosen, BatchDecomposer):
        return []
    timed = [one for one in benchmarks if one.has_exclusions] or [written_here()]
    return [(name, one.name, milliseconds(chosen, one.texts)) for one in timed]


def _write(options: argparse.Namespace, found: "list[Table]") -> None:
    from esens import __version__
    from esens.errors import InputError

    given = shlex.join(["esens", "evaluate-decomposer", *options.folder, "--write", str(options.write)])
    head = f"# Decomposition, measured\n\nesens {__version__}, decomposer {options.decomposer}, embedder "
    head += f"{options.embedder}; means with 95 % bootstrap intervals over queries.\n\n    {given}"
    text = "\n\n".join([head, *(table.markdown() for table in found)])
    try:
        options.write.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(options.write, f"cannot be written ({error.strerror})") from None
