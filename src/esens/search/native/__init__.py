"""A score as a query of an engine's own, for people who run engines that esens does not speak to.

What an engine evaluates is the formula of a score over candidates that it finds: cosines, ranges and weights. It
reads no texts, so names, mentions and statements do not count, and the default score, which goes by them, has no
formula.
"""

import re
from collections.abc import Callable, Mapping

from esens.errors import ArgumentError
from esens.messages import quoted
from esens.score.base import QueryTexts, Scorer
from esens.score.parameters import checked_count
from esens.search.native import elasticsearch, opensearch, pgvector, qdrant, vespa
from esens.search.native.formula import formula_of
from esens.search.native.request import NativeRequest, TextInput, text_names

NATIVE_ENGINES: Mapping[str, Callable[[NativeRequest], str]] = {
    "qdrant": qdrant.render,
    "pgvector": pgvector.render,
    "vespa": vespa.render,
    "elasticsearch": elasticsearch.render,
    "opensearch": opensearch.render,
}

__all__ = ["NATIVE_ENGINES", "NativeRequest", "TextInput", "formula_of", "native_request", "text_names"]


def native_request(
    scorer: Scorer,
    texts: QueryTexts,
    *,
    inputs: Mapping[str, TextInput] | None = None,
    collection: str = "documents",
    field: str = "vector",
    k: int = 10,
    candidates: int = 200,
) -> NativeRequest:
    """Return what an engine is asked; without ``inputs``, vectors and ranges are placeholders."""
    if not texts.traps:
        raise ArgumentError("query", "excludes nothing, so any engine's plain search answers it")
    for argument, name in (("collection", collection), ("field", field)):
        if not re.fullmatch(r"[\w.-]+", name):  # it becomes part of statements and scripts
            raise ArgumentError(argument, f"may have letters, digits and _ . - only, got {quoted(name)}")
    checked_count("candidates", candidates, least=1)
    known = inputs or {name: TextInput() for name in text_names(texts)}
    return NativeRequest(formula_of(scorer, texts), known, collection, field, k, candidates)
