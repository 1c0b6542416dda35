"""What every integration writes into a document's metadata."""

from dataclasses import asdict
from typing import Any

from esens.types import Hit, Results

KEY = "esens"
"""Where the explanation stands in the metadata of what is returned. Without it, nothing was ranked anew."""


def explained(hit: Hit, results: Results) -> dict[str, Any]:
    """Return why a hit stands where it stands, as plain values that can be written as JSON."""
    return {
        "score": hit.score,
        "why": str(hit.explanation),
        "target": results.decomposition.target,
        "traps": list(results.decomposition.traps),
        **asdict(hit.explanation),
        **({"note": results.note} if results.note else {}),
    }
