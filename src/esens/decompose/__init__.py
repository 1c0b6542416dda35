"""A query in, what is wanted and what is excluded out."""

from functools import partial
from typing import overload

from esens.decompose.base import BatchDecomposer, Decomposer, Progress, check_query, decompose_all
from esens.decompose.combined import HybridDecomposer, adecompose, is_remote, with_confidence
from esens.decompose.rules import decomposer as rules
from esens.decompose.rules.lexicon import LANGUAGES
from esens.errors import ArgumentError, UnknownSpecError
from esens.openai_client.server import model_and_limits
from esens.types import Decomposition

__all__ = [
    "DECOMPOSER_SPECS",
    "DEFAULT_DECOMPOSER",
    "HYBRID_PREFIX",
    "OPENAI_PREFIX",
    "BatchDecomposer",
    "Decomposer",
    "HybridDecomposer",
    "adecompose",
    "check_query",
    "decompose",
    "decompose_all",
    "decomposer_of",
    "is_remote",
    "with_confidence",
]

DEFAULT_DECOMPOSER = "rules"
_NAMED: dict[str, Decomposer] = {"rules": rules.decompose, "none": Decomposition}
OPENAI_PREFIX = "openai:"
_RULES_PREFIX = "rules:"
HYBRID_PREFIX = "hybrid:"
DECOMPOSER_SPECS = (
    *_NAMED,
    f"{_RULES_PREFIX}LANGUAGE",
    f"{OPENAI_PREFIX}MODEL",
    f"{HYBRID_PREFIX}{OPENAI_PREFIX}MODEL",
)


@overload
def decompose(
    query: str,
    *,
    decomposer: str | Decomposer = ...,
    min_confidence: float = ...,
    progress: Progress | None = ...,
) -> Decomposition: ...


@overload
def decompose(
    query: list[str] | tuple[str, ...],
    *,
    decomposer: str | Decomposer = ...,
    min_confidence: float = ...,
    progress: Progress | None = ...,
) -> list[Decomposition]: ...


def decompose(
    query: str | list[str] | tuple[str, ...],
    *,
    decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
    min_confidence: float = 0.0,
    progress: Progress | None = None,
) -> Decomposition | list[Decomposition]:
    """Split a query, or each of several, into what is wanted and what is excluded.

    >>> decompose("training methods for language models, excluding reinforcement learning")
    Decomposition(target='training methods for language models', traps=('reinforcement learning',))

    Exclusions below ``min_confidence`` do not count: the query then stays whole, and the reason says why.
    ``progress`` is called with the number of queries done and their total.
    """
    chosen = with_confidence(decomposer_of(decomposer), min_confidence)
    if isinstance(query, (list, tuple)):
        return decompose_all(query, chosen, progress)
    return decompose_all([query], chosen, progress)[0]


def decomposer_of(spec: str | Decomposer) -> Decomposer:
    """Return the decomposer that a spec names; a function from a query to a Decomposition is taken as it is."""
    if isinstance(spec, str):
        if spec.startswith(_RULES_PREFIX):
            return _rules_for(spec)
        if spec.startswith(OPENAI_PREFIX):
            from esens.decompose.llm.decomposer import LLMDecomposer

            model, limits = model_and_limits(spec.removeprefix(OPENAI_PREFIX), argument="decomposer")
            return LLMDecomposer(model, **limits)
        if spec.startswith(HYBRID_PREFIX + OPENAI_PREFIX):
            return HybridDecomposer(decomposer_of(spec.removeprefix(HYBRID_PREFIX)))
        if spec not in _NAMED:
            raise UnknownSpecError("decomposer", spec, DECOMPOSER_SPECS)
        return _NAMED[spec]
    if not callable(spec):
        raise ArgumentError("decomposer", f"expected a spec or a function of a query, got {type(spec).__name__}")
    return spec


def _rules_for(spec: str) -> Decomposer:
    language = spec.removeprefix(_RULES_PREFIX)
    if language not in LANGUAGES:
        raise UnknownSpecError("decomposer", spec, (f"{_RULES_PREFIX}{code}" for code in LANGUAGES))
    return partial(rules.decompose, language=language)
