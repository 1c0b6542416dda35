"""``esens failures``: the queries whose answer the penalty pushed down, and the pattern they show."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import console, write_json
from esens.cli.scoring import add_score, scorer_of
from esens.cli.setup import (
    add_dataset,
    add_experiment,
    prepare_experiment,
    read_benchmark,
)
from esens.errors import ArgumentError

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "failures",
        help="show the queries whose answer the penalty pushed down, and why",
        description="List the queries whose answer stands lower with the penalty than without, grouped by the "
        "paper's two patterns: the answer mentions what is excluded, or is near to the excluded document.",
    )
    add_dataset(parser)
    parser.add_argument(
        "--show", type=int, default=3, metavar="N", help="cases to print of each group (default: 3)"
    )
    add_score(parser)
    add_experiment(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every case with its documents")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, rank with and without the penalty, print."""
    from esens.evaluate.failures import failures
    from esens.evaluate.report.failures import cases, failures_table

    experiment = prepare_experiment(options, read_benchmark(options))
    if options.show < 0:
        raise ArgumentError("--show", f"must be at least 0, got {options.show}")
    report = failures(experiment, scorer=scorer_of(options))
    write_json(options, report)
    out = console()
    out.print(failures_table(report))
    for case in cases(report, options.show):
        out.print()
        out.print(case)
