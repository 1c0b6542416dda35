"""What a language model was called for, in calls and tokens. Prices change and are not ours: none is kept here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatUsage:
    """What a decomposer used so far.

    ``calls`` went to the server, tries again not counted; ``cached`` queries needed none; ``repaired`` ones needed
    two; and ``fallbacks`` were answered by the rules, or whatever else stands in.
    """

    calls: int = 0
    cached: int = 0
    repaired: int = 0
    fallbacks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __str__(self) -> str:
        parts = [
            f"{self.calls:,} call{'' if self.calls == 1 else 's'}",
            f"{self.cached:,} from the cache",
            f"{self.input_tokens:,} tokens in and {self.output_tokens:,} out",
        ]
        if self.repaired:
            parts.append(f"{self.repaired:,} repaired")
        if self.fallbacks:
            parts.append(f"{self.fallbacks:,} left to the rules")
        return ", ".join(parts)
