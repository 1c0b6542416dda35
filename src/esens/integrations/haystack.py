"""Haystack: a ranker, and a retriever over an index of esens or over any retriever that takes a text."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from esens.errors import ArgumentError, MissingExtraError
from esens.integrations.explained import KEY, explained
from esens.messages import mask_spec
from esens.search import Searcher
from esens.search.options import DEFAULT_K, checked_k, optional_k
from esens.search.reranker import Reranker
from esens.search.wrapping import DEFAULT_FETCH_K, excludes, merged, retriever_queries
from esens.types import Decomposition, Document, Results

try:
    from haystack import Document as HaystackDocument
    from haystack import component, default_from_dict, default_to_dict
    from haystack.core.serialization import component_to_dict
except ImportError:
    raise MissingExtraError("haystack-ai", "haystack") from None

HaystackDocuments = list[HaystackDocument]


@component
class EsensRanker:
    """A ranker that moves down what a query excludes, and keeps the first ``top_k``, or all.

    Scores that all documents have stand for their similarity to the query. Of a query that excludes nothing,
    documents keep order and scores. ``text_embedder`` is a text embedder of Haystack, for queries; documents are
    then compared by the embeddings that they carry. Without it, ``models`` names the embedder: these are options
    of :class:`esens.Reranker`, and ``options`` those of its ``rerank``.
    """

    def __init__(
        self,
        top_k: int | None = None,
        text_embedder: Any = None,
        models: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        """Take what is needed; models are loaded on first need."""
        self.top_k, self.text_embedder = top_k, text_embedder
        self.models, self.options = models or {}, options or {}
        self._reranker = Reranker(**_models(self.models, text_embedder))

    def warm_up(self) -> None:
        """Warm the text embedder up."""
        _warm_up(self.text_embedder)

    def to_dict(self) -> dict[str, Any]:
        """Return how it is made again."""
        _check_open(self.models)
        return default_to_dict(
            self,
            top_k=self.top_k,
            text_embedder=_written(self.text_embedder),
            models=self.models,
            options=self.options,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EsensRanker":
        """Return it as it was written."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[HaystackDocument])
    def run(
        self, query: str, documents: list[HaystackDocument], top_k: int | None = None
    ) -> dict[str, list[HaystackDocument]]:
        """Return the documents in their new order."""
        top_k = optional_k(self.top_k if top_k is None else top_k)
        split = self._reranker.decompose(query)
        if not excludes(split, self.options):
            return {"documents": documents[:top_k]}
        options = self._rerank_options(documents, split, top_k)
        results = self._reranker.rerank(query, _candidates(documents), **options)
        return {"documents": _reranked(documents, results, top_k)}

    @component.output_types(documents=list[HaystackDocument])
    async def run_async(
        self, query: str, documents: list[HaystackDocument], top_k: int | None = None
    ) -> dict[str, list[HaystackDocument]]:
        """Return what :meth:`run` returns, without blocking the event loop."""
        top_k = optional_k(self.top_k if top_k is None else top_k)
        split = await self._reranker.adecompose(query)
        if not excludes(split, self.options):
            return {"documents": documents[:top_k]}
        options = self._rerank_options(documents, split, top_k)
        results = await self._reranker.arerank(query, _candidates(documents), **options)
        return {"documents": _reranked(documents, results, top_k)}

    def _rerank_options(
        self, documents: HaystackDocuments, split: Decomposition, top_k: int | None
    ) -> dict[str, Any]:
        scores = [each.score for each in documents]
        vectors = None if self.text_embedder is None else _carried_vectors(documents)
        retriever_scores = None if any(score is None for score in scores) else scores
        return {"decomposition": split, "k": top_k, "scores": retriever_scores, "vectors": vectors, **self.options}

    def close(self) -> None:
        """Let go of threads."""
        self._reranker.close()


