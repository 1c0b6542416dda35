"""Options that several commands share, and how they print."""

import argparse
import json
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from esens.decompose import DECOMPOSER_SPECS, DEFAULT_DECOMPOSER, OPENAI_PREFIX
from esens.decompose.base import DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT
from esens.embed import DEFAULT_EMBEDDER, EMBEDDER_SPECS
from esens.errors import ArgumentError
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_WORDS, FORMATS
from esens.score import contrast, linear
from esens.search.options import DEFAULT_MODE, DEFAULT_SCORE, DEFAULT_THRESHOLD, MODES, SCORES, Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from rich.console import Console

    from esens.decompose import Decomposer
    from esens.ingest import Fields, RowReader
    from esens.types import Decomposition, Document, Results

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

    class Counts(Protocol):
        """How much of an input was read, and how much was not."""

        @property
        def read(self) -> int:
            """Rows that were read."""

        @property
        def bad(self) -> int:
            """Rows that were skipped."""

        @property
        def ignored(self) -> int:
            """Files of a folder with other endings."""


SOURCES = (
    "JSONL, CSV, Parquet or plain text (a line a document), a folder of .txt, .md and .html pages, or - for stdin"
)
_WORTH_A_BAR = 200
_MODEL_OPTIONS = ("base_url", "single_trap", "timeout", "concurrency", "cache")


def add_scoring(parser: argparse.ArgumentParser, *, k: int | None) -> None:
    """Add what decides the ranking."""
    shown = "all of them" if k is None else str(k)
    parser.add_argument("-k", type=int, default=k, metavar="K", help=f"how many results (default: {shown})")
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
        "--count-mentions",
        action="store_false",
        default=None,
        dest="spare_mentions",
        help="count mentions in passing against a document, and embed none again without them",
    )
    parser.add_argument("--target", help="what is wanted, if you know; then nothing is read from the query")
    parser.add_argument(
        "--trap", action="append", metavar="TEXT", help="what is excluded, if you know; repeatable"
    )


def add_parts(parser: argparse.ArgumentParser, *, more_decomposers: "Iterable[str]" = ()) -> None:
    """Add the specs of the parts to use."""
    add_embedder(parser, default=DEFAULT_EMBEDDER)
    add_decomposer(parser, more_decomposers)


