"""Whether an index can take what is to be written to it: vectors of its dimension, made by its embedder."""

from esens.errors import EngineError
from esens.index.uri import Address
from esens.index.base import MadeBy


def check_made_for(
    address: Address, *, dimension: tuple[int, int], made_by: tuple[MadeBy | None, MadeBy | None]
) -> None:
    """Raise where an index (first in each pair) cannot take what is to be written (second)."""
    has, given = dimension
    if has != given:
        raise EngineError(
            str(address),
            f"its vectors have dimension {has}, not {given}; use the embedder that made them, or another index",
        )
    maker, writer = made_by
    if maker and writer and not maker.is_same(writer):
        raise EngineError(
            str(address), f"its vectors were made by {maker}, not by {writer}; use the same, or another index"
        )
