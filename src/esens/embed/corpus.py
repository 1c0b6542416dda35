"""Texts become vectors: those of a corpus, and those of queries."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext

import numpy as np
import numpy.typing as npt

from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, unit_rows
from esens.embed import Embedder
from esens.embed.base import a_row_each
from esens.embed.truncation import TruncationLog, collect_truncated
from esens.errors import ArgumentError
from esens.storage.lru import LRUCache
from esens.types import Document
from esens.types import Progress as Progress

# Documents embedded at a time: enough to sort by length, few enough that memory and progress stay smooth.
_EMBEDDED_AT_ONCE = 128
_REMEMBERED = 1024  # texts of queries: some megabytes of vectors
_LONGEST_REMEMBERED = 4096  # signs of one


def embed_corpus(
    corpus: Sequence[Document],
    embedder: Embedder,
    progress: Progress | None = None,
    *,
    name_truncated: bool = True,
) -> npt.NDArray[np.float32]:
    """Return a row a document, embedded some at a time into one matrix.

    Documents that the model cuts are named in one warning. Without ``name_truncated`` the warning names none, and
    is the same for every call, so that Python shows it once: for candidates that are embedded query by query.
    """
    vectors: npt.NDArray[np.float32] | None = None
    with collect_truncated() if name_truncated else nullcontext(TruncationLog()) as truncated:
        for start in range(0, len(corpus), _EMBEDDED_AT_ONCE):
            part = corpus[start : start + _EMBEDDED_AT_ONCE]
            rows = a_row_each(embedder.embed_documents([document.content for document in part]), len(part))
            truncated.attribute(part)
            if vectors is None:
                vectors = np.empty((len(corpus), rows.shape[1]), np.float32)
            if rows.shape[1] != vectors.shape[1]:
                raise ArgumentError("embedder", f"returned {rows.shape[1]} dimensions after {vectors.shape[1]}")
            vectors[start : start + len(part)] = rows
            if progress is not None:
                progress(start + len(part), len(corpus))
    if vectors is None:
        raise ArgumentError("documents", "the corpus is empty; give at least one document")
    return vectors


def embed_texts(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """Return a row for each text of a query."""
    return a_row_each(embedder.embed_queries(texts), len(texts))


class QueryEmbedder:
    """Embeds the texts of queries, and remembers the vectors of the last few: people ask again, and exclude alike.

    Several threads may embed at once.
    """

    def __init__(self, embedder: Embedder) -> None:
        """Take the embedder whose vectors are remembered."""
        self._embedder = embedder
        self._vectors = LRUCache[str, Vectors](_REMEMBERED)

    def __call__(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vector of each text; those that are not remembered are embedded together."""
        remembered = {text: self._vectors.find(text) for text in texts}
        new = [text for text, vector in remembered.items() if vector is None]
        vectors = {text: vector for text, vector in remembered.items() if vector is not None}
        for text, vector in zip(new, embed_texts(new, self._embedder) if new else (), strict=True):
            vectors[text] = vector
            if len(text) <= _LONGEST_REMEMBERED:
                self._vectors.put(text, vector.copy())
        return vectors


def text_scorer(embedder: Embedder, vectors: npt.NDArray[np.floating]) -> Callable[[Sequence[str]], Vectors]:
    """Return what embeds some texts and gives their cosine with each of these vectors, a row each."""

    def score_texts(texts: Sequence[str]) -> Vectors:
        parts = range(0, len(texts), _EMBEDDED_AT_ONCE)
        rows = [embedder.embed_documents(texts[start : start + _EMBEDDED_AT_ONCE]) for start in parts]
        sentences = unit_rows(a_row_each(np.concatenate(rows), len(texts)), argument="embedder")
        return scan(sentences, unit_rows(vectors, argument="query vectors"))

    return score_texts
