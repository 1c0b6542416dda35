"""``esens demo``: the problem, and the problem solved, side by side."""

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import can_print, console, progress_bar
from esens.search.options import DEFAULT_SCORE, SCORES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from esens.cli.parsing import Commands
    from esens.demo import DemoQuery
    from esens.types import Hit, Results

SHOWN = slice(3, None, 10)
"""Every tenth query, from the one that the README asks: none is there for its outcome."""
_NEXT = (
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
    return parser


def run(options: argparse.Namespace) -> None:
    """Embed the demo's corpus, ask its queries both ways, print both."""
    from esens.demo import load_corpus, load_queries
    from esens.search import Searcher

    corpus, queries = load_corpus(), load_queries()
    with progress_bar("embedding the demo's documents") as progress:
        searcher = Searcher.from_documents(corpus, progress=progress)
    texts = [query.query for query in queries]
    plain = searcher.search(texts, k=options.k, beta=0)
    ours = searcher.search(texts, k=options.k, score=options.score, beta=options.beta)
    out = console()
    out.print(_opening(len(corpus)))
    for number in range(len(queries))[slice(None) if options.all else SHOWN]:
        everywhere = searcher.search(texts[number], k=len(corpus), score=options.score, beta=options.beta)
        out.print(_comparison(queries[number], plain[number], ours[number], everywhere))
    out.print(_closing(queries, plain, ours))


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
