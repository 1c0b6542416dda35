"""Search for the target alone: the exclusion is dropped from the query, as most query rewriting does.

Nothing is pushed down; the words of what is excluded only no longer draw it up. A trivial rival, and a strong one.
"""

from dataclasses import dataclass

from esens.evaluate.methods.base import SplitVectors, Vector


@dataclass(frozen=True, slots=True)
class TargetOnly:
    """Search for what is wanted alone: the excluded part is dropped from the query."""

    @property
    def name(self) -> str:
        """Its name."""
        return "target-only"

    def vector(self, split: SplitVectors) -> Vector:
        """Return the target's vector."""
        return split.target
