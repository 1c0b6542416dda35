"""How documents lie in a collection: which field holds what, and what esens notes of itself. One for every engine.

>>> guess_field("text", ["page_content", "metadata"])
'page_content'
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from esens.documents import ID_FIELDS, TEXT_FIELDS, TITLE_FIELDS, stored_metadata
from esens.errors import ArgumentError, EngineError
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

PARTS = ("id", "text", "title", "metadata")
"""Options of a spec that name a field of a collection."""
FIELD_NAMES: Mapping[str, Sequence[str]] = {
    "id": (*ID_FIELDS, "doc_id", "document_id"),
    "text": (*TEXT_FIELDS, "passage"),
    "title": TITLE_FIELDS,
    "metadata": ("metadata", "cmetadata", "payload"),
}
"""What the parts of a document are called in collections that esens did not make, the usual name first."""
NOTE = "esens"
"""The key under which a collection says how it is laid out, and which embedder made its vectors."""
FORMAT = 1


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """The fields that hold the parts of a document. Without ``metadata``, every other field is metadata."""

    id: str
    text: str
    title: str
    metadata: str

    def document(self, id_: str, row: Mapping[str, Any]) -> Document:
        """Read a document from the fields of a row."""
        return Document(id_, _text(row.get(self.text)), _text(row.get(self.title)), self.metadata_of(row))

    def metadata_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata in a row."""
        if self.metadata:
            metadata = row.get(self.metadata)
            return dict(metadata) if isinstance(metadata, Mapping) else {}
        return {name: value for name, value in row.items() if name not in (self.id, self.text, self.title)}


def guess_field(part: str, names: Collection[str]) -> str | None:
    """Return which of these fields is a part of a document, by its name."""
    return next((name for name in FIELD_NAMES[part] if name in names), None)


def guess_fields(
    options: Mapping[str, str],
    *,
    texts: Collection[str],
    objects: Collection[str],
    all_fields: Iterable[str],
    primary_key: str = "",
    default_text: str = "text",
) -> DocumentFields:
    """Return which field is which part of a document: as the options say, else by their names.

    ``texts`` are the fields that hold texts, ``objects`` those that hold objects of fields. The primary key is the
    id. An object is the metadata only where no other field is left, so that nothing is lost. ``default_text`` is
    the text where no name tells.
    """
    id_ = options.get("id") or primary_key
    text = options.get("text") or guess_field("text", texts) or default_text
    title = options.get("title") or guess_field("title", texts) or FIELD_NAMES["title"][0]
    metadata = options.get("metadata") or guess_field("metadata", objects) or ""
    others = set(all_fields) - {id_, primary_key, text, title, metadata}
    return DocumentFields(id_, text, title, options.get("metadata") or ("" if others else metadata))


def field_options(uri: IndexURI) -> dict[str, str]:
    """Return the fields that a spec names."""
    return {part: uri.option(part) for part in PARTS if uri.option(part)}


def choose_vector(uri: IndexURI, names: Sequence[str]) -> str:
    """Return which of a collection's vectors is searched."""
    wanted = uri.option("vector")
    listed = ", ".join(map(repr, names)) or "none"
    if wanted:
        if wanted not in names:
            raise EngineError(str(uri), f"it has no vector {wanted!r} to search; those it has: {listed}")
        return wanted
    if len(names) != 1:
        raise EngineError(str(uri), f"which of its vectors? Say so with ?vector=NAME; those it has: {listed}")
    return names[0]


def missing_collection(uri: IndexURI, name: str, others: Sequence[str]) -> EngineError:
    """Return the error of a collection that is not there."""
    listed = f"those there are: {', '.join(sorted(others))}" if others else "there is none at all"
    return EngineError(str(uri), f"there is no collection {name!r}; {listed}")


def json_metadata(document: Document) -> dict[str, Any]:
    """Return what is stored of a document's metadata, if it can be written as JSON."""
    stored = stored_metadata(document)
    try:
        json.dumps(stored, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"its metadata cannot be written as JSON ({error})"
        raise ArgumentError(f"document {document.id!r}", problem) from None
    return stored


def note_of(embedder_id: EmbedderId | None, **facts: Any) -> dict[str, Any]:
    """Return what a collection notes of itself under :data:`NOTE`: the format, the embedder, and other facts."""
    return {"format": FORMAT, "made_by": embedder_id and embedder_id._asdict(), **facts}


def read_note(stored: object) -> dict[str, Any] | None:
    """Return what a collection notes of itself, as an object or as JSON; None where this is no note of ours."""
    note = json_value(stored) if isinstance(stored, str) else stored
    return note if isinstance(note, dict) and "format" in note else None


def embedder_of_note(note: Mapping[str, Any] | None) -> EmbedderId | None:
    """Return the embedder that made the vectors, where the note says so as esens does."""
    maker = (note or {}).get("made_by")
    if not isinstance(maker, Mapping) or not isinstance(maker.get("name"), str):
        return None
    return EmbedderId(maker["name"], str(maker.get("hash") or ""))


def json_value(text: str | None) -> Any:
    """Return what a text says in JSON; None where it says nothing, or is nested too deeply to be read."""
    try:
        return json.loads(text or "")
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
