"""Documents of an index that stand there as passages: which ids they have, and how they are removed.

A long document ``tea`` is in an index as ``tea#1``, ``tea#2`` and so on, and the first of them counts the others.
"""

from collections.abc import Iterable, Mapping, Sequence

from esens.arrays.unit import Vectors
from esens.errors import ArgumentError
from esens.index.base import Index, WritableIndex, writable
from esens.types import Document

_MOST_PASSAGES = 100_000  # that a document is believed to have


def delete_documents(index: WritableIndex, ids: Sequence[str]) -> list[str]:
    """Remove documents, and the passages of those that were split; return the ids of those that were there."""
    existing = existing_documents(index, ids)
    stored_ids = {id_: _stored_ids(id_, existing) for id_ in dict.fromkeys(ids)}
    index.delete([stored for of_document in stored_ids.values() for stored in of_document])
    return [id_ for id_, of_document in stored_ids.items() if of_document]


def existing_documents(
    index: WritableIndex, ids: Iterable[str], documents: Iterable[Document] = ()
) -> Mapping[str, Document]:
    """Return what the index has under these ids, as a document or as a first passage, and of these documents."""
    candidates = [id_ for whole_id in ids for id_ in (whole_id, f"{whole_id}#1")]
    return index.documents(list(dict.fromkeys([*candidates, *(document.id for document in documents)])))


def document_vectors(index: Index, id_: str) -> tuple[Document, Vectors] | None:
    """Return a document, or its first passage, with its vectors, a row a passage; None where it is not there.

    An index that does not look up documents by their ids has none.
    """
    keeper = writable(index)
    existing = {} if keeper is None else existing_documents(keeper, [id_])
    ids = _stored_ids(id_, existing)
    if keeper is None or not ids:
        return None
    return existing[ids[-1]], keeper.vectors(ids)


def stale_ids(first: Document, existing: Mapping[str, Document]) -> list[str]:
    """Return what the index has of a document and should no longer; ``first`` is it, or its first passage."""
    now = set(_stored_ids(first.whole_id, {first.id: first}))
    return [id_ for id_ in _stored_ids(first.whole_id, existing) if id_ not in now]


def is_whole(first: Document) -> bool:
    """Whether this says all that there is of a document: a first passage does, too, for it counts the others."""
    return first.passage is None or first.passage.number == 1


def refuse_collisions(documents: Iterable[Document], existing: Mapping[str, Document]) -> None:
    """Raise where a document has the id of another's passage, in the index or among those to be written."""
    by_id = dict(existing)
    for document in documents:
        other = by_id.get(document.id)
        if other is not None and other.whole_id != document.whole_id:
            whole = other.whole_id if other.passage else document.whole_id
            raise ArgumentError(
                "documents",
                f"the id {document.id!r} is that of a passage of {whole!r} and of another document; give that "
                "one another id",
            )
        by_id[document.id] = document


def _stored_ids(id_: str, existing: Mapping[str, Document]) -> list[str]:
    """Return the ids under which the index has a document; the first passage, which counts the others, last."""
    alone = [id_] if id_ in existing else []
    first = existing.get(f"{id_}#1")
    if first is None or first.passage is None or first.passage.of != id_:
        return alone
    return [*(f"{id_}#{number}" for number in range(min(first.passage.total, _MOST_PASSAGES), 0, -1)), *alone]
