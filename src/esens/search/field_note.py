"""What a reader should know of metadata fields.

A field that a search names and no document has rules out nothing, silently; and so does one that says what is
excluded and is not named.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from esens.arrays.unit import Vectors
from esens.evidence.excluded_thing import ExcludedThing, thing_of
from esens.evidence.metadata import metadata_statement
from esens.index.base import Index
from esens.index.filters import fields_of
from esens.messages import quoted
from esens.search.plan import QueryPlan
from esens.text.tokens import fold_letters
from esens.types import LIKE, Document, Hit, Results

_LOOKED_AT = 200
"""The nearest documents, without any filter, among which a field is looked for that no result has."""
_NAMED = 20
_LONGEST = 200
"""Characters of a value that may say what a document has, as an author or a brand; longer ones are texts."""


def with_field_note(results: Results, plan: QueryPlan, index: Index, vectors: Vectors) -> Results:
    """Return results with a note on the fields that documents of an index do not have.

    As a rule a result has them, and nothing is asked; else one request gives other documents.
    """
    return _noted(results, plan, lambda: index.nearest(vectors[:1], _LOOKED_AT)[0].documents)


def with_note_of_candidates(results: Results, plan: QueryPlan, candidates: Sequence[Document]) -> Results:
    """Return results with a note on the fields that none of the candidates has."""
    return _noted(results, plan, lambda: candidates)


def _noted(results: Results, plan: QueryPlan, nearest: Callable[[], Sequence[Document]]) -> Results:
    notes = (results.note, _missing_note(results, plan, nearest), _unnamed_note(results, plan))
    note = " ".join(filter(None, notes))
    return results if note == results.note else replace(results, note=note)


def _missing_note(results: Results, plan: QueryPlan, nearest: Callable[[], Sequence[Document]]) -> str:
    """Return which of the fields that a search names no document has."""
    named = {*fields_of(plan.where), *plan.evidence_fields}
    named |= {exclusion.field for exclusion in plan.decomposition.exclusions if exclusion.field}
    missing = named - {field for hit in (*results.hits, *results.removed) for field in hit.metadata}
    if not missing:
        return ""
    documents = nearest()
    fields = {field for document in documents for field in document.metadata}
    unknown = sorted(missing - fields)
    if not unknown or not documents:
        return ""
    names = ", ".join(map(quoted, unknown))
    return f"None of the {len(documents)} documents nearest to the query has the field {names}; {_listed(fields)}."


def _unnamed_note(results: Results, plan: QueryPlan) -> str:
    """Return which field of the results says what is excluded, though the search does not name it."""
    if plan.is_plain or not plan.scorer.reads_statements:
        return ""
    excluded = [
        thing_of(each, plan.target_terms)
        for each in plan.decomposition.exclusions
        if not each.field and each.relation != LIKE
    ]
    saying = Counter(field for hit in results.hits for field in _saying(hit, plan, excluded))
    if not saying:
        return ""
    (field, count), *_ = saying.most_common(1)
    results_of = "1 result" if count == 1 else f"{count} results"
    return (
        f"The field {quoted(field)} of {results_of} names what is excluded, and does not count: only texts do. "
        f"To have it count, name it: evidence_fields=[{quoted(field)}], or --evidence-field {field}."
    )


def _saying(hit: Hit, plan: QueryPlan, excluded: Sequence[ExcludedThing]) -> list[str]:
    """Return the fields of a hit that name what is excluded, unless its text tells it already."""
    if (hit.explanation.penalty_share or 0) >= plan.scorer.threshold:
        return []
    fields = [*_short_fields(hit.metadata, plan.evidence_fields)]
    values = fold_letters(" ".join(str(hit.metadata[field]) for field in fields))
    # As a rule no value has a word of the thing, and all of them are looked through at once.
    named = [thing for thing in excluded if thing.words_in(values)]
    return [
        field
        for field in fields
        if any(metadata_statement(hit.metadata, [field], thing).stance == "affirmed" for thing in named)
    ]


def _short_fields(metadata: Mapping[str, object], named: Iterable[str]) -> Iterator[str]:
    """Yield the fields whose value may name a thing, but for those that a search names."""
    for field, value in metadata.items():
        if field not in named and isinstance(value, (str, int, list, tuple)) and len(str(value)) <= _LONGEST:
            yield field


def _listed(fields: set[str]) -> str:
    if not fields:
        return "they have no metadata at all"
    rest = f" and {len(fields) - _NAMED} more" if len(fields) > _NAMED else ""
    return f"their fields are: {', '.join(sorted(fields)[:_NAMED])}{rest}"
