"""A query in, what is wanted and what is excluded out."""

from collections.abc import Callable

from esens.decompose import rules
from esens.errors import ArgumentError, UnknownSpecError
from esens.types import Decomposition, check_text

Decomposer = Callable[[str], Decomposition]
DEFAULT_DECOMPOSER = "rules"
_NAMED: dict[str, Decomposer] = {"rules": rules.decompose, "none": Decomposition}
DECOMPOSER_SPECS = tuple(_NAMED)


def decompose(query: str, *, decomposer: str | Decomposer = DEFAULT_DECOMPOSER) -> Decomposition:
    """Split a query into what is wanted and what is excluded.

    >>> decompose("training methods for language models, excluding reinforcement learning")
    Decomposition(target='training methods for language models', traps=('reinforcement learning',))
    """
    return decomposed(checked_query(query), decomposer_of(decomposer))


def decomposed(query: str, decomposer: Decomposer) -> Decomposition:
    """Return what a decomposer makes of a query, if it is a Decomposition."""
    found: object = decomposer(query)
    if not isinstance(found, Decomposition):
        raise ArgumentError("decomposer", f"must return a Decomposition, got {type(found).__name__}")
    return found


def decomposer_of(spec: str | Decomposer) -> Decomposer:
    """Return the decomposer that a spec names; a function from a query to a Decomposition is taken as it is."""
    if isinstance(spec, str):
        if spec not in _NAMED:
            raise UnknownSpecError("decomposer", spec, _NAMED)
        return _NAMED[spec]
    if not callable(spec):
        raise ArgumentError("decomposer", f"expected a spec or a function of a query, got {type(spec).__name__}")
    return spec


def checked_query(query: str) -> str:
    """Return the query if it is a text that says something."""
    check_text("query", query)
    if not query.strip():
        raise ArgumentError("query", "is empty; say what is wanted")
    return query
