"""Which embedder made an index's vectors, and whether it is the one at hand."""

import hashlib

from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors, fingerprint_of
from esens.errors import ArgumentError
from esens.index import Index, MadeBy

# These come with esens and read nothing that an index could name. Any other must be named by who searches: an
# index from elsewhere must not choose a folder to load, or a server to send queries to.
_OF_OUR_OWN = {"minilm:int8": "minilm", "minilm:fp32": "minilm", "wordllama": "wordllama"}


def made_by(embedder: Embedder) -> MadeBy:
    """Return the name of an embedder and the hash of its fingerprint; one without a fingerprint has no hash."""
    known = fingerprint_of(embedder)
    return MadeBy(embedder.name, hashlib.sha256(known.encode()).hexdigest() if known else "")


def embedder_for(index: Index, given: str | Embedder | TextsToVectors | None) -> Embedder:
    """Return the embedder given, or the one that made the index; one that did not make it is an error."""
    maker = index.made_by
    embedder = embedder_of(_default_for(maker) if given is None else given)
    if maker is not None and not maker.is_same(made_by(embedder)):
        raise ArgumentError(
            "embedder",
            f"the index was made with {maker}, and {made_by(embedder)} makes other vectors; name the embedder "
            "that made it (--embedder), or index the documents anew",
        )
    return embedder


def _default_for(maker: MadeBy | None) -> str:
    if maker is None:
        return DEFAULT_EMBEDDER
    if maker.name not in _OF_OUR_OWN:
        raise ArgumentError("embedder", f"the index was made with {maker.name}; name that embedder")
    return _OF_OUR_OWN[maker.name]
