"""An embedder simple enough to reason about: a text is the sum of one fixed direction a word."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

DIMENSION = 64


def by_words(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.stack([np.sum([_direction(word) for word in _words(text)], axis=0) for text in texts])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower()) or [""]


def _direction(word: str) -> npt.NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)


class Counting:
    """The same, and it remembers what it was asked to embed."""

    name = "counting"

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.queries: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.documents += texts
        return by_words(texts)

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.queries += texts
        return by_words(texts)
