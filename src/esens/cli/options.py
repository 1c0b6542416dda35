"""What decides the ranking: the options of a score, and what a query is known to exclude."""

import argparse
from typing import TYPE_CHECKING, Any

from esens.errors import ArgumentError
from esens.score import contrast, linear
from esens.search.options import DEFAULT_MODE, DEFAULT_SCORE, DEFAULT_THRESHOLD, MODES, SCORES, Options

if TYPE_CHECKING:
    from esens.types import Decomposition


def add_scoring(parser: argparse.ArgumentParser, *, k: int | None) -> None:
    """Add what decides the ranking."""
    default = "all of them" if k is None else str(k)
    parser.add_argument("-k", type=int, default=k, metavar="K", help=f"how many results (default: {default})")
    parser.add_argument(
        "--score",
        choices=SCORES,
        help=f"contrast: only documents about the excluded pay; linear: the paper's (default: {DEFAULT_SCORE})",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        help="soft: the excluded goes down; hard: it is left out; flag: plain ranking, marked "
        f"(default: {DEFAULT_MODE})",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="DEGREE",
        help=f"from which on hard and flag count a document as excluded (default: {DEFAULT_THRESHOLD})",
    )
    parser.add_argument(
        "--beta",
        type=float,
        metavar="B",
        help="how strongly the excluded is pushed down "
        f"(default: {contrast.DEFAULT_BETA}, with linear {linear.DEFAULT_BETA}); 0 is plain retrieval",
    )
    parser.add_argument(
        "--variant", choices=linear.VARIANTS, help="of linear: what counts as wanted, the query or its target"
    )
    parser.add_argument("--alpha", type=float, help="free weight of the query")
    parser.add_argument("--gamma", type=float, help="free weight of the target")
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help="score only N neighbours of each vector (default: all documents; of an engine 50)",
    )
    parser.add_argument(
        "--sentences",
        type=int,
        metavar="N",
        help="read the N best, or K if more, sentence by sentence (default: 0)",
    )
    parser.add_argument(
        "--no-spare-mentions",
        action="store_false",
        default=None,
        dest="spare_mentions",
        help="count mentions in passing against a document, and embed none again without them",
    )
    parser.add_argument("--target", help="what is wanted, if you know; then nothing is read from the query")
    parser.add_argument(
        "--trap",
        action="append",
        dest="traps",
        metavar="TEXT",
        help="what is excluded, if you know; repeatable",
    )


def scoring(options: argparse.Namespace) -> dict[str, Any]:
    """Return the scoring options that were given, as keywords of ``search`` and ``rerank``."""
    names = ("k", *Options.__annotations__)
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def typed_decomposition(options: argparse.Namespace, query: str) -> "Decomposition | None":
    """Return the decomposition given by --target and --trap, or None."""
    from esens.types import Decomposition

    if options.traps is None:
        if options.target is not None:
            raise ArgumentError(
                "--target", "says what is wanted of a query that excludes something; give --trap too"
            )
        return None
    return Decomposition(options.target if options.target is not None else query, tuple(options.traps))
