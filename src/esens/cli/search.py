"""``esens search``: search an index, a file or a folder."""

import argparse
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from esens.cli.inputs import LIMITS, SOURCES, add_fields, add_reading, read_documents
from esens.cli.models import add_decomposer, add_embedder, open_decomposer
from esens.cli.output import add_output, notify, print_results, progress_bar
from esens.cli.scoring import (
    add_hybrid,
    add_ranking,
    scorer_of,
    typed_decomposition,
    typed_exclusions,
    typed_filter,
    typed_hybrid,
)
from esens.cli.second_stage import add_stage, is_staged, open_stage, stage_options
from esens.errors import ArgumentError, UnknownSpecError
from esens.index import INDEX_SPECS
from esens.index.words import word_library
from esens.ingest import STANDARD_INPUT

if TYPE_CHECKING:
    from esens.cli.parsing import Commands
    from esens.decompose import Decomposer
    from esens.search import Searcher
    from esens.search.second_stage import SecondStage


_OF_FILES = ("format", "id_field", "title_field", "text_field", "skip_bad", *LIMITS)
# From this many documents on, or fewer that took long, a search says that an index would spare the embedding.
# Of a few, most of the time goes into loading the model, which an index does not spare.
_WORTH_AN_INDEX = 300
_FEW = 50
_LONG_EMBEDDING = 2.0


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "search",
        help="search an index, or the documents of a file or a folder",
        description="Search an index, a file or a folder of documents, and leave out what the query excludes.",
        epilog=f"An index is named by its spec: {', '.join(INDEX_SPECS)}.",
    )
    parser.add_argument("source", metavar="INDEX_OR_FILE", help=f"an index (see below); or {SOURCES}")
    parser.add_argument("query", nargs="+", metavar="QUERY", help="one or more queries")
    parser.add_argument(
        "--where",
        action="append",
        metavar="CONDITION",
        help='only documents whose metadata fulfil it: "year>=2000", "language not in en,de", or as JSON '
        """'{"or": ["year<1980", "language=ja"]}'; repeatable, and then all must hold""",
    )
    add_ranking(parser, k=10)
    add_hybrid(parser)
    add_embedder(parser)
    add_decomposer(parser)
    add_stage(parser)
    add_reading(parser)
    add_fields(parser)
    add_output(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Open or read and embed, search, print."""
    from esens.decompose import check_query
    from esens.index import is_index
    from esens.index.uri import IndexURI
    from esens.search.options import checked_fields, checked_k

    queries: list[str] = options.query
    for query in queries:
        check_query(query)
    _advise_quotes(queries)
    decompositions = [split for query in queries if (split := typed_decomposition(options, query)) is not None]
    # Before documents are read and embedded, which may take long.
    choices: dict[str, Any] = {
        "k": checked_k(options.k),
        "score": scorer_of(options),
        "exclude": typed_exclusions(options),
        "evidence_fields": checked_fields(options.evidence_fields),
        "where": typed_filter(options.where),
        "hybrid": typed_hybrid(options) or False,
    }
    if options.hybrid and not is_index(options.source):
        word_library()  # which says at once if it is not installed
    if "://" in options.source and not is_index(options.source):
        raise UnknownSpecError("index", str(IndexURI.parse(options.source)), INDEX_SPECS)
    with open_decomposer(options, shares_cache=is_staged(options)) as chosen, open_stage(options) as stage:
        open_searcher = _over_index if is_index(options.source) else _over_documents
        searcher = open_searcher(options, chosen, stage)
        results = searcher.search(queries, decomposition=decompositions or None, **choices)
    print_results(results, as_json=options.json, explain=options.explain)


def _advise_quotes(queries: list[str]) -> None:
    """Say on standard error that these are several queries, where they look like the words of one."""
    if len(queries) > 1 and not any(" " in query for query in queries):
        whole = shlex.quote(" ".join(queries))
        notify(f"esens: these are {len(queries)} queries, a word each; for one of several words: {whole}")


def _over_index(options: argparse.Namespace, chosen: "str | Decomposer", stage: "SecondStage") -> "Searcher":
    from esens.search import Searcher

    for name in _OF_FILES:
        if getattr(options, name) not in (None, False):
            raise ArgumentError(f"--{name.replace('_', '-')}", "is for files of documents; an index knows its own")
    return Searcher(options.source, embedder=options.embedder, decomposer=chosen, **stage_options(stage))


def _over_documents(options: argparse.Namespace, chosen: "str | Decomposer", stage: "SecondStage") -> "Searcher":
    from esens.embed import DEFAULT_EMBEDDER
    from esens.search import Searcher

    corpus, started = read_documents(options, options.source), time.monotonic()
    with progress_bar("embedding") as progress:
        searcher = Searcher.from_documents(
            corpus,
            embedder=options.embedder or DEFAULT_EMBEDDER,
            decomposer=chosen,
            progress=progress,
            **stage_options(stage),
        )
    seconds = time.monotonic() - started
    if len(corpus) >= _WORTH_AN_INDEX or (len(corpus) > _FEW and seconds >= _LONG_EMBEDDING):
        _advise_index(options, len(corpus), seconds)
    return searcher


def _advise_index(options: argparse.Namespace, count: int, seconds: float) -> None:
    """Say on standard error how to embed the documents once for many searches; not to a program."""
    if options.json or options.source == STANDARD_INPUT:
        return
    command = ["esens", "index", options.source, "--to", f"{Path(options.source).stem}.lance"]
    for name in ("embedder", *_OF_FILES):
        value = getattr(options, name)
        if value:
            command += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    embedded = f"embedding {count:,} document{'' if count == 1 else 's'} took {seconds:.1f} s"
    notify(f"esens: {embedded}; to embed them once for many searches: {shlex.join(command)}")
