"""Which embedder made an index's vectors, and whether it is the one at hand."""

import hashlib

from esens.embed import DEFAULT_EMBEDDER, Embedder, EmbedderLike, embedder_of
from esens.embed.base import fingerprint_of
from esens.errors import ArgumentError
from esens.types import EmbedderId

# Names that are specs, of embedders that read nothing an index could choose. Any other must be named by who
# searches: an index from elsewhere must not choose a folder to load, or a server to send queries to.
_BUILT_IN = ("minilm:int8", "minilm:fp32", "wordllama")


def identify(embedder: Embedder) -> EmbedderId:
    """Return the name of an embedder and the hash of its fingerprint; one without a fingerprint has no hash."""
    value = fingerprint_of(embedder)
    return EmbedderId(embedder.name, hashlib.sha256(value.encode()).hexdigest() if value else "")


def embedder_for(maker: EmbedderId | None, embedder: EmbedderLike | None) -> Embedder:
    """Return the embedder to search an index with: the caller's, or the one that made the index's vectors.

    One that makes other vectors than the index has is an error.
    """
    model = embedder_of(_default_for(maker) if embedder is None else embedder)
    if maker is not None and not maker.is_same(identify(model)):
        raise ArgumentError(
            "embedder",
            f"the index was made with {maker}, and {identify(model)} makes other vectors; {_advice(maker, model)}",
        )
    return model


def _advice(maker: EmbedderId, model: Embedder) -> str:
    if maker.name == model.name:
        return "it has changed since: use the model as it was then, or index the documents again with this one"
    if maker.name in _BUILT_IN:
        return f"name the one that made it, {maker.name} (--embedder {maker.name}), or index the documents again"
    return "use the embedder that made it, or index the documents again with this one"


def _default_for(maker: EmbedderId | None) -> str:
    if maker is None:
        return DEFAULT_EMBEDDER
    if maker.name not in _BUILT_IN:
        raise ArgumentError("embedder", f"the index was made with {maker.name}; name that embedder")
    return maker.name
