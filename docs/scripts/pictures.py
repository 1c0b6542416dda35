"""Draw the pictures of docs/how-it-works.md: ``python docs/scripts/pictures.py --write``.

Figures come from benchmarks/results. Excluded things are orange squares or dashed boxes, wanted ones blue circles
or plain boxes: colours that colour-blind people tell apart, and shapes for those who see none.
"""

import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
MEASURED = ROOT / "benchmarks" / "results" / "excluir-23k.md"
WIDTH = 640

STYLE = """
svg { --page: #ffffff; --ink: #1f2933; --soft: #5f6b76; --line: #c3ccd4; --box: #f3f6f8;
      --good: #0072b2; --bad: #c04f00; --goodbox: #e3f0f8; --badbox: #fdeee2; }
@media (prefers-color-scheme: dark) {
  svg { --page: #1e2129; --ink: #e6e9ee; --soft: #a3adb8; --line: #47505c; --box: #282d37;
        --good: #56b4e9; --bad: #f0a35e; --goodbox: #1d3444; --badbox: #40301f; } }
text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
.page { fill: var(--page); } .soft { fill: var(--soft); } .small { font-size: 12px; }
.head { font-weight: 600; } .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
.good { fill: var(--good); } .bad { fill: var(--bad); }
.box { fill: var(--box); stroke: var(--line); } .goodbox { fill: var(--goodbox); stroke: var(--good); }
.badbox { fill: var(--badbox); stroke: var(--bad); stroke-dasharray: 5 3; }
.line { fill: none; stroke: var(--soft); stroke-width: 1.5; } .axis { stroke: var(--line); }
.curve { fill: none; stroke: var(--soft); stroke-width: 2; } .dashed { stroke-dasharray: 4 4; }
.ours { stroke: var(--good); stroke-width: 2; }
"""


