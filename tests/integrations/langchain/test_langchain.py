"""Programs of LangChain with esens in them, offline: its own stores, chains and conformity suite."""

import asyncio
import json
from pathlib import Path
from threading import current_thread, main_thread
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

pytest.importorskip("langchain_core", reason="langchain-core is not installed; make test-integrations brings it")
pytest.importorskip("langchain_tests", reason="langchain-tests is not installed; make test-integrations brings it")

from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.load import dumpd, dumps, loads
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests

from esens.integrations.langchain import EsensReranker, EsensRetriever


class CountedEmbeddings(Embeddings):
    """Embeddings of LangChain that remember what they embedded, and on which thread."""

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.queries: list[str] = []
        self.threads: set[str] = set()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.documents += texts
        self.threads.add(current_thread().name)
        return [row.tolist() for row in by_words(texts)]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        self.threads.add(current_thread().name)
        return list(by_words([text])[0].tolist())


class ListedRetriever(BaseRetriever):
    """A retriever without vectors, scores or a number of results: it returns all that it has."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return self.documents


class NoVectorsStore(VectorStore):
    """A store that has another inside, and shows neither vectors nor embeddings."""

    def __init__(self, inside: VectorStore) -> None:
        self.inside = inside
        self.asked: list[tuple[str, int]] = []

    def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> list[Document]:
        self.asked.append((query, k))
        return self.inside.similarity_search(query, k)

    @classmethod
    def from_texts(cls, texts: Any, embedding: Any, metadatas: Any = None, **kwargs: Any) -> "NoVectorsStore":
        raise NotImplementedError


def _documents() -> list[Document]:
    return [Document(id=f"d{at}", page_content=text, metadata={"at": at}) for at, text in enumerate(TEXTS)]


@pytest.fixture
def embeddings() -> CountedEmbeddings:
    return CountedEmbeddings()


@pytest.fixture
def store(embeddings: CountedEmbeddings) -> InMemoryVectorStore:
    store = InMemoryVectorStore(embeddings)
    store.add_documents(_documents())
    embeddings.documents.clear()
    return store


def _ids(documents: Any) -> list[str | None]:
    return [document.id for document in documents]


# LangChain's own suite, over an index of esens and over a store of LangChain.


class TestOverAnIndex(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[EsensRetriever]:
        return EsensRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"over": esens.Searcher.from_documents(TEXTS, embedder=by_words)}

    @property
    def retriever_query_example(self) -> str:
        return QUERY


class TestOverAStore(TestOverAnIndex):
    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        store = InMemoryVectorStore(CountedEmbeddings())
        store.add_documents(_documents())
        return {"over": store}


class TestOverARetriever(TestOverAnIndex):
    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"over": ListedRetriever(documents=_documents()), "models": {"embedder": by_words}}


def test_what_is_excluded_falls_and_the_store_is_asked_for_what_is_wanted(store: InMemoryVectorStore) -> None:
    assert "d0" in _ids(store.similarity_search(QUERY, k=2))
    inside = NoVectorsStore(store)
    retriever = EsensRetriever(over=inside, k=2, fetch_k=5, models={"embedder": by_words})
    found = retriever.invoke(QUERY)
    assert set(_ids(found)) == {"d1", "d2"}
    assert inside.asked == [(QUERY, 5), ("black tea", 5)]
    why = found[0].metadata[KEY]
    assert why["traps"] == ["green tea"]
    assert why["target"] == "black tea"
    assert why["rank_after"] == 1
    assert found[0].metadata["at"] in (1, 2)
    json.dumps(why)


def test_without_an_exclusion_the_store_answers_alone(
    store: InMemoryVectorStore, embeddings: CountedEmbeddings
) -> None:
    own = store.similarity_search(PLAIN, k=3)
    embeddings.queries.clear()
    inside = NoVectorsStore(store)
    assert EsensRetriever(over=inside, k=3).invoke(PLAIN) == own  # nothing is added to the metadata either
    assert inside.asked == [(PLAIN, 3)]
    assert embeddings.queries == [PLAIN]
    listed = ListedRetriever(documents=_documents())
    assert _ids(EsensRetriever(over=listed, k=3).invoke(PLAIN)) == ["d0", "d1", "d2"]


def test_stored_documents_are_not_embedded_again(
    store: InMemoryVectorStore, embeddings: CountedEmbeddings
) -> None:
    for over in (store, store.as_retriever(search_kwargs={"k": 1})):
        found = EsensRetriever(over=over, k=2).invoke(QUERY)
        assert set(_ids(found)) == {"d1", "d2"}
    assert embeddings.documents == []
    given = {id_: record["vector"] for id_, record in store.store.items()}
    inside = NoVectorsStore(store)
    over_any = EsensRetriever(
        over=inside,
        k=2,
        models={"embedder": embeddings},
        vectors=lambda documents: [given[document.id or ""] for document in documents],
    )
    assert set(_ids(over_any.invoke(QUERY))) == {"d1", "d2"}
    assert embeddings.documents == []
    EsensRetriever(over=inside, models={"embedder": embeddings}).invoke(QUERY)
    assert len(embeddings.documents) == len(TEXTS)  # a store that shows no vectors


def test_filters_of_the_wrapped_retriever_hold(store: InMemoryVectorStore) -> None:
    def is_not_first(document: Document) -> bool:
        return bool(document.metadata["at"] != 1)

    found = EsensRetriever(over=store.as_retriever(search_kwargs={"filter": is_not_first}), k=6).invoke(QUERY)
    assert "d1" not in _ids(found)
    assert len(found) == 5


def test_options_of_a_search_are_taken_by_the_constructor_and_by_invoke(store: InMemoryVectorStore) -> None:
    retriever = EsensRetriever(over=store, options={"mode": "hard"})
    assert not {"d0", "d4"} & set(_ids(retriever.invoke(QUERY)))
    assert {"d0", "d4"} <= set(_ids(retriever.invoke(QUERY, mode="soft")))
    excluded = EsensRetriever(over=store, k=1).invoke("green tea", exclude=["Japan"])
    assert _ids(excluded) == ["d0"]
    own = _ids(store.similarity_search(QUERY, k=6))
    assert _ids(retriever.invoke(QUERY, mode="soft", beta=0)) == own
    with pytest.raises(ArgumentError, match="colour: is no option"):
        retriever.invoke(QUERY, colour="red")


def test_input_objects_stay_as_they_are(store: InMemoryVectorStore) -> None:
    before = json.dumps(store.store)
    EsensRetriever(over=store).invoke(QUERY)
    documents = _documents()
    copies = [document.model_copy(deep=True) for document in documents]
    EsensReranker(models={"embedder": by_words}).compress_documents(documents, QUERY)
    assert json.dumps(store.store) == before
    assert documents == copies


def test_documents_of_an_index_keep_title_and_metadata() -> None:
    corpus: list[Any] = [
        {"id": "a", "title": "Assam", "text": "black tea", "year": 1999},
        {"id": "b", "text": "green tea"},
    ]
    searcher = esens.Searcher.from_documents(corpus, embedder=by_words)
    (found,) = EsensRetriever(over=searcher, k=1).invoke(QUERY)
    assert (found.id, found.page_content) == ("a", "black tea")
    assert {name: value for name, value in found.metadata.items() if name != KEY} == {
        "title": "Assam",
        "year": 1999,
    }
    (plain,) = EsensRetriever(over=searcher, k=1).invoke(PLAIN)
    assert plain.metadata[KEY]["traps"] == []
    with pytest.raises(ValueError, match="models: are those of the Searcher already"):
        EsensRetriever(over=searcher, models={"embedder": by_words})


def test_documents_without_ids_are_told_apart_by_what_they_say() -> None:
    texts = [Document(page_content="green tea"), Document(page_content="black tea"), Document(page_content="tea")]
    retriever = EsensRetriever(over=ListedRetriever(documents=[*texts, texts[1]]), models={"embedder": by_words})
    assert [found.page_content for found in retriever.invoke(QUERY)] == ["black tea", "tea", "green tea"]


def test_the_reranker_in_a_compression_retriever(store: InMemoryVectorStore) -> None:
    reranker = EsensReranker(k=2, models={"embedder": by_words})
    chain = ContextualCompressionRetriever(
        base_compressor=reranker, base_retriever=store.as_retriever(search_kwargs={"k": 6})
    )
    assert set(_ids(chain.invoke(QUERY))) == {"d1", "d2"}
    assert chain.invoke(PLAIN) == store.similarity_search(PLAIN, k=2)
    assert reranker.compress_documents([], QUERY) == []


def test_the_event_loop_goes_on(store: InMemoryVectorStore, embeddings: CountedEmbeddings) -> None:
    """While a reranker embeds on its thread, the loop turns: it counts its own turns meanwhile."""
    retriever, reranker = EsensRetriever(over=store, k=2), EsensReranker(k=2, models={"embedder": embeddings})

    async def run() -> list[Any]:
        found = await retriever.ainvoke(QUERY)
        embeddings.threads.clear()  # the store's own embeddings may run where they like
        return [found, await reranker.acompress_documents(_documents(), QUERY), await retriever.ainvoke(PLAIN)]

    found, compressed, plain = asyncio.run(run())
    assert set(_ids(found)) == set(_ids(compressed)) == {"d1", "d2"}
    assert plain == store.similarity_search(PLAIN, k=2)

    async def only_rerank() -> None:
        embeddings.threads.clear()
        await reranker.acompress_documents(_documents(), QUERY)

    asyncio.run(only_rerank())
    assert embeddings.threads
    assert main_thread().name not in embeddings.threads


def test_what_the_chain_gives_a_model_respects_the_exclusion(store: InMemoryVectorStore) -> None:
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    read: list[str] = []

    def model(message: Any) -> str:
        read.append(message.to_string())
        return "an answer"

    def joined(documents: list[Document]) -> str:
        return "\n".join(document.page_content for document in documents)

    context = EsensRetriever(over=store, k=2) | joined
    chain = {"context": context, "question": RunnablePassthrough()} | prompt | RunnableLambda(model)
    assert (chain | StrOutputParser()).invoke(QUERY) == "an answer"
    assert "Assam" in read[0]
    assert "Green tea" not in read[0]


@pytest.mark.filterwarnings("ignore:The function `loads` is in beta")
def test_it_is_written_and_loaded_where_it_holds_no_objects(tmp_path: Path, store: InMemoryVectorStore) -> None:
    index = tmp_path / "my.lance"
    pytest.importorskip("lance")
    esens.build_index(TEXTS, index, embedder="minilm")
    retriever = EsensRetriever(over=str(index), k=2, options={"mode": "hard"})
    loaded = loads(dumps(retriever), allowed_objects=[EsensRetriever], valid_namespaces=["esens"])
    assert isinstance(loaded, EsensRetriever)
    assert _ids(loaded.invoke(QUERY)) == _ids(retriever.invoke(QUERY))
    assert dumpd(EsensRetriever(over=store))["type"] == "not_implemented"
    reranker = EsensReranker(k=3, models={"embedder": "minilm"})
    again = EsensReranker.model_validate_json(reranker.model_dump_json())
    assert again.model_dump() == reranker.model_dump()


def test_a_password_does_not_show(store: InMemoryVectorStore) -> None:
    retriever = EsensRetriever(over=store)
    retriever.over = "postgresql://me:secret@localhost/shop?table=docs"
    assert "secret" not in dumps(retriever)
    assert dumpd(retriever)["type"] == "not_implemented"
    with pytest.raises(ValueError, match="validation error") as error:
        EsensRetriever(over="nosuchengine://me:secret@localhost/shop", k="many")
    assert "secret" not in str(error.value)


class MiniLM(Embeddings):
    """The embedded default as embeddings of LangChain."""

    def __init__(self, model: Embedder) -> None:
        self._model = model

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [row.tolist() for row in np.asarray(self._model.embed_documents(texts))]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_the_code_of_the_page_runs(minilm: Embedder) -> None:
    store = InMemoryVectorStore(MiniLM(minilm))
    store.add_documents(
        [
            Document(id=each.id, page_content=each.text, metadata={"title": each.title, **each.metadata})
            for each in load_corpus()
        ]
    )
    names = run_section("LangChain", store=store)
    assert isinstance(names["reranker"], EsensReranker)
    found = names["retriever"].invoke("training methods for language models, excluding reinforcement learning")
    assert not any(document.metadata["topic"] == "reinforcement-learning" for document in found)


@pytest.mark.parametrize("query", [QUERY, PLAIN])
def test_k_below_0_is_refused_whatever_the_query(store: InMemoryVectorStore, query: str) -> None:
    retriever, reranker = EsensRetriever(over=store, k=-1), EsensReranker(k=-1, models={"embedder": by_words})
    for call in (
        lambda: retriever.invoke(query),
        lambda: asyncio.run(retriever.ainvoke(query)),
        lambda: EsensRetriever(over=store).invoke(query, k=-1),
        lambda: reranker.compress_documents(_documents(), query),
        lambda: asyncio.run(reranker.acompress_documents(_documents(), query)),
    ):
        with pytest.raises(ArgumentError, match="k: must be a whole number of at least 0"):
            call()
