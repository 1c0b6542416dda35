"""Texts in, vectors out. Every embedder is named by a short spec."""

from esens.embed.base import Embedder as Embedder
from esens.embed.base import FunctionEmbedder, TextsToVectors
from esens.errors import ArgumentError, UnknownSpecError

DEFAULT_EMBEDDER = "minilm"
EMBEDDER_SPECS = ("minilm", "wordllama", "onnx:FOLDER", "openai:MODEL", "sentence-transformers:MODEL_OR_FOLDER")


def embedder_of(spec: "str | Embedder | TextsToVectors", *, threads: int = 0) -> Embedder:
    """Return the embedder that a spec names; an embedder, or a function of texts, is taken as it is.

    ``threads`` bounds those of an ONNX model, so that several processes can share a machine; 0 leaves the number
    to onnxruntime, which takes every core.
    """
    if isinstance(spec, str):
        return _named(spec, threads)
    if isinstance(spec, Embedder):
        return spec
    if callable(spec):
        return FunctionEmbedder(spec)
    raise ArgumentError(
        "embedder",
        f"expected a spec ({', '.join(EMBEDDER_SPECS)}), an object with name, embed_documents and embed_queries, "
        f"or a function from texts to vectors; got {type(spec).__name__}",
    )


def _named(spec: str, threads: int) -> Embedder:
    scheme, _, rest = spec.partition(":")
    if spec == "minilm":
        from esens.embed.minilm import minilm

        return minilm(threads)
    if spec == "wordllama":
        from esens.embed.wordllama import wordllama

        return wordllama()
    if scheme == "onnx" and rest:
        from esens.embed.onnx import OnnxEmbedder

        return OnnxEmbedder.from_folder(rest, threads=threads)
    if scheme == "openai" and rest:
        from esens.embed.openai import OpenAIEmbedder

        return OpenAIEmbedder(rest)
    if scheme == "sentence-transformers" and rest:
        from esens.embed.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(rest)
    raise UnknownSpecError("embedder", spec, EMBEDDER_SPECS)
