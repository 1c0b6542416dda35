"""What every index offers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from esens.types import Document

Vectors = npt.NDArray[np.float32]


class Index(Protocol):
    """Documents and their unit vectors, in a fixed order: the corpus order."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def __len__(self) -> int: ...

    def raw_scores(self, vectors: Vectors) -> Vectors:
        """Return the inner product of every vector (a row each) with every document (a column each)."""
        ...

    def documents(self, positions: Sequence[int]) -> Sequence[Document]:
        """Return the documents at these positions of the corpus order."""
        ...
