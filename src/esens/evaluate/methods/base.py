"""What a method is: a way to rank documents for a query of which target and traps are known.

Most need no more than the vectors of the three: they move the query's vector, or combine raw scores. Those that
a search has, too, are its scorers. All see the same vectors and the same decompositions, so that a difference
between two is a difference between the methods. A query without a trap is not asked of those that go by vectors:
there, all rank as plain retrieval does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import ranks
from esens.score.base import Scorer
from esens.score.hybrid import Hybrid
from esens.score.normalise import Array, Scores
from esens.search.second_stage import SecondStage
from esens.types import Document

Vector = npt.NDArray[np.float32]
FUSION_K = 60.0
"""The k of rank fusion, as published."""


@dataclass(frozen=True, slots=True)
class SplitVectors:
    """The unit vectors of one query, of its target, and of its traps (a row each, at least one)."""

    query: Vector
    target: Vector
    traps: Vector


class SplitScores(NamedTuple):
    """The raw scores of one query, of its target, and of its traps (a row each) over all documents."""

    query: Array
    target: Array
    traps: Array


class Method(Protocol):
    """Anything with a name, by which it is asked for and printed.

    The first line of its class's docstring is what reports say of it.
    """

    @property
    def name(self) -> str:
        """Its name with its parameter, such as ``subtract:0.4``."""
        ...


@runtime_checkable
class MovesQuery(Method, Protocol):
    """A method that ranks by the inner product with one vector of its making."""

    def vector(self, split: SplitVectors) -> npt.NDArray[np.floating]:
        """Return the vector to search with; its length does not matter."""
        ...


@runtime_checkable
class CombinesScores(Method, Protocol):
    """A method that makes its scores of the raw scores."""

    def scores(self, raw: SplitScores) -> Scores:
        """Return a score a document."""
        ...


@runtime_checkable
class RanksByScorer(Method, Protocol):
    """A method that ranks as a search does: by a scorer, with the documents' words where it reads them."""

    @property
    def scorer(self) -> Scorer:
        """What a search takes as its score."""
        ...


@runtime_checkable
class HasStage(RanksByScorer, Protocol):
    """A method that ranks as a search does whose first candidates are looked at once more, by other models."""

    @property
    def stage(self) -> SecondStage:
        """Those models."""
        ...

    @property
    def notes(self) -> list[str]:
        """Where it is written down that one of them failed."""
        ...


@runtime_checkable
class FusesWords(RanksByScorer, Protocol):
    """A method that ranks as a hybrid search does: by words beside vectors."""

    @property
    def hybrid(self) -> Hybrid:
        """How the two are fused."""
        ...

    @property
    def library(self) -> str:
        """What counts the words, with its version: ranks are cached by it."""
        ...


@runtime_checkable
class ReadsTexts(Method, Protocol):
    """A method that looks at words instead of vectors."""

    @property
    def library(self) -> str:
        """What does the work, with its version: ranks are cached by it."""
        ...

    def over(self, corpus: Sequence[Document]) -> Callable[[str], Scores]:
        """Return what scores all documents for the text of a query."""
        ...


@runtime_checkable
class LeavesOut(Method, Protocol):
    """A method that ranks plainly, and leaves documents out for their words."""

    def leaves_out(self, corpus: Sequence[Document]) -> Callable[[Sequence[str]], npt.NDArray[np.bool_]]:
        """Return what says, of the texts of a query's traps, which documents are left out."""
        ...


def reciprocal_ranks(scores: Array, k: float) -> Scores:
    """Return 1/(k + rank) for every document, the unit of rank fusion; equal scores share a rank."""
    return np.reciprocal(k + ranks(scores).astype(np.float64))


def spec_of(name: str, parameter: float) -> str:
    """Return the name of a method with its parameter: ``rrf:60``, never ``rrf:60.0``, and never one rounded."""
    short = f"{parameter:g}"
    return f"{name}:{short if float(short) == parameter else repr(float(parameter))}"
