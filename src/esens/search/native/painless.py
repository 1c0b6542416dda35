"""What Elasticsearch and OpenSearch share: a script that scores candidates, with ranges as parameters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from esens.search.native.formula import Operation, Words, write_formula
from esens.search.native.request import NativeRequest

_SHARE = (
    "double share(double raw, double low, double high) { return high > low ? (raw - low) / (high - low) : 0.0; }"
)
_WORDS: Words = {
    "text": lambda name: name,
    "share": lambda name: f"share({name}, params.{name}_low, params.{name}_high)",
    "nearness": lambda name: f"share({name}, params.{name}_low, params.{name}_second)",
    "max": lambda left, right: f"Math.max({left}, {right})",
    "min": lambda left, right: f"Math.min({left}, {right})",
    "above": lambda left, right: f"({left} > {right} ? 1.0 : 0.0)",
}


@dataclass(frozen=True)
class ScriptQueries:
    """Queries that score the candidates by scripts; ``cosine`` writes that of a parameter with the document."""

    request: NativeRequest
    nearest: Sequence[dict[str, Any]]
    """A query a probe, for its neighbours."""
    cosine: Callable[[str], str]

    def by_text(self, name: str) -> dict[str, Any]:
        """Return the query by how near documents are to one text, or how far from it where it is a trap."""
        sign = "-" if name.startswith("trap_") else "+"  # one more, since no score may be negative
        return self._scored(f"1.0 {sign} {self.cosine('params.vector')}", {"vector": self.request.vector(name)})

    def by_formula(self) -> dict[str, Any]:
        """Return the query by the whole score; a constant is added to the paper's, which may be negative."""
        request = self.request
        cosines = " ".join(f"double {name} = {self.cosine(f'params.{name}_vector')};" for name in request.inputs)
        formula = write_formula(request.formula, _WORDS)
        source = f"{_SHARE} {cosines} return Math.max(0.0, {_offset(request.formula)} + {formula});"
        vectors = {f"{name}_vector": request.vector(name) for name in request.inputs}
        return self._scored(source, {**vectors, **request.limits()})

    def _scored(self, source: str, parameters: dict[str, Any]) -> dict[str, Any]:
        query = self.nearest[0] if len(self.nearest) == 1 else {"bool": {"should": list(self.nearest)}}
        return {"script_score": {"query": query, "script": {"source": source, "params": parameters}}}


def weights_of(request: NativeRequest) -> dict[str, float] | None:
    """Return the weight of each text where the score is a sum of shares; that of a trap is to be taken off."""
    if request.formula.name != "-" or "trap_2" in request.inputs:
        return None
    wanted, penalty = request.formula.operands
    return {**_terms(wanted), **_terms(penalty)}


def _terms(formula: "float | str | Operation") -> dict[str, float]:
    """Return the weights of a sum of weighted shares."""
    assert isinstance(formula, Operation)  # noqa: S101 - formula_of makes no other
    if formula.name == "share":
        return {str(formula.operands[0]): 1.0}
    left, right = formula.operands
    if formula.name == "+":
        return {**_terms(left), **_terms(right)}
    [name] = _terms(right)
    return {name: float(left)}  # type: ignore[arg-type]


def _offset(formula: Operation) -> float:
    """Return the most that can be taken off."""
    return _greatest_weight(formula.operands[1]) if formula.name == "-" else 0.0


def _greatest_weight(penalty: "float | str | Operation") -> float:
    assert isinstance(penalty, Operation)  # noqa: S101 - formula_of makes no other
    if penalty.name == "max":
        return max(map(_greatest_weight, penalty.operands))
    return float(penalty.operands[0])  # type: ignore[arg-type]
