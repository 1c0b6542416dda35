"""How results look to a person. Rich is imported on first use: whoever never prints never pays for it."""

import io
import shutil
from typing import TYPE_CHECKING

from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from esens.types import Decomposition, Hit, Results

MIN_WIDTH, MAX_WIDTH = 60, 120
TEXT_SHOWN = 400
TITLE_SHOWN = 60
_RULED_OUT = {"about": "documents about it", "has": "documents that have it", "like": "documents like it"}


def as_text(renderable: "RenderableType") -> str:
    """Return what rich would print, without colour, for ``print`` and log files."""
    from rich.console import Console

    columns = shutil.get_terminal_size((100, 24)).columns
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=min(max(columns, MIN_WIDTH), MAX_WIDTH),
        color_system=None,
        highlight=False,
        force_jupyter=False,  # in a notebook rich would display instead of writing to the stream
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def results_table(results: "Results") -> "RenderableType":
    """Return the query, how it was read, and a row a hit."""
    from rich.console import Group
    from rich.text import Text

    head = [Text.assemble(("query    ", "dim"), single_line(results.query))]
    if results.decomposition.traps:
        head.append(Text.assemble(("wanted   ", "dim"), (single_line(results.decomposition.target), "green")))
        head.append(Text.assemble(("excluded ", "dim"), (excluded_line(results.decomposition), "red")))
    if results.scoring.is_plain:
        head.append(Text(f"{_plain_reason(results)}: plain retrieval", style="dim"))
    body: list[RenderableType] = [_hits_table(results) if results.hits else Text("no results", style="italic")]
    note = [Text(single_line(results.note), style="yellow")] if results.note else []
    return Group(*head, *body, *map(_removed_line, results.removed), *note)


def excluded_line(split: "Decomposition") -> str:
    """Return what is excluded in one line, and which documents that rules out, where the query told it."""
    items = (
        f"{e.text} ({_RULED_OUT[e.relation]})" if e.relation in _RULED_OUT else e.text for e in split.exclusions
    )
    return single_line(" | ".join(items))


def _plain_reason(results: "Results") -> str:
    """Say why this is plain retrieval; where a cue was there and was doubted, which one."""
    split = results.decomposition
    if split.traps:
        return "the exclusion has no weight"
    doubt = f" ({single_line(split.reason)})" if split.reason and split.confidence < 1 else ""
    return f"nothing is excluded{doubt}"


def _removed_line(hit: "Hit") -> "Text":
    from rich.text import Text

    why = hit.explanation
    return Text.assemble(
        (f"left out, was {_was(why.rank_before)}: ", "red"),
        (single_line(hit.title or hit.text)[:TITLE_SHOWN], "bold"),
        (f"  {single_line(hit.id)}", "dim"),
        f"  {single_line(why.finding)}",
    )


def _hits_table(results: "Results") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in ("rank", "was", "score", "relevance", "penalty"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("document", ratio=1, overflow="fold")
    for hit in results.hits:
        why = hit.explanation
        numbers = (f"{value:.3f}" for value in (hit.score, why.relevance, why.penalty))
        style = "red" if why.is_excluded else ""
        table.add_row(str(hit.rank), _was(why.rank_before), *numbers, document_cell(hit), style=style)
    return table


def _was(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def document_cell(hit: "Hit") -> "Table":
    """Return the id, the title in bold and one line of the text, cut to the width there is."""
    from rich.table import Table
    from rich.text import Text

    lines = Table.grid()
    lines.add_column(no_wrap=True, overflow="ellipsis")
    text, title, name = single_line(hit.text[:TEXT_SHOWN]), single_line(hit.title), single_line(hit.id)
    if hit.explanation.is_excluded:
        lines.add_row(Text(f"excluded: {single_line(hit.explanation.finding)}", style="red"))
    if title:
        lines.add_row(Text.assemble((title, "bold"), (f"  {name}", "dim")))
        lines.add_row(Text(text, style="dim"))
    else:
        lines.add_row(Text.assemble((f"{name}  ", "dim"), text))  # first, for the end of a line may be cut
    return lines
