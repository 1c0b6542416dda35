"""LangChain: a retriever over an index of esens or over any store or retriever of LangChain, and a reranker."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt

from esens.errors import ArgumentError, MissingExtraError
from esens.integrations.explained import KEY, explained
from esens.messages import mask_spec
from esens.search import Searcher
from esens.search.options import DEFAULT_K, checked_k, optional_k
from esens.search.reranker import Reranker
from esens.search.wrapping import DEFAULT_FETCH_K, excludes, merged, retriever_queries
from esens.types import Decomposition, Document, Hit, Results

try:
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
        Callbacks,
    )
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.documents import Document as LangChainDocument
    from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import run_in_executor
    from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
    from pydantic import ConfigDict, Field, PrivateAttr
except ImportError:
    raise MissingExtraError("langchain-core", "langchain") from None

LangChainDocuments = list[LangChainDocument]
VectorsOf = Callable[[Sequence[LangChainDocument]], npt.ArrayLike | None]
"""Gives the stored vectors of documents, a row each, or None where it does not have them all."""


class EsensRetriever(BaseRetriever):
    """A retriever that leaves out what a query excludes.

    ``over`` is an esens Searcher, an index or its spec, or any vector store or retriever of LangChain. The latter
    is asked for ``fetch_k`` documents, by the query and by what is wanted of it, and the best ``k`` are returned;
    of a query that excludes nothing, its own first k in its own order. ``vectors`` gives the stored vectors of
    documents, so that they are not embedded again; InMemoryVectorStore needs none.

    ``models`` are options of :class:`esens.Searcher` or :class:`esens.Reranker`; over a vector store the embedder
    is the store's own unless named. ``options`` are those of their search, and ``invoke`` takes them, too.
    """

    # Pydantic would show specs in its errors and in a repr, and a spec may hold a password.
    model_config = ConfigDict(hide_input_in_errors=True)

    over: Any = Field(repr=False)
    k: int = DEFAULT_K
    fetch_k: int = DEFAULT_FETCH_K
    models: dict[str, Any] = Field(default_factory=dict, repr=False)
    options: dict[str, Any] = Field(default_factory=dict)
    vectors: VectorsOf | None = None

    _searcher: Searcher | None = PrivateAttr(default=None)
    _reranker: Reranker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open what is searched."""
        super().model_post_init(context)
        if isinstance(self.over, (VectorStore, BaseRetriever)):
            store = _store_of(self.over)
            embeddings = {} if store is None or store.embeddings is None else {"embedder": store.embeddings}
            self._reranker = Reranker(**(embeddings | self.models))
        elif isinstance(self.over, Searcher):
            if self.models:
                raise ArgumentError("models", "are those of the Searcher already; name them there")
            self._searcher = self.over
        else:
            self._searcher = Searcher(self.over, **self.models)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **options: Any
    ) -> LangChainDocuments:
        k, options = checked_k(self.k if k is None else k), self.options | options
        if self._searcher is not None:
            return _documents(self._searcher.search(query, k=k, **options))
        split = self._reranker.decompose(query)
        depth = self._depth(split, k, options)
        answers = [self._fetch(text, depth, run_manager) for text in retriever_queries(query, split)]
        retrieved = merged(answers, _identity)
        if not excludes(split, options):
            return retrieved[:k]
        results = self._reranker.rerank(
            query, _candidates(retrieved), **self._rerank_options(retrieved, split, k, options)
        )
        return _reranked(retrieved, results, k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None, **options: Any
    ) -> LangChainDocuments:
        k, options = checked_k(self.k if k is None else k), self.options | options
        if self._searcher is not None:
            return _documents(await self._searcher.asearch(query, k=k, **options))
        split = await self._reranker.adecompose(query)
        depth = self._depth(split, k, options)
        fetches = (self._afetch(text, depth, run_manager) for text in retriever_queries(query, split))
        retrieved = merged(await asyncio.gather(*fetches), _identity)
        if not excludes(split, options):
            return retrieved[:k]
        rerank_options = await run_in_executor(None, self._rerank_options, retrieved, split, k, options)
        return _reranked(
            retrieved, await self._reranker.arerank(query, _candidates(retrieved), **rerank_options), k
        )

    def _depth(self, split: Decomposition, k: int, options: dict[str, Any]) -> int:
        return max(k, self.fetch_k) if excludes(split, options) else k

    def _fetch(self, text: str, k: int, run_manager: CallbackManagerForRetrieverRun) -> LangChainDocuments:
        if isinstance(self.over, VectorStore):
            return self.over.similarity_search(text, k=k)
        return self.over.invoke(text, {"callbacks": run_manager.get_child()}, k=k)

    async def _afetch(
        self, text: str, k: int, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> LangChainDocuments:
        if isinstance(self.over, VectorStore):
            return await self.over.asimilarity_search(text, k=k)
        return await self.over.ainvoke(text, {"callbacks": run_manager.get_child()}, k=k)

    def _rerank_options(
        self, retrieved: LangChainDocuments, split: Decomposition, k: int, options: dict[str, Any]
    ) -> dict[str, Any]:
        stored = (
            self.vectors(retrieved)
            if self.vectors is not None
            else _stored_vectors(_store_of(self.over), retrieved)
        )
        return {"decomposition": split, "k": k, "vectors": stored, **options}

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """Return that LangChain may write it: over the spec of an index it can be loaded again."""
        return True

    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """Return how it is made again; of what holds objects or a password, only that it cannot be."""
        written = [self.over, *self.models.values()]
        is_open = all(isinstance(each, (str, int)) and mask_spec(str(each)) == str(each) for each in written)
        if not is_open or self.vectors is not None:
            return self.to_json_not_implemented()
        return super().to_json()


class EsensReranker(BaseDocumentCompressor):
    """A document compressor that moves down what a query excludes, and keeps the first ``k``, or all.

    Of a query that excludes nothing, documents keep their order. ``models`` are options of
    :class:`esens.Reranker`, ``options`` those of its ``rerank``.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    k: int | None = None
    models: dict[str, Any] = Field(default_factory=dict, repr=False)
    options: dict[str, Any] = Field(default_factory=dict)

    _reranker: Reranker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Make the reranker; models are loaded on first need."""
        super().model_post_init(context)
        self._reranker = Reranker(**self.models)

    def compress_documents(
        self, documents: Sequence[LangChainDocument], query: str, callbacks: Callbacks | None = None
    ) -> LangChainDocuments:
        """Return the documents in their new order."""
        split, k = self._reranker.decompose(query), optional_k(self.k)
        if not excludes(split, self.options):
            return list(documents)[:k]
        candidates = _candidates(documents)
        results = self._reranker.rerank(query, candidates, decomposition=split, k=k, **self.options)
        return _reranked(documents, results, k)

    async def acompress_documents(
        self, documents: Sequence[LangChainDocument], query: str, callbacks: Callbacks | None = None
    ) -> LangChainDocuments:
        """Return what :meth:`compress_documents` returns, without blocking the event loop."""
        split, k = await self._reranker.adecompose(query), optional_k(self.k)
        if not excludes(split, self.options):
            return list(documents)[:k]
        candidates = _candidates(documents)
        results = await self._reranker.arerank(query, candidates, decomposition=split, k=k, **self.options)
        return _reranked(documents, results, k)


def _store_of(over: Any) -> VectorStore | None:
    store = over if isinstance(over, VectorStore) else getattr(over, "vectorstore", None)
    return store if isinstance(store, VectorStore) else None


def _stored_vectors(store: VectorStore | None, retrieved: LangChainDocuments) -> npt.ArrayLike | None:
    """Return the vectors that a store keeps in the open; None of one that does not."""
    if not isinstance(store, InMemoryVectorStore):
        return None
    records = [store.store.get(document.id or "") for document in retrieved]
    return None if None in records else [record["vector"] for record in records if record is not None]


def _identity(document: LangChainDocument) -> Any:
    return document.id if document.id is not None else (document.page_content, repr(document.metadata))


def _candidates(documents: Sequence[LangChainDocument]) -> list[Document]:
    """Return documents of esens, each with its position as its id: those of LangChain may have none."""
    return [
        Document(str(at), each.page_content, _title(each.metadata), each.metadata)
        for at, each in enumerate(documents)
    ]


def _title(metadata: dict[str, Any]) -> str:
    title = metadata.get("title")
    return title if isinstance(title, str) else ""


def _reranked(documents: Sequence[LangChainDocument], results: Results, k: int | None) -> LangChainDocuments:
    if results.scoring.is_plain:
        return list(documents)[:k]
    return [_with_explanation(documents[int(hit.id)], hit, results) for hit in results]


def _with_explanation(document: LangChainDocument, hit: Hit, results: Results) -> LangChainDocument:
    return document.model_copy(update={"metadata": {**document.metadata, KEY: explained(hit, results)}})


def _documents(results: Results) -> LangChainDocuments:
    return [
        LangChainDocument(
            id=hit.id,
            page_content=hit.text,
            metadata={
                **({"title": hit.title} if hit.title else {}),
                **hit.metadata,
                KEY: explained(hit, results),
            },
        )
        for hit in results
    ]
