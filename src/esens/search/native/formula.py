"""The formula of a score: a small tree, which every engine writes in its own language.

A leaf is a number or the name of a text (``query``, ``target``, ``trap_1``), which stands for its cosine with the
document.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple

from esens.errors import ArgumentError
from esens.score.base import QueryTexts, Scorer
from esens.score.contrast import CLEARLY, Contrast
from esens.score.linear import Linear

Words = Mapping[str, Callable[..., str]]
"""How a language writes the name of a text, and what is no infix operator there."""


class Operation(NamedTuple):
    """An operation and its operands.

    ``share`` of a text is its cosine, min-max normalised; ``nearness`` the same up to the second greatest.
    ``above`` is 1 where the first operand is greater than the second, and 0 elsewhere. All others are those of
    arithmetic, of two operands.
    """

    name: str
    operands: tuple["float | str | Operation", ...]


def formula_of(scorer: Scorer, texts: QueryTexts) -> Operation:
    """Return the formula of the paper's score or of contrast, without what documents say."""
    if isinstance(scorer, Linear):
        return _of("-", _wanted(scorer.alpha, scorer.gamma), _greatest(_penalties(scorer.beta, texts)))
    if type(scorer) is Contrast:
        loss = _of("min", 1.0, _of("*", scorer.beta, _greatest(_sides(texts))))
        return _of("*", _wanted(scorer.alpha, scorer.gamma), _of("-", 1.0, loss))
    problem = f'"{scorer.name}" reads the texts of documents, which no engine does; choose contrast or linear'
    raise ArgumentError("score", problem)


def write_formula(formula: "float | str | Operation", words: Words) -> str:
    """Write a formula with infix operators."""
    if isinstance(formula, str):
        return words["text"](formula)
    if not isinstance(formula, Operation):
        return repr(float(formula))
    if formula.name in ("share", "nearness"):
        return words[formula.name](formula.operands[0])
    left, right = (write_formula(operand, words) for operand in formula.operands)
    return words[formula.name](left, right) if formula.name in words else f"({left} {formula.name} {right})"


def _wanted(alpha: float, gamma: float) -> "float | str | Operation":
    weights = {"query": alpha, "target": gamma}
    terms = [_times(weight, _of("share", name)) for name, weight in weights.items() if weight]
    return reduce(lambda left, right: _of("+", left, right), terms)


def _penalties(beta: float, texts: QueryTexts) -> list[Operation]:
    return [_of("*", beta * weight, _of("share", trap)) for trap, weight in _traps(texts)]


def _sides(texts: QueryTexts) -> list[Operation]:
    """Return how much nearer a document is to each trap than to the target, of those that may pay for it."""
    target = _of("nearness", "target")
    sides = []
    for trap, weight in _traps(texts):
        side = _of("max", 0.0, _of("-", _of("nearness", trap), target))
        may_pay = _of("above", trap, _of("-", "target", CLEARLY))
        sides.append(_times(weight, _of("*", may_pay, side)))
    return sides


def _traps(texts: QueryTexts) -> list[tuple[str, float]]:
    weights = texts.weights or (1.0,) * len(texts.traps)
    return [(f"trap_{number}", weight) for number, weight in enumerate(weights, start=1)]


def _greatest(terms: list[Operation]) -> Operation:
    return reduce(lambda left, right: _of("max", left, right), terms)


def _times(weight: float, term: Operation) -> Operation:
    return term if weight == 1 else _of("*", weight, term)


def _of(name: str, *operands: "float | str | Operation") -> Operation:
    return Operation(name, operands)
