"""The columns of a table that esens makes, and the description in it: its format, and who made its vectors."""

import json
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow as pa

from esens.errors import EngineError
from esens.index.lance.errors import lance_errors
from esens.index.lance.typed_columns import UNTYPED, UNTYPED_FIELD, column_type
from esens.index.layout import NOTE, embedder_of_note, note_of
from esens.index.uri import IndexURI
from esens.types import EmbedderId

NAME = "documents"
FORMAT = 3
OLD_FORMATS = (1, 2)
"""Metadata as JSON alone; no checksums. They can be searched; whoever writes to one makes it :data:`FORMAT`."""
ORDINAL = "place"
"""The column by which rows are in corpus order."""
CHECKSUM = "checksum"
"""The column with the checksum of a row; empty where another program has written it."""
CHECKSUM_FIELD = pa.field(CHECKSUM, pa.int64())
_NOTE = NOTE.encode()  # of the schema's metadata


class Description(NamedTuple):
    """What the metadata of a schema says about its table."""

    format: int
    embedder_id: EmbedderId | None
    stamp: str | None
    """Another for every table, so that one that takes the place of another is not taken for it."""

    def to_metadata(self) -> dict[str, str]:
        """Return the metadata of a schema that says so."""
        return {NOTE: json.dumps(note_of(self.embedder_id, format=self.format, stamp=self.stamp))}


def new_schema(dimension: int, embedder_id: EmbedderId | None) -> Any:
    """Return the schema of a table that has no typed columns yet."""
    return pa.schema(
        [*_columns(dimension), CHECKSUM_FIELD, UNTYPED_FIELD],
        metadata=Description(FORMAT, embedder_id, uuid4().hex).to_metadata(),
    )


def read_description(uri: IndexURI, schema: Any) -> Description:
    """Return the description of a table, if it is one of ours."""
    metadata = schema.metadata or {}
    # LanceDB would make the objects that these describe, models from anywhere among them.
    if b"embedding_functions" in metadata or _NOTE not in metadata:
        raise EngineError(str(uri), f"its table {NAME!r} was not made by esens; make an index of its documents")
    with lance_errors(uri, "its description is damaged; make it anew, or take it from a backup"):
        facts = json.loads(metadata[_NOTE])
        if not isinstance(facts, dict) or not _names_embedder(facts.get("made_by")):
            raise ValueError(metadata[_NOTE].decode(errors="replace"))
    if facts.get("format") not in (*OLD_FORMATS, FORMAT):
        problem = f"its format is {facts.get('format')!r}, and this esens reads 1 to {FORMAT}"
        raise EngineError(str(uri), f"{problem}; upgrade esens, or make it anew")
    return Description(facts["format"], embedder_of_note(facts), facts.get("stamp"))


def read_dimension(uri: IndexURI, schema: Any) -> int:
    """Return the dimension of a table's vectors, if its columns are ours."""
    vector = schema.field("vector").type if "vector" in schema.names else None
    dimension = int(vector.list_size) if vector and pa.types.is_fixed_size_list(vector) else 0
    expected = {field.name: field for field in _columns(dimension)} if dimension else {}
    others = [field for field in schema if field.name not in expected]
    is_ours = dimension and all(
        name in schema.names and schema.field(name).equals(field) for name, field in expected.items()
    )
    if not is_ours or not all(field.type == _other_type(field.name) for field in others):
        raise EngineError(str(uri), f"its table {NAME!r} has other columns than an index of esens; make it anew")
    return dimension


def _other_type(name: str) -> Any:
    ours = {UNTYPED: UNTYPED_FIELD.type, CHECKSUM: CHECKSUM_FIELD.type}
    return ours.get(name) or column_type(name)


def _columns(dimension: int) -> list[Any]:
    return [
        pa.field(ORDINAL, pa.int64(), nullable=False),
        pa.field("id", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("metadata", pa.string(), nullable=False),
        pa.field("vector", pa.list_(pa.float32(), dimension), nullable=False),
    ]


def _names_embedder(embedder_id: object) -> bool:
    if not isinstance(embedder_id, dict):
        return embedder_id is None
    return set(embedder_id) == set(EmbedderId._fields) and all(
        isinstance(value, str) for value in embedder_id.values()
    )
