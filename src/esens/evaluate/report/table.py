"""A table of texts and figures, and how it looks in a terminal and in Markdown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from esens.evaluate.statistics import Interval, short
from esens.text.plain import single_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable
    from rich.text import Text

MISSING = "–"

# Narrower than this, a name is folded into a heap of letters.
_LEAST_WIDTH = 12


def change(value: float) -> str:
    """Write a difference: always with its sign.

    >>> change(-0.0312), change(0.0), change(-0.0001)
    ('−.031', '+.000', '+.000')
    """
    rounded = round(value, 3) + 0.0  # no negative zero
    return f"{'−' if rounded < 0 else '+'}{short(abs(rounded))}"


def rank(value: float) -> str:
    """Write a rank, or the median of some.

    >>> rank(3.0), rank(3.5), rank(1204.0)
    ('3', '3.5', '1,204')
    """
    return f"{value:,.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure with its interval, whose bounds are NaN where none is known."""

    value: Interval
    write: Callable[[float], str] = short
    mark: str = ""
    is_best: bool = False

    @property
    def text(self) -> str:
        """The figure alone."""
        return self.write(self.value.mean)

    @property
    def range(self) -> str:
        """The interval, from low to high."""
        low, high = self.write(self.value.low), self.write(self.value.high)
        return f"{low}, {high}" if self.write is change else f"{low}–{high}"

    @property
    def half_width(self) -> str:
        """Half the width of the interval, where there is no room for both bounds."""
        half = (self.value.high - self.value.low) / 2
        return f"±{short(half) if self.write is change else self.write(half)}"

    @property
    def has_interval(self) -> bool:
        """Whether there is more to show than the figure alone."""
        return not isnan(self.value.low) and not isnan(self.value.high)

    def __str__(self) -> str:
        return f"{self.text}{self.mark} ({self.range})" if self.has_interval else f"{self.text}{self.mark}"


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Neighbouring columns under one heading, as R and V under k = 3; a group without a name has none."""

    name: str
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A title, a header, rows of texts and figures, and what a reader must know."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    note: str = ""
    groups: tuple[ColumnGroup, ...] = ()
    """The header in two lines, for LaTeX and HTML, where a heading can span columns."""
    blocks: tuple[int, ...] = ()
    """The rows before which a rule is drawn."""
    marked: tuple[int, ...] = ()
    """The rows that stand out, where a row can have a colour."""

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        """Show intervals from low to high where the terminal is wide enough, else half their width."""
        from rich.text import Text

        ranges = self._rich(lambda cell: cell.range)
        width = console.measure(ranges, options=options.update(max_width=1000)).maximum
        yield Text(single_line(self.title), "table.title")
        yield ranges if width <= options.max_width else self._rich(lambda cell: cell.half_width, narrow=True)
        if self.note:
            yield Text(single_line(self.note), "table.caption")

    def markdown(self) -> str:
        """Return the table as Markdown."""
        lines = [self.header, ("---",) * len(self.header), *self.rows]
        table = "\n".join(f"| {' | '.join(map(in_markdown, line))} |" for line in lines)
        return "\n\n".join(
            part for part in (f"## {without_tags(self.title)}", table, without_tags(self.note)) if part
        )

    def has_figures(self, column: int) -> bool:
        """Whether a column holds figures rather than texts."""
        return any(isinstance(row[column], Cell) for row in self.rows)

    def _rich(self, spread: Callable[[Cell], str], *, narrow: bool = False) -> "RichTable":
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=narrow)
        for number, name in enumerate(self.header):
            texts = [len(cell) for row in self.rows if isinstance(cell := row[number], str)]
            table.add_column(
                Text(name),
                justify="right" if self.has_figures(number) else "left",
                no_wrap=number > 1,
                overflow="fold",
                min_width=min(_LEAST_WIDTH, max([len(name), *texts])),
            )
        for number, row in enumerate(self.rows):
            if number in self.blocks:
                table.add_section()
            table.add_row(*(_in_terminal(cell, spread) for cell in row))
        return table


def cell(value: Interval | None, write: Callable[[float], str] = short, mark: str = "") -> str | Cell:
    """Return a figure, or the sign of a missing one."""
    return MISSING if value is None or isnan(value.mean) else Cell(value, write, mark)


def best_marked(
    cells: Sequence[str | Cell], highest: bool, among: Sequence[bool] | None = None
) -> list[str | Cell]:
    """Mark the best figures of a column, all of them if several read the same; none if all do.

    ``among`` says which cells are compared at all.
    """
    compared = [
        isinstance(cell, Cell) and takes_part
        for cell, takes_part in zip(cells, among or [True] * len(cells), strict=True)
    ]
    means = {_read(cell) for cell, takes_part in zip(cells, compared, strict=True) if takes_part}
    if len(means) < 2:
        return list(cells)
    best = max(means) if highest else min(means)
    return [
        replace(cell, is_best=True) if isinstance(cell, Cell) and takes_part and _read(cell) == best else cell
        for cell, takes_part in zip(cells, compared, strict=True)
    ]


def _read(cell: str | Cell) -> float:
    """Return a figure as it reads."""
    return round(cell.value.mean, 3) if isinstance(cell, Cell) else nan


def without_tags(text: str) -> str:
    """Return a text for Markdown on one line, in which nothing is read as HTML.

    >>> without_tags("p < .05 <b>")
    'p < .05 &lt;b>'
    """
    return re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", " ".join(text.split()))


def _in_terminal(cell: str | Cell, spread: Callable[[Cell], str]) -> "Text":
    from rich.text import Text

    if not isinstance(cell, Cell):
        return Text(single_line(cell))
    figure = (cell.text, "bold" if cell.is_best else "")
    below = f"\n{spread(cell)}" if cell.has_interval else ""
    return Text.assemble(figure, cell.mark, (below, "dim"))


def in_markdown(cell: str | Cell) -> str:
    """Return a cell, or a text, of which Markdown reads nothing as its own signs."""
    if isinstance(cell, Cell) and cell.is_best:
        return in_markdown(str(cell)).replace(cell.text, f"**{cell.text}**", 1)
    text = " ".join(str(cell).split())
    for sign, instead in (("|", "¦"), ("*", "\\*"), ("`", "\\`")):
        text = text.replace(sign, instead)
    return without_tags(text)
