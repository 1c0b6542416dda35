"""Embedders that people have: objects of the usual shapes go wherever an embedder is taken."""

import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import esens
from esens.embed import EmbedderLike, embedder_of
from esens.embed.base import fingerprint_of
from esens.embed.identity import embedder_for, identify
from esens.errors import ArgumentError, ModelError
from esens.types import EmbedderId

DOCUMENTS = [{"id": "tea", "text": "green tea"}, {"id": "milk", "text": "cold milk"}, {"id": "rum", "text": "rum"}]


def _by_words(texts: Any, first: float = 0.0) -> np.ndarray:
    words = ("tea", "milk", "rum")
    return np.array([[first, 0.1, *(text.count(word) for word in words)] for text in texts], float)


class SentenceTransformer:
    """The shape of sentence-transformers 5: a torch module can be called, but with tensors."""

    class Card:
        base_model = "all-MiniLM-L6-v2"

    model_card_data = Card()

    def __call__(self, features: Any) -> Any:
        return features["input_ids"]

    def encode(self, sentences: Any) -> Any:
        raise AssertionError("there are methods for documents and queries")

    def encode_document(self, sentences: list[str], **_: object) -> np.ndarray:
        assert isinstance(sentences, list)
        return _by_words(sentences)

    def encode_query(self, sentences: list[str], **_: object) -> np.ndarray:
        assert isinstance(sentences, list)
        return _by_words(sentences, 0.5)


class OldSentenceTransformer:
    """Before version 5 there was but one method."""

    def __call__(self, features: Any) -> Any:
        return features["input_ids"]

    def encode(self, sentences: list[str], batch_size: int = 32) -> np.ndarray:
        return _by_words(sentences)


class StaticModel:
    """The shape of model2vec."""

    base_model_name = "minishlab/potion-base-8M"

    def encode(self, sentences: list[str]) -> np.ndarray:
        return _by_words(sentences)


class FlagModel:
    """The shape of FlagEmbedding."""

    model_name_or_path = "BAAI/bge-small-en"

    def encode(self, sentences: list[str]) -> Any:
        raise AssertionError("there are methods for documents and queries")

    def encode_corpus(self, corpus: list[str]) -> Any:
        return _by_words(corpus)

    def encode_queries(self, queries: list[str]) -> Any:
        return _by_words(queries, 0.5)


class M3(StaticModel):
    """FlagEmbedding's M3 returns several kinds of vectors."""

    def encode(self, sentences: list[str]) -> Any:
        return {"dense_vecs": _by_words(sentences), "lexical_weights": [{}]}


class Tensor:
    """What torch returns on a graphics card: numpy cannot read it as it is."""

    def __init__(self, rows: np.ndarray) -> None:
        self._rows = rows

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")

    def detach(self) -> "Tensor":
        return self

    cpu = float = detach

    def numpy(self) -> np.ndarray:
        return self._rows


class OnACard(StaticModel):
    def encode(self, sentences: list[str]) -> Any:
        return Tensor(_by_words(sentences))


class OpenAIEmbeddings:
    """The shape of LangChain's Embeddings."""

    model = "text-embedding-3-small"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [list(row) for row in _by_words(texts)]

    def embed_query(self, text: str) -> list[float]:
        assert isinstance(text, str)
        return [float(number) for number in _by_words([text], 0.5)[0]]


class Nameless:
    """All that esens calls, but for the name."""

    def embed_documents(self, texts: Any) -> np.ndarray:
        return _by_words(texts)

    def embed_query(self, text: str) -> np.ndarray:
        return np.asarray(_by_words([text])[0])


OBJECTS: list[tuple[EmbedderLike, str]] = [
    (SentenceTransformer(), "SentenceTransformer(all-MiniLM-L6-v2)"),
    (OldSentenceTransformer(), "OldSentenceTransformer"),
    (StaticModel(), "StaticModel(minishlab/potion-base-8M)"),
    (FlagModel(), "FlagModel(BAAI/bge-small-en)"),
    (M3(), "M3(minishlab/potion-base-8M)"),
    (OnACard(), "OnACard(minishlab/potion-base-8M)"),
    (OpenAIEmbeddings(), "OpenAIEmbeddings(text-embedding-3-small)"),
    (Nameless(), "Nameless"),
    (_by_words, "_by_words"),
]


