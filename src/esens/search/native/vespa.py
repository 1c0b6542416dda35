"""Vespa: a rank profile, whose global phase normalises over the candidates, and the query that names it.

Its normalisation knows no second greatest, so both sides of contrast reach up to the greatest cosine.
"""

from esens.search.native.formula import Words, write_formula
from esens.search.native.request import NativeRequest, write_json

_WORDS: Words = {
    "text": lambda name: f"cosine_{name}",
    "share": lambda name: f"normalize_linear(cosine_{name})",
    "nearness": lambda name: f"normalize_linear(cosine_{name})",
    "max": lambda left, right: f"max({left}, {right})",
    "min": lambda left, right: f"min({left}, {right})",
    "above": lambda left, right: f"if({left} > {right}, 1, 0)",
}


def render(request: NativeRequest) -> str:
    """Return the rank profile, for vectors of unit length, and a query."""
    vector = request.inputs["query"].vector
    size = "<dimension>" if vector is None else len(vector)
    inputs = [f"        query({name}_vector) tensor<float>(x[{size}])" for name in request.inputs]
    functions = [
        f"    function cosine_{name}() {{\n"
        f"        expression: sum(query({name}_vector) * attribute({request.field}))\n    }}"
        for name in request.inputs
    ]
    count = len(request.probes) * request.candidates
    profile = [
        "rank-profile esens {",
        "    inputs {",
        *inputs,
        "    }",
        *functions,
        "    first-phase {",
        f"        expression: {' + '.join(f'cosine_{name}' for name in request.probes)}",
        "    }",
        "    global-phase {",
        f"        rerank-count: {count}",
        f"        expression: {write_formula(request.formula, _WORDS)}",
        "    }",
        "}",
    ]
    return "\n".join(profile) + "\n\n" + _query(request)


def _query(request: NativeRequest) -> str:
    near = " or ".join(
        f"({{targetHits: {request.candidates}}}nearestNeighbor({request.field}, {name}_vector))"
        for name in request.probes
    )
    vectors = {f"input.query({name}_vector)": request.vector(name) for name in request.inputs}
    yql = f"select * from {request.collection} where {near}"  # noqa: S608 - names are checked, and it is only printed
    return write_json("POST /search/", {"yql": yql, "ranking": "esens", "hits": request.k, **vectors})
