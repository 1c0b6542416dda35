"""Elasticsearch, from 9 on.

The paper's score with one trap is a linear retriever, which normalises over the candidates. Its weights may not be
negative, but one less a normalised score is the normalised score of the opposite, and the order is the same. Any
other score is a script, with ranges as parameters.
"""

from typing import Any

from esens.search.native.painless import script_of, weights_of
from esens.search.native.request import NativeRequest, write_json


def render(request: NativeRequest) -> str:
    """Return the request and its body."""
    weights = weights_of(request)
    body = {"query": _script_score(request)} if weights is None else {"retriever": _linear(request, weights)}
    return write_json(f"POST /{request.collection}/_search", {"size": request.k, **body})


def _linear(request: NativeRequest, weights: dict[str, float]) -> dict[str, Any]:
    retrievers = []
    for name, weight in weights.items():
        sign = "-" if name.startswith("trap_") else "+"
        script = {
            "source": f"1.0 {sign} cosineSimilarity(params.vector, '{request.field}')",
            "params": {"vector": request.vector(name)},
        }
        query = {"script_score": {"query": _nearest(request), "script": script}}
        retriever = {"standard": {"query": query}}
        retrievers.append({"retriever": retriever, "weight": weight, "normalizer": "minmax"})
    window = len(request.probes) * request.candidates
    return {"linear": {"retrievers": retrievers, "rank_window_size": window}}


def _script_score(request: NativeRequest) -> dict[str, Any]:
    script = script_of(request, lambda vector: f"cosineSimilarity({vector}, '{request.field}')")
    return {"script_score": {"query": _nearest(request), "script": script}}


def _nearest(request: NativeRequest) -> dict[str, Any]:
    near = [
        {"knn": {"field": request.field, "query_vector": request.vector(name), "k": request.candidates}}
        for name in request.probes
    ]
    return near[0] if len(near) == 1 else {"bool": {"should": near}}