@pytest.mark.parametrize(("embedder", "name"), OBJECTS, ids=[name for _, name in OBJECTS])
def test_it_goes_wherever_an_embedder_is_taken(embedder: Any, name: str, tmp_path: Path) -> None:
    made = embedder_of(embedder)
    assert made.name == name
    assert fingerprint_of(made) is None  # nobody can tell two of them apart by their weights
    assert esens.Searcher.from_documents(DOCUMENTS, embedder=embedder).search("rum").ids[0] == "rum"
    assert esens.rerank("milk", DOCUMENTS, embedder=embedder).ids[0] == "milk"
    to = tmp_path / "x.lance"
    done = esens.build_index(DOCUMENTS, to, embedder=embedder)
    assert done.embedder_id == EmbedderId(name, "")
    assert esens.Searcher(str(to), embedder=embedder).search("tea").ids[0] == "tea"


@pytest.mark.parametrize("embedder", [SentenceTransformer(), FlagModel(), OpenAIEmbeddings()])
def test_documents_and_queries_are_embedded_by_their_own_methods(embedder: Any) -> None:
    made = embedder_of(embedder)
    np.testing.assert_allclose(np.asarray(made.embed_documents(["tea"])), _by_words(["tea"]))
    np.testing.assert_allclose(np.asarray(made.embed_queries(["tea", "milk"])), _by_words(["tea", "milk"], 0.5))


def test_a_type_checker_takes_them_too() -> None:
    """Run by mypy: none of these calls needs an exception."""
    for searcher in (
        esens.Searcher.from_documents(["tea"], embedder=StaticModel()),
        esens.Searcher.from_documents(["tea"], embedder=OpenAIEmbeddings()),
        esens.Searcher.from_documents(["tea"], embedder=_by_words),
    ):
        assert len(searcher.search("tea")) == 1


def test_half_a_pair_is_not_used() -> None:
    class Model(StaticModel):
        def encode_query(self, query: str) -> Any:
            raise AssertionError("takes one query, as many do")

    np.testing.assert_allclose(np.asarray(embedder_of(Model()).embed_queries(["tea"])), _by_words(["tea"]))


def test_a_fingerprint_of_the_object_is_kept() -> None:
    class Pinned(StaticModel):
        fingerprint = "potion, version 2"

    made = embedder_of(Pinned())
    assert fingerprint_of(made) == "potion, version 2"
    assert identify(made).hash


def test_what_is_no_matrix_is_said() -> None:
    class Sparse(StaticModel):
        def encode(self, sentences: list[str]) -> Any:
            return [{"tea": 1.0} for _ in sentences]

    with pytest.raises(ArgumentError, match="embedder: did not return a matrix of numbers"):
        embedder_of(Sparse()).embed_documents(["tea"])


class Unrelated:
    embed_documents: ClassVar[int] = 5


@pytest.mark.parametrize("value", [5, None, object(), Unrelated(), [0.5]])
def test_what_is_no_embedder_gets_a_list_of_what_is(value: Any) -> None:
    with pytest.raises(ArgumentError) as raised:
        embedder_of(value)
    for shape in (
        "minilm",
        "onnx:FOLDER",
        "encode",
        "SentenceTransformer",
        "embed_query",
        "embed_queries",
        "function",
    ):
        assert shape in str(raised.value)
    assert type(value).__name__ in str(raised.value)


@pytest.mark.parametrize("value", [StaticModel, OpenAIEmbeddings, SentenceTransformer])
def test_a_class_is_no_embedder_yet(value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"got the class {value.__name__}; make an object of it first"):
        embedder_of(value)


def test_no_library_is_imported_for_it() -> None:
    assert not {"torch", "langchain_core", "sentence_transformers", "model2vec"} & set(sys.modules)


# Which embedder made an index.


def test_the_advice_where_another_embedder_made_the_index_names_one_that_exists() -> None:
    maker = EmbedderId("minilm:int8", "0" * 64)
    with pytest.raises(ArgumentError, match=r"name the one that made it, minilm:int8 \(--embedder minilm:int8\)"):
        embedder_for(maker, "wordllama")
    assert embedder_of("minilm:int8") is embedder_of("minilm")  # where the packages are installed


def test_an_index_of_the_hub_s_weights_is_opened_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)  # they cannot be had here, and that is what is said
    with pytest.raises(ModelError, match=r"minilm:fp32 makes other vectors and is on the hub alone"):
        embedder_for(EmbedderId("minilm:fp32", "0" * 64), None)


def test_a_model_that_has_changed_under_its_name_is_said() -> None:
    with pytest.raises(ArgumentError, match="it has changed since: use the model as it was then, or index"):
        embedder_for(EmbedderId("wordllama", "0" * 64), None)


def test_an_embedder_of_ones_own_must_be_named_again() -> None:
    with pytest.raises(ArgumentError, match="made with StaticModel; name that embedder"):
        embedder_for(EmbedderId("StaticModel", ""), None)
    with pytest.raises(ArgumentError, match="use the embedder that made it, or index the documents again"):
        embedder_for(EmbedderId("StaticModel", ""), OldSentenceTransformer())
