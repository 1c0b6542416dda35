"""One page of all claims about speed and memory, from what every script of this folder has kept as JSON.

.venv/bin/python benchmarks/speed/page.py
"""

from collections.abc import Collection
from pathlib import Path

from measure import RESULTS, Claim, Record, table

PAGE = RESULTS / "README.md"
HEAD = """# What is claimed about speed and memory, and what was measured

Every row is a claim, the figure that was measured for it with its 95 % interval over rounds, what it was compared
with in the same run, the aim where there is one, and the command that does it again. Figures are ratios, so that a
machine that is slower or busy changes little in them; where a unit stands beside a figure it is none. “No, within
noise” is a figure beyond its aim whose interval holds the aim. `make bench` measures all but Ray and writes this
page; a script that needs data which is not there says so and leaves its figures as they were. `make bench-small`
measures the most important ratios in a minute or two and fails where one is clearly worse than its bound.

Quality is measured elsewhere: docs/measurements.md lists those pages."""
TIMES = "times"


def verdict(claim: Claim) -> str:
    """Return in a word whether the aim is met."""
    if claim.is_met is None or claim.aim is None:
        return ""
    if claim.is_met:
        return "yes"
    is_noise = claim.interval is not None and claim.interval[0] <= claim.aim <= claim.interval[1]
    return "no, within noise" if is_noise else "**no**"


def row(claim: Claim, command: str) -> list[str]:
    unit = "" if claim.unit == TIMES else f" {claim.unit}"
    interval = f" ({_number(claim.interval[0])}–{_number(claim.interval[1])})" if claim.interval else ""
    aim = "" if claim.aim is None else f"{'at most' if claim.is_most else 'at least'} {_number(claim.aim)}"
    figure = f"{_number(claim.figure)}{interval}{unit}"
    return [claim.claim, figure, claim.rival, aim, verdict(claim), f"`{command}`"]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"


def page(records: dict[str, Record]) -> str:
    rows = [row(claim, record.command) for record in records.values() for claim in record.claims]
    machines = []
    for name, record in records.items():
        machine = ", ".join(f"{key} {value}" for key, value in record.machine.items())
        machines.append(f"- [{record.title}]({name}.md), {record.date}: {machine}")
    header = ["claim", "figure (95 %)", "rival", "aim", "met", "command"]
    parts = [HEAD, table(header, rows), unlisted(records), "## Pages and machines", "\n".join(machines)]
    return "\n\n".join(part for part in parts if part) + "\n"


def unlisted(listed: Collection[str]) -> str:
    """Return which pages of speed have no claims here yet: they are of runs before claims were kept."""
    scripts = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    names = [name for name in scripts if (RESULTS / f"{name}.md").exists()]
    pages = ", ".join(f"[{name}]({name}.md)" for name in names if name not in listed)
    return (
        f"Pages of earlier runs, whose claims are in this table once their scripts have run: {pages}."
        if pages
        else ""
    )


def records(folder: Path = RESULTS) -> dict[str, Record]:
    return {path.stem: Record.read(path) for path in sorted(folder.glob("*.json"))}


if __name__ == "__main__":
    PAGE.write_text(page(records()), encoding="utf-8")
    print(PAGE)
