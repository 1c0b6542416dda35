"""What every embedder offers."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
TextsToVectors = Callable[[Sequence[str]], npt.ArrayLike]


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors: documents and queries apart, since some models treat them apart."""

    @property
    def name(self) -> str:
        """What it is called, precise enough to tell two models apart."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query."""
        ...


class FunctionEmbedder:
    """Any function from texts to vectors, used for documents and queries alike."""

    def __init__(self, function: TextsToVectors) -> None:
        self._function = function

    @property
    def name(self) -> str:
        """The function's own name."""
        return getattr(self._function, "__qualname__", type(self._function).__name__)

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document."""
        return self._function(texts)

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query."""
        return self._function(texts)
