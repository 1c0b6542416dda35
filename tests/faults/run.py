"""Try every fault as often as one likes, and say what was lost: ``make faults``, ``python -m tests.faults.run``.

Each part is tried in a process of its own, so that one that crashes or does not end is counted, too. A part begins
no case after its time is up; the table says how many were tried. Whatever failed is named with the seed and the
number of its case, and then the exit code is 1.
"""

import argparse
import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.table import Table

import esens
from tests.faults.record import BAD, GOOD, RAW, TOO_SLOW, FaultRecord, stop_after

ROOT = Path(__file__).parents[2]
# Name, what tries it, and how many cases are all of it.
PARTS = {
    "indexing": ("writers:indexing", 100),
    "upserting": ("writers:upserting", 100),
    "deleting": ("writers:deleting", 100),
    "two-writers": ("writers:two_writers", 50),
    "disk-full": ("writers:disk_full", 50),
    "lance": ("damage:lance", 300),
    "lance-data": ("damage:lance_data", 300),
    "faiss": ("damage:faiss", 200),
    "usearch": ("damage:usearch", 200),
    "postgres": ("servers:postgres", 40),
    "milvus": ("servers:milvus", 40),
    "qdrant": ("servers:qdrant", 66),
    "language-models": ("model_servers:run", 115),
    "model-files": ("model_files:run", 200),
    "bad-input": ("bad_input:run", 10_000),
    "service-killed": ("service:killed", 40),
    "service-engine": ("service:engine", 40),
    "service-models": ("service:models", 115),
    "hostile-clients": ("hostile_clients:run", 1_000),
    "mcp": ("hostile_clients:tools", 1_000),
    "langchain": ("integrations:langchain", 1_000),
    "llama-index": ("integrations:llama_index", 1_000),
    "haystack": ("integrations:haystack", 1_000),
    "pyterrier": ("integrations:pyterrier", 1_000),
    "rerankers": ("integrations:rerankers", 1_000),
}
# What make test-integrations installs apart from the rest. Without it, those programs are skipped.
_WITH_INTEGRATIONS = ROOT / ".venv-integrations" / "bin" / "python"
_PACKAGES = ("pylance", "psycopg", "qdrant-client", "pymilvus", "milvus-lite", "faiss-cpu", "usearch", "openai")
_GRACE = 180.0  # for the case that was under way, and for what a part does first
_COLUMNS = ("what", "tried", "fine", "error", "noticed", "lost", "seconds")
_WORDS = """\
Fine: what was asked for came, as it should be. Error: an error of esens said what is wrong. Noticed: a search did
not notice, and `esens check` did. Lost:"""
_HOW = """\
After every kill the index is looked at: what the writer was told is written must be there, and nothing in part.
Servers that vanish are killed while somebody writes, and started again; those that hang are stopped by a signal.
There is no Qdrant server to start here: a double on loopback speaks to its client, and is replaced by one that
hangs, drips, floods or is gone. Milvus is Milvus Lite, in a process of its own. Bad input goes through the library
and the commands. The service is `esens serve`, killed while two clients write; its engine is a PostgreSQL, its
models are servers on loopback, and its hostile clients send values, bytes and heads. Other programs get stores
that fail and documents that nobody should keep; where one is not installed, `make test-integrations` brings it."""


@dataclass(frozen=True)
class Trial:
    """What became of a part."""

    name: str
    record: FaultRecord
    planned: int
    seconds: float

    @property
    def cells(self) -> list[str]:
        """A line of the table."""
        if self.record.skipped:
            return [self.record.fault, "not installed", *("–" for _ in _COLUMNS[2:])]
        tried = f"{self.record.cases:,}" + (f" of {self.planned:,}" if self.record.cases < self.planned else "")
        counts = [f"{self.record.outcomes[outcome]:,}" for outcome in GOOD]
        return [self.record.fault, tried, *counts, f"{self.record.bad:,}", f"{self.seconds:.0f}"]


