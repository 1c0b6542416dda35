"""The query plan: a query, how it is split, by which score, and which texts that takes. Derived once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from esens.arrays.unit import Vectors
from esens.decompose import Decomposer, check_query, decompose_all
from esens.errors import ArgumentError
from esens.index.filters import Filter
from esens.score.base import QueryTexts, Scorer
from esens.score.hybrid import Hybrid
from esens.score.normalise import Array
from esens.search.given import GivenExclusions
from esens.text.terms import TermSet, distinct_terms, distinct_text, query_terms
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
    examples: Mapping[int, Array] = field(default_factory=dict)
    """The vectors of those traps that are documents; they are not embedded."""
    evidence_fields: tuple[str, ...] = ()
    """The fields of the metadata that say what a document has."""
    hybrid: Hybrid | None = None
    """How words count beside vectors; None: they do not."""
    candidates: int = 0
    """With how many candidates the terms of their scores are wanted."""
    ruled_out: tuple[Filter, ...] = ()
    """The caller's filters that no document may fulfil; ``where`` has them, too."""

    @property
    def embedded_texts(self) -> list[str]:
        """What is embedded: all texts but those that stand for examples."""
        texts = self.texts.flat()
        first_trap = len(texts) - len(self.texts.traps)
        return [text for at, text in enumerate(texts) if at - first_trap not in self.examples]

    def vectors(self, embedded: Iterable[Array]) -> Vectors:
        """Return a row for each of the texts, given those of the embedded ones in their order."""
        given = list(embedded)
        if not self.examples:
            return np.stack(given)
        for example in self.examples.values():
            if example.shape != given[0].shape:
                problem = f"a vector has dimension {example.size}, and the embedder gives {given[0].size}"
                raise ArgumentError("exclude", f"{problem}; give one that the same embedder made")
        rows, first_trap = iter(given), len(self.texts.flat()) - len(self.texts.traps)
        numbers = range(-first_trap, len(self.texts.traps))
        return np.stack([self.examples[at] if at in self.examples else next(rows) for at in numbers])

    @property
    def word_texts(self) -> tuple[str, str]:
        """What the words of documents are matched with: the query, and what is wanted, where they count."""
        return self.texts.query, self.texts.query if self.is_plain else self.decomposition.target

    @property
    def is_plain(self) -> bool:
        """Whether this is plain retrieval: nothing is excluded, or what is excluded has no weight."""
        return self.texts.is_plain


def plan_query(
    query: str,
    decomposition: Decomposition,
    scorer: Scorer,
    *,
    k: int,
    where: Filter | None = None,
    given: GivenExclusions | None = None,
    evidence_fields: Sequence[str] = (),
    hybrid: Hybrid | None = None,
    candidates: int = 0,
) -> QueryPlan:
    """Return the plan of a query that is already split; ``given`` are the caller's own exclusions beside it."""
    examples: Mapping[int, Array] = {}
    if given is not None:
        decomposition, examples = given.added_to(decomposition)
        where = given.filter(where)
    target, traps = decomposition.target, decomposition.traps
    trap_texts = compared_traps(decomposition) if scorer.distinct_traps else traps
    texts = scorer.texts(query, target, trap_texts) if traps else QueryTexts(query)
    weights = tuple(float(exclusion.weight) for exclusion in decomposition.exclusions)
    if texts.traps and set(weights) != {1.0}:
        texts = texts._replace(weights=weights)
    if not texts.traps:
        examples = {}
    elif examples:
        texts = texts._replace(examples=tuple(examples))
    terms = [frozenset() if at in examples else distinct_terms(trap, target) for at, trap in enumerate(traps)]
    trap_terms = tuple(terms) if texts.traps else ()
    wanted, fields = query_terms(target), tuple(evidence_fields)
    return QueryPlan(
        query,
        decomposition,
        scorer,
        texts,
        trap_terms,
        k,
        where,
        wanted,
        examples,
        fields,
        hybrid,
        candidates,
        () if given is None else given.filters,
    )


def compared_traps(split: Decomposition) -> tuple[str, ...]:
    """Return what documents are compared with for each exclusion: as the query puts it, without the target."""
    return tuple(distinct_text(each.phrase or each.text, beyond=split.target) for each in split.exclusions)


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
