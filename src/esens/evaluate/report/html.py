"""The whole report as one HTML page that needs nothing else: no script, no font, no file beside it."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources

from esens.evaluate.measures import AVG_VIOLATION, PAIRWISE, ks_of_places
from esens.evaluate.report.formats import tables_of_parts
from esens.evaluate.report.grid import beta_grid
from esens.evaluate.report.methods import described_methods, methods_tables
from esens.evaluate.report.plots import FRONTIER, over_beta, plots, svg
from esens.evaluate.report.plots.style import INK, PAPER, QUIET, SERIES
from esens.evaluate.report.setup import INTERVALS, setup_items
from esens.evaluate.report.table import Cell, ReportTable
from esens.evaluate.results import Curve, Evaluation


def html_page(evaluation: Evaluation, command: str) -> str:
    """Return the page: what was measured, how to read it, tables, plots, and the command that made it."""
    title = escape(f"{evaluation.setup.dataset}, measured")
    style = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    body = "\n".join(_parts(evaluation, command))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def _parts(evaluation: Evaluation, command: str) -> Iterator[str]:
    yield f"<p>{escape(_about(evaluation))}</p>"
    yield from ("<h2>Setup</h2>", _definitions(setup_items(evaluation.setup)))
    yield from (_section(table) for table in methods_tables(evaluation))
    described = described_methods(evaluation)
    if described:
        yield from ("<h2>What the methods do</h2>", _definitions(described))
    captions = _captions(evaluation)
    figures = [_figure(name, svg(figure), captions[name]) for name, figure in plots(evaluation).items()]
    if figures:
        yield from ("<h2>Plots</h2>", '<div class="plots">', *figures, "</div>")
    yield from (_section(beta_grid(curve)) for curve in evaluation.curves)
    yield from map(_section, tables_of_parts(evaluation))
    yield from ("<h2>Notes</h2>", _list([*evaluation.setup.notes, INTERVALS]))
    yield from ("<h2>Command</h2>", f"<pre><code>{escape(command)}</code></pre>")


def _about(evaluation: Evaluation) -> str:
    """Say what was measured, and how to read it."""
    setup = evaluation.setup
    about = f"{len(evaluation.methods)} {'method' if len(evaluation.methods) == 1 else 'methods'} of retrieval"
    about += (
        f" ranked the {setup.documents:,} documents of {setup.dataset} for each of its {setup.queries:,} queries."
    )
    measures = {name for method in evaluation.methods for name in method.measures}
    measures |= {name for curve in evaluation.curves for name in curve.measures}
    if ks_of_places(measures):
        about += (
            " E@k is the share of the first k places that excluded documents take, and should be low; W@k that of"
            " wanted ones, and should be high."
        )
    elif AVG_VIOLATION in measures:
        about += (
            " Recall (R@k) says how much of what was asked for is among the first k documents, and should be high;"
            " violation (V@k) how often something that the query excludes is there too, and should be low."
        )
    elif any(name.startswith("recall") for name in measures):
        about += (
            " Recall (R@k) says how much of what was asked for is among the first k documents; it should be high."
        )
    if PAIRWISE in measures:
        about += " Queries come in pairs, which count only if both are ranked right."
    if evaluation.curves:
        about += " β is how strongly the excluded is pushed down; at 0 it is not."
    about += " Every figure comes with its interval."
    if any(method.against_plain for method in evaluation.methods):
        about += (
            " Whether a method differs from plain retrieval is told by Δ, not by whether two intervals overlap."
        )
    return about


def _definitions(items: Iterable[tuple[str, str]]) -> str:
    lines = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in items)
    return f"<dl>\n{_lines(lines)}</dl>"


def _captions(evaluation: Evaluation) -> dict[str, str]:
    """Return what stands below each plot, by its name."""
    return {
        FRONTIER: _frontier_caption(evaluation),
        **{
            over_beta(curve): f"{curve.variant}: {_measured(curve)} over β, with intervals."
            for curve in evaluation.curves
        },
    }


def _measured(curve: Curve) -> str:
    return "wanted and excluded places" if ks_of_places(curve.measures) else "recall and violation"


def _frontier_caption(evaluation: Evaluation) -> str:
    if ks_of_places(name for method in evaluation.methods for name in method.measures):
        caption = "Wanted against excluded places, with intervals: up and to the left is better."
    else:
        caption = "Recall against violation, with intervals: up and to the left is better."
    if evaluation.curves:
        caption += " Along a curve β grows; points of its colour are of the same score."
    if any(method.is_default for method in evaluation.methods):
        caption += " The largest sign is the default."
    return f"{caption} What lies far outside stands at the edge, with its figures."


def _section(table: ReportTable) -> str:
    label = escape(table.title)
    note = f'\n<p class="note">{escape(table.note)}</p>' if table.note else ""
    # What scrolls must be reachable by keyboard, and so needs a name.
    opened = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    return f"<h2>{label}</h2>\n{opened}\n{_table(table)}\n</div>{note}"


def _table(table: ReportTable) -> str:
    classes = ["" if table.has_figures(number) else ' class="text"' for number in range(len(table.header))]
    marks = (' class="marked"' if number in table.marked else "" for number in range(len(table.rows)))
    rows = (
        f"<tr{mark}>{''.join(map(_cell, row, classes))}</tr>" for mark, row in zip(marks, table.rows, strict=True)
    )
    return f"<table>\n<thead>\n{_header(table, classes)}</thead>\n<tbody>\n{_lines(rows)}</tbody>\n</table>"


def _header(table: ReportTable, classes: list[str]) -> str:
    if not table.groups:
        cells = (
            f'<th scope="col"{attribute}>{escape(name)}</th>'
            for name, attribute in zip(table.header, classes, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>\n"
    groups = (
        f'<th colspan="{len(group.headings)}" scope="colgroup" class="span">{escape(group.name)}</th>'
        if group.name
        else f'<td colspan="{len(group.headings)}"></td>'
        for group in table.groups
    )
    names = (name for group in table.groups for name in group.headings)
    cells = (
        f'<th scope="col"{attribute}>{escape(name)}</th>' for name, attribute in zip(names, classes, strict=True)
    )
    return f"<tr>{''.join(groups)}</tr>\n<tr>{''.join(cells)}</tr>\n"


def _cell(cell: str | Cell, attribute: str) -> str:
    if not isinstance(cell, Cell):
        return f"<td{attribute}>{escape(cell)}</td>"
    figure = f"<strong>{escape(cell.text)}</strong>" if cell.is_best else escape(cell.text)
    spread = f" <small>{escape(cell.range)}</small>" if cell.has_interval else ""
    return f"<td{attribute}>{figure}{escape(cell.mark)}{spread}</td>"


def _figure(name: str, drawn: str, caption: str) -> str:
    return f"<figure>\n{_inline(name, drawn, caption)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _inline(name: str, drawn: str, caption: str) -> str:
    """Return an SVG as part of a page: in the page's colours, and with ids that no other plot has."""
    inner = drawn[drawn.index("<svg") :].rstrip()
    inner = re.sub(r'\b(id="|xlink:href="#)|(url\(#)', rf"\g<0>{name}-", inner)
    inner = inner.replace(INK, "currentColor").replace(PAPER, "var(--paper)").replace(QUIET, "var(--half)")
    for number, colour in enumerate(SERIES):
        inner = inner.replace(colour, f"var(--series-{number})")
    inner = re.sub(r' (xmlns(:\w+)?|version)="[^"]*"', "", inner).replace("xlink:href", "href")
    return inner.replace("<svg", f'<svg role="img" aria-label="{escape(caption)}"', 1)


def _list(items: Iterable[str]) -> str:
    return f"<ul>\n{_lines(f'<li>{escape(item)}</li>' for item in items)}</ul>"


def _lines(parts: Iterable[str]) -> str:
    return "".join(f"{part}\n" for part in parts)
