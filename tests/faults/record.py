"""What became of the cases of a fault: how often each outcome came, and what was lost."""

import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

FINE = "fine"
"""What was asked for came, as it should be."""
CLEAR_ERROR = "clear error"
"""An error of esens said what is wrong."""
NOTICED = "noticed by check"
"""A search did not notice, and ``esens check`` did."""
WRONG = "silently wrong"
"""Nobody noticed that something else came than was written or asked for."""
RAW = "raw exception"
"""An exception that is none of esens, or a process that crashed."""
LOST = "acknowledged and lost"
"""Something that was said to be written is not there, or is there in part."""
TOO_SLOW = "too slow"
"""It took longer than its limits allow."""
TOO_LARGE = "too much memory"
"""It took more memory than its limits allow."""
UNFIT = "unfit to be shown"
"""A message or an output that steers a terminal, shows a password or does not end; JSON that is none."""
GOOD = (FINE, CLEAR_ERROR, NOTICED)
BAD = (WRONG, RAW, LOST, TOO_SLOW, TOO_LARGE, UNFIT)

_until = math.inf


@dataclass
class FaultRecord:
    """The cases of one fault."""

    fault: str
    seed: int
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    """What stands behind every bad outcome, so that it can be tried again."""
    skipped: str = ""
    """Why nothing was tried, where something is not installed."""

    @property
    def cases(self) -> int:
        """How many there were."""
        return self.outcomes.total()

    @property
    def bad(self) -> int:
        """How many of them must not be."""
        return len(self.failures)

    def add(self, outcome: str, case: object = "") -> None:
        """Count a case."""
        self.outcomes[outcome] += 1
        if outcome not in GOOD:
            self.failures.append(f"{outcome}: {case}")


def stop_after(seconds: float) -> None:
    """Let no case of this process begin after so many seconds."""
    global _until  # one process tries one fault
    _until = time.monotonic() + seconds


def in_time(cases: int) -> Iterator[int]:
    """Yield the numbers of so many cases, as far as there is time."""
    for number in range(cases):
        if time.monotonic() > _until:
            return
        yield number
