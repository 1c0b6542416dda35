"""LlamaIndex: a retriever over an index of esens or any index or retriever of LlamaIndex, and a postprocessor."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from esens.errors import ArgumentError, MissingExtraError
from esens.integrations.explained import KEY, explained
from esens.search import Searcher
from esens.search.options import DEFAULT_K, checked_k, optional_k
from esens.search.reranker import Reranker
from esens.search.wrapping import DEFAULT_FETCH_K, excludes, merged, retriever_queries
from esens.types import Decomposition, Document, Results

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.indices.base import BaseIndex
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle, TextNode
    from llama_index.core.vector_stores import SimpleVectorStore
except ImportError:
    raise MissingExtraError("llama-index-core", "llama-index") from None

Nodes = list[NodeWithScore]


class EsensNodeRetriever(BaseRetriever):
    """A retriever that leaves out what a query excludes.

    ``over`` is an esens Searcher, an index of esens or its spec, or any index or retriever of LlamaIndex. An index
    of LlamaIndex is asked for ``fetch_k`` nodes, by the query and by what is wanted of it; a retriever for as many
    as it returns. The best ``k`` are returned; of a query that excludes nothing, the first k in their own order.
    ``models`` are options of :class:`esens.Searcher` or :class:`esens.Reranker`, and may be a model of LlamaIndex;
    ``options`` are those of their search.
    """

    def __init__(
        self,
        over: Any,
        *,
        k: int = DEFAULT_K,
        fetch_k: int = DEFAULT_FETCH_K,
        models: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
        **base: Any,
    ) -> None:
        """Open what is searched; ``base`` are the options of LlamaIndex's retrievers."""
        super().__init__(**base)
        self._over, self._k, self._fetch_k, self._options = over, checked_k(k), fetch_k, options or {}
        self._searcher: Searcher | None = None
        if isinstance(over, Searcher):
            if models:
                raise ArgumentError("models", "are those of the Searcher already; name them there")
            self._searcher = over
        elif isinstance(over, (BaseIndex, BaseRetriever)):
            model = getattr(over, "_embed_model", None)
            rerank_options = {} if model is None else {"embedder": model}
            self._reranker = Reranker(**_models(rerank_options | (models or {})))
        else:
            self._searcher = Searcher(over, **_models(models or {}))

    def _retrieve(self, query_bundle: QueryBundle) -> Nodes:
        query = query_bundle.query_str
        if self._searcher is not None:
            return _nodes(self._searcher.search(query, k=self._k, **self._options))
        split = self._reranker.decompose(query)
        retriever = self._retriever(split)
        retrieved = merged(map(retriever.retrieve, _bundles(query_bundle, split)), _node_id)
        if not excludes(split, self._options):
            return retrieved[: self._k]
        results = self._reranker.rerank(query, _candidates(retrieved), **self._rerank_options(retrieved, split))
        return _reranked(retrieved, results, self._k)

    async def _aretrieve(self, query_bundle: QueryBundle) -> Nodes:
        query = query_bundle.query_str
        if self._searcher is not None:
            return _nodes(await self._searcher.asearch(query, k=self._k, **self._options))
        split = await self._reranker.adecompose(query)
        retriever = self._retriever(split)
        retrieved = merged(
            await asyncio.gather(*map(retriever.aretrieve, _bundles(query_bundle, split))),
            _node_id,
        )
        if not excludes(split, self._options):
            return retrieved[: self._k]
        rerank_options = await asyncio.to_thread(self._rerank_options, retrieved, split)
        return _reranked(
            retrieved, await self._reranker.arerank(query, _candidates(retrieved), **rerank_options), self._k
        )

    def _retriever(self, split: Decomposition) -> BaseRetriever:
        if isinstance(self._over, BaseRetriever):
            return self._over
        depth = max(self._k, self._fetch_k) if excludes(split, self._options) else self._k
        return self._over.as_retriever(similarity_top_k=depth)

    def _rerank_options(self, retrieved: Nodes, split: Decomposition) -> dict[str, Any]:
        vectors = _stored_vectors(self._over, retrieved)
        return {"decomposition": split, "k": self._k, "vectors": vectors, **self._options}


