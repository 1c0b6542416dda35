"""Which column of a table is what: by PostgreSQL's catalogue, by the spec, and by their names."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from esens.errors import ArgumentError
from esens.index.base import Metric
from esens.index.layout import FORMAT, NOTE, PARTS, embedder_of_note, guess_field, json_value
from esens.index.pgvector.filters import column, identifier
from esens.index.pgvector.server import Connection, PostgresServer, sql
from esens.index.pgvector.table import DocumentTable, TableColumn

METRICS: tuple[Metric, ...] = ("cosine", "ip")
OUR_COLUMNS = {
    "id": "text",
    "place": "int8",
    "title": "text",
    "text": "text",
    "metadata": "jsonb",
    "vector": "vector",
}
"""The columns of a table that esens made, and their types."""
_VECTORS = ("vector", "halfvec")
_NO_METADATA = (*_VECTORS, "sparsevec", "tsvector", "bytea")  # of no use to a reader, and long
_FIRST_VECTORS, _UNIT = 64, 1e-3
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


def find_table(
    connection: Connection, server: PostgresServer, *, dimension: int | None = None
) -> DocumentTable | None:
    """Look at the table that the spec names; None if it is not there.

    ``dimension`` is that of a column for vectors of any, in a table without rows.
    """
    _check_extension(connection, server)
    row = connection.execute(_TABLE, [sql.Identifier(*table_name(server)).as_string(connection)]).fetchone()
    if row is None:
        return None
    oid, schema, name, comment = row
    columns = [TableColumn(*row) for row in connection.execute(_COLUMNS, [oid])]
    note = _read_comment(comment, server) if _has_our_columns(columns) else {}
    vector = _choose_vector(columns, server)
    size = _dimension(connection, identifier(schema, name), vector, dimension, server)
    indexes = connection.execute(_INDEXES, [oid, vector.name, vector.name, size]).fetchall()
    parts = {part: _choose_part(part, columns, server) for part in PARTS}
    if parts["id"] is None:
        raise server.problem(f"no column is the id; choose one by ?id=, of {_list(columns)}")
    ordinal = next((field for field in columns if note and field.name == "place"), None)
    used = (vector, ordinal, *parts.values())
    return DocumentTable(
        name=identifier(schema, name),
        dimension=size,
        metric=_metric(server, note, [opclass for opclass, _ in indexes]),
        id=parts["id"],
        vector=vector,
        text=parts["text"],
        title=parts["title"],
        metadata=parts["metadata"],
        fields=tuple(field for field in columns if field not in used and field.type not in _NO_METADATA),
        ordinal=ordinal,
        is_ours=bool(note),
        has_unit_vectors=bool(note) and _has_unit_vectors(connection, identifier(schema, name), vector),
        embedder_id=embedder_of_note(note),
        is_indexed=bool(indexes),
        is_indexed_by_half=vector.type == "vector" and bool(indexes) and all(by_half for _, by_half in indexes),
    )


def other_tables(connection: Connection) -> str:
    """Return a few tables of this database that have a vector column, for an error."""
    names = ", ".join(str(name) for (name,) in connection.execute(_OTHERS))
    return f"with vectors there are: {names}" if names else "no table has a vector column"


def table_name(server: PostgresServer) -> list[str]:
    """Return the name of the spec's table, or those of its schema and itself, as the catalogue writes them."""
    name = server.uri.option("table")
    if not name or "\0" in name:
        raise ArgumentError("index", f"{server.uri}: names no table; add ?table=NAME or ?table=SCHEMA.NAME")
    return name.split(".", 1)


def metric_option(server: PostgresServer) -> Metric | None:
    """Return the metric that the spec wants, if any."""
    wanted = server.uri.option("metric")
    metric = next((metric for metric in METRICS if metric == wanted), None)
    if wanted and metric is None:
        raise ArgumentError("index", f"{server.uri}: unknown metric {wanted!r}; valid are: {', '.join(METRICS)}")
    return metric


def _check_extension(connection: Connection, server: PostgresServer) -> None:
    row = connection.execute(_EXTENSION).fetchone()
    if row is None:
        raise server.problem("this database has no pgvector; let its owner run CREATE EXTENSION vector")
    version, schema, is_visible = row
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < _LEAST_VERSION:
        raise server.problem(f"pgvector {version} is too old; 0.8 is needed: ALTER EXTENSION vector UPDATE")
    if not is_visible:
        raise server.problem(
            f"pgvector is in the schema {schema}, where it is not looked for; "
            f"add &options=-csearch_path%3Dpublic,{schema}"
        )


