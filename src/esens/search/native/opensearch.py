"""OpenSearch, from 3 on.

The paper's score with one trap is a hybrid query, whose pipeline normalises over the candidates. Its weights are
positive and their sum is 1; one less a normalised score is that of the opposite, so the order is the same. Any
other score is a script, with ranges as parameters.
"""

from typing import Any

from esens.search.native.painless import script_of, weights_of
from esens.search.native.request import NativeRequest, write_json


def render(request: NativeRequest) -> str:
    """Return the request and its body."""
    weights = weights_of(request)
    body = {"query": _script_score(request)} if weights is None else _hybrid(request, weights)
    return write_json(f"POST /{request.collection}/_search", {"size": request.k, **body})


def _hybrid(request: NativeRequest, weights: dict[str, float]) -> dict[str, Any]:
    queries = []
    for name in weights:
        sign = "-" if name.startswith("trap_") else "+"
        script = {
            "source": f"1.0 {sign} cosineSimilarity(params.vector, doc['{request.field}'])",
            "params": {"vector": request.vector(name)},
        }
        queries.append({"script_score": {"query": _nearest(request), "script": script}})
    shares = [weight / sum(weights.values()) for weight in weights.values()]
    processor = {
        "normalization": {"technique": "min_max"},
        "combination": {"technique": "arithmetic_mean", "parameters": {"weights": shares}},
    }
    depth = len(request.probes) * request.candidates
    return {
        "query": {"hybrid": {"queries": queries, "pagination_depth": depth}},
        "search_pipeline": {"phase_results_processors": [{"normalization-processor": processor}]},
    }


def _script_score(request: NativeRequest) -> dict[str, Any]:
    script = script_of(request, lambda vector: f"cosineSimilarity({vector}, doc['{request.field}'])")
    return {"script_score": {"query": _nearest(request), "script": script}}


def _nearest(request: NativeRequest) -> dict[str, Any]:
    near = [
        {"knn": {request.field: {"vector": request.vector(name), "k": request.candidates}}}
        for name in request.probes
    ]
    return near[0] if len(near) == 1 else {"bool": {"should": near}}