def add_embedder(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add the spec of the embedder; with no default, commands tell whether one was named."""
    parser.add_argument("--embedder", default=default, metavar="SPEC", help=_choices(EMBEDDER_SPECS))


def add_decomposer(parser: argparse.ArgumentParser, more: "Iterable[str]" = ()) -> None:
    """Add the spec of the decomposer, and what a language model needs to know."""
    parser.add_argument(
        "--decomposer", default=DEFAULT_DECOMPOSER, metavar="SPEC", help=_choices((*DECOMPOSER_SPECS, *more))
    )
    group = parser.add_argument_group(
        "with --decomposer openai:MODEL",
        "Any server that speaks OpenAI's chat protocol. Its key comes from OPENAI_API_KEY, never from an option.",
    )
    group.add_argument(
        "--base-url", metavar="URL", help="the server's address (default: OPENAI_BASE_URL, or OpenAI)"
    )
    group.add_argument(
        "--single-trap",
        action="store_true",
        default=None,
        help="all that is excluded in one text, as in the paper",
    )
    group.add_argument(
        "--timeout", type=float, metavar="S", help=f"seconds for every try (default: {DEFAULT_TIMEOUT:g})"
    )
    group.add_argument(
        "--concurrency", type=int, metavar="N", help=f"calls at a time (default: {DEFAULT_CONCURRENCY})"
    )
    keeping = group.add_mutually_exclusive_group()
    keeping.add_argument(
        "--cache", metavar="FILE", help="where answers are kept (default: the user's cache folder)"
    )
    keeping.add_argument("--no-cache", action="store_false", dest="cache", default=None, help="keep no answers")


def _choices(specs: "Iterable[str]") -> str:
    first, *others = specs
    return f"{first} (default) or {' or '.join(others)}"


@contextmanager
def decomposer(options: argparse.Namespace) -> "Iterator[str | Decomposer]":
    """Give the decomposer that the options ask for; of a language model, say in the end what it used."""
    given = {name: value for name in _MODEL_OPTIONS if (value := getattr(options, name)) is not None}
    if not options.decomposer.startswith(OPENAI_PREFIX):
        if given:
            name = "no-cache" if given.get("cache") is False else next(iter(given)).replace("_", "-")
            raise ArgumentError(f"--{name}", f"needs --decomposer openai:MODEL, not {options.decomposer}")
        yield options.decomposer
        return
    from esens.decompose.llm.decomposer import LLMDecomposer

    with closing(LLMDecomposer(options.decomposer.removeprefix(OPENAI_PREFIX), **given)) as model:
        yield model
    why = " (--explain says why)" if model.usage.fallbacks else ""
    print(f"{model.name}: {model.usage}{why}", file=sys.stderr)


def add_passages(parser: argparse.ArgumentParser) -> None:
    """Add how long documents are split."""
    parser.add_argument(
        "--passage-words",
        type=int,
        default=DEFAULT_WORDS,
        metavar="N",
        help=f"split longer documents into passages of at most N words (default: {DEFAULT_WORDS}; 0 splits none)",
    )
    parser.add_argument(
        "--passage-overlap",
        type=int,
        default=None,
        metavar="N",
        help=f"words that a passage repeats of the one before (default: {DEFAULT_OVERLAP})",
    )


def passages(options: argparse.Namespace) -> dict[str, Any]:
    """Return how documents are split, as keywords of what splits them."""
    words, overlap = options.passage_words, options.passage_overlap
    # Short passages overlap less, unless somebody says how much.
    return {
        "words": words or None,
        "overlap": min(DEFAULT_OVERLAP, words // 4) if overlap is None else overlap,
    }


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how files are read."""
    parser.add_argument("--format", choices=FORMATS, help="of the input, where its name does not tell")


def add_fields(parser: argparse.ArgumentParser, *, vector: bool = False) -> None:
    """Add which field holds what, the vector only where it is asked for, and what happens to bad rows."""
    group = parser.add_argument_group("rows of JSONL, CSV and Parquet")
    group.add_argument("--id-field", metavar="NAME", help="field with the id (default: id or _id, or a number)")
    group.add_argument("--title-field", metavar="NAME", help="field with the title (default: title)")
    group.add_argument("--text-field", metavar="NAME", help="field with the text (default: text)")
    if vector:
        group.add_argument("--vector-field", metavar="NAME", help="field with the vector (default: none)")
    parser.add_argument(
        "--skip-bad", action="store_true", help="report rows and files that cannot be read, and go on without them"
    )


def fields(options: argparse.Namespace) -> "Fields":
    """Return which field holds what."""
    from esens.ingest import Fields

    return Fields(
        options.id_field, options.title_field, options.text_field, getattr(options, "vector_field", None)
    )


def reading(options: argparse.Namespace, source: str, *, numbered: str = "") -> "RowReader":
    """Return the rows that the options ask for; with --skip-bad, each bad one is told on standard error."""
    from esens.ingest import read_rows

    return read_rows(
        source,
        format=options.format,
        fields=fields(options),
        on_bad="skip" if options.skip_bad else "stop",
        report=lambda error: print(f"esens: skipped: {error}", file=sys.stderr),
        numbered=numbered,
    )


def documents(options: argparse.Namespace, source: str) -> "list[Document]":
    """Read all documents of an input, and say what was left out."""
    rows = reading(options, source)
    found = [row.document for row in rows]
    print_left_out(rows)
    return found


def print_left_out(rows: "Counts") -> None:
    """Say on standard error what a reading left out, if anything."""
    if rows.ignored:
        what = "1 file with another ending" if rows.ignored == 1 else f"{rows.ignored} files with other endings"
        print(f"esens: ignored {what}", file=sys.stderr)
    if rows.bad:
        print(f"esens: skipped {rows.bad} bad of {rows.read + rows.bad} rows", file=sys.stderr)


def add_printing(parser: argparse.ArgumentParser) -> None:
    """Add how results are shown."""
    parser.add_argument("--json", action="store_true", help="one JSON object a query, a line each")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say how sure the reading of the query is, and for every hit why it stands there",
    )


def scoring(options: argparse.Namespace) -> dict[str, Any]:
    """Return the scoring options that were given, as keywords of ``search`` and ``rerank``."""
    names = ("k", *Options.__annotations__)
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def decomposition(options: argparse.Namespace, query: str) -> "Decomposition | None":
    """Return the decomposition given by --target and --trap, or None."""
    from esens.types import Decomposition

    if options.trap is None:
        if options.target is not None:
            raise ArgumentError(
                "--target", "says what is wanted of a query that excludes something; give --trap too"
            )
        return None
    return Decomposition(options.target if options.target is not None else query, tuple(options.trap))


def console() -> "Console":
    """Return the console that results are printed on; a pipe gets plain text wide enough to read."""
    from rich.console import Console

    class Out(Console):
        def on_broken_pipe(self) -> None:
            """Let the command end as it does when printing without rich, instead of leaving with code 1."""
            raise BrokenPipeError

    return Out(highlight=False, width=None if sys.stdout.isatty() else 100)


def print_json(value: object) -> None:
    """Print a value as one line of JSON; where the output is not UTF-8, in ASCII, so that nothing is lost."""
    print(json.dumps(value, ensure_ascii=not speaks("é✓茶"), default=str))


def speaks(signs: str) -> bool:
    """Whether standard output can show these signs."""
    try:
        signs.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_results(results: "Iterable[Results]", *, as_json: bool, explain: bool) -> None:
    """Print results as JSON lines or as tables."""
    if as_json:
        for one in results:
            print_json(one.to_dict())
        return
    from rich.text import Text

    from esens.text.plain import single_line

    out = console()
    for one in results:
        out.print(one)
        if explain:
            out.print(Text.assemble(("read with ", "dim"), single_line(one.decomposition.why)), soft_wrap=True)
            for hit in (*one, *one.removed):
                line = Text.assemble((single_line(hit.id), "bold"), f"  {single_line(str(hit.explanation))}")
                out.print(line, soft_wrap=True)
            out.print()


@contextmanager
def progress_bar(what: str) -> "Iterator[Callable[[int, int], None]]":
    """Show a bar on a terminal's standard error while long work runs; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > _WORTH_A_BAR)
