"""Timing as ratios in one run, and results that carry the command that printed them.

The machines are shared and noisy. So every contestant is timed in turn, in many short rounds; between two
contestants there is a pause, because BLAS threads spin for a while after a product and would steal the next
one's core; and what counts is the ratio of the medians, with an interval over rounds.
"""

import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

RESULTS = Path(__file__).parents[1] / "results"
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


def in_turn(contestants: Mapping[str, Callable[[], object]], *, rounds: int, repeats: int) -> dict[str, Timing]:
    """Time every contestant in every round, a few repeats each."""
    medians: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            time.sleep(_PAUSE)
            run()
            medians[name].append(float(np.median([_milliseconds(run) for _ in range(repeats)])))
    return {name: Timing(np.array(values)) for name, values in medians.items()}


def report(name: str, title: str, body: str) -> None:
    """Print the result; with --write also keep it, beside the command and the machine."""
    text = f"# {title}\n\n{body}\n\n{_circumstances()}\n"
    print(text)
    if "--write" in sys.argv:
        (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _milliseconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000


def _circumstances() -> str:
    script = Path(sys.argv[0]).resolve().relative_to(Path(__file__).parents[2])
    arguments = " ".join(sys.argv[1:])
    return (
        f"Command: `.venv/bin/python {script} {arguments}".rstrip()
        + f"`  \nMachine: {os.cpu_count()} cores ({_cpu()}), Python {platform.python_version()}, "
        f"numpy {version('numpy')}, esens {version('esens')}, {datetime.now(UTC):%Y-%m-%d}. "
        "Shared and noisy: believe the ratios."
    )


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
