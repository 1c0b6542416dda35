"""``esens explain-query``: a search as a query of an engine's own."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.models import add_decomposer, add_embedder, open_decomposer
from esens.cli.output import notify, print_text
from esens.cli.scoring import add_score, add_split, scorer_of, typed_decomposition
from esens.search.native import NATIVE_ENGINES, TextInput, native_request, text_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from esens.cli.parsing import Commands
    from esens.score.base import QueryTexts

_DEFAULT_SCORE = "contrast"


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "explain-query",
        help="print a search as a query of Qdrant, PostgreSQL, Vespa, Elasticsearch or OpenSearch",
        description="Print the query or rank profile by which an engine evaluates the score itself, for engines "
        "that esens does not speak to. Vectors and ranges are placeholders, unless you ask for them.",
    )
    parser.add_argument("query", metavar="QUERY", help="a query that excludes something")
    parser.add_argument("--engine", choices=NATIVE_ENGINES, required=True, help="whose language to write")
    parser.add_argument("-k", type=int, default=10, metavar="K", help="how many results (default: 10)")
    parser.add_argument(
        "--candidates",
        type=int,
        default=200,
        metavar="N",
        help="neighbours of the query, and of the target where it counts, that are scored (default: 200)",
    )
    parser.add_argument(
        "--collection", default="documents", help="the collection, table, schema or index (default: documents)"
    )
    parser.add_argument("--field", default="vector", help="the field or column with the vectors (default: vector)")
    parser.add_argument("--vectors", action="store_true", help="write the vectors of the texts")
    parser.add_argument(
        "--index",
        metavar="SPEC",
        help="an index of the same documents that esens can open: its vectors and ranges are written",
    )
    add_score(parser, default=_DEFAULT_SCORE)
    add_split(parser)
    add_embedder(parser)
    add_decomposer(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Split, embed where that is wanted, print."""
    from esens.decompose import decomposer_of
    from esens.search.options import checked_k
    from esens.search.plan import decompose_query, plan_query

    options.score = options.score or ("linear" if options.variant else _DEFAULT_SCORE)
    with open_decomposer(options) as chosen:
        split = decompose_query(options.query, typed_decomposition(options, options.query), decomposer_of(chosen))
    plan = plan_query(options.query, split, scorer_of(options), k=checked_k(options.k))
    request = native_request(
        plan.scorer,
        plan.texts,
        inputs=_inputs(options, plan.texts),
        collection=options.collection,
        field=options.field,
        k=plan.k,
        candidates=options.candidates,
    )
    notify(
        f"score: {plan.scorer.name}, from vectors alone. A search by esens also reads what texts say of what is "
        "excluded: where wanted documents may have it, give what this query finds to esens rerank."
    )
    for name, text in zip(text_names(plan.texts), plan.texts.flat(), strict=True):
        notify(f"{name.replace('_', ' ')}: {text}")  # whose vectors are meant
    print_text(NATIVE_ENGINES[options.engine](request))


def _inputs(options: argparse.Namespace, texts: "QueryTexts") -> "Mapping[str, TextInput] | None":
    """Return the vectors of the texts, and their ranges over an index, where one was named."""
    if not options.vectors and not options.index:
        return None
    from esens.arrays.unit import unit_rows
    from esens.embed.corpus import embed_texts
    from esens.embed.identity import embedder_for
    from esens.index import open_index

    index = open_index(options.index) if options.index else None
    try:
        embedder = embedder_for(index.embedder_id if index else None, options.embedder)
        rows = unit_rows(embed_texts(texts.flat(), embedder), argument="query vectors")
        ranges = index.score_ranges(rows) if index else [None] * len(rows)
    finally:
        if index:
            index.close()
    inputs = [TextInput(row.tolist(), over) for row, over in zip(rows, ranges, strict=True)]
    return dict(zip(text_names(texts), inputs, strict=True))
