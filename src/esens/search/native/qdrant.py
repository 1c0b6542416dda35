"""Qdrant, from 1.14 on: nested prefetches score the same candidates by every text, and a formula joins the scores.

Its formulas have no min-max normalisation, so ranges are constants. They are written as defaults of payload fields
that no document has. Contrast, and several traps, need ``max`` and ``min``, which are newer than formulas.
"""

from typing import Any

from esens.search.native.formula import Operation
from esens.search.native.request import NativeRequest, write_json

_PREFIX = "esens_"


def render(request: NativeRequest) -> str:
    """Return the request and its body."""
    return write_json(f"POST /collections/{request.collection}/points/query", body_of(request))


def body_of(request: NativeRequest) -> dict[str, Any]:
    """Return the body of the request."""
    names = list(request.inputs)
    nearest = [_nearest(request, name) for name in request.probes]
    scored = [{"prefetch": nearest, **_nearest(request, name, len(nearest))} for name in names]
    formula = _expression(request.formula, {name: f"$score[{at}]" for at, name in enumerate(names)})
    defaults = request.limits(_PREFIX)
    return {"prefetch": scored, "query": {"formula": formula, "defaults": defaults}, "limit": request.k}


def _nearest(request: NativeRequest, name: str, probes: int = 1) -> dict[str, Any]:
    return {"query": request.vector(name), "using": request.field, "limit": probes * request.candidates}


def _expression(formula: "float | str | Operation", scores: dict[str, str]) -> Any:
    if isinstance(formula, str):
        return scores[formula]
    if not isinstance(formula, Operation):
        return formula
    name = str(formula.operands[0])
    if formula.name in ("share", "nearness"):
        top = f"{_PREFIX}{name}_{'high' if formula.name == 'share' else 'second'}"
        return _divided(_less(scores[name], f"{_PREFIX}{name}_low"), _less(top, f"{_PREFIX}{name}_low"), 0.0)
    left, right = (_expression(operand, scores) for operand in formula.operands)
    match formula.name:
        case "+":
            return {"sum": [left, right]}
        case "-":
            return _less(left, right)
        case "*":
            return {"mult": [left, right]}
        case "max" | "min":
            return {formula.name: [left, right]}
        case _:  # above: the sign of the difference, from −1 and 1 to 0 and 1
            sign = _divided(_less(left, right), {"abs": _less(left, right)}, -1.0)
            return {"mult": [0.5, {"sum": [1.0, sign]}]}


def _less(left: Any, right: Any) -> dict[str, Any]:
    return {"sum": [left, {"neg": right}]}


def _divided(left: Any, right: Any, by_zero: float) -> dict[str, Any]:
    return {"div": {"left": left, "right": right, "by_zero_default": by_zero}}
