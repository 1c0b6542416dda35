"""What became of the cases of a fault: how often each outcome came, and what was lost."""

from collections import Counter
from dataclasses import dataclass, field

FINE = "fine"
"""What was asked for came, as it should be."""
CLEAR_ERROR = "clear error"
"""An error of esens said what is wrong."""
NOTICED = "noticed by check"
"""A search did not notice, and ``esens check`` did."""
WRONG = "silently wrong"
"""Nobody noticed that something else came than was written."""
RAW = "raw exception"
"""An exception that is none of esens."""
LOST = "acknowledged and lost"
"""Something that was said to be written is not there, or is there in part."""
BAD = (WRONG, RAW, LOST)


@dataclass
class FaultRecord:
    """The cases of one fault."""

    fault: str
    seed: int
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    """What stands behind every bad outcome, so that it can be tried again."""

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
        if outcome in BAD:
            self.failures.append(f"{outcome}: {case}")
