"""Timing as ratios in one run, and results that carry the command that printed them, as a page and as JSON.

The machines are shared and noisy. So every contestant is timed in turn, in many short rounds; between two
contestants there is a pause, because BLAS threads spin for a while after a product and would steal the next
one's core; and what counts is the ratio of the medians, with an interval over rounds.
"""

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

RESULTS = Path(__file__).parents[1] / "results"
PACKAGES = ("simsimd", "onnxruntime", "tokenizers", "pylance", "pyarrow", "faiss-cpu", "usearch")
"""Packages on whose versions speed depends, beside numpy."""
_PAUSE = 0.3


class Timing(NamedTuple):
    """Milliseconds of one contestant, a median a round."""

    rounds: np.ndarray

    @property
    def median(self) -> float:
        return float(np.median(self.rounds))

    def ratio(self, base: "Timing") -> tuple[float, float, float]:
        """Return the ratio of medians to another contestant, and its 95 % bootstrap interval over rounds."""
        random = np.random.default_rng(0)
        picks = random.integers(0, len(self.rounds), size=(2000, len(self.rounds)))
        samples = np.median(self.rounds[picks], axis=1) / np.median(base.rounds[picks], axis=1)
        low, high = np.percentile(samples, [2.5, 97.5])
        return self.median / base.median, float(low), float(high)


def in_turn(
    contestants: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    repeats: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Timing]:
    """Time every contestant in every round, a few repeats each; by another clock, such as the processors'."""
    medians: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            time.sleep(_PAUSE)
            run()
            medians[name].append(float(np.median([_milliseconds(run, clock) for _ in range(repeats)])))
    return {name: Timing(np.array(values)) for name, values in medians.items()}


def processor_clock() -> Callable[[], float]:
    """Return a clock of what processors do for this process and for those that it has started by now, in seconds.

    On a machine that others use it says more than the time does. What other processes do it knows on Linux.
    """
    processes = [Path(f"/proc/{process}/task") for process in _descendants()]

    def seconds() -> float:
        others = (path.read_text() for tasks in processes for path in tasks.glob("*/schedstat"))
        return time.process_time() + sum(int(line.split()[0]) for line in others) / 1e9

    return seconds


class Claim(NamedTuple):
    """One sentence that somebody may doubt, with the figure that speaks for it or against it."""

    claim: str
    figure: float
    interval: tuple[float, float] | None
    """95 %, over rounds; None where the figure is no matter of chance, or was taken once."""
    rival: str
    """What it is compared with, in the same run."""
    unit: str = "times"
    aim: float | None = None
    is_most: bool = True
    """Whether the aim is the most that it may be; else the least."""

    @classmethod
    def ratio(cls, claim: str, timing: Timing, base: Timing, rival: str, **more: Any) -> "Claim":
        """Return how many times as long something takes as its rival."""
        figure, low, high = timing.ratio(base)
        return cls(claim, figure, (low, high), rival, **more)

    @property
    def is_met(self) -> bool | None:
        """Whether the figure reaches the aim; None where there is none."""
        return None if self.aim is None else self.figure <= self.aim if self.is_most else self.figure >= self.aim


class Record(NamedTuple):
    """What one script measured in one run, and what one needs to do it again."""

    title: str
    command: str
    machine: dict[str, Any]
    date: str
    claims: list[Claim]

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Read a record that :func:`report` has written."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        claims = [
            Claim(**one | {"interval": one["interval"] and tuple(one["interval"])}) for one in kept["claims"]
        ]
        return cls(**kept | {"claims": claims})


def report(name: str, title: str, body: str, claims: Sequence[Claim] = ()) -> None:
    """Print the result; with --write also keep it, beside the command and the machine."""
    record = Record(title, _command(), _machine(), f"{datetime.now(UTC):%Y-%m-%d}", list(claims))
    text = f"# {title}\n\n{body}\n\n{_circumstances(record)}\n"
    print(text)
    if "--write" in sys.argv:
        (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
        if claims:
            kept = record._asdict() | {"claims": [claim._asdict() for claim in claims]}
            (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def option(name: str, default: Any) -> Any:
    """Return what follows an option on the command line, as a value of the default's type."""
    return type(default)(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _milliseconds(run: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return (clock() - start) * 1000


def _descendants() -> list[int]:
    """Return the processes that this one has started, and those that they have; none where nobody tells."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found = [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


def _circumstances(record: Record) -> str:
    machine = record.machine
    return (
        f"Command: `{record.command}`  \nMachine: {machine['cores']} cores ({machine['processor']}), "
        f"Python {machine['python']}, numpy {machine['numpy']}, esens {machine['esens']}, {record.date}. "
        "Shared and noisy: believe the ratios."
    )


def _command() -> str:
    script = Path(sys.argv[0]).resolve().relative_to(Path(__file__).parents[2])
    return " ".join([".venv/bin/python", str(script), *sys.argv[1:]])


def _machine() -> dict[str, Any]:
    versions = {name: version(name) for name in ("numpy", "esens", *PACKAGES) if _is_installed(name)}
    system = {"processor": _cpu(), "cores": os.cpu_count(), "kernel": f"{platform.system()} {platform.release()}"}
    return {**system, "python": platform.python_version(), **versions}


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
