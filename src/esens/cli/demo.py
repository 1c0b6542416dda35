"""``esens demo``: the problem, and the problem solved, side by side."""

import argparse
import os
import shutil
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from esens.cli.output import can_print, console, print_line, progress_bar
from esens.errors import ArgumentError, MissingExtraError
from esens.search.options import DEFAULT_SCORE, SCORES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from esens.cli.parsing import Commands
    from esens.demo import DemoQuery
    from esens.search import Searcher
    from esens.types import Document, Hit, Results

SHOWN = slice(3, None, 10)
"""Every tenth query, from the one that the README asks: none is there for its outcome."""
EXAMPLES = (
    "salad dressings, but nothing with vinegar",
    "renewable energy technologies, not including geothermal energy",
    "training methods for language models, excluding reinforcement learning",
)
"""What the page offers to try, of the demo's own queries: a property, a subject, and the one in the README."""
PORT = 8080
_NEXT = (
    ("demo --serve", "the same as a page in your browser, with your own queries"),
    ("demo --all", "all of the demo's queries"),
    ("demo --score linear", "the same by the paper's score, which cannot tell about from mentions"),
    ('search docs.jsonl "what you want, excluding what you do not"', "your own documents"),
    ('decompose "jazz albums, but nothing by Miles Davis"', "how a query is read"),
)


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "demo",
        help="see the problem and its solution on a small corpus",
        description="Show what plain retrieval and esens return for queries that exclude something.",
    )
    parser.add_argument("-k", type=int, default=5, metavar="K", help="how many results (default: 5)")
    parser.add_argument("--score", choices=SCORES, help=f"by which esens ranks (default: {DEFAULT_SCORE})")
    parser.add_argument("--beta", type=float, metavar="B", help="how strongly the excluded is pushed down")
    parser.add_argument("--all", action="store_true", help="show every query, not a few")
    parser.add_argument("--serve", action="store_true", help="serve the page of esens serve on the demo's corpus")
    parser.add_argument("--port", type=int, metavar="N", help=f"port of the page (default: {PORT}, or a free one)")
    parser.add_argument("--no-open", action="store_true", help="with --serve, open no browser")
    parser.add_argument(
        "--evaluation", metavar="FILE", default="", help="with --serve, a file of esens evaluate --json to show"
    )
    return parser


def run(options: argparse.Namespace) -> None:
    """Embed the demo's corpus, ask its queries both ways, print both; or serve it."""
    from esens.demo import load_corpus, load_queries

    if options.serve:
        _serve(options)
        return
    corpus, queries = load_corpus(), load_queries()
    searcher = _searcher(corpus)
    texts = [query.query for query in queries]
    plain = searcher.search(texts, k=options.k, beta=0)
    ours = searcher.search(texts, k=options.k, score=options.score, beta=options.beta)
    out = console()
    out.print(_opening(len(corpus)))
    for number in range(len(queries))[slice(None) if options.all else SHOWN]:
        everywhere = searcher.search(texts[number], k=len(corpus), score=options.score, beta=options.beta)
        out.print(_comparison(queries[number], plain[number], ours[number], everywhere))
    out.print(_closing(queries, plain, ours))


def _searcher(corpus: "Sequence[Document]") -> "Searcher":
    from esens.search import Searcher

    with progress_bar("embedding the demo's documents") as progress:
        return Searcher.from_documents(corpus, progress=progress)


def _serve(options: argparse.Namespace) -> None:
    """Serve the page on the demo's corpus, held in memory, until somebody stops it."""
    try:
        from esens.server.run import listen, server_of, url_of
        from esens.server.service import Service
    except ImportError as error:
        raise MissingExtraError(error.name or "fastapi", "serve") from None
    from esens.demo import load_corpus
    from esens.server.settings import Settings

    def settings_of(port: int) -> Settings:
        return Settings(port=port, examples=EXAMPLES, evaluation=options.evaluation)

    try:
        listener = listen(settings_of(PORT if options.port is None else options.port))
    except ArgumentError:
        if options.port is not None:
            raise
        listener = listen(settings_of(0))
    server = server_of(Service({"demo": _searcher(load_corpus())}, settings_of(listener.getsockname()[1])))
    url = url_of(listener)
    print_line(f"The demo's page is at {url} (Ctrl-C ends it)")
    if not options.no_open and _has_screen():
        # The socket listens already, so a browser waits for the server; some return when they are closed.
        threading.Thread(
            target=webbrowser.open, args=[f"{url}/#{urlencode({'q': EXAMPLES[0]})}"], daemon=True
        ).start()
    server.run(sockets=[listener])


