"""Embedders that people have already, each behind the methods that esens calls.

They are recognised by their methods, so none of the libraries that they come from is imported here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.embed.base import LangChainEmbeddings, TextEncoder, TextsToVectors, Vectors
from esens.errors import ArgumentError

# Methods that treat documents and queries apart, as sentence-transformers and FlagEmbedding name them. A pair is
# used only where both are there: elsewhere one of these names may stand for a method that takes something else.
_PAIRS = (("encode_document", "encode_query"), ("encode_corpus", "encode_queries"))
# Attributes in which libraries store the name of the loaded model.
_MODEL_NAMES = ("model_name", "model_name_or_path", "name_or_path", "base_model_name", "model_id", "model", "name")
# What FlagEmbedding's M3 calls its dense vectors, among others that it returns.
_DENSE = "dense_vecs"


class FunctionEmbedder:
    """Any function from texts to vectors, used for documents and queries alike."""

    def __init__(self, function: TextsToVectors) -> None:
        self._function = function

    @property
    def name(self) -> str:
        """The function's name."""
        return getattr(self._function, "__qualname__", type(self._function).__name__)

    @property
    def fingerprint(self) -> str | None:
        """The function's fingerprint, if it has one."""
        return _fingerprint(self._function)

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each document."""
        return self._function(texts)

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row for each query."""
        return self._function(texts)


class EncoderEmbedder:
    """A model with ``encode``, such as a SentenceTransformer; its methods for documents and queries come first."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder = encoder
        self._encode_documents, self._encode_queries = _encoding_methods(encoder)

    @property
    def name(self) -> str:
        """The class, and the model where the object names it: ``SentenceTransformer(all-MiniLM-L6-v2)``."""
        return _name(self._encoder)

    @property
    def fingerprint(self) -> str | None:
        """The object's fingerprint, if it has one; nothing else distinguishes two models of one class."""
        return _fingerprint(self._encoder)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each document."""
        return _matrix(self._encode_documents(list(texts)))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each query."""
        return _matrix(self._encode_queries(list(texts)))


class LangChainEmbedder:
    """An object in the shape of LangChain's ``Embeddings``."""

    def __init__(self, embeddings: LangChainEmbeddings) -> None:
        self._embeddings = embeddings

    @property
    def name(self) -> str:
        """The class, and the model where the object names it: ``OpenAIEmbeddings(text-embedding-3-small)``."""
        return _name(self._embeddings)

    @property
    def fingerprint(self) -> str | None:
        """The object's fingerprint, if it has one."""
        return _fingerprint(self._embeddings)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each document."""
        return _matrix(self._embeddings.embed_documents(list(texts)))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each query; LangChain embeds one at a time."""
        return _matrix([self._embeddings.embed_query(text) for text in texts])


def _encoding_methods(encoder: TextEncoder) -> tuple[Callable[[list[str]], Any], Callable[[list[str]], Any]]:
    for names in _PAIRS:
        documents, queries = (getattr(encoder, name, None) for name in names)
        if callable(documents) and callable(queries):
            return documents, queries
    return encoder.encode, encoder.encode


def _name(model: object) -> str:
    card = getattr(model, "model_card_data", None)  # where a SentenceTransformer says what it was loaded from
    names = [getattr(card, "base_model", None), *(getattr(model, attribute, None) for attribute in _MODEL_NAMES)]
    model_name = next((name for name in names if isinstance(name, str) and name), "")
    return f"{type(model).__name__}({model_name})" if model_name else type(model).__name__


def _fingerprint(model: object) -> str | None:
    value = getattr(model, "fingerprint", None)
    return value if isinstance(value, str) else None


def _matrix(rows: Any) -> Vectors:
    """Return what a model gave as numbers: arrays, lists, tensors, or a mapping with dense vectors."""
    rows = rows[_DENSE] if isinstance(rows, Mapping) and _DENSE in rows else rows
    try:
        if hasattr(rows, "detach"):  # a tensor, perhaps of a number type that numpy does not have
            rows = rows.detach().cpu().float().numpy()
        return np.asarray(rows, np.float32)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise ArgumentError("embedder", f"did not return a matrix of numbers ({error})") from None
