"""Programs of LlamaIndex with esens in them, offline: real indexes and query engines, its mock language model."""

import asyncio
import json
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import pytest
from tests.integrations.section import run_section
from tests.integrations.teas import PLAIN, QUERY, TEXTS
from tests.words import Counting, by_words

import esens
from esens.demo import load_corpus
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.integrations.explained import KEY

pytest.importorskip(
    "llama_index.core", reason="llama-index-core is not installed; make test-integrations brings it"
)

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

from esens.integrations.llama_index import EsensNodePostprocessor, EsensNodeRetriever


class WordEmbedding(BaseEmbedding):
    """A model of LlamaIndex that remembers which documents it embedded."""

    embedded: list[str] = []  # noqa: RUF012 - pydantic copies it

    def _get_text_embedding(self, text: str) -> list[float]:
        self.embedded.append(text)
        return list(by_words([text])[0].tolist())

    def _get_query_embedding(self, query: str) -> list[float]:
        return list(by_words([query])[0].tolist())

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class Listed(BaseRetriever):
    """A retriever without vectors and scores."""

    def __init__(self, nodes: list[TextNode]) -> None:
        super().__init__()
        self._nodes = nodes
        self.asked: list[str] = []

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle.query_str)
        return [NodeWithScore(node=node) for node in self._nodes]


def _nodes() -> list[TextNode]:
    return [TextNode(id_=f"d{at}", text=text, metadata={"at": at}) for at, text in enumerate(TEXTS)]


@pytest.fixture
def model() -> WordEmbedding:
    return WordEmbedding(model_name="words")


@pytest.fixture
def index(model: WordEmbedding) -> VectorStoreIndex:
    index = VectorStoreIndex(_nodes(), embed_model=model)
    model.embedded.clear()
    return index


def _ids(nodes: Any) -> list[str]:
    return [each.node.node_id for each in nodes]


def test_a_query_engine_reads_what_is_not_excluded(index: VectorStoreIndex) -> None:
    plain = index.as_query_engine(llm=MockLLM(), similarity_top_k=2)
    assert "Green tea" in str(plain.query(QUERY))  # the mock model says what it was given
    engine = RetrieverQueryEngine.from_args(EsensNodeRetriever(index, k=2), llm=MockLLM())
    response = engine.query(QUERY)
    assert "Green tea" not in str(response)
    assert "Assam" in str(response)
    assert KEY not in str(response)
    assert "penalty" not in str(response)
    assert response.source_nodes[0].node.metadata[KEY]["traps"] == ["green tea"]
    assert {each.node.metadata["at"] for each in response.source_nodes} == {1, 2}


def test_a_query_engine_with_the_postprocessor(index: VectorStoreIndex) -> None:
    reranker = EsensNodePostprocessor(top_n=2, models={"embedder": by_words})
    engine = index.as_query_engine(llm=MockLLM(), similarity_top_k=6, node_postprocessors=[reranker])
    response = engine.query(QUERY)
    assert set(_ids(response.source_nodes)) == {"d1", "d2"}
    assert "Green tea" not in str(response)
    asked = asyncio.run(engine.aquery(QUERY))
    assert _ids(asked.source_nodes) == _ids(response.source_nodes)


def test_without_an_exclusion_nothing_changes(index: VectorStoreIndex) -> None:
    own = index.as_retriever(similarity_top_k=3).retrieve(PLAIN)
    assert EsensNodeRetriever(index, k=3).retrieve(PLAIN) == own
    assert EsensNodePostprocessor().postprocess_nodes(own, query_str=PLAIN) == own
    assert asyncio.run(EsensNodeRetriever(index, k=3).aretrieve(PLAIN)) == own


def test_stored_nodes_are_not_embedded_again(index: VectorStoreIndex, model: WordEmbedding) -> None:
    for over in (index, index.as_retriever(similarity_top_k=6)):
        assert set(_ids(EsensNodeRetriever(over, k=2).retrieve(QUERY))) == {"d1", "d2"}
    assert model.embedded == []
    listed = Listed(_nodes())
    retriever = EsensNodeRetriever(listed, k=2, models={"embedder": model})
    assert set(_ids(retriever.retrieve(QUERY))) == {"d1", "d2"}
    assert listed.asked == [QUERY, "black tea"]
    assert sorted(model.embedded) == sorted(TEXTS)
    model.embedded.clear()
    for node in listed._nodes:
        node.embedding = by_words([node.text])[0].tolist()
    assert set(_ids(retriever.retrieve(QUERY))) == {"d1", "d2"}
    assert model.embedded == []


