"""``esens tune``: beta chosen on one part of a benchmark's queries, reported on the rest."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import console, write_json
from esens.cli.scoring import add_score, scorer_of
from esens.cli.setup import add_dataset, add_experiment, prepare_experiment, read_benchmark

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "tune",
        help="choose beta on a part of your queries, and see what it does to the rest",
        description="Choose the beta with the least Avg. V among those that lose at most some points of Avg. R, "
        "on a part of the queries drawn at random; then report on the others, which chose nothing.",
    )
    add_dataset(parser)
    parser.add_argument(
        "--max-recall-loss",
        dest="loss",
        type=float,
        default=0.5,
        metavar="POINTS",
        help="how much of Avg. R beta may cost, in points of 100 (default: 0.5)",
    )
    parser.add_argument(
        "--dev-share",
        dest="part",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="share of the queries that choose beta (default: 0.5)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random draw (default: 0)")
    add_score(parser, has_beta=False)
    add_experiment(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and interval")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, choose, print."""
    from rich.text import Text

    from esens.evaluate.report.tuning import choice, tuned_table
    from esens.evaluate.tuning import tune

    experiment = prepare_experiment(options, read_benchmark(options))
    tuned = tune(
        experiment,
        loss=options.loss / 100,
        part=options.part,
        seed=options.seed,
        scorer=scorer_of(options),
    )
    write_json(options, tuned)
    out = console()
    out.print(Text(choice(tuned)), soft_wrap=False)
    out.print(tuned_table(tuned))