def svg(height: int, title: str, *parts: str) -> str:
    """Return a picture, on a ground of its own, so that it can be read on any page."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" class="soft"/></marker></defs>',
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>',
    ]
    return "\n".join([*head, *parts, "</svg>\n"])


def say(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str, *lines: tuple[str, str]) -> str:
    """Return a box with centred lines, each a text and its class."""
    top = y + height / 2 - 10 * (len(lines) - 1) + 5
    words = [say(x + width / 2, top + 20 * n, text, style, "middle") for n, (text, style) in enumerate(lines)]
    rect = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" class="{kind}"/>'
    return "\n".join([rect, *words])


def arrow(*points: tuple[float, float], kind: str = "line") -> str:
    way = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{way}" class="{kind}" marker-end="url(#tip)"/>'


def wanted(x: float, y: float, size: float = 6) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" class="good"/>'


def excluded(x: float, y: float, size: float = 6) -> str:
    return f'<rect x="{x - size:g}" y="{y - size:g}" width="{2 * size:g}" height="{2 * size:g}" class="bad"/>'


def way_of_a_query() -> str:
    """Return the stages of a search, from the query to the results."""
    return svg(
        590,
        "The way of a query: split, embed, find, weigh, rank",
        box(190, 16, 260, 40, "box", ("pasta without mushrooms", "head")),
        arrow((320, 56), (320, 86)),
        say(24, 104, "1  split", "head"),
        say(24, 122, "rules, or a", "small soft"),
        say(24, 138, "language model", "small soft"),
        box(150, 88, 220, 52, "goodbox", ("wanted", "small soft"), ("pasta", "head")),
        box(390, 88, 226, 52, "badbox", ("excluded: documents that have", "small soft"), ("mushrooms", "head")),
        arrow((260, 140), (260, 172)),
        arrow((503, 140), (503, 172)),
        say(24, 190, "2  embed", "head"),
        say(24, 208, "your model", "small soft"),
        box(150, 174, 466, 44, "box", ("three texts: the query, what is wanted, what is excluded", "")),
        arrow((383, 218), (383, 250)),
        say(24, 268, "3  find", "head"),
        say(24, 286, "your index", "small soft"),
        box(
            150,
            252,
            466,
            52,
            "box",
            ("candidates: neighbours of the query and of what is", ""),
            ("wanted, in one request", ""),
        ),
        arrow((383, 304), (383, 336)),
        say(24, 354, "4  weigh", "head"),
        say(24, 372, "what does each", "small soft"),
        say(24, 388, "document lose?", "small soft"),
        box(
            150,
            338,
            226,
            74,
            "box",
            ("a property:", "head"),
            ("read what the text says", ""),
            ("of the thing", ""),
        ),
        box(
            390,
            338,
            226,
            74,
            "box",
            ("a subject:", "head"),
            ("which side is the", ""),
            ("document nearer to?", ""),
        ),
        arrow((263, 412), (263, 444)),
        arrow((503, 412), (503, 444)),
        say(24, 462, "5  rank", "head"),
        box(150, 446, 466, 44, "box", ("score = relevance × (1 − share lost)", "mono")),
        arrow((383, 490), (383, 522)),
        box(150, 524, 466, 48, "goodbox", ("results, each with its old rank, what it lost, and why", "")),
        arrow((190, 36), (12, 36), (12, 548), (146, 548), kind="line dashed"),
        say(20, 528, "nothing is excluded:", "small soft"),
        say(20, 566, "plain search", "small soft"),
    )


METHODS = {
    "plain": ("plain search", 10, 22, "end"),
    "esens": ("esens", 0, -14, "middle"),
    "target-only": ("target only", 10, 16, "start"),
    "deo:0.001": ("DEO, rate 0.001", 0, -11, "middle"),
    "deo:0.002": ("DEO, rate 0.002", -2, -11, "end"),
    "sum-scores": ("Qdrant, sum of scores", 12, 5, "start"),
    "move-away:1": ("Weaviate, move away", -40, 30, "start"),
    "itlr": ("ITLR", 12, 5, "start"),
}
"""Whose points are drawn, what they are called, and where the name stands beside the point."""
LOW, HIGH = 0.74, 0.96


def frontier() -> str:
    """Return recall against violation, as measured."""
    points = {
        row[0].removesuffix(" (default)"): (_figure(row[3]), _figure(row[1]))
        for row in _table("## Recall and violation")
    }
    curve = [(_figure(row[10]), _figure(row[9])) for row in _table("## baseline-minus-trap over β")]
    return svg(
        470,
        "Recall against violation on a sample of ExcluIR: esens is near the corner at the top left",
        *(_grid_line(*line) for line in _grid()),
        say(
            _x(0.45), 452, "Avg. V: excluded documents among the first k (fewer is better)", "small soft", "middle"
        ),
        f'<g transform="rotate(-90 18 {_y(0.85):g})">'
        + say(18, _y(0.85), "Avg. R: answers among the first k", "small soft", "middle")
        + "</g>",
        '<polyline class="curve" points="'
        + " ".join(f"{_x(v):.1f},{_y(r):.1f}" for v, r in curve if r >= LOW)
        + '"/>',
        say(_x(0.5), _y(0.885), "the paper’s score,", "small soft"),
        say(_x(0.5), _y(0.885) + 16, "beta from 0 (right) to 0.8", "small soft"),
        *(_point(name, *points[name]) for name in METHODS),
        _below("keyword NOT", *points["keyword-not"]),
    )


def _point(name: str, violation: float, recall: float) -> str:
    label, dx, dy, anchor = METHODS[name]
    x, y = _x(violation), _y(recall)
    ours = name == "esens"
    mark = wanted(x, y, 8) if ours else excluded(x, y, 5)
    return mark + say(x + dx, y + dy, label, "head good" if ours else "small", anchor)


def _below(label: str, violation: float, recall: float) -> str:
    """Return a method that lies so far below that it would stretch the axis: an arrow, and its figure."""
    x, y = _x(violation), _y(LOW)
    return arrow((x, y - 34), (x, y - 6)) + say(
        x + 10, y - 12, f"{label}: far below, at {recall:.3f}".replace("0.", "."), "small"
    )


def _grid() -> list[tuple[tuple[float, float], tuple[float, float], str]]:
    across = [((0, r / 100), (0.9, r / 100), f".{r}") for r in range(75, 96, 5)]
    up = [((v / 10, LOW), (v / 10, HIGH), f".{v}") for v in range(0, 10, 2)]
    return across + up


def _grid_line(start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    (x1, y1), (x2, y2) = ((_x(v), _y(r)) for v, r in (start, end))
    line = f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="axis"/>'
    beside = (x1 - 8, y1 + 4, "end") if y1 == y2 else (x1, y1 + 18, "middle")
    return line + say(beside[0], beside[1], label, "small soft", beside[2])


def _x(violation: float) -> float:
    return 70 + violation / 0.9 * 545


def _y(recall: float) -> float:
    return 410 - (recall - LOW) / (HIGH - LOW) * 385


def _table(heading: str) -> list[list[str]]:
    section = MEASURED.read_text(encoding="utf-8").partition(f"{heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return rows[2:]


def _figure(cell: str) -> float:
    return float(re.sub(r"[*\\]", "", cell).split(" ")[0])


def subject_and_property() -> str:
    """Return the two kinds of exclusion, and what tells documents apart in each."""
    return svg(
        560,
        "An exclusion is the subject of other documents, or a property of wanted ones",
        _subject(),
        _property(),
    )


def _subject() -> str:
    near_wanted = [(120, 108), (150, 150), (178, 98), (205, 137), (262, 158), (186, 172)]
    near_excluded = [(438, 112), (470, 150), (500, 106), (524, 146)]
    return "\n".join(
        [
            say(24, 32, "A subject", "head"),
            say(110, 32, "airports in Ohio, excluding Dayton International Airport", "mono"),
            '<line x1="340" y1="62" x2="340" y2="196" class="line dashed"/>',
            *(wanted(*point) for point in near_wanted),
            *(excluded(*point) for point in near_excluded),
            wanted(316, 128),
            say(328, 112, "mentions Dayton", "small soft", "end"),
            say(190, 74, "nearer to what is wanted", "small good", "middle"),
            say(480, 74, "nearer to what is excluded", "small bad", "middle"),
            say(
                24,
                214,
                "Documents about the airport lie on its side, and pay. All others keep their relevance,",
                "small",
            ),
            say(
                24,
                231,
                "also one that mentions Dayton in passing, as long as it lies on the wanted side.",
                "small",
            ),
        ]
    )


def _property() -> str:
    rows = [
        ("“… with a handful of sautéed porcini …”", "has it", "loses all", "badbox", "bad"),
        ("“… this one is made with no mushrooms …”", "denies it", "loses nothing", "goodbox", "good"),
        ("“… tomatoes, basil, a little olive oil …”", "is silent", "vectors decide: at most 0.6", "box", "soft"),
    ]
    parts = [
        '<line x1="24" y1="254" x2="616" y2="254" class="axis"/>',
        say(24, 286, "A property", "head"),
        say(118, 286, "pasta without mushrooms", "mono"),
        say(
            24,
            310,
            "All of these are pasta, so all are near to what is wanted, and no line divides them.",
            "small",
        ),
        say(24, 327, "What tells them apart is what they say. So it is read:", "small"),
    ]
    for number, (text, stance, outcome, kind, colour) in enumerate(rows):
        y = 344 + 62 * number
        parts += [
            f'<rect x="24" y="{y}" width="592" height="50" rx="6" class="{kind}"/>',
            say(40, y + 30, text),
            say(600, y + 22, stance, f"head {colour}", "end"),
            say(600, y + 40, outcome, "small", "end"),
        ]
    parts.append(say(24, 546, "“Porcini” is found by a table of kinds that comes with the package.", "small soft"))
    return "\n".join(parts)


PICTURES = {
    "way-of-a-query.svg": way_of_a_query,
    "frontier.svg": frontier,
    "subject-and-property.svg": subject_and_property,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        if "--write" in sys.argv[1:]:
            (IMAGES / name).write_text(draw(), encoding="utf-8")
        elif (IMAGES / name).read_text(encoding="utf-8") != draw():
            sys.exit(f"{name} is stale: run python docs/scripts/pictures.py --write")
