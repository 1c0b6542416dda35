"""OpenSearch, from 3 on.

The paper's score with one trap is a hybrid query, whose pipeline normalises over the candidates. Its weights are
positive and their sum is 1; one less a normalised score is that of the opposite, so the order is the same. Any
other score is a script, with ranges as parameters.
"""

from typing import Any

from esens.search.native.painless import ScriptQueries, weights_of
from esens.search.native.request import NativeRequest, write_json


def render(request: NativeRequest) -> str:
    """Return the request and its body."""
    queries, weights = _queries(request), weights_of(request)
    body = {"query": queries.by_formula()} if weights is None else _hybrid(queries, weights)
    return write_json(f"POST /{request.collection}/_search", {"size": request.k, **body})


def _queries(request: NativeRequest) -> ScriptQueries:
    nearest = [
        {"knn": {request.field: {"vector": request.vector(name), "k": request.candidates}}}
        for name in request.probes
    ]
    return ScriptQueries(request, nearest, lambda vector: f"cosineSimilarity({vector}, doc['{request.field}'])")


def _hybrid(queries: ScriptQueries, weights: dict[str, float]) -> dict[str, Any]:
    total = sum(weights.values())
    processor = {
        "normalization": {"technique": "min_max"},
        "combination": {
            "technique": "arithmetic_mean",
            "parameters": {"weights": [weight / total for weight in weights.values()]},
        },
    }
    depth = len(queries.nearest) * queries.request.candidates
    return {
        "query": {"hybrid": {"queries": [queries.by_text(name) for name in weights], "pagination_depth": depth}},
        "search_pipeline": {"phase_results_processors": [{"normalization-processor": processor}]},
    }
