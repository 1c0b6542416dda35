"""What is written to PostgreSQL: the extension, a table of ours, documents into any table with room for them."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from esens.errors import ArgumentError
from esens.index.pgvector.catalogue import FORMAT, metric_option, table_name
from esens.index.pgvector.filters import identifier
from esens.index.pgvector.server import Connection, Server, errors, sql
from esens.index.pgvector.table import Table
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


def add_extension(connection: Connection, server: Server) -> None:
    """Add pgvector to the database where it is not there yet."""
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except errors.InsufficientPrivilege as error:
        raise server.problem(
            "this database has no pgvector, and this role may not add it; let its owner run "
            "CREATE EXTENSION vector",
            said=str(error),
        ) from None
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise server.problem("pgvector is not installed on this server; install it", said=str(error)) from None


def create(connection: Connection, server: Server, dimension: int, embedder_id: EmbedderId | None) -> None:
    """Make a table of ours; its comment says so."""
    table = identifier(*table_name(server))
    note = {
        "esens": FORMAT,
        "metric": metric_option(server) or "cosine",
        "made_by": embedder_id and embedder_id._asdict(),
    }
    connection.execute(sql.SQL(_CREATE).format(table, sql.Literal(dimension)), [])
    if dimension <= _MOST_IN_PLACE:  # a scan reaches vectors in their rows sooner than those kept beside them
        connection.execute(sql.SQL("ALTER TABLE {} ALTER vector SET STORAGE PLAIN").format(table), [])
    comment = sql.Literal(json.dumps(note).replace("%", "%%"))
    connection.execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(table, comment), [])


def indexes_of(table: Table) -> list[sql.Composed]:
    """Return the statements that make the indexes a table of ours does not have: for vectors, and for filters."""
    if table.is_indexed or table.dimension > _MOST_INDEXED_BY_HALF:
        return []
    half = sql.SQL("hnsw ((vector::halfvec({})) halfvec_ip_ops)").format(sql.Literal(table.dimension))
    by_vector = sql.SQL("hnsw (vector vector_ip_ops)") if table.dimension <= _MOST_INDEXED else half
    by_metadata = sql.SQL("gin (metadata jsonb_path_ops)")  # built in no time, and finds what is rare
    return [sql.SQL("CREATE INDEX ON {} USING {}").format(table.name, over) for over in (by_vector, by_metadata)]


def record_of(document: Document, table: Table, server: Server) -> dict[str, Any]:
    """Return a document as the columns it goes into, by their names."""
    fields = {field.name for field in table.fields}
    record = {name: value for name, value in document.metadata.items() if name in fields}
    rest = {name: value for name, value in document.metadata.items() if name not in fields}
    parts = (("title", table.title, document.title), ("text", table.text, document.text))
    for what, column, value in (*parts, ("metadata", table.metadata, rest)):
        if column is not None:
            record[column.name] = value
        elif value:
            named = f" {', '.join(map(repr, rest))}" if what == "metadata" else ""
            raise server.problem(
                f"no column takes the {what}{named} of document {document.id!r}; add one, or choose it by ?{what}="
            )
    return record | {table.id.name: document.id}


def json_of(record: Mapping[str, Any], document: Document) -> str:
    """Return what is written of a document."""
    try:
        return json.dumps(record, allow_nan=False)
    except (TypeError, ValueError) as error:
        problem = f"its metadata cannot be written as JSON ({error})"
        raise ArgumentError(f"document {document.id!r}", problem) from None


def upsert_of(used: Collection[str], table: Table) -> sql.Composed:
    """Return the statement that writes these columns, and empties others: nothing of the document before stays."""
    emptied = {one.name for one in table.fields if not one.has_default}
    computed = {one.name for one in table.fields if one.is_given_by_server}
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
