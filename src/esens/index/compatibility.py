"""Whether an index can take what is to be written to it: vectors of its dimension, made by its embedder."""

from esens.errors import EngineError
from esens.index.uri import Address
from esens.types import EmbedderId


def check_compatible(
    address: Address, *, dimension: tuple[int, int], embedder_id: tuple[EmbedderId | None, EmbedderId | None]
) -> None:
    """Raise where an index (first in each pair) cannot take what is to be written (second)."""
    has, given = dimension
    if has != given:
        raise EngineError(
            str(address),
            f"its vectors have dimension {has}, not {given}; use the embedder that made them, or another index",
        )
    maker, writer = embedder_id
    if maker and writer and not maker.is_same(writer):
        raise EngineError(
            str(address), f"its vectors were made by {maker}, not by {writer}; use the same, or another index"
        )
