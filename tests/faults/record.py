"""What a run of faults found: how often something was tried, what came of it, and what counts as a failure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FaultRecord:
    """Outcomes by name; ``failures`` says of each bad one, in a line, which case it was."""

    what: str
    seed: int
    outcomes: Mapping[str, int] = field(default_factory=Counter)
    failures: tuple[str, ...] = ()

    @property
    def tried(self) -> int:
        return sum(self.outcomes.values())