def _read_comment(comment: str | None, server: PostgresServer) -> dict[str, Any]:
    """Return what esens noted about a table that it made; nothing for anybody else's."""
    content = json_value(comment)
    if not isinstance(content, dict) or NOTE not in content:
        return {}
    note = content[NOTE]
    if not isinstance(note, dict):  # as older versions of esens wrote it: the format, and all else beside it
        note = content | {"format": note}
    if note.get("format") != FORMAT:
        raise server.problem(
            f"its format is {note.get('format')}, this esens knows {FORMAT}; use the one that made it"
        )
    return note if note.get("metric") in METRICS else {}


def _has_our_columns(columns: Sequence[TableColumn]) -> bool:
    """Whether a table is as esens makes them: who may comment on a table may say anything of it."""
    types = {field.name: field.type for field in columns}
    return types == OUR_COLUMNS and all(field.is_primary == (field.name == "id") for field in columns)


def _choose_vector(columns: Sequence[TableColumn], server: PostgresServer) -> TableColumn:
    vectors = [field for field in columns if field.type in _VECTORS]
    wanted = server.uri.option("vector")
    if wanted:
        return _by_name(wanted, vectors, server, "vector")
    if not vectors:
        raise server.problem(f"no column has the type vector or halfvec; the columns are: {_list(columns)}")
    if len(vectors) > 1:
        raise server.problem(f"several columns are vectors; choose one by ?vector=, of {_list(vectors)}")
    return vectors[0]


def _dimension(
    connection: Connection, table: sql.Identifier, vector: TableColumn, default: int | None, server: PostgresServer
) -> int:
    if vector.size > 0:
        return vector.size
    name = column(vector.name)
    any_row = sql.SQL("SELECT vector_dims({0}) FROM {1} d WHERE {0} IS NOT NULL LIMIT 1").format(name, table)
    row = connection.execute(any_row, []).fetchone()
    if row is None and default is None:
        raise server.problem(f"the column {vector.name} is empty and for vectors of any dimension; fill it first")
    return int(row[0]) if row else default or 0


def _has_unit_vectors(connection: Connection, table: sql.Identifier, vector: TableColumn) -> bool:
    """Whether the first vectors have unit length, or none, as those that esens writes: others may write, too."""
    lengths = sql.SQL("SELECT vector_norm(f.v) FROM (SELECT {} AS v FROM {} d LIMIT {}) f").format(
        column(vector.name), table, sql.Literal(_FIRST_VECTORS)
    )
    return all(length == 0 or abs(length - 1) < _UNIT for (length,) in connection.execute(lengths, []))


def _choose_part(part: str, columns: Sequence[TableColumn], server: PostgresServer) -> TableColumn | None:
    wanted = server.uri.option(part)
    fitting = [field for field in columns if part != "metadata" or field.type in ("jsonb", "json")]
    if wanted:
        return _by_name(wanted, fitting, server, part)
    primary = [field for field in columns if part == "id" and field.is_primary]
    guess = guess_field(part, [field.name for field in fitting])
    return next(iter([*primary, *(field for field in fitting if field.name == guess)]), None)


def _by_name(wanted: str, columns: Sequence[TableColumn], server: PostgresServer, part: str) -> TableColumn:
    for field in columns:
        if field.name == wanted:
            return field
    raise server.problem(f"no column {wanted!r} that can be the {part}; there are: {_list(columns) or 'none'}")


def _list(columns: Iterable[TableColumn]) -> str:
    return ", ".join(field.name for field in columns)


def _metric(server: PostgresServer, note: dict[str, Any], opclasses: Sequence[str]) -> Metric:
    """Return the spec's metric, that of a table that esens made, or the one that the index was built for."""
    wanted, stored = metric_option(server), note.get("metric")
    if wanted and stored and wanted != stored:
        raise server.problem(f"its metric is {stored}, not {wanted}; leave the option out, or use another table")
    of_index: set[Metric] = {"ip" if "_ip_" in opclass else "cosine" for opclass in opclasses}
    return wanted or stored or ("ip" if of_index == {"ip"} else "cosine")
