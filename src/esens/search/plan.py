"""The query plan: a query, how it is split, by which score, and which texts that takes. Derived once."""

from collections.abc import Sequence
from dataclasses import dataclass

from esens.decompose import Decomposer, check_query, decompose_all
from esens.errors import ArgumentError
from esens.index.filters import Filter
from esens.score.base import QueryTexts, Scorer
from esens.text.terms import TermSet, distinct_terms, distinct_text, terms_of
from esens.types import Decomposition


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """All that is known of a query before anything is embedded."""

    query: str
    decomposition: Decomposition
    scorer: Scorer
    texts: QueryTexts
    """What is embedded, and no more than is needed."""
    trap_terms: tuple[TermSet, ...]
    """The terms that name each trap."""
    k: int
    where: Filter | None = None
    target_terms: TermSet = frozenset()
    """The terms of what is wanted."""

    @property
    def is_plain(self) -> bool:
        """Whether this is plain retrieval: nothing is excluded, or what is excluded has no weight."""
        return self.texts.is_plain


def plan_query(
    query: str, decomposition: Decomposition, scorer: Scorer, *, k: int, where: Filter | None = None
) -> QueryPlan:
    """Return the plan of a query that is already split."""
    target, traps = decomposition.target, decomposition.traps
    trap_texts = tuple(distinct_text(trap, beyond=target) for trap in traps) if scorer.distinct_traps else traps
    texts = scorer.texts(query, target, trap_texts) if traps else QueryTexts(query)
    weights = tuple(float(exclusion.weight) for exclusion in decomposition.exclusions)
    if texts.traps and set(weights) != {1.0}:
        texts = texts._replace(weights=weights)
    trap_terms = tuple(distinct_terms(trap, target) for trap in traps) if texts.traps else ()
    return QueryPlan(query, decomposition, scorer, texts, trap_terms, k, where, terms_of(target))


def decompose_query(query: str, decomposition: Decomposition | None, decomposer: Decomposer) -> Decomposition:
    """Return how a query is split; what the caller has split is not split again."""
    check_query(query)
    if decomposition is None:
        return decompose_all([query], decomposer)[0]
    if not isinstance(decomposition, Decomposition):
        raise ArgumentError("decomposition", f"expected a Decomposition, got {type(decomposition).__name__}")
    return decomposition


def decompose_queries(
    queries: Sequence[str], decompositions: object, decomposer: Decomposer
) -> Sequence[Decomposition]:
    """Return how each of several queries is split."""
    if decompositions is None:
        return decompose_all(queries, decomposer)
    if not isinstance(decompositions, (list, tuple)):
        raise ArgumentError("decomposition", "several queries need a list with one a query")
    if len(decompositions) != len(queries):
        raise ArgumentError("decomposition", f"{len(decompositions)} for {len(queries)} queries; give one each")
    pairs = zip(queries, decompositions, strict=True)
    return [decompose_query(query, decomposition, decomposer) for query, decomposition in pairs]
