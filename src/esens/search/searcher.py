"""Searcher: documents in, queries asked, results out."""

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack, overload

import numpy.typing as npt

from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, decomposed, decomposer_of
from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors
from esens.embed.corpus import Progress, embed_corpus, embed_texts, reader
from esens.embed.identity import embedder_for
from esens.errors import ArgumentError
from esens.index import Index, MemoryIndex, open_index
from esens.index.base import Vectors, scannable
from esens.index.filters import Filter, FilterLike, parse_filter
from esens.search.options import Options, Scoring
from esens.search.plan import Ask
from esens.search.retrieve import results_over
from esens.search.scored import Scored
from esens.types import Decomposition, Document, Results, documents_of

DEFAULT_K = 10


class Searcher:
    """Search over an index that leaves out what a query excludes."""

    def __init__(
        self,
        index: str | os.PathLike[str] | Index,
        *,
        embedder: str | Embedder | TextsToVectors | None = None,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    ) -> None:
        """Take an index, or the spec of one: ``"my.lance"``, ``"qdrant://host:6333/collection"``.

        The embedder must be the one that made its vectors. An index that esens made knows which that is; by
        default it is that one, and of others the default embedder.
        """
        self.index = _opened(index)
        self._embedder = embedder_for(self.index.embedder_id, embedder)
        self._decomposer = decomposer_of(decomposer)
        # Of most indexes nobody knows what was embedded of their documents, and whether this embedder did it.
        self._embeds_documents = self.index.embedder_id is not None

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[str | Mapping[str, Any] | Document],
        *,
        vectors: npt.ArrayLike | None = None,
        embedder: str | Embedder | TextsToVectors = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        progress: Progress | None = None,
    ) -> "Searcher":
        """Return a searcher over these documents, held in memory.

        ``vectors``, a row a document, spares the embedding; the embedder must then be the one that made them.
        They are kept, not copied, where they are float32 of unit length already: do not change them afterwards.
        ``progress`` is called with the number of documents embedded and their total.
        """
        corpus = documents_of(documents)
        if not corpus:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        model = embedder_of(embedder)
        rows = embed_corpus(corpus, model, progress) if vectors is None else vectors
        searcher = cls(MemoryIndex(corpus, rows), embedder=model, decomposer=decomposer)
        searcher._embeds_documents = vectors is None
        return searcher

    @overload
    def search(
        self,
        query: str,
        *,
        k: int = ...,
        decomposition: Decomposition | None = ...,
        where: FilterLike | None = ...,
        **options: Unpack[Options],
    ) -> Results: ...

    @overload
    def search(
        self,
        query: list[str] | tuple[str, ...],
        *,
        k: int = ...,
        decomposition: Sequence[Decomposition] | None = ...,
        where: FilterLike | None = ...,
        **options: Unpack[Options],
    ) -> list[Results]: ...

    def search(
        self,
        query: str | list[str] | tuple[str, ...],
        *,
        k: int = DEFAULT_K,
        decomposition: Decomposition | Sequence[Decomposition] | None = None,
        where: FilterLike | None = None,
        **options: Unpack[Options],
    ) -> Results | list[Results]:
        """Return the k best documents for a query, or a list of results for several.

        ``decomposition`` is for those who already know target and traps. ``where`` asks only about documents whose
        metadata fulfil conditions: ``{"year": {">=": 2000}, "language": ["en", "de"]}``, or texts such as
        ``["year>=2000"]``. The options are:

        - ``score``: "contrast" (the default), by which only documents about the excluded pay, or "linear", the
          paper's;
        - ``mode``: "soft" (the default) pushes the excluded down, "hard" leaves it out (``results.removed`` says
          what, and why), "flag" ranks plainly and marks it; ``threshold`` is the degree from which on a document
          counts as excluded in the last two;
        - ``beta``: how strongly; 0 is plain retrieval. ``alpha`` and ``gamma`` weigh the query and its target;
        - ``variant``: of "linear", "baseline-minus-trap" or "target-minus-trap", instead of alpha and gamma;
        - ``depth``: score only so many neighbours of the query, of the target and of both without the trap.
          An index in memory scores all documents by default, an engine's 50 of each;
        - ``sentences``: read so many of the best documents (k of them, if that is more) sentence by sentence.
          Finds more, and costs the embedding of their sentences; a :class:`CachedEmbedder` keeps them;
        - ``spare_mentions``: documents that mention the excluded in passing are embedded again without the
          mention, and do not pay for it. That is the default where this object embedded the documents itself,
          and takes the embedding of up to a few texts a query.

        Where nothing is excluded, or beta is 0, this is plain retrieval, bit for bit, at its cost.
        """
        scoring = Scoring.read(options, spare_mentions=self._embeds_documents)
        depth, conditions = checked_k(k), parse_filter(where)
        if isinstance(query, str):
            ask = Ask.of(query, decomposition, self._decomposer, scoring)
            return self._answer([ask], depth, conditions)[0]
        if not isinstance(query, (list, tuple)):
            raise ArgumentError("query", f"must be a string, or a list of strings; got {type(query).__name__}")
        return self._answer(self._asks(query, decomposition, scoring), depth, conditions)

    def _asks(
        self,
        queries: Sequence[str],
        decompositions: Decomposition | Sequence[Decomposition] | None,
        scoring: Scoring,
    ) -> list[Ask]:
        given: object = decompositions
        if given is None:
            given = decomposed(queries, self._decomposer)
        if not isinstance(given, (list, tuple)):
            raise ArgumentError("decomposition", "several queries need a list with one a query")
        if len(given) != len(queries):
            raise ArgumentError("decomposition", f"{len(given)} for {len(queries)} queries; give one each")
        return [Ask.of(q, d, self._decomposer, scoring) for q, d in zip(queries, given, strict=True)]

    def _answer(self, asks: Sequence[Ask], k: int, where: Filter | None) -> list[Results]:
        """Embed all texts of all queries in one batch, then score a query at a time."""
        texts = list(dict.fromkeys(text for ask in asks for text in ask.texts))
        if not texts:
            return []
        vectors = embed_texts(texts, self._embedder)
        row = {text: number for number, text in enumerate(texts)}
        return [self._results(ask, vectors[[row[text] for text in ask.texts]], k, where) for ask in asks]

    def _results(self, ask: Ask, vectors: Vectors, k: int, where: Filter | None) -> Results:
        index, read = self.index, reader(self._embedder, vectors)
        if (whole := scannable(index)) is not None:
            raw, lookup = whole.scan(vectors, where=where)
            return ask.results(Scored(lookup, raw), k, read)
        return results_over(index, ask, vectors, k, read, where=where)


def _opened(index: Any) -> Index:
    if isinstance(index, (str, os.PathLike)):
        return open_index(os.fspath(index))
    if not callable(getattr(index, "nearest", None)):
        raise ArgumentError("index", f"expected a spec or an index, got {type(index).__name__}")
    opened: Index = index
    return opened


def checked_k(k: int) -> int:
    """Return k if it is a number of results that can be asked for."""
    try:
        value = operator.index(k)
    except TypeError:
        raise ArgumentError("k", f"must be a whole number, got {k!r}") from None
    if isinstance(k, bool) or value < 0:
        raise ArgumentError("k", f"must be a whole number of at least 0, got {k!r}")
    return value
