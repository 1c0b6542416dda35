"""Which column of a table is what: found by looking at PostgreSQL's catalogue, and at what the spec says."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from esens.errors import ArgumentError
from esens.index.pgvector.filters import column, identifier
from esens.index.pgvector.server import Connection, Server, sql
from esens.index.pgvector.table import Column, Table
from esens.types import EmbedderId

METRICS = ("cosine", "ip")
FORMAT = 1
"""How our own tables are laid out; kept in their comment."""
_VECTORS = ("vector", "halfvec")
_NO_METADATA = (*_VECTORS, "sparsevec", "tsvector", "bytea")  # of no use to a reader, and long
_NAMES = {
    "id": ("id",),
    "text": ("text", "content", "body", "document"),
    "title": ("title", "name"),
    "metadata": ("metadata", "cmetadata"),
}
_LEAST_VERSION = (0, 8)  # of pgvector: an index goes on searching until a filter is fulfilled

_EXTENSION = """
SELECT extversion, extnamespace::regnamespace::text, to_regtype('vector') IS NOT NULL
FROM pg_extension WHERE extname = 'vector'
"""
_TABLE = """
SELECT c.oid, n.nspname, c.relname, obj_description(c.oid, 'pg_class')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(%s)
"""
_COLUMNS = """
SELECT a.attname, t.typname, a.atttypmod, a.attnotnull, a.atthasdef, a.attgenerated <> '' OR a.attidentity <> '',
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND i.indnkeyatts = 1
        AND i.indkey[0] = a.attnum)
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_INDEXES = """
SELECT o.opcname, i.indkey[0] = 0 FROM pg_index i
JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam JOIN pg_opclass o ON o.oid = i.indclass[0]
WHERE i.indrelid = %s AND i.indisvalid AND i.indpred IS NULL AND m.amname IN ('hnsw', 'ivfflat')
AND pg_get_indexdef(i.indexrelid, 1, false)
    IN (quote_ident(%s), format('((%%I)::halfvec(%%s))', %s::text, %s::int))
"""
_OTHERS = """
SELECT DISTINCT CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND t.typname IN ('vector', 'halfvec') ORDER BY 1 LIMIT 5
"""


def find_table(connection: Connection, server: Server, *, dimension: int | None = None) -> Table | None:
    """Look at the table that the spec names; None if it is not there.

    ``dimension`` is that of a column for vectors of any, in a table without rows.
    """
    _check_extension(connection, server)
    table = connection.execute(_TABLE, [sql.Identifier(*table_name(server)).as_string(connection)]).fetchone()
    if table is None:
        return None
    oid, schema, name, comment = table
    columns = [Column(*row) for row in connection.execute(_COLUMNS, [oid])]
    note = _note(comment, server)
    vector = _vector(columns, server)
    size = _dimension(connection, identifier(schema, name), vector, dimension, server)
    indexes = connection.execute(_INDEXES, [oid, vector.name, vector.name, size]).fetchall()
    chosen = {what: _chosen(what, columns, server) for what in _NAMES}
    if chosen["id"] is None:
        raise server.problem(f"no column is the id; choose one by ?id=, of {_listed(columns)}")
    place = next((one for one in columns if note and one.name == "place"), None)
    taken = (vector, place, *chosen.values())
    return Table(
        name=identifier(schema, name),
        dimension=size,
        metric=_metric(server, note, [opclass for opclass, _ in indexes]),
        id=chosen["id"],
        vector=vector,
        text=chosen["text"],
        title=chosen["title"],
        metadata=chosen["metadata"],
        fields=tuple(one for one in columns if one not in taken and one.type not in _NO_METADATA),
        place=place,
        is_ours=bool(note),
        embedder_id=EmbedderId(**note["made_by"]) if note.get("made_by") else None,
        is_indexed=bool(indexes),
        is_indexed_by_half=vector.type == "vector" and bool(indexes) and all(by_half for _, by_half in indexes),
    )


def others(connection: Connection) -> str:
    """Return a few tables of this database that have a vector column, for an error."""
    names = ", ".join(str(name) for (name,) in connection.execute(_OTHERS))
    return f"with vectors there are: {names}" if names else "no table has a vector column"


