"""Whether the metadata fields that a search names exist: one that no document has rules out nothing, silently."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from esens.arrays.unit import Vectors
from esens.index.base import Index
from esens.index.filters import fields_of
from esens.messages import quoted
from esens.search.plan import QueryPlan
from esens.types import Document, Results

_LOOKED_AT = 200
"""The nearest documents, without any filter, among which a field is looked for that no result has."""
_NAMED = 20


def with_field_note(results: Results, plan: QueryPlan, index: Index, vectors: Vectors) -> Results:
    """Return results with a note on the fields that documents of an index do not have.

    As a rule a result has them, and nothing is asked; else one request gives other documents.
    """
    return _noted(results, plan, lambda: index.nearest(vectors[:1], _LOOKED_AT)[0].documents)


def with_note_of_candidates(results: Results, plan: QueryPlan, candidates: Sequence[Document]) -> Results:
    """Return results with a note on the fields that none of the candidates has."""
    return _noted(results, plan, lambda: candidates)


def _noted(results: Results, plan: QueryPlan, nearest: Callable[[], Sequence[Document]]) -> Results:
    named = {*fields_of(plan.where), *plan.evidence_fields}
    named |= {exclusion.field for exclusion in plan.decomposition.exclusions if exclusion.field}
    missing = named - {field for hit in (*results.hits, *results.removed) for field in hit.metadata}
    if not missing:
        return results
    documents = nearest()
    fields = {field for document in documents for field in document.metadata}
    unknown = sorted(missing - fields)
    if not unknown or not documents:
        return results
    names = ", ".join(map(quoted, unknown))
    note = f"None of the {len(documents)} documents nearest to the query has the field {names}; {_listed(fields)}."
    return replace(results, note=" ".join(filter(None, (results.note, note))))


def _listed(fields: set[str]) -> str:
    if not fields:
        return "they have no metadata at all"
    rest = f" and {len(fields) - _NAMED} more" if len(fields) > _NAMED else ""
    return f"their fields are: {', '.join(sorted(fields)[:_NAMED])}{rest}"
