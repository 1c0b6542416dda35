"""What a caller may choose: the score with its parameters, and how many documents."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Any, Never

from esens.errors import ArgumentError
from esens.messages import quoted
from esens.score.base import Scorer
from esens.score.contrast import Contrast
from esens.score.hybrid import FUSIONS, Hybrid
from esens.score.linear import Linear
from esens.score.parameters import checked_choice
from esens.score.relational import Relational

SCORERS: Mapping[str, type[Any]] = {"relational": Relational, "contrast": Contrast, "linear": Linear}
SCORES = tuple(SCORERS)
DEFAULT_SCORE = "relational"
DEFAULT_K = 10
_OF_BOTH = ("k", "score", "beta", "mode", "decomposition", "exclude", "evidence_fields")
_MODELS = ("embedder", "decomposer", "verifier", "verify", "relevance", "rescore")
SEARCH_OPTIONS = (*_OF_BOTH, "where", "hybrid", "candidates")
RERANK_OPTIONS = (*_OF_BOTH, "vectors", "scores", *_MODELS, "progress")
_OTHER_WORDS = {
    "top_k": "k",
    "topk": "k",
    "top_n": "k",
    "n": "k",
    "n_results": "k",
    "num_results": "k",
    "max_results": "k",
    "limit": "k",
    "size": "k",
    "exclusions": "exclude",
    "negative": "exclude",
    "filter": "where",
    "filters": "where",
    "metadata_filter": "where",
}


def scorer_of(score: str | Scorer | None, *, beta: float | None = None, mode: str | None = None) -> Scorer:
    """Return the scorer that a name stands for, or the scorer itself; with this beta and mode, where given."""
    if isinstance(score, str) or score is None:
        scorer: Any = _by_name(checked_choice("score", DEFAULT_SCORE if score is None else score, SCORES))
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


@cache
def _by_name(score: str) -> Scorer:
    """Return a score with its defaults: a frozen record, so one serves all."""
    scorer: Scorer = SCORERS[score]()
    return scorer


def parameters_of(scorer: Scorer) -> dict[str, Any]:
    """Return the parameters of a scorer by name; of one that is no dataclass, none are known."""
    kind: Any = type(scorer)
    return {name: getattr(scorer, name) for name in _fields(kind)}


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def refuse_unknown(options: dict[str, Never], valid: Sequence[str], score: object) -> None:
    """Raise where a call by this score has an option that does not exist, and name the one that was meant."""
    for name in options:
        raise ArgumentError(name, _advice(name, valid, score))


def _advice(name: str, valid: Sequence[str], score: object) -> str:
    owners = scores_with(name)
    if owners:
        kind = SCORERS[score if isinstance(score, str) and score in owners else owners[0]]
        return f"is a parameter of the score: write score=esens.{kind.__name__}({name}=…)"
    meant = option_meant(name, valid)
    question = f" Did you mean {meant}?" if meant else ""
    return f"is no option.{question} Valid are: {', '.join(valid)}"


def option_meant(name: str, valid: Iterable[str]) -> str | None:
    """Return the option that somebody meant by a name that is none, where that can be told."""
    options, lowered = tuple(valid), name.lower()
    meant = _OTHER_WORDS.get(lowered) or next(iter(get_close_matches(lowered, options)), lowered)
    return meant if meant in options else None


def scores_with(parameter: str) -> list[str]:
    """Return the names of the scores that have a parameter."""
    return [name for name, kind in SCORERS.items() if parameter in _parameters(kind)]


def _parameters(kind: Any) -> set[str]:
    return {*_fields(kind), *(("variant",) if kind is Linear else ())}


def checked_k(k: object) -> int:
    """Return k if it is a number of results that can be asked for."""
    try:
        value = operator.index(k)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError("k", f"must be a whole number, got {quoted(k)}") from None
    if isinstance(k, bool) or value < 0:
        raise ArgumentError("k", f"must be a whole number of at least 0, got {quoted(k)}")
    return value


def optional_k(k: object) -> int | None:
    """Return k checked, or None, which stands for all."""
    return None if k is None else checked_k(k)


def hybrid_of(hybrid: object) -> Hybrid | None:
    """Return how words count beside vectors: True is the default way, None and False are none."""
    if hybrid is None or isinstance(hybrid, bool):
        return Hybrid() if hybrid else None
    if isinstance(hybrid, str):
        return Hybrid(fusion=checked_choice("hybrid", hybrid, FUSIONS))
    if not isinstance(hybrid, Hybrid):
        forms = f"True, {', '.join(map(repr, FUSIONS))} or esens.Hybrid(words=0.5)"
        raise ArgumentError("hybrid", f"must be {forms}; got {quoted(hybrid)}")
    return hybrid


def checked_fields(fields: object) -> tuple[str, ...]:
    """Return names of metadata fields as a tuple; one name may stand alone."""
    names = (fields,) if isinstance(fields, str) else tuple(fields) if isinstance(fields, Iterable) else (None,)
    if not all(isinstance(name, str) and name for name in names):
        raise ArgumentError("evidence_fields", f"must be names of metadata fields, got {quoted(fields)}")
    return names
