"""What a language model was asked for, and what that costs."""

import re
from dataclasses import dataclass

# US dollars for a million tokens, in and out, as OpenAI published them in 2025; not for other servers.
PRICES = {
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4o": (2.50, 10.00),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
}
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_MILLION = 1e6

Price = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a decomposer used so far; ``cost`` is in US dollars, None where the price is not known.

    ``calls`` went to the server, tries again not counted; ``cached`` queries needed none; ``repaired`` ones needed
    two; and ``fallbacks`` were answered by the rules, or whatever else stands in.
    """

    calls: int = 0
    cached: int = 0
    repaired: int = 0
    fallbacks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __str__(self) -> str:
        parts = [
            f"{self.calls:,} call{'' if self.calls == 1 else 's'}",
            f"{self.cached:,} from the cache",
            f"{self.input_tokens:,} tokens in and {self.output_tokens:,} out",
            "cost unknown" if self.cost is None else f"${self.cost:.4f}",
        ]
        if self.repaired:
            parts.append(f"{self.repaired:,} repaired")
        if self.fallbacks:
            parts.append(f"{self.fallbacks:,} left to the rules")
        return ", ".join(parts)


def known_price(model: str) -> Price | None:
    """Return the price of one of OpenAI's models, also under the name of a dated snapshot."""
    return PRICES.get(_SNAPSHOT.sub("", model))


def cost_of(input_tokens: int, output_tokens: int, price: Price | None) -> float | None:
    """Return what the tokens cost in US dollars."""
    return None if price is None else (input_tokens * price[0] + output_tokens * price[1]) / _MILLION
