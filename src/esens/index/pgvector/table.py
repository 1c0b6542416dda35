"""A table with vectors: which column is what, and the pieces of SQL that follow from it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from esens.index.base import Metric
from esens.index.filters import Filter
from esens.index.pgvector.filters import WHOLE_NUMBERS, Clause, can_be_stored, clause, column
from esens.index.pgvector.server import sql
from esens.types import EmbedderId

_GREATEST_INT8 = 2**63


class TableColumn(NamedTuple):
    """A column, as the catalogue has it; ``size`` is the dimension of a vector, -1 for any."""

    name: str
    type: str
    size: int
    is_required: bool
    has_default: bool
    is_computed: bool
    is_primary: bool


@dataclass(frozen=True)
class DocumentTable:
    """A table with one row a document."""

    name: sql.Identifier
    dimension: int
    metric: Metric
    id: TableColumn
    vector: TableColumn
    text: TableColumn | None
    title: TableColumn | None
    metadata: TableColumn | None
    fields: tuple[TableColumn, ...]
    """The columns that are metadata by their own names."""
    ordinal: TableColumn | None
    """The order of the corpus; tables that esens made have it."""
    is_ours: bool
    has_unit_vectors: bool
    """Whether products of its vectors are cosines: esens made it, and nobody else has written others."""
    embedder_id: EmbedderId | None
    is_indexed: bool
    is_indexed_by_half: bool
    """Whether an index is over the vectors as halfvec, as it must be beyond 2,000 dimensions."""

    @property
    def document(self) -> sql.Composable:
        """What is read of a document: id, title, text, metadata, the columns that join it, and its ordinal.

        The metadata come as text: of most rows nobody reads them.
        """
        values = [sql.SQL("to_jsonb({})").format(column(field.name)) for field in self.fields]
        joined = sql.SQL("ARRAY[{}]::jsonb[]" if values else "NULL").format(sql.SQL(", ").join(values))
        ordinal = column(self.ordinal.name) if self.ordinal else sql.SQL("NULL")
        metadata = sql.SQL("{}::text").format(self._json) if self._json else sql.SQL("NULL")
        parts = [self.id_text, _text(self.title), _text(self.text), metadata, joined, ordinal]
        return sql.SQL(", ").join(parts)

    @property
    def id_text(self) -> sql.Composable:
        """The id as a text."""
        return sql.SQL("{}::text").format(column(self.id.name))

    @property
    def row(self) -> sql.Composable:
        """The vector in single precision."""
        name = column(self.vector.name)
        return sql.SQL("{}::vector").format(name) if self.vector.type == "halfvec" else name

    def score(self, query: sql.Composable) -> sql.Composable:
        """Return the raw score of a document; a zero vector is similar to nothing."""
        pair = (column(self.vector.name), self._typed(query))
        if self._is_product:
            return sql.SQL("-({} <#> {})").format(*pair)
        return sql.SQL("1 - coalesce(nullif({} <=> {}, 'NaN'), 1)").format(*pair)

    def distance(self, query: sql.Composable) -> sql.Composable:
        """Return what documents are ordered by, written as the index has it."""
        sign, vector = sql.SQL("<#>" if self._is_product else "<=>"), column(self.vector.name)
        if self.is_indexed_by_half:
            half = sql.SQL("halfvec({})").format(sql.Literal(self.dimension))
            return sql.SQL("{}::{half} {} {}::{half}").format(vector, sign, query, half=half)
        return sql.SQL("{} {} {}").format(vector, sign, self._typed(query))

    def exact_distance(self, query: sql.Composable) -> sql.Composable:
        """Return what documents are ordered by where all are compared: no index can answer it."""
        return sql.SQL("-({})").format(self.score(query))

    @property
    def words(self) -> sql.Composable:
        """The words of title and text, as PostgreSQL's full text search reads English."""
        return sql.SQL("to_tsvector('english', {} || ' ' || {})").format(_text(self.title), _text(self.text))

    @property
    def may_misplace_zeros(self) -> bool:
        """Whether a zero vector comes last, or not at all, though its score of 0 is not the least."""
        return not self._is_product

    def condition(self, where: Filter | None) -> Clause:
        """Return the condition of the documents that fulfil a filter; one needs id and vector."""
        condition, values = clause(where, {field.name: field.type for field in self.fields}, self._json)
        for field in (self.id, self.vector):
            if not field.is_required:
                condition = sql.SQL("{} IS NOT NULL AND {}").format(column(field.name), condition)
        return condition, values

    def with_ids(self, ids: Sequence[str]) -> Clause:
        """Return the condition of the documents with these ids, compared in the column's own type."""
        condition, _ = self.condition(None)
        compared, array, usable = (
            column(self.id.name),
            sql.SQL("text[]"),
            [id_ for id_ in ids if can_be_stored(id_)],
        )
        if self.id.type in WHOLE_NUMBERS:
            array, usable = sql.SQL("int8[]"), [id_ for id_ in usable if _is_whole(id_)]
        elif self.id.type == "uuid":
            array, usable = sql.SQL("uuid[]"), [id_ for id_ in usable if _is_uuid(id_)]
        elif self.id.type not in ("text", "varchar"):
            compared = self.id_text
        return sql.SQL("{} = ANY(%s::{}) AND {}").format(compared, array, condition), [usable]

    def _typed(self, query: sql.Composable) -> sql.Composable:
        return sql.SQL("{}::halfvec").format(query) if self.vector.type == "halfvec" else query

    @property
    def _is_product(self) -> bool:
        """Of unit vectors the product is the cosine, in a third of the work."""
        return self.metric == "ip" or self.has_unit_vectors

    @property
    def _json(self) -> sql.Composable | None:
        if self.metadata is None:
            return None
        name = column(self.metadata.name)
        return name if self.metadata.type == "jsonb" else sql.SQL("{}::jsonb").format(name)


def _text(field: TableColumn | None) -> sql.Composable:
    return sql.SQL("coalesce({}::text, '')").format(column(field.name)) if field else sql.SQL("''")


def _is_whole(id_: str) -> bool:
    return re.fullmatch(r"0|-?[1-9][0-9]{0,18}", id_) is not None and -_GREATEST_INT8 <= int(id_) < _GREATEST_INT8


def _is_uuid(id_: str) -> bool:
    try:
        return str(UUID(id_)) == id_
    except ValueError:
        return False
