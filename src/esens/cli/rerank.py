"""``esens rerank``: rerank what another retriever returned."""

import argparse
from typing import TYPE_CHECKING, Any

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
    from collections.abc import Sequence

    from esens.cli.options import Commands
    from esens.types import Document


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "rerank",
        help="rerank the candidates that another retriever returned",
        description="Rerank candidates that another retriever returned, normalised over that set.",
    )
    parser.add_argument("source", metavar="FILE", help=f"the candidates: {SOURCES}")
    parser.add_argument("query", metavar="QUERY", help="the query they were returned for")
    parser.add_argument(
        "--scores",
        metavar="FIELD",
        help="field with the retriever's own score; its order then stays where it can",
    )
    add_scoring(parser, k=None)
    add_parts(parser)
    add_reading(parser)
    add_fields(parser)
    add_printing(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, rerank, print."""
    from esens.search.reranker import rerank

    candidates = documents(options, options.source)
    scores = None if options.scores is None else _scores(candidates, options.scores, options.source)
    with decomposer(options) as chosen, progress_bar("embedding") as progress:
        results = rerank(
            options.query,
            candidates,
            scores=scores,
            decomposition=decomposition(options, options.query),
            embedder=options.embedder,
            decomposer=chosen,
            progress=progress,
            **scoring(options),
        )
    print_results([results], as_json=options.json, explain=options.explain)


def _scores(candidates: "Sequence[Document]", field: str, source: str) -> list[float]:
    return [_score(candidate.metadata.get(field), candidate.id, field, source) for candidate in candidates]


def _score(value: Any, candidate: str, field: str, source: str) -> float:
    from esens.errors import InputError

    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(source, f"candidate {candidate!r} has no number under {field!r}, but {value!r}") from None