def main(arguments: Sequence[str]) -> int:
    """Try the parts that were named, print a table, and return 1 if something was lost."""
    typed = _parser().parse_args(arguments)
    if typed.part:
        return _run_part(typed.part, typed.cases, typed.seed, typed.seconds)
    console = Console()
    trials, until = [], time.monotonic() + 60 * typed.minutes
    for name in typed.only or PARTS:
        seconds = min(60 * typed.part_minutes, until - time.monotonic())
        if seconds <= 0:
            console.print(f"{name}: not tried, the time is up")
            continue
        planned = max(1, round(PARTS[name][1] * typed.scale))
        trial = try_part(name, planned, typed.seed, seconds)
        became = trial.record.skipped or f"{trial.record.cases:,} tried, {trial.record.bad:,} lost"
        console.print(f"{name}: {became}")
        trials.append(trial)
    console.print(_table(trials))
    for line in _failures(trials):
        console.print(line, markup=False, style="red")
    if typed.write:
        command = shlex.join(["python", "-m", "tests.faults.run", *arguments])
        typed.write.write_text(_page(trials, command, typed.seed), encoding="utf-8")
    return 1 if any(trial.record.bad for trial in trials) or len(trials) < len(typed.only or PARTS) else 0


def try_part(name: str, cases: int, seed: int, seconds: float, *, grace: float = _GRACE) -> Trial:
    """Try a part in a process of its own."""
    options = {"--part": name, "--cases": cases, "--seed": seed, "--seconds": seconds}
    command = [_python(name), "-m", "tests.faults.run", *(str(word) for pair in options.items() for word in pair)]
    begun = time.monotonic()
    record = read_record(command, FaultRecord(name, seed), seconds + grace)
    return Trial(name, record, cases, time.monotonic() - begun)


def _python(name: str) -> str:
    """Return the interpreter that has what a part needs."""
    is_integration = PARTS[name][0].startswith("integrations:")
    return str(_WITH_INTEGRATIONS) if is_integration and _WITH_INTEGRATIONS.exists() else sys.executable


def read_record(command: Sequence[str], empty: FaultRecord, limit: float) -> FaultRecord:
    """Return the record that a process prints last; what crashes, or does not end in time, is a failure."""
    # A session of its own: what it has started ends with it.
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, err = process.communicate(timeout=limit)
        facts = json.loads(out.splitlines()[-1])
        return FaultRecord(**facts | {"outcomes": Counter(facts["outcomes"])})
    except subprocess.TimeoutExpired:
        empty.add(TOO_SLOW, f"it did not end within {limit:.0f} s")
    except (IndexError, ValueError, TypeError):
        empty.add(RAW, f"it ended with {process.returncode}: {err[-500:]}")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return empty


def _run_part(name: str, cases: int, seed: int, seconds: float) -> int:
    module, function = PARTS[name][0].split(":")
    stop_after(seconds)
    record = getattr(import_module(f"tests.faults.{module}"), function)(cases, seed)
    print(json.dumps(vars(record)))  # noqa: T201 - its parent reads it
    return 0


def _table(trials: Sequence[Trial]) -> Table:
    table = Table(*_COLUMNS[:1], title="What was tried, and what was lost")
    for column in _COLUMNS[1:]:
        table.add_column(column, justify="right")
    for trial in trials:
        table.add_row(*trial.cells, style="red" if trial.record.bad else None)
    return table


def _failures(trials: Sequence[Trial]) -> list[str]:
    return [f"{trial.name}: {failure}" for trial in trials for failure in trial.record.failures]


def _page(trials: Sequence[Trial], command: str, seed: int) -> str:
    lines = [_COLUMNS, ["---"] * len(_COLUMNS), *(trial.cells for trial in trials)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    failures = "\n".join(f"- {' '.join(line.split())}" for line in _failures(trials)) or "Nothing failed."
    cases, bad = (sum(getattr(trial.record, count) for trial in trials) for count in ("cases", "bad"))
    tried = (
        f"{cases:,} cases with seed {seed}, {bad:,} lost. Where a part ran out of time, the table says how many "
        f"of its cases were tried.\n{_WORDS} {', '.join(BAD)}."
    )
    machine = (
        f"Machine: {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"{_versions()}, {datetime.now(UTC):%Y-%m-%d}. "
        "Kills come when they come: a seed does not repeat those to the instruction."
    )
    circumstances = f"Command: `.venv/bin/{command}`  \n{machine}"
    return "\n\n".join(["# What was tried, and what was lost", tried, table, failures, _HOW, circumstances]) + "\n"


def _versions() -> str:
    versions = [f"esens {esens.__version__}", f"numpy {version('numpy')}"]
    for package in _PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"no {package}")
    return ", ".join(versions)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.run", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=float, default=1.0, help="0.1 tries a tenth of the cases")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--minutes", type=float, default=90.0, help="no part begins after so many (90)")
    parser.add_argument("--part-minutes", type=float, default=15.0, help="no case of a part begins after (15)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the table as Markdown")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--cases", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
