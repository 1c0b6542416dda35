"""What is written to PostgreSQL: the extension, a table of ours, documents into any table with room for them."""

import json
from collections.abc import Collection
from typing import Any

from esens.index.layout import NOTE, json_metadata, note_of
from esens.index.pgvector.catalogue import metric_option, table_name
from esens.index.pgvector.filters import identifier
from esens.index.pgvector.server import Connection, PostgresServer, errors, sql
from esens.index.pgvector.table import DocumentTable
from esens.types import Document, EmbedderId

_MOST_IN_PLACE = 1600  # dimensions that leave room for the rest of a row in its page
_MOST_INDEXED, _MOST_INDEXED_BY_HALF = 2000, 4000  # dimensions, for an index of type HNSW
_CREATE = """
CREATE TABLE {} (id text PRIMARY KEY, place bigint GENERATED ALWAYS AS IDENTITY, title text NOT NULL,
text text NOT NULL, metadata jsonb NOT NULL, vector vector({}) NOT NULL)
"""
# A document comes as JSON, and the server turns each value into its column's type.
_UPSERT = """
INSERT INTO {table} ({columns}, {vector}) SELECT {values}, n.v
FROM unnest(%b::text[], %b::vector[]) AS n(fields, v), jsonb_populate_record(NULL::{table}, n.fields::jsonb) AS f
ON CONFLICT ({id}) DO UPDATE SET {changes}
"""


def add_extension(connection: Connection, server: PostgresServer) -> None:
    """Add pgvector to the database where it is not there yet."""
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except errors.InsufficientPrivilege as error:
        raise server.problem(
            "this database has no pgvector, and this role may not add it; let its owner run "
            "CREATE EXTENSION vector",
            words=str(error),
        ) from None
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise server.problem("pgvector is not installed on this server; install it", words=str(error)) from None


def create_table(
    connection: Connection, server: PostgresServer, dimension: int, embedder_id: EmbedderId | None
) -> None:
    """Make a table; its comment says that esens made it."""
    table = identifier(*table_name(server))
    note = {NOTE: note_of(embedder_id, metric=metric_option(server) or "cosine")}
    connection.execute(sql.SQL(_CREATE).format(table, sql.Literal(dimension)), [])
    if dimension <= _MOST_IN_PLACE:  # a scan reaches vectors in their rows sooner than those kept beside them
        connection.execute(sql.SQL("ALTER TABLE {} ALTER vector SET STORAGE PLAIN").format(table), [])
    comment = sql.Literal(json.dumps(note).replace("%", "%%"))
    connection.execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(table, comment), [])


def index_statements(table: DocumentTable) -> list[sql.Composed]:
    """Return the statements that make the indexes that a table does not have: for vectors, and for filters."""
    if table.is_indexed or table.dimension > _MOST_INDEXED_BY_HALF:
        return []
    half = sql.SQL("hnsw ((vector::halfvec({})) halfvec_ip_ops)").format(sql.Literal(table.dimension))
    by_vector = sql.SQL("hnsw (vector vector_ip_ops)") if table.dimension <= _MOST_INDEXED else half
    by_metadata = sql.SQL("gin (metadata jsonb_path_ops)")  # built in no time, and finds what is rare
    return [sql.SQL("CREATE INDEX ON {} USING {}").format(table.name, over) for over in (by_vector, by_metadata)]


def record_of(document: Document, table: DocumentTable, server: PostgresServer) -> dict[str, Any]:
    """Return a document as the columns it goes into, by their names."""
    fields, metadata = {field.name for field in table.fields}, json_metadata(document)
    record = {name: value for name, value in metadata.items() if name in fields}
    rest = {name: value for name, value in metadata.items() if name not in fields}
    parts = (("title", table.title, document.title), ("text", table.text, document.text))
    for part, column, value in (*parts, ("metadata", table.metadata, rest)):
        if column is not None:
            record[column.name] = value
        elif value:
            names = f" {', '.join(map(repr, rest))}" if part == "metadata" else ""
            raise server.problem(
                f"no column takes the {part}{names} of document {document.id!r}; add one, or choose it by ?{part}="
            )
    return record | {table.id.name: document.id}


def upsert_statement(used: Collection[str], table: DocumentTable) -> sql.Composed:
    """Return the statement that writes these columns, and empties others: nothing of the document before stays."""
    emptied = {field.name for field in table.fields if not field.has_default}
    computed = {field.name for field in table.fields if field.is_computed}
    columns = [identifier(name) for name in sorted({*used, *emptied} - computed)]
    vector, comma = identifier(table.vector.name), sql.SQL(", ")
    return sql.SQL(_UPSERT).format(
        table=table.name,
        columns=comma.join(columns),
        values=comma.join([sql.SQL("f.{}").format(name) for name in columns]),
        vector=vector,
        id=identifier(table.id.name),
        changes=comma.join([sql.SQL("{0} = EXCLUDED.{0}").format(name) for name in [*columns, vector]]),
    )
