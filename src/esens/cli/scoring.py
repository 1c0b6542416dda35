"""What decides the ranking: the options of a score, the scorer that they name, and exclusions that are typed."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from esens.errors import ArgumentError
from esens.score import contrast, linear
from esens.score.contrast import DEFAULT_THRESHOLD, MODES
from esens.score.hybrid import FUSIONS, Hybrid
from esens.score.linear import VARIANTS
from esens.search.options import DEFAULT_SCORE, SCORERS, SCORES, scores_with

if TYPE_CHECKING:
    from esens.index.filters import Condition, Filter
    from esens.score.base import Scorer
    from esens.types import Decomposition

_PARAMETERS = (
    "beta", "variant", "alpha", "gamma", "mode", "threshold", "depth", "sentences", "spare_mentions"
)  # fmt: skip


def add_ranking(parser: argparse.ArgumentParser, *, k: int | None) -> None:
    """Add what decides the results of a search."""
    default = "all of them" if k is None else str(k)
    parser.add_argument("-k", type=int, default=k, metavar="K", help=f"how many results (default: {default})")
    add_score(parser)
    parser.add_argument(
        "--mode",
        choices=MODES,
        help="soft: the excluded goes down; hard: it is left out; flag: plain ranking, marked (default: soft)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="SHARE",
        help="hard and flag: a document that loses this share of its relevance counts as excluded "
        f"(default: {DEFAULT_THRESHOLD})",
    )
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
        "--spare-mentions",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="embed documents that mention the excluded in passing again, without the mention (default: with "
        "--score contrast)",
    )
    add_split(parser)
    _add_exclusions(parser)


def add_hybrid(parser: argparse.ArgumentParser) -> None:
    """Add how words count beside vectors."""
    parser.add_argument("--hybrid", action="store_true", help="search by words (BM25) beside vectors")
    parser.add_argument(
        "--fusion",
        choices=FUSIONS,
        help="with --hybrid: how both become one list, by a weighted sum or by ranks (default: weighted)",
    )
    parser.add_argument(
        "--word-share",
        type=float,
        metavar="SHARE",
        help=f"with --hybrid: how much of the relevance comes from words (default: {Hybrid().words})",
    )


def typed_hybrid(options: argparse.Namespace) -> Hybrid | None:
    """Return how words count, as the options say; None where they do not."""
    typed = {"fusion": options.fusion, "words": options.word_share}
    chosen = {name: value for name, value in typed.items() if value is not None}
    if chosen and not options.hybrid:
        raise ArgumentError("--fusion" if options.fusion else "--word-share", "goes with --hybrid")
    return Hybrid(**chosen) if options.hybrid else None


def add_split(parser: argparse.ArgumentParser) -> None:
    """Add how a query is split, for those who know."""
    parser.add_argument("--target", help="what is wanted, if you know; then nothing is read from the query")
    parser.add_argument(
        "--trap",
        action="append",
        dest="traps",
        metavar="TEXT",
        help="what is excluded, if you know; repeatable",
    )


def _add_exclusions(parser: argparse.ArgumentParser) -> None:
    """Add what is excluded beside the words of a query."""
    parser.add_argument(
        "--exclude",
        action="append",
        metavar="ID_OR_TEXT",
        help="beside what the query excludes: the id of a document, for fewer like it; or a thing; repeatable",
    )
    parser.add_argument(
        "--exclude-where",
        action="append",
        metavar="CONDITION",
        help='no document whose metadata fulfil it: "year=2020", "brand in Asus,Acer"; repeatable',
    )
    parser.add_argument(
        "--evidence-field",
        action="append",
        default=[],
        dest="evidence_fields",
        metavar="FIELD",
        help='field of the metadata that says what a document has: with year, "not from 2020" is told by it; '
        "repeatable",
    )


def add_score(parser: argparse.ArgumentParser, *, has_beta: bool = True, default: str = DEFAULT_SCORE) -> None:
    """Add the score and its weights."""
    parser.add_argument(
        "--score",
        choices=SCORES,
        help="relational: documents that have the excluded pay, or those about it, as the query asks; contrast: "
        f"only those about it; linear: the paper's (default: {default}; with a variant, linear)",
    )
    if has_beta:
        parser.add_argument(
            "--beta",
            type=float,
            metavar="B",
            help="how strongly the excluded is pushed down "
            f"(default: {contrast.DEFAULT_BETA}, with linear {linear.DEFAULT_BETA}); 0 is plain retrieval",
        )
    parser.add_argument(
        "--variant", choices=VARIANTS, help="of linear: what counts as wanted, the query or its target"
    )
    parser.add_argument("--alpha", type=float, help="free weight of the query")
    parser.add_argument("--gamma", type=float, help="free weight of the target")


def scorer_of(options: argparse.Namespace) -> "Scorer":
    """Return the scorer that the options name."""
    values = {name: getattr(options, name, None) for name in _PARAMETERS}
    parameters: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    name = options.score or ("linear" if "variant" in parameters else DEFAULT_SCORE)
    for parameter in parameters:
        owners = scores_with(parameter)
        if name not in owners:
            raise ArgumentError(
                parameter, f"is for --score {' or '.join(owners)}; --score {name} does not have it"
            )
    if "threshold" in parameters and parameters.get("mode", "soft") == "soft":
        raise ArgumentError(
            "threshold", "says what --mode hard leaves out and --mode flag marks; give one of them"
        )
    chosen: Scorer = SCORERS[name](**parameters)
    return chosen


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


def typed_filter(where: str | list[str] | None) -> "Filter | None":
    """Return the filter that was typed.

    Whether 2020 is a number or a text is a guess on the command line, so that it is both; "'2020'" is a text.
    """
    from esens.index.filters import AllOf, AnyOf, Not, fold_filter, parse_filter

    typed = parse_filter(where)
    if typed is None:
        return None
    return fold_filter(
        typed,
        condition=_in_both_kinds,
        all_of=lambda parts: AllOf(tuple(parts)),
        any_of=lambda parts: AnyOf(tuple(parts)),
        negate=Not,
    )


def _in_both_kinds(condition: "Condition") -> "Filter":
    from esens.index.filters import Condition, values_of

    texts = [json.dumps(value) for value in values_of(condition) if not isinstance(value, str)]
    if condition.op not in ("=", "in") or not texts:
        return condition
    return Condition(condition.field, "in", (*values_of(condition), *texts))


def typed_exclusions(options: argparse.Namespace) -> list[Any]:
    """Return what --exclude and --exclude-where rule out."""
    try:
        filters = [typed_filter(condition) for condition in options.exclude_where or ()]
    except ArgumentError as error:
        raise ArgumentError("--exclude-where", error.problem) from None
    return [*(options.exclude or ()), *filter(None, filters)]
