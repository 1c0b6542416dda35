"""What a caller may choose: the score with its parameters, and how many documents."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, Never

from esens.errors import ArgumentError
from esens.messages import quoted
from esens.score.base import Scorer
from esens.score.contrast import Contrast
from esens.score.linear import Linear
from esens.score.parameters import checked_choice
from esens.score.relational import Relational

SCORERS: Mapping[str, type[Any]] = {"relational": Relational, "contrast": Contrast, "linear": Linear}
SCORES = tuple(SCORERS)
DEFAULT_SCORE = "relational"
DEFAULT_K = 10
_OF_BOTH = ("k", "score", "beta", "mode", "decomposition", "exclude", "evidence_fields")
_MODELS = ("embedder", "decomposer", "verifier", "verify", "relevance", "rescore")
SEARCH_OPTIONS = (*_OF_BOTH, "where")
RERANK_OPTIONS = (*_OF_BOTH, "vectors", "scores", *_MODELS, "progress")
_OTHER_WORDS = {
    "top_k": "k",
    "topk": "k",
    "top_n": "k",
    "n": "k",
    "limit": "k",
    "size": "k",
    "exclusions": "exclude",
    "negative": "exclude",
    "filter": "where",
    "filters": "where",
}


def scorer_of(score: str | Scorer | None, *, beta: float | None = None, mode: str | None = None) -> Scorer:
    """Return the scorer that a name stands for, or the scorer itself; with this beta and mode, where given."""
    if isinstance(score, str) or score is None:
        scorer: Any = SCORERS[checked_choice("score", DEFAULT_SCORE if score is None else score, SCORES)]()
    elif callable(getattr(score, "terms", None)) and not isinstance(score, type):
        scorer = score
    else:
        raise ArgumentError(
            "score",
            f"must be {', '.join(map(repr, SCORES[:-1]))} or {SCORES[-1]!r}, or a scorer such as "
            f"esens.Contrast(beta=1); got {quoted(score)}",
        )
    changes = {"beta": beta, "mode": mode}
    for option, value in changes.items():
        if value is not None and option not in parameters_of(scorer):
            raise ArgumentError(option, f'the score "{scorer.name}" has none; "contrast" does')
    changed_fields = {option: value for option, value in changes.items() if value is not None}
    changed: Scorer = replace(scorer, **changed_fields) if changed_fields else scorer
    return changed


def parameters_of(scorer: Scorer) -> dict[str, Any]:
    """Return the parameters of a scorer by name; of one that is no dataclass, none are known."""
    record: Any = scorer
    return {field.name: getattr(record, field.name) for field in fields(record)} if is_dataclass(record) else {}


def refuse_unknown(options: dict[str, Never], valid: Sequence[str]) -> None:
    """Raise where a call has an option that does not exist, and name the one that was meant."""
    for name in options:
        raise ArgumentError(name, _advice(name, valid))


def _advice(name: str, valid: Sequence[str]) -> str:
    owners = [kind.__name__ for kind in SCORERS.values() if name in _parameters(kind)]
    if owners:
        return f"is a parameter of the score: write score=esens.{owners[0]}({name}=…)"
    meant = _OTHER_WORDS.get(name.lower()) or next(iter(get_close_matches(name, valid)), None)
    question = f" Did you mean {meant}?" if meant in valid else ""
    return f"is no option.{question} Valid are: {', '.join(valid)}"


def _parameters(kind: type[Any]) -> set[str]:
    return {field.name for field in fields(kind)} | ({"variant"} if kind is Linear else set())


def checked_k(k: object) -> int:
    """Return k if it is a number of results that can be asked for."""
    try:
        value = operator.index(k)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError("k", f"must be a whole number, got {quoted(k)}") from None
    if isinstance(k, bool) or value < 0:
        raise ArgumentError("k", f"must be a whole number of at least 0, got {quoted(k)}")
    return value


def checked_fields(fields: object) -> tuple[str, ...]:
    """Return names of metadata fields as a tuple; one name may stand alone."""
    names = (fields,) if isinstance(fields, str) else tuple(fields) if isinstance(fields, Iterable) else (None,)
    if not all(isinstance(name, str) and name for name in names):
        raise ArgumentError("evidence_fields", f"must be names of metadata fields, got {quoted(fields)}")
    return names