def test_an_index_of_esens_is_a_retriever_of_nodes() -> None:
    corpus: list[Any] = [
        {"id": "a", "title": "Assam", "text": "black tea", "year": 1999},
        {"id": "b", "text": "green tea"},
    ]
    searcher = esens.Searcher.from_documents(corpus, embedder=by_words)
    retriever = EsensNodeRetriever(searcher, k=1, options={"where": {"year": 1999}})
    (found,) = retriever.retrieve(QUERY)
    assert (found.node.node_id, found.node.get_content()) == ("a", "black tea")
    assert found.node.get_content(MetadataMode.LLM) == "title: Assam\nyear: 1999\n\nblack tea"
    assert found.score == found.node.metadata[KEY]["score"]
    (again,) = asyncio.run(retriever.aretrieve(QUERY))
    assert again.node.node_id == "a"
    with pytest.raises(ArgumentError, match="models: are those of the Searcher already"):
        EsensNodeRetriever(searcher, models={"embedder": by_words})


def test_scores_of_the_retriever_count_and_nodes_stay_as_they_are(index: VectorStoreIndex) -> None:
    nodes = index.as_retriever(similarity_top_k=6).retrieve(QUERY)
    before = [each.model_dump_json() for each in nodes]
    found = EsensNodePostprocessor(models={"embedder": by_words}).postprocess_nodes(nodes, query_str=QUERY)
    assert [each.model_dump_json() for each in nodes] == before
    given = {each.node.node_id: each.score for each in nodes}
    assert all(each.node.metadata[KEY]["query_similarity"] == given[each.node.node_id] for each in found)
    json.dumps([each.node.metadata for each in found])


def test_it_is_written_and_read() -> None:
    postprocessor = EsensNodePostprocessor(top_n=2, models={"embedder": "minilm"}, options={"mode": "hard"})
    again = EsensNodePostprocessor.from_json(postprocessor.to_json())
    assert again.to_dict() == postprocessor.to_dict()
    assert again.class_name() == "EsensNodePostprocessor"


def test_the_event_loop_does_not_wait_for_models() -> None:
    threads: set[str] = set()

    class Watched(Counting):
        def embed_documents(self, texts: Any) -> Any:
            threads.add(current_thread().name)
            return super().embed_documents(texts)

    nodes = [NodeWithScore(node=node) for node in _nodes()]
    found = asyncio.run(
        EsensNodePostprocessor(models={"embedder": Watched()}, top_n=2).apostprocess_nodes(nodes, query_str=QUERY)
    )
    assert set(_ids(found)) == {"d1", "d2"}
    assert threads
    assert main_thread().name not in threads


def test_a_postprocessor_needs_the_query() -> None:
    with pytest.raises(ArgumentError, match="query_bundle: is missing"):
        EsensNodePostprocessor().postprocess_nodes([])


def test_the_code_of_the_page_runs(minilm: Embedder) -> None:
    class MiniLM(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return list(np.asarray(minilm.embed_documents([text]))[0].tolist())

        def _get_query_embedding(self, query: str) -> list[float]:
            return list(np.asarray(minilm.embed_queries([query]))[0].tolist())

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    minilm.embed_documents([each.text for each in load_corpus()])
    nodes = [
        TextNode(
            id_=each.id, text=each.text, metadata={"title": each.title}, excluded_embed_metadata_keys=["title"]
        )
        for each in load_corpus()
    ]
    names = run_section("LlamaIndex", index=VectorStoreIndex(nodes, embed_model=MiniLM()), llm=MockLLM())
    assert isinstance(names["postprocessor"], EsensNodePostprocessor)


def test_k_below_0_is_refused_before_anything_is_asked(index: VectorStoreIndex) -> None:
    with pytest.raises(ArgumentError, match="k: must be a whole number of at least 0"):
        EsensNodeRetriever(index, k=-1)
    with pytest.raises(ValueError, match="must be a whole number of at least 0"):  # as pydantic says it
        EsensNodePostprocessor(top_n=-1)
