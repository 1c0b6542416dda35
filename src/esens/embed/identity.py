"""Which embedder made an index's vectors, and whether it is the one at hand."""

import hashlib

from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors, fingerprint_of
from esens.errors import ArgumentError
from esens.types import EmbedderId

# These come with esens and read nothing that an index could name. Any other must be named by who searches: an
# index from elsewhere must not choose a folder to load, or a server to send queries to.
_OF_OUR_OWN = {"minilm:int8": "minilm", "minilm:fp32": "minilm", "wordllama": "wordllama"}


def identify(embedder: Embedder) -> EmbedderId:
    """Return the name of an embedder and the hash of its fingerprint; one without a fingerprint has no hash."""
    known = fingerprint_of(embedder)
    return EmbedderId(embedder.name, hashlib.sha256(known.encode()).hexdigest() if known else "")


def embedder_for(maker: EmbedderId | None, given: str | Embedder | TextsToVectors | None) -> Embedder:
    """Return the embedder given, or the one that made the vectors; one that did not make it is an error."""
    embedder = embedder_of(_default_for(maker) if given is None else given)
    if maker is not None and not maker.is_same(identify(embedder)):
        raise ArgumentError(
            "embedder",
            f"the index was made with {maker}, and {identify(embedder)} makes other vectors; name the embedder "
            "that made it (--embedder), or index the documents anew",
        )
    return embedder


def _default_for(maker: EmbedderId | None) -> str:
    if maker is None:
        return DEFAULT_EMBEDDER
    if maker.name not in _OF_OUR_OWN:
        raise ArgumentError("embedder", f"the index was made with {maker.name}; name that embedder")
    return _OF_OUR_OWN[maker.name]
