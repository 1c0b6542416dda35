"""``esens rerank``: rerank what another retriever returned."""

import argparse
from typing import TYPE_CHECKING, Any

from esens.cli.inputs import SOURCES, add_fields, add_reading, read_documents
from esens.cli.models import add_models, open_decomposer
from esens.cli.output import add_output, print_results, progress_bar
from esens.cli.scoring import add_ranking, scorer_of, typed_decomposition, typed_exclusions
from esens.cli.second_stage import add_stage, is_staged, open_stage, stage_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from esens.cli.parsing import Commands
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
    add_ranking(parser, k=None)
    add_models(parser)
    add_stage(parser)
    add_reading(parser)
    add_fields(parser)
    add_output(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, rerank, print."""
    from esens.search.reranker import rerank

    candidates = read_documents(options, options.source)
    scores = None if options.scores is None else _scores(candidates, options.scores, options.source)
    with (
        open_decomposer(options, shares_cache=is_staged(options)) as chosen,
        open_stage(options) as stage,
        progress_bar("embedding") as progress,
    ):
        results = rerank(
            options.query,
            candidates,
            scores=scores,
            decomposition=typed_decomposition(options, options.query),
            embedder=options.embedder,
            decomposer=chosen,
            progress=progress,
            k=options.k,
            score=scorer_of(options),
            exclude=typed_exclusions(options),
            evidence_fields=options.evidence_fields,
            **stage_options(stage),
        )
    print_results([results], as_json=options.json, explain=options.explain)


def _scores(candidates: "Sequence[Document]", field: str, source: str) -> list[float]:
    return [_score(candidate.metadata.get(field), candidate.id, field, source) for candidate in candidates]


def _score(value: Any, candidate: str, field: str, source: str) -> float:
    from esens.errors import InputError
    from esens.messages import quoted

    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            source, f"candidate {candidate!r} has no number under {field!r}, but {quoted(value)}"
        ) from None
