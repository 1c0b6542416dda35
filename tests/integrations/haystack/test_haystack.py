"""Pipelines of Haystack with esens in them, offline: real stores, and pipelines that were written and read.

A store in memory that is read again finds its documents: Haystack keeps them by the store's name, in one process.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.integrations.section import run_section
from tests.integrations.teas import PLAIN, QUERY, TEXTS
from tests.words import by_words

import esens
from esens.demo import load_corpus
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.integrations.explained import KEY

pytest.importorskip("haystack", reason="haystack-ai is not installed; make test-integrations brings it")

from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
    TextEmbeddingRetriever,
)
from haystack.document_stores.in_memory import InMemoryDocumentStore

from esens.integrations.haystack import EsensDocumentRetriever, EsensRanker

EMBEDDED: list[str] = []
TRUSTED = ["esens.integrations.haystack", __name__]


@component
class WordTextEmbedder:
    """A text embedder of Haystack that remembers what it embedded."""

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        EMBEDDED.append(text)
        return {"embedding": by_words([text])[0].tolist()}


@pytest.fixture(autouse=True)
def fresh() -> None:
    EMBEDDED.clear()


def _documents() -> list[Document]:
    return [
        Document(id=f"d{at}", content=text, meta={"at": at}, embedding=by_words([text])[0].tolist())
        for at, text in enumerate(TEXTS)
    ]


@pytest.fixture
def store() -> InMemoryDocumentStore:
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents(_documents())
    return store


def _over(store: InMemoryDocumentStore) -> TextEmbeddingRetriever:
    inner = InMemoryEmbeddingRetriever(store, return_embedding=True)
    return TextEmbeddingRetriever(retriever=inner, text_embedder=WordTextEmbedder())


def _ids(output: dict[str, Any]) -> list[str]:
    return [document.id for document in output["documents"]]


def _rag(store: InMemoryDocumentStore) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("bm25", InMemoryBM25Retriever(store, top_k=6))
    pipeline.add_component("ranker", EsensRanker(top_k=2, text_embedder=WordTextEmbedder()))
    template = "{% for d in documents %}{{ d.content }} {% endfor %}"
    pipeline.add_component("prompt", PromptBuilder(template, required_variables=["documents"]))
    pipeline.connect("bm25.documents", "ranker.documents")
    pipeline.connect("ranker.documents", "prompt.documents")
    return pipeline


def test_a_pipeline_survives_being_written_and_read(store: InMemoryDocumentStore) -> None:
    pipeline = _rag(store)
    inputs = {"bm25": {"query": QUERY}, "ranker": {"query": QUERY}}
    prompt = pipeline.run(inputs)["prompt"]["prompt"]
    assert "Assam" in prompt
    assert "Green tea" not in prompt
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=TRUSTED)
    assert again.run(inputs)["prompt"]["prompt"] == prompt
    assert again.dumps() == pipeline.dumps()


def test_a_retriever_over_an_index_survives_it_too(tmp_path: Path) -> None:
    pytest.importorskip("lance")
    corpus: list[Any] = [{"id": f"d{at}", "text": text, "at": at} for at, text in enumerate(TEXTS)]
    esens.build_index(corpus, tmp_path / "my.lance", embedder="minilm")
    pipeline = Pipeline()
    pipeline.add_component(
        "retriever", EsensDocumentRetriever(str(tmp_path / "my.lance"), top_k=6, options={"mode": "hard"})
    )
    found = pipeline.run({"retriever": {"query": QUERY}})["retriever"]
    assert not {"d0", "d4"} & set(_ids(found))
    assert found["documents"][0].meta["at"] in (1, 2)
    assert found["documents"][0].score == found["documents"][0].meta[KEY]["score"]
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=TRUSTED)
    assert _ids(again.run({"retriever": {"query": QUERY}})["retriever"]) == _ids(found)
    for each in (pipeline, again):
        each.get_component("retriever").close()


def test_a_retriever_over_a_retriever(store: InMemoryDocumentStore) -> None:
    retriever = EsensDocumentRetriever(_over(store), top_k=2)
    found = retriever.run(QUERY)
    assert set(_ids(found)) == {"d1", "d2"}
    assert not set(EMBEDDED) & set(TEXTS)  # documents carry their embeddings
    assert found["documents"][0].meta[KEY]["traps"] == ["green tea"]
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever)
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=TRUSTED)
    assert _ids(again.run({"retriever": {"query": QUERY}})["retriever"]) == _ids(found)
    bm25 = EsensDocumentRetriever(InMemoryBM25Retriever(store), top_k=2, models={"embedder": by_words})
    assert set(_ids(bm25.run(QUERY))) == {"d1", "d2"}


def test_without_an_exclusion_nothing_changes(store: InMemoryDocumentStore) -> None:
    own = _over(store).run(PLAIN, top_k=3)
    assert EsensDocumentRetriever(_over(store), top_k=3).run(PLAIN) == own
    assert EsensRanker().run(PLAIN, own["documents"]) == own
    assert asyncio.run(EsensDocumentRetriever(_over(store), top_k=3).run_async(PLAIN)) == own
    assert asyncio.run(EsensRanker().run_async(PLAIN, own["documents"])) == own


def test_filters_of_the_wrapped_retriever_hold(store: InMemoryDocumentStore) -> None:
    filters = {"field": "meta.at", "operator": "!=", "value": 1}
    found = EsensDocumentRetriever(_over(store)).run(QUERY, filters=filters)
    assert "d1" not in _ids(found)
    assert len(found["documents"]) == 5
    searcher = esens.Searcher.from_documents(TEXTS, embedder=by_words)
    with pytest.raises(ArgumentError, match="filters: are for wrapped retrievers"):
        EsensDocumentRetriever(searcher).run(QUERY, filters=filters)


def test_an_asynchronous_pipeline(store: InMemoryDocumentStore) -> None:
    inputs = {"bm25": {"query": QUERY}, "ranker": {"query": QUERY}}
    found = asyncio.run(_rag(store).run_async(inputs))
    assert found == _rag(store).run(inputs)
    searcher = esens.Searcher.from_documents(TEXTS, embedder=by_words)
    assert _ids(asyncio.run(EsensDocumentRetriever(searcher, top_k=2).run_async(QUERY))) == ["1", "2"]
    over = asyncio.run(EsensDocumentRetriever(_over(store), top_k=2).run_async(QUERY))
    assert set(_ids(over)) == {"d1", "d2"}


def test_documents_stay_as_they_are_and_keep_their_scores_meaning(store: InMemoryDocumentStore) -> None:
    documents = _over(store).run(QUERY)["documents"]
    before = [json.dumps(document.to_dict()) for document in documents]
    found = EsensRanker(models={"embedder": by_words}).run(QUERY, documents, top_k=4)["documents"]
    assert len(found) == 4
    assert [json.dumps(document.to_dict()) for document in documents] == before
    scores = {document.id: document.score for document in documents}
    assert all(each.meta[KEY]["query_similarity"] == scores[each.id] for each in found)
    assert EsensRanker().run(QUERY, []) == {"documents": []}


def test_what_cannot_be_written_says_so() -> None:
    searcher = esens.Searcher.from_documents(TEXTS, embedder=by_words)
    with pytest.raises(ArgumentError, match="over: a Searcher cannot be written"):
        EsensDocumentRetriever(searcher).to_dict()
    with pytest.raises(ArgumentError, match="over: holds a password") as error:
        EsensDocumentRetriever("postgresql://me:secret@localhost/shop?table=docs").to_dict()
    assert "secret" not in str(error.value)


def test_the_code_of_the_page_runs(minilm: Embedder) -> None:
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    corpus = load_corpus()
    rows = np.asarray(minilm.embed_documents([each.text for each in corpus]))
    store.write_documents(
        [
            Document(id=each.id, content=each.text, meta={"title": each.title}, embedding=row.tolist())
            for each, row in zip(corpus, rows, strict=True)
        ]
    )

    @component
    class MiniLMTextEmbedder:
        @component.output_types(embedding=list[float])
        def run(self, text: str) -> dict[str, list[float]]:
            return {"embedding": np.asarray(minilm.embed_queries([text]))[0].tolist()}

    names = run_section("Haystack", store=store, text_embedder=MiniLMTextEmbedder())
    assert isinstance(names["ranker"], EsensRanker)


@pytest.mark.parametrize("query", [QUERY, PLAIN])
def test_top_k_below_0_is_refused_whatever_the_query(store: InMemoryDocumentStore, query: str) -> None:
    over = InMemoryBM25Retriever(store)
    retriever = EsensDocumentRetriever(over, models={"embedder": by_words})
    ranker = EsensRanker(models={"embedder": by_words})
    calls: list[Any] = [
        lambda: retriever.run(query, top_k=-1),
        lambda: asyncio.run(retriever.run_async(query, top_k=-1)),
        lambda: ranker.run(query, _documents(), top_k=-1),
        lambda: asyncio.run(ranker.run_async(query, _documents(), top_k=-1)),
    ]
    for call in calls:
        with pytest.raises(ArgumentError, match="must be a whole number of at least 0"):
            call()


def test_a_score_that_is_an_array_is_refused_as_one() -> None:
    documents = [
        Document(id="a", content="black tea", score=np.ones(2)),
        Document(id="b", content="tea", score=1.0),
    ]
    with pytest.raises(ArgumentError, match="scores"):
        EsensRanker(models={"embedder": by_words}).run(query=QUERY, documents=documents)