def table_name(server: Server) -> list[str]:
    """Return the name of the spec's table, or those of its schema and itself, as the catalogue writes them."""
    name = server.address.option("table")
    if not name or "\0" in name:
        raise ArgumentError("index", f"{server.address}: names no table; add ?table=NAME or ?table=SCHEMA.NAME")
    return name.split(".", 1)


def metric_option(server: Server) -> str:
    """Return the metric that the spec wants, or an empty text."""
    metric = server.address.option("metric")
    if metric and metric not in METRICS:
        raise ArgumentError(
            "index", f"{server.address}: unknown metric {metric!r}; valid are: {', '.join(METRICS)}"
        )
    return metric


def _check_extension(connection: Connection, server: Server) -> None:
    found = connection.execute(_EXTENSION).fetchone()
    if found is None:
        raise server.problem("this database has no pgvector; let its owner run CREATE EXTENSION vector")
    version, schema, is_visible = found
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < _LEAST_VERSION:
        raise server.problem(f"pgvector {version} is too old; 0.8 is needed: ALTER EXTENSION vector UPDATE")
    if not is_visible:
        raise server.problem(
            f"pgvector is in the schema {schema}, where it is not looked for; "
            f"add &options=-csearch_path%3Dpublic,{schema}"
        )


def _note(comment: str | None, server: Server) -> dict[str, Any]:
    """Return what we wrote about a table of ours; nothing for anybody else's."""
    try:
        note = json.loads(comment or "")
    except ValueError:
        return {}
    if not isinstance(note, dict) or "esens" not in note:
        return {}
    if note["esens"] != FORMAT:
        raise server.problem(f"its format is {note['esens']}, this esens knows {FORMAT}; use the one that made it")
    return note


def _vector(columns: Sequence[Column], server: Server) -> Column:
    found = [one for one in columns if one.type in _VECTORS]
    wanted = server.address.option("vector")
    if wanted:
        return _named(wanted, found, server, "vector")
    if not found:
        raise server.problem(f"no column has the type vector or halfvec; the columns are: {_listed(columns)}")
    if len(found) > 1:
        raise server.problem(f"several columns are vectors; choose one by ?vector=, of {_listed(found)}")
    return found[0]


def _dimension(
    connection: Connection, table: sql.Identifier, vector: Column, given: int | None, server: Server
) -> int:
    if vector.size > 0:
        return vector.size
    name = column(vector.name)
    any_row = sql.SQL("SELECT vector_dims({0}) FROM {1} d WHERE {0} IS NOT NULL LIMIT 1").format(name, table)
    found = connection.execute(any_row, []).fetchone()
    if found is None and given is None:
        raise server.problem(f"the column {vector.name} is empty and for vectors of any dimension; fill it first")
    return int(found[0]) if found else given or 0


def _chosen(what: str, columns: Sequence[Column], server: Server) -> Column | None:
    wanted = server.address.option(what)
    fitting = [one for one in columns if what != "metadata" or one.type in ("jsonb", "json")]
    if wanted:
        return _named(wanted, fitting, server, what)
    primary = [one for one in columns if what == "id" and one.is_primary]
    by_name = [one for name in _NAMES[what] for one in fitting if one.name == name]
    return next(iter(primary + by_name), None)


def _named(wanted: str, columns: Sequence[Column], server: Server, what: str) -> Column:
    for one in columns:
        if one.name == wanted:
            return one
    raise server.problem(f"no column {wanted!r} that can be the {what}; there are: {_listed(columns) or 'none'}")


def _listed(columns: Iterable[Column]) -> str:
    return ", ".join(one.name for one in columns)


def _metric(server: Server, note: dict[str, Any], opclasses: Sequence[str]) -> str:
    """Return the spec's metric, that of our own table, or the one that the index was built for."""
    wanted, kept = metric_option(server), note.get("metric")
    if wanted and kept and wanted != kept:
        raise server.problem(f"its metric is {kept}, not {wanted}; leave the option out, or use another table")
    of_index = {"ip" if "_ip_" in opclass else "cosine" for opclass in opclasses}
    return wanted or kept or ("ip" if of_index == {"ip"} else "cosine")
