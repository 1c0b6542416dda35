"""Tables for a paper: booktabs, intervals in a small second line, and names with every special sign escaped."""

import re
from collections.abc import Iterator
from itertools import accumulate

from esens.evaluate.report.table import Cell, ReportTable

_SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    # Right after the end of a row, these two would be read as its options.
    "[": "{[}",
    "*": "{*}",
    # Two in a row would become a dash.
    "-": "-{}",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "∈": r"$\in$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "’": "'",
}
_LAST_PLAIN_LETTER = "ſ"


def latex_table(table: ReportTable) -> str:
    """Return a table that floats over both columns of a page; title and note are its caption."""
    columns = "".join("r" if table.has_figures(number) else "l" for number in range(len(table.header)))
    caption = f"{latex_text(table.title)}. {latex_text(table.note)}".strip()
    lines = [
        r"\begin{table*}[t]",
        r"\centering",
        r"\small",
        r"\setlength{\tabcolsep}{4.2pt}",
        rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"\toprule",
        *_header(table),
        r"\midrule",
        *_rows(table),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        rf"\label{{tab:{_slug(table.title)}}}",
        r"\end{table*}",
    ]
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    r"""Return a text with all that means something to LaTeX escaped; letters its fonts lack get their code point.

    >>> latex_text("50 % of R&D_1")
    '50 \\% of R\\&D\\_1'
    """
    return "".join(_SIGNS.get(sign) or _letter(sign) for sign in text)


def _letter(sign: str) -> str:
    if sign.isspace():
        return " "
    return sign if sign.isprintable() and sign <= _LAST_PLAIN_LETTER else f"(U+{ord(sign):04X})"


def _header(table: ReportTable) -> Iterator[str]:
    if not table.groups:
        yield _row(latex_text(name) for name in table.header)
        return
    yield _row(_spanning(group.name, len(group.headings)) for group in table.groups)
    ends = list(accumulate(len(group.headings) for group in table.groups))
    yield " ".join(
        rf"\cmidrule(lr){{{end - len(group.headings) + 1}-{end}}}"
        for group, end in zip(table.groups, ends, strict=True)
        if group.name
    )
    yield _row(latex_text(name) for group in table.groups for name in group.headings)


def _spanning(name: str, columns: int) -> str:
    return rf"\multicolumn{{{columns}}}{{c}}{{{latex_text(name)}}}" if name else " & " * (columns - 1)


def _rows(table: ReportTable) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        if number in table.blocks:
            yield r"\midrule"
        yield _row(_figure(cell) for cell in row)
        spreads = [_spread(cell) for cell in row]
        if any(spreads):
            yield _row(spreads)
            if number + 1 < len(table.rows) and number + 1 not in table.blocks:
                yield r"\addlinespace[2pt]"


def _row(cells: Iterator[str] | list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _figure(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return latex_text(cell)
    figure = rf"\textbf{{{latex_text(cell.text)}}}" if cell.is_best else latex_text(cell.text)
    return figure + (rf"\rlap{{$^{{{cell.mark}}}$}}" if cell.mark else "")


def _spread(cell: str | Cell) -> str:
    if isinstance(cell, str) or not cell.has_interval:
        return ""
    return rf"{{\scriptsize {latex_text(cell.range)}}}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
