"""Texts become vectors: those of a corpus, and those of queries."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context

import numpy as np
import numpy.typing as npt

from esens.arrays.scan import cores, scan
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
# Threads that call an embedder at once, as many as there are cores. More would wait for each other.
_MOST_CALLERS = 4
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
    done = 0
    with collect_truncated() if name_truncated else nullcontext(TruncationLog()) as truncated:
        for rows in _embed_parts(corpus, embedder):
            if vectors is None:
                vectors = np.empty((len(corpus), rows.shape[1]), np.float32)
            if rows.shape[1] != vectors.shape[1]:
                raise ArgumentError("embedder", f"returned {rows.shape[1]} dimensions after {vectors.shape[1]}")
            vectors[done : done + len(rows)] = rows
            done += len(rows)
            if progress is not None:
                progress(done, len(corpus))
        truncated.attribute(corpus)
    if vectors is None:
        raise ArgumentError("documents", "the corpus is empty; give at least one document")
    return vectors


def _embed_parts(corpus: Sequence[Document], embedder: Embedder) -> Iterator[Vectors]:
    """Yield the rows of some documents after the others, the same whatever the number of threads.

    Several threads that each wait for a part keep all cores busy, which one that hands each part to several does
    not: between two parts, and while texts are cut into tokens, the others would wait.
    """

    def embed(start: int) -> Vectors:
        part = corpus[start : start + _EMBEDDED_AT_ONCE]
        return a_row_each(embedder.embed_documents([document.content for document in part]), len(part))

    starts = range(0, len(corpus), _EMBEDDED_AT_ONCE)
    callers = min(cores(), _MOST_CALLERS, len(starts)) if getattr(embedder, "has_many_callers", False) else 1
    if callers < 2:
        yield from map(embed, starts)
        return
    waiting = deque[Future[Vectors]]()
    pool = ThreadPoolExecutor(callers, thread_name_prefix="esens-embed")
    try:
        for start in starts:
            # In a copy of the context, in which the log of texts that were cut is the same.
            waiting.append(pool.submit(copy_context().run, embed, start))
            if len(waiting) > callers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


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
