"""The setup of an evaluation, as a report states it."""

from esens.evaluate.results import Setup
from esens.evaluate.statistics import SAMPLES

_HASH_LENGTH = 12

INTERVALS = (
    f"Intervals are 95 % percentile bootstrap intervals over queries, or pairs of them ({SAMPLES:,} samples); "
    "where there is no room for both bounds, ± is half their distance."
)


def setup_items(setup: Setup) -> list[tuple[str, str]]:
    """Return what produced the figures, as names and values; what is not known is left out."""
    items = [
        ("dataset", f"{setup.dataset} (SHA-256 {setup.dataset_hash[:_HASH_LENGTH]})"),
        ("queries", f"{setup.queries:,}; {_judged(setup)}"),
        ("documents", f"{setup.documents:,}" if setup.documents else ""),
        ("embedder", setup.embedder),
        ("decomposer", f"{setup.decomposer}; {_traps(setup)}" if setup.decomposer else ""),
        ("esens", setup.version),
    ]
    return [(name, value) for name, value in items if value]


def setup_text(setup: Setup) -> str:
    """Return what produced the figures, in sentences, with what a reader must know."""
    documents = f", {setup.documents:,} documents" if setup.documents else ""
    parts = [
        f"{setup.dataset} (SHA-256 {setup.dataset_hash[:_HASH_LENGTH]}): {setup.queries:,} queries{documents}; "
        f"{_judged(setup)}.",
        f"Embedder {setup.embedder}; decomposer {setup.decomposer}, {_traps(setup)}." if setup.embedder else "",
        f"esens {setup.version}.",
        *setup.notes,
    ]
    return " ".join(part for part in parts if part)


def _judged(setup: Setup) -> str:
    """Return how many queries the figures are of: recall is of those with an answer, violation of the others."""
    answers = f"judged are {setup.queries_with_answer:,} by an answer"
    return f"{answers}, {setup.queries_with_excluded:,} by an excluded document"


def _traps(setup: Setup) -> str:
    share = f" ({100 * setup.queries_with_trap / setup.queries:.1f} %)" if setup.queries else ""
    return f"a trap found in {setup.queries_with_trap:,} queries{share}"
