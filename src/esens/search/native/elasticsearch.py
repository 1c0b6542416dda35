"""Elasticsearch, from 9 on.

The paper's score with one trap is a linear retriever, which normalises over the candidates. Its weights may not be
negative, but one less a normalised score is the normalised score of the opposite, and the order is the same. Any
other score is a script, with ranges as parameters.
"""

from typing import Any

from esens.search.native.painless import ScriptQueries, weights_of
from esens.search.native.request import NativeRequest, write_json


def render(request: NativeRequest) -> str:
    """Return the request and its body."""
    queries, weights = _queries(request), weights_of(request)
    body = {"query": queries.by_formula()} if weights is None else {"retriever": _linear(queries, weights)}
    return write_json(f"POST /{request.collection}/_search", {"size": request.k, **body})


def _queries(request: NativeRequest) -> ScriptQueries:
    nearest = [
        {"knn": {"field": request.field, "query_vector": request.vector(name), "k": request.candidates}}
        for name in request.probes
    ]
    return ScriptQueries(request, nearest, lambda vector: f"cosineSimilarity({vector}, '{request.field}')")


def _linear(queries: ScriptQueries, weights: dict[str, float]) -> dict[str, Any]:
    retrievers = [
        {"retriever": {"standard": {"query": queries.by_text(name)}}, "weight": weight, "normalizer": "minmax"}
        for name, weight in weights.items()
    ]
    window = len(queries.nearest) * queries.request.candidates
    return {"linear": {"retrievers": retrievers, "rank_window_size": window}}
