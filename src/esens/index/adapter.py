"""What adapters of engines need beside :class:`BaseIndex`: errors, checks, and requests of bounded size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.unit import Vectors
from esens.errors import EngineError, EsensError
from esens.index.uri import IndexURI
from esens.types import EmbedderId

ErrorTable = Mapping[type[BaseException], "str | Callable[[Any, IndexURI], str]"]
"""What exceptions of an engine's client mean: a text, or what writes one. The first that fits counts."""
_UNIT = 1e-3


@contextmanager
def engine_errors(uri: IndexURI, table: ErrorTable) -> Iterator[None]:
    """Raise what an engine's client raises as an EngineError that says what is wrong, and what to do."""
    try:
        yield
    except EsensError:
        raise
    except tuple(table) as error:
        meaning = next(meaning for kind, meaning in table.items() if isinstance(error, kind))
        problem = meaning if isinstance(meaning, str) else meaning(error, uri)
        raise EngineError(str(uri), problem) from None  # no traceback leads to the request and its key


def typical_length(rows: Vectors) -> float:
    """Return the mean length of these vectors; 1 where all have unit length, or there are none."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    lengths = lengths[lengths > 0]
    return 1.0 if np.all(np.abs(lengths - 1) < _UNIT) else float(lengths.mean())


def check_unit_length(uri: IndexURI, rows: npt.ArrayLike, problem: str, advice: str) -> None:
    """Raise unless these vectors have unit length: only then does a Euclidean distance rank as the cosine does."""
    lengths = np.linalg.norm(np.asarray(rows, np.float64), axis=-1)
    if not np.all(np.abs(lengths - 1) < _UNIT):
        raise EngineError(
            str(uri),
            f"{problem}, and its vectors do not have unit length, so it does not rank by cosine; {advice}",
        )


def check_compatible(
    uri: IndexURI, *, dimension: tuple[int, int], embedder_id: tuple[EmbedderId | None, EmbedderId | None]
) -> None:
    """Raise where an index (first in each pair) cannot take what is to be written (second)."""
    maker, writer = embedder_id
    if maker and writer and not maker.is_same(writer):
        raise EngineError(
            str(uri), f"its vectors were made by {maker}, not by {writer}; use the same, or another index"
        )
    has, wanted = dimension
    if has != wanted:
        raise EngineError(
            str(uri),
            f"its vectors have dimension {has}, not {wanted}; use the embedder that made them, or another index",
        )


@contextmanager
def closing_on_error(close: Callable[[], object]) -> Iterator[None]:
    """Close a client where the ``with`` block fails."""
    try:
        yield
    except BaseException:
        close()
        raise


def pages(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Cut a list of ids into pages of a size."""
    return (ids[start : start + size] for start in range(0, len(ids), size))