def _has_screen() -> bool:
    """Whether a browser can be seen here; one in the terminal would take it over."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, names))


def _opening(documents: int) -> "RenderableType":
    from rich.text import Text

    return Text.assemble(
        ('\nSearch that respects "but not"\n', "bold"),
        f"{documents} short documents, the same embeddings and the same index for both columns.\n",
        (_marks()[0], "bold red"),
        " about what the query excludes   ",
        (_marks()[1], "bold green"),
        " about what it asks for\n",
    )


def _comparison(query: "DemoQuery", plain: "Results", ours: "Results", everywhere: "Results") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = Text.assemble(
        (query.query, "bold"),
        ("\n  wanted    ", "dim"),
        (ours.decomposition.target, "green"),
        ("\n  excluded  ", "dim"),
        (" | ".join(ours.decomposition.traps), "red"),
    )
    table = Table(title=title, title_justify="left", title_style="", box=box.SIMPLE, pad_edge=False, expand=True)
    for name in ("plain retrieval", "esens"):
        table.add_column(name, ratio=1, no_wrap=True, overflow="ellipsis")
    for left, right in zip(plain, ours, strict=True):
        table.add_row(*(_marked(query, hit) for hit in (left, right)))
    table.caption, table.caption_justify = _first_to_fall(query, plain, everywhere), "left"
    return table


def _first_to_fall(query: "DemoQuery", plain: "Results", everywhere: "Results") -> "Text | None":
    """Return where the first excluded document of plain retrieval is now, and why."""
    from rich.text import Text

    now = {hit.id: hit for hit in everywhere}
    fallen = [
        now[hit.id] for hit in plain if query.violates(hit.document) and now[hit.id].explanation.penalty_share
    ]
    if not fallen:
        return None
    why = fallen[0].explanation
    move = f"{fallen[0].title}, rank {why.rank_before} → {why.rank_after} of {len(everywhere)}: "
    return Text.assemble((move, "dim"), (f"{why.finding}\n", "dim red"))


def _marked(query: "DemoQuery", hit: "Hit") -> "Text":
    from rich.text import Text

    topic = str(hit.metadata["topic"]).replace("-", " ")
    if query.violates(hit.document):
        return Text.assemble((f"{_marks()[0]} ", "bold red"), (topic, "red"), (f"  {hit.title}", "dim red"))
    mark = (f"{_marks()[1]} ", "bold green") if query.answers(hit.document) else ("  ", "")
    return Text.assemble(mark, topic, (f"  {hit.title}", "dim"))


def _closing(
    queries: "Sequence[DemoQuery]", plain: "Sequence[Results]", ours: "Sequence[Results]"
) -> "RenderableType":
    from rich.text import Text

    def count(judge: str, results: "Sequence[Results]") -> int:
        pairs = zip(queries, results, strict=True)
        return sum(getattr(query, judge)(hit.document) for query, hits in pairs for hit in hits)

    places = sum(len(results) for results in ours)
    text = Text.assemble(
        (f"All {len(queries)} queries, {places} places\n", "bold"),
        "  about what was excluded   ",
        (f"{count('violates', plain):>3} → {count('violates', ours)}\n", "bold red"),
        "  about what was asked for  ",
        (f"{count('answers', plain):>3} → {count('answers', ours)}\n\n", "bold green"),
        ("Documents and queries of our own; benchmarks/results holds what was measured on others'.\n\n", "dim"),
        ("How to go on\n", "bold"),
    )
    for arguments, what in _NEXT:
        text.append_text(Text.assemble((f"  # {what}\n", "dim"), (f"  {_program()} {arguments}\n", "cyan")))
    return text


def _marks() -> tuple[str, str]:
    """Return the signs for excluded and wanted, in letters where the terminal has no others."""
    return ("✗", "✓") if can_print("✗✓") else ("x", "+")


def _program() -> str:
    """Return how this command is called from here: by its name, or where the shell does not know it, its path."""
    if shutil.which("esens"):
        return "esens"
    if Path(sys.argv[0]).name != "esens":
        return "python -m esens.cli.main"
    near = os.path.relpath(sys.argv[0])
    return sys.argv[0] if near.startswith("..") else near
