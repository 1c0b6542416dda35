"""``esens index``: make an index of documents, or bring one up to date."""

import argparse
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from esens.cli.inputs import (
    SOURCES,
    add_fields,
    add_passages,
    add_reading,
    open_rows,
    passage_options,
    print_skipped,
)
from esens.cli.models import add_embedder
from esens.cli.output import notify, print_line
from esens.index import WRITABLE_SPECS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from esens.cli.parsing import Commands
    from esens.indexing.writer import IndexReport
    from esens.ingest import RowReader


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "index",
        help="make an index of documents, or bring one up to date",
        description="Embed documents and write them to an index. What is there already, as it is, is not embedded "
        "again: a run that was interrupted goes on where it stopped.",
    )
    parser.add_argument("source", metavar="FILE", help=SOURCES)
    parser.add_argument("--to", required=True, metavar="INDEX", help=" or ".join(WRITABLE_SPECS))
    add_embedder(parser)
    add_passages(parser)
    add_reading(parser)
    add_fields(parser, vector=True)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, split, embed, write, say what was done."""
    from esens.indexing.writer import build_index

    rows = open_rows(options, options.source)
    try:
        with indexing_bar(rows) as progress:
            done = build_index(
                rows, options.to, embedder=options.embedder, progress=progress, **passage_options(options)
            )
    except KeyboardInterrupt:
        notify("esens: what was written is kept; the same command goes on from there")
        raise
    print_skipped(rows)
    print_line(summary(options.to, done))


def summary(to: str, done: "IndexReport") -> str:
    """Return in one line what an index holds now, and what was done to it."""
    from esens.index.uri import IndexURI

    return f"{IndexURI.parse(to)}: {done}"


@contextmanager
def indexing_bar(rows: "RowReader") -> "Iterator[Callable[[int, int], None]]":
    """Show how far the work is on a terminal's standard error, with its rate and the time that remains."""
    if not sys.stderr.isatty():
        yield lambda _done, _read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            """Show documents a second."""
            return Text(f"{task.finished_speed or task.speed or 0:,.0f}/s", style="progress.data.speed")

    counted = TextColumn("{task.completed:,.0f}")
    columns = (TextColumn("indexing"), BarColumn(), counted, Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("indexing", total=None)

        def update(done: int, read: int) -> None:
            # How many there are is known from how much of the input those read so far are.
            bar.update(task, completed=done, total=read / rows.fraction if rows.fraction else None)

        yield update
