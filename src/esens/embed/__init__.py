"""Texts in, vectors out. Every embedder is named by a short spec, or is an object that people have already."""

from esens.embed.adapters import EncoderEmbedder, FunctionEmbedder, LangChainEmbedder
from esens.embed.base import Embedder as Embedder
from esens.embed.base import EmbedderLike as EmbedderLike
from esens.embed.base import LangChainEmbeddings, TextEncoder
from esens.errors import ArgumentError, UnknownSpecError
from esens.openai_client.server import model_and_limits

DEFAULT_EMBEDDER = "minilm"
EMBEDDER_SPECS = (
    "minilm",
    "wordllama",
    "onnx:FOLDER",
    "openai:MODEL",
    "sentence-transformers:MODEL_OR_FOLDER",
)


def embedder_of(embedder: EmbedderLike, *, threads: int = 0) -> Embedder:
    """Return the embedder that a spec names, or one around an object or a function that makes vectors.

    ``threads`` bounds those of an ONNX model, so that several processes can share a machine; 0 leaves the number
    to onnxruntime, which takes every core.
    """
    if isinstance(embedder, str):
        return _load_spec(embedder, threads)
    if isinstance(embedder, type):  # a class has the methods, too, but nothing to call them on
        raise _not_an_embedder(f"the class {embedder.__name__}; make an object of it first")
    if isinstance(embedder, Embedder):
        return embedder
    if isinstance(embedder, LangChainEmbeddings):
        return LangChainEmbedder(embedder)
    if isinstance(embedder, TextEncoder):  # before functions: a torch module can be called, but not with texts
        return EncoderEmbedder(embedder)
    if callable(embedder):
        return FunctionEmbedder(embedder)
    raise _not_an_embedder(type(embedder).__name__)


def _not_an_embedder(what: str) -> ArgumentError:
    return ArgumentError(
        "embedder",
        f"expected a spec ({', '.join(EMBEDDER_SPECS)}), an object with encode (as a SentenceTransformer), one "
        "with embed_documents and embed_query (LangChain's Embeddings), one with name, embed_documents and "
        f"embed_queries, or a function from texts to vectors; got {what}",
    )


def _load_spec(spec: str, threads: int) -> Embedder:
    scheme, _, rest = spec.partition(":")
    if scheme == "minilm" and rest in ("", "int8", "fp32"):
        from esens.embed.minilm import minilm

        return minilm(threads, weights=rest)
    if spec == "wordllama":
        from esens.embed.wordllama import wordllama

        return wordllama()
    if scheme == "onnx" and rest:
        from esens.embed.onnx import OnnxEmbedder

        return OnnxEmbedder.from_folder(rest, threads=threads)
    if scheme == "openai" and rest:
        from esens.embed.openai import OpenAIEmbedder

        model, limits = model_and_limits(rest, argument="embedder")
        return OpenAIEmbedder(model, **limits)
    if scheme == "sentence-transformers" and rest:
        from esens.embed.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(rest)
    raise UnknownSpecError("embedder", spec, EMBEDDER_SPECS)