class EsensNodePostprocessor(BaseNodePostprocessor):
    """A postprocessor that moves down what a query excludes, and keeps the first ``top_n``, or all.

    Scores that all nodes have stand for their similarity to the query. Of a query that excludes nothing, nodes
    keep order and scores. ``models`` are options of :class:`esens.Reranker`, ``options`` those of its ``rerank``.
    """

    top_n: int | None = None
    models: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)

    _reranker: Reranker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Make the reranker; models are loaded on first need."""
        super().model_post_init(context)
        optional_k(self.top_n)  # raises now, and not only where a query excludes something
        self._reranker = Reranker(**_models(self.models))

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it."""
        return "EsensNodePostprocessor"

    def _postprocess_nodes(self, nodes: Nodes, query_bundle: QueryBundle | None = None) -> Nodes:
        query = _query_of(query_bundle)
        split = self._reranker.decompose(query)
        if not excludes(split, self.options):
            return nodes[: self.top_n]
        results = self._reranker.rerank(query, _candidates(nodes), **self._rerank_options(nodes, split))
        return _reranked(nodes, results, self.top_n)

    async def _apostprocess_nodes(self, nodes: Nodes, query_bundle: QueryBundle | None = None) -> Nodes:
        query = _query_of(query_bundle)
        split = await self._reranker.adecompose(query)
        if not excludes(split, self.options):
            return nodes[: self.top_n]
        rerank_options = self._rerank_options(nodes, split)
        return _reranked(
            nodes, await self._reranker.arerank(query, _candidates(nodes), **rerank_options), self.top_n
        )

    def _rerank_options(self, nodes: Nodes, split: Decomposition) -> dict[str, Any]:
        scores = None if any(node.score is None for node in nodes) else [node.score for node in nodes]
        return {"decomposition": split, "k": self.top_n, "scores": scores, **self.options}


class LlamaIndexEmbedder:
    """An embedding model of LlamaIndex as an embedder of esens."""

    def __init__(self, model: BaseEmbedding) -> None:
        """Take the model."""
        self._model = model

    @property
    def name(self) -> str:
        """The class and the name of the model."""
        return f"{self._model.class_name()}({self._model.model_name})"

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document."""
        return self._model.get_text_embedding_batch(list(texts))

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query; LlamaIndex embeds one at a time."""
        return [self._model.get_query_embedding(text) for text in texts]


def _models(models: dict[str, Any]) -> dict[str, Any]:
    embedder = models.get("embedder")
    return {**models, "embedder": LlamaIndexEmbedder(embedder)} if isinstance(embedder, BaseEmbedding) else models


def _query_of(bundle: QueryBundle | None) -> str:
    if bundle is None:
        raise ArgumentError("query_bundle", "is missing; esens needs the query to know what it excludes")
    return str(bundle.query_str)


def _bundles(bundle: QueryBundle, split: Decomposition) -> list[QueryBundle]:
    """Return what is asked; the query's own may have an embedding already."""
    texts = retriever_queries(bundle.query_str, split)
    return [bundle, *map(QueryBundle, texts[1:])]


def _node_id(node: NodeWithScore) -> str:
    return str(node.node.node_id)


def _stored_vectors(over: Any, retrieved: Nodes) -> npt.ArrayLike | None:
    """Return the vectors that nodes carry, or that LlamaIndex's own store keeps in the open."""
    if all(each.node.embedding is not None for each in retrieved):
        return [each.node.embedding for each in retrieved]
    store = getattr(over, "vector_store", getattr(over, "_vector_store", None))
    if not isinstance(store, SimpleVectorStore):
        return None
    vectors = store.data.embedding_dict
    ids = [each.node.node_id for each in retrieved]
    return [vectors[id_] for id_ in ids] if all(id_ in vectors for id_ in ids) else None


def _candidates(nodes: Nodes) -> list[Document]:
    return [
        Document(str(at), each.node.get_content(), _title(each.node), each.node.metadata)
        for at, each in enumerate(nodes)
    ]


def _title(node: BaseNode) -> str:
    title = node.metadata.get("title")
    return title if isinstance(title, str) else ""


def _reranked(nodes: Nodes, results: Results, k: int | None) -> Nodes:
    if results.scoring.is_plain:
        return nodes[:k]
    return [
        NodeWithScore(node=_with(nodes[int(hit.id)].node, explained(hit, results)), score=hit.score)
        for hit in results
    ]


def _nodes(results: Results) -> Nodes:
    """Return hits as nodes."""
    nodes = []
    for hit in results:
        metadata = {**({"title": hit.title} if hit.title else {}), **hit.metadata}
        node = TextNode(id_=hit.id, text=hit.text, metadata=metadata)
        nodes.append(NodeWithScore(node=_with(node, explained(hit, results)), score=hit.score))
    return nodes


def _with(node: BaseNode, why: dict[str, Any]) -> BaseNode:
    """Return a copy of a node with its explanation, which neither a prompt nor an embedding is to contain."""
    return node.model_copy(
        update={
            "metadata": {**node.metadata, KEY: why},
            "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, KEY],
            "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, KEY],
        }
    )
