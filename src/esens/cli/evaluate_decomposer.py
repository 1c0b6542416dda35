"""``esens evaluate-decomposer``: how well queries are split, in tables."""

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.models import add_cache, add_decomposer, add_embedder, open_decomposer
from esens.cli.output import console, progress_bar, typed_command, write_file
from esens.cli.setup import open_embedder
from esens.embed import DEFAULT_EMBEDDER

if TYPE_CHECKING:
    from esens.cli.parsing import Commands
    from esens.decompose import Decomposer
    from esens.embed import Embedder
    from esens.evaluate.dataset import Dataset
    from esens.evaluate.report import ReportTable


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "evaluate-decomposer",
        help="measure how well queries are split, on benchmarks of yours",
        description="Measure a decomposer: exclusions found and how well they are named, exclusions invented, and "
        "recall and violation of a search with them. A benchmark is a folder with queries.jsonl and, for the "
        "search, corpus.jsonl, or any other format of docs/datasets.md.",
    )
    parser.add_argument(
        "folder",
        nargs="*",
        metavar="FOLDER",
        help="a benchmark; without one, only the built-in list of negatives is measured",
    )
    add_embedder(parser, default=DEFAULT_EMBEDDER)
    add_decomposer(parser, has_cache=False)
    add_cache(parser, "vectors and a language model's answers")
    parser.add_argument(
        "--no-search", action="store_true", help="leave out the search, which embeds all documents"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file as well")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, measure, print."""
    from esens.decompose import decomposer_of
    from esens.evaluate.datasets import read_dataset

    benchmarks = [read_dataset(folder) for folder in options.folder]
    needs_vectors = any(dataset.has_exclusions for dataset in benchmarks)
    with (
        open_decomposer(options, shares_cache=True) as chosen,
        open_embedder(options) if needs_vectors else nullcontext() as model,
    ):
        report_tables = _measured(options, benchmarks, decomposer_of(chosen), model)
    if options.write:
        write_file(options.write, _page(options, report_tables))
    out = console()
    for table in report_tables:
        out.print(table)
        out.print()


def _measured(
    options: argparse.Namespace, benchmarks: "list[Dataset]", chosen: "Decomposer", model: "Embedder | None"
) -> "list[ReportTable]":
    from esens.evaluate import decomposers as measure
    from esens.evaluate.report import tables

    times = _times(options.decomposer, chosen, benchmarks)
    quality, agreement, false_positives, searched = [], [], [], []
    for dataset in (*benchmarks, measure.builtin_negatives()):
        with progress_bar(f"splitting {dataset.name}") as progress:
            splits = measure.splits_of(dataset, {options.decomposer: chosen}, progress)
        agreement += measure.agreement(dataset, splits)
        if not dataset.has_exclusions:
            false_positives += measure.false_positives(dataset, splits)
            continue
        quality += measure.quality(dataset, splits, model)
        if model is not None and not options.no_search:
            with progress_bar(f"embedding {dataset.name}") as progress:
                searched += measure.end_to_end(dataset, splits, model, progress=progress)
    return tables(quality, agreement, false_positives, searched, times)


def _times(name: str, chosen: "Decomposer", benchmarks: "list[Dataset]") -> list[tuple[str, str, float]]:
    """Return how long a query takes, measured before the embedder warms the machine up.

    One that calls a server is not timed: that would ask, and pay for, every query once more.
    """
    from esens.decompose.base import is_batch
    from esens.evaluate.decomposers import builtin_negatives, milliseconds

    if is_batch(chosen):
        return []
    timed = [dataset for dataset in benchmarks if dataset.has_exclusions] or [builtin_negatives()]
    return [(name, dataset.name, milliseconds(chosen, dataset.texts)) for dataset in timed]


def _page(options: argparse.Namespace, report_tables: "list[ReportTable]") -> str:
    from esens import __version__

    head = f"# Decomposition, measured\n\nesens {__version__}, decomposer {options.decomposer}, embedder "
    head += f"{options.embedder}; means with 95 % bootstrap intervals over queries."
    return (
        "\n\n".join([head, f"    {typed_command(options)}", *(table.markdown() for table in report_tables)]) + "\n"
    )
