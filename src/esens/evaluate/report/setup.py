"""What a report says about where its figures come from."""

from esens.evaluate.intervals import SAMPLES
from esens.evaluate.results import Setup

_HASH_SHOWN = 12

INTERVALS = f"Intervals are 95 % percentile bootstrap intervals over queries ({SAMPLES:,} samples)."


def setup_items(setup: Setup) -> list[tuple[str, str]]:
    """Return what produced the figures, as names and values."""
    return [
        ("dataset", f"{setup.dataset} (SHA-256 {setup.dataset_hash[:_HASH_SHOWN]})"),
        ("queries", f"{setup.queries:,}"),
        ("documents", f"{setup.documents:,}"),
        ("embedder", setup.embedder),
        ("decomposer", f"{setup.decomposer}; {_traps(setup)}"),
        ("esens", setup.version),
    ]


def setup_text(setup: Setup) -> str:
    """Return what produced the figures, in sentences, with what a reader must know."""
    about = (
        f"{setup.dataset} (SHA-256 {setup.dataset_hash[:_HASH_SHOWN]}): {setup.queries:,} queries, "
        f"{setup.documents:,} documents. Embedder {setup.embedder}; decomposer {setup.decomposer}, "
        f"{_traps(setup)}. esens {setup.version}."
    )
    return " ".join([about, *setup.notes])


def _traps(setup: Setup) -> str:
    share = f" ({100 * setup.queries_with_trap / setup.queries:.1f} %)" if setup.queries else ""
    return f"a trap found in {setup.queries_with_trap:,} queries{share}"
