"""What every engine is asked: a formula, the texts in it, and from how many candidates of which collection."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from esens.arrays.ranges import ScoreRange
from esens.score.base import QueryTexts
from esens.search.native.formula import Operation

_WIDTH = 100


class TextInput(NamedTuple):
    """The vector of a text and the range of its cosines; None is written as a placeholder."""

    vector: Sequence[float] | None = None
    over: ScoreRange | None = None


@dataclass(frozen=True)
class NativeRequest:
    """A search for the k best of the ``candidates`` nearest to what is asked, and to the target if it counts."""

    formula: Operation
    inputs: Mapping[str, TextInput]
    """What is known of each text, by its name in the formula: the query first."""
    collection: str
    field: str
    """The field, or the column, that holds the vectors."""
    k: int
    candidates: int

    @property
    def probes(self) -> list[str]:
        """The texts whose neighbours are the candidates."""
        return [name for name in self.inputs if not name.startswith("trap_")]

    def vector(self, name: str) -> Any:
        """Return the vector of a text, or what to write in its place."""
        vector = self.inputs[name].vector
        return f"<vector of the {_spoken(name)}>" if vector is None else list(vector)

    def limits(self, prefix: str = "") -> dict[str, Any]:
        """Return the least, the greatest and the second greatest cosine of each text, by name."""
        limits: dict[str, Any] = {}
        for name, (_, over) in self.inputs.items():
            for what, spoken in (("low", "least"), ("high", "greatest"), ("second", "second greatest")):
                value = f"<{spoken} cosine of the {_spoken(name)}>" if over is None else getattr(over, what)
                limits[f"{prefix}{name}_{what}"] = value
        return limits


def text_names(texts: QueryTexts) -> list[str]:
    """Return what the flat texts are called in a formula."""
    traps = [f"trap_{number}" for number in range(1, len(texts.traps) + 1)]
    return ["query", *(() if texts.target is None else ("target",)), *traps]


def write_json(first_line: str, body: Mapping[str, Any]) -> str:
    """Return a request as its line and its body."""
    return f"{first_line}\n{_indented(dict(body), '')}\n"


def _indented(value: Any, margin: str) -> str:
    """Return JSON with what fits into a line, and every vector, on one line."""
    line = json.dumps(value, ensure_ascii=False)
    is_vector = isinstance(value, list) and all(isinstance(item, float) for item in value)
    if len(margin + line) <= _WIDTH or is_vector or not isinstance(value, (dict, list)):
        return line
    inner = f"{margin}  "
    if isinstance(value, list):
        return _block("[]", [_indented(item, inner) for item in value], margin)
    items = [f"{json.dumps(name)}: {_indented(item, inner)}" for name, item in value.items()]
    return _block("{}", items, margin)


def _block(brackets: str, items: Sequence[str], margin: str) -> str:
    joined = f",\n{margin}  ".join(items)
    return f"{brackets[0]}\n{margin}  {joined}\n{margin}{brackets[1]}"


def _spoken(name: str) -> str:
    return name.replace("_", " ")
