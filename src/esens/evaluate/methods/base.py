"""What a method is: a way to rank documents for a query of which target and traps are known.

Most need no more than the vectors of the three: they move the query's vector, or combine raw scores. All see the
same vectors and the same decompositions, so that a difference between two is a difference between the methods.
A query without a trap is not asked of them: there, all rank as plain retrieval does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from esens.score.contrast import Raw as Raw
from esens.score.normalise import Array, Scores
from esens.types import Document

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Asked:
    """The unit vectors of one query, of its target, and of its traps (a row each, at least one)."""

    query: Vector
    target: Vector
    traps: Vector


@dataclass(frozen=True, slots=True)
class Sides:
    """What the two sides of one query are known by: raw scores, also of what only the traps say, and names.

    ``own`` are the raw scores of the traps without what they repeat of the target, a row each; ``names`` how much
    of each trap each document is named for, from 0 to 1.
    """

    raw: Raw
    own: Array
    names: Scores


class Method(Protocol):
    """Anything with a name, by which it is asked for and printed."""

    @property
    def name(self) -> str:
        """Its name with its parameter, such as ``subtract:0.4``."""
        ...


@runtime_checkable
class MovesQuery(Method, Protocol):
    """A method that ranks by the inner product with one vector of its own making."""

    def vector(self, asked: Asked) -> npt.NDArray[np.floating]:
        """Return the vector to search with; its length does not matter."""
        ...


@runtime_checkable
class CombinesScores(Method, Protocol):
    """A method that makes its scores of the raw ones."""

    def scores(self, raw: Raw) -> Scores:
        """Return a score a document."""
        ...


@runtime_checkable
class ComparesSides(Method, Protocol):
    """A method that asks of a document which side it is on."""

    def scores_of(self, sides: Sides) -> Scores:
        """Return a score a document."""
        ...


@runtime_checkable
class ReadsTexts(Method, Protocol):
    """A method that looks at words instead of vectors."""

    @property
    def library(self) -> str:
        """What does the work, with its version: ranks are kept by it."""
        ...

    def over(self, corpus: Sequence[Document]) -> Callable[[str], Scores]:
        """Return what scores all documents for the text of a query."""
        ...


def spec_of(name: str, parameter: float) -> str:
    """Return the name of a method with its parameter: ``rrf:60``, never ``rrf:60.0``, and never one rounded."""
    short = f"{parameter:g}"
    return f"{name}:{short if float(short) == parameter else repr(float(parameter))}"