@component
class EsensDocumentRetriever:
    """A retriever that leaves out what a query excludes.

    ``over`` is the spec of an index of esens, an esens Searcher, or any component that takes a ``query`` and a
    ``top_k`` and returns ``documents``: a BM25 retriever, a TextEmbeddingRetriever around an embedding retriever.
    Such a one is asked for ``fetch_k`` documents, by the query and by what is wanted of it, and the best ``top_k``
    are returned; of a query that excludes nothing, its own first in its own order. The text embedder of a
    TextEmbeddingRetriever judges, by the embeddings that documents carry (``return_embedding=True``). ``models``
    are options of :class:`esens.Searcher` or :class:`esens.Reranker`, ``options`` those of their search.
    """

    def __init__(
        self,
        over: Any,
        top_k: int = DEFAULT_K,
        fetch_k: int = DEFAULT_FETCH_K,
        models: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        """Take what is searched; an index is opened when the component is warmed up."""
        self.over, self.top_k, self.fetch_k = over, top_k, fetch_k
        self.models, self.options = models or {}, options or {}
        self._text_embedder = None if "embedder" in self.models else getattr(over, "text_embedder", None)
        self._searcher: Searcher | None = over if isinstance(over, Searcher) else None
        self._reranker: Reranker | None = None
        if callable(getattr(over, "run", None)):
            self._reranker = Reranker(**_models(self.models, self._text_embedder))

    def warm_up(self) -> None:
        """Open the index, or warm up what is wrapped."""
        if self._reranker is not None:
            _warm_up(self.over)
        elif self._searcher is None:
            self._searcher = Searcher(self.over, **self.models)

    def to_dict(self) -> dict[str, Any]:
        """Return how it is made again; what is wrapped must say so of itself."""
        if isinstance(self.over, Searcher):
            raise ArgumentError("over", "a Searcher cannot be written; give the spec of its index instead")
        _check_open({"over": self.over, **self.models})
        return default_to_dict(
            self,
            over=_written(self.over),
            top_k=self.top_k,
            fetch_k=self.fetch_k,
            models=self.models,
            options=self.options,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EsensDocumentRetriever":
        """Return it as it was written."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[HaystackDocument])
    def run(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[HaystackDocument]]:
        """Return the best documents; ``filters`` are those of what is wrapped."""
        self.warm_up()
        k = checked_k(self.top_k if top_k is None else top_k)
        if self._reranker is None:
            return {
                "documents": _documents(self._searcher_over().search(query, k=k, **self._search_options(filters)))
            }
        split = self._reranker.decompose(query)
        texts, depth = retriever_queries(query, split), self._depth(split, k)
        answers = [self.over.run(query=text, filters=filters, top_k=depth)["documents"] for text in texts]
        retrieved = merged(answers, _id)
        if not excludes(split, self.options):
            return {"documents": retrieved[:k]}
        results = self._reranker.rerank(query, _candidates(retrieved), **self._rerank_options(retrieved, split, k))
        return {"documents": _reranked(retrieved, results, k)}

    @component.output_types(documents=list[HaystackDocument])
    async def run_async(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[HaystackDocument]]:
        """Return what :meth:`run` returns, without blocking the event loop."""
        await asyncio.to_thread(self.warm_up)
        k = checked_k(self.top_k if top_k is None else top_k)
        if self._reranker is None:
            return {
                "documents": _documents(
                    await self._searcher_over().asearch(query, k=k, **self._search_options(filters))
                )
            }
        split = await self._reranker.adecompose(query)
        texts, depth = retriever_queries(query, split), self._depth(split, k)
        pending = (_run(self.over, query=text, filters=filters, top_k=depth) for text in texts)
        retrieved = merged([answer["documents"] for answer in await asyncio.gather(*pending)], _id)
        if not excludes(split, self.options):
            return {"documents": retrieved[:k]}
        options = self._rerank_options(retrieved, split, k)
        return {
            "documents": _reranked(
                retrieved, await self._reranker.arerank(query, _candidates(retrieved), **options), k
            )
        }

    def close(self) -> None:
        """Let go of threads, and of an index that was opened here."""
        for each in (self._reranker, None if self._searcher is self.over else self._searcher):
            if each is not None:
                each.close()

    def _searcher_over(self) -> Searcher:
        assert self._searcher is not None  # noqa: S101 - it was warmed up
        return self._searcher

    def _depth(self, split: Decomposition, k: int) -> int:
        return max(k, self.fetch_k) if excludes(split, self.options) else k

    def _rerank_options(self, retrieved: HaystackDocuments, split: Decomposition, k: int) -> dict[str, Any]:
        vectors = None if self._text_embedder is None else _carried_vectors(retrieved)
        return {"decomposition": split, "k": k, "vectors": vectors, **self.options}

    def _search_options(self, filters: dict[str, Any] | None) -> dict[str, Any]:
        if filters:
            raise ArgumentError("filters", 'are for wrapped retrievers; over an index give options={"where": …}')
        return self.options


class HaystackEmbedder:
    """A text embedder of Haystack as an embedder of esens."""

    def __init__(self, text_embedder: Any) -> None:
        """Take the component."""
        self._component = text_embedder

    @property
    def name(self) -> str:
        """The class, and the model where the component names it."""
        return f"{type(self._component).__name__}({getattr(self._component, 'model', '')})"

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document that carries no embedding."""
        return [self._component.run(text=text)["embedding"] for text in texts]

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query."""
        return self.embed_documents(texts)


def _models(models: dict[str, Any], text_embedder: Any) -> dict[str, Any]:
    return models if text_embedder is None else {"embedder": HaystackEmbedder(text_embedder), **models}


def _written(inner: Any) -> Any:
    """Return how a component is made again; other values as they are."""
    return component_to_dict(inner, type(inner).__name__) if callable(getattr(inner, "run", None)) else inner


def _warm_up(inner: Any) -> None:
    if hasattr(inner, "warm_up"):
        inner.warm_up()


async def _run(inner: Any, **inputs: Any) -> dict[str, Any]:
    if hasattr(inner, "run_async"):
        return await inner.run_async(**inputs)
    return await asyncio.to_thread(inner.run, **inputs)


def _check_open(parts: dict[str, Any]) -> None:
    for name, value in parts.items():
        if isinstance(value, str) and mask_spec(value) != value:
            problem = "holds a password or a key, which a pipeline would write down"
            raise ArgumentError(name, f"{problem}; leave it to the environment, as docs/indexes.md says")


def _carried_vectors(documents: HaystackDocuments) -> npt.ArrayLike | None:
    vectors = [each.embedding for each in documents]
    return None if any(vector is None for vector in vectors) else vectors


def _id(document: HaystackDocument) -> str:
    return str(document.id)


def _candidates(documents: HaystackDocuments) -> list[Document]:
    return [
        Document(str(at), each.content or "", _title(each.meta), each.meta) for at, each in enumerate(documents)
    ]


def _title(meta: dict[str, Any]) -> str:
    title = meta.get("title")
    return title if isinstance(title, str) else ""


def _reranked(documents: HaystackDocuments, results: Results, top_k: int | None) -> HaystackDocuments:
    if results.scoring.is_plain:
        return documents[:top_k]
    return [_with(documents[int(hit.id)], hit.score, explained(hit, results)) for hit in results]


def _with(document: HaystackDocument, score: float, why: dict[str, Any]) -> HaystackDocument:
    return replace(document, score=score, meta={**document.meta, KEY: why})


def _documents(results: Results) -> HaystackDocuments:
    documents = []
    for hit in results:
        meta = {**({"title": hit.title} if hit.title else {}), **hit.metadata, KEY: explained(hit, results)}
        documents.append(HaystackDocument(id=hit.id, content=hit.text, meta=meta, score=hit.score))
    return documents
