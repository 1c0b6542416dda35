"""What a look at every row of a table finds."""

import json
from collections.abc import Iterator
from typing import Any

from esens.index.check import IndexProblem
from esens.index.pgvector.filters import column
from esens.index.pgvector.server import Connection, PostgresServer, sql
from esens.index.pgvector.table import DocumentTable

_MOST = 1000  # documents of a problem that are listed
_ROWS_AT_A_TIME = 1000
_UNIT = 1e-3
_COUNTS = """
SELECT count(*) FILTER (WHERE {id} IS NULL), count(*) FILTER (WHERE {vector} IS NULL) FROM {table} d
"""
_TWICE = "SELECT {id} FROM {table} d WHERE {condition} GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT {most}"
_DIMENSIONS = "SELECT {id} FROM {table} d WHERE {condition} AND vector_dims({row}) <> {dimension} LIMIT {most}"
_LENGTHS = """
SELECT {id} FROM {table} d WHERE {condition} AND vector_norm({row}) <> 0 AND abs(vector_norm({row}) - 1) > {unit}
LIMIT {most}
"""
_METADATA = "SELECT {id}, {metadata}::text FROM {table} d WHERE {condition} AND {metadata} IS NOT NULL"
_REMOVE = "correct the rows, or remove them"


def find_problems(server: PostgresServer, table: DocumentTable) -> list[IndexProblem]:
    """Return what is wrong with the rows of a table."""
    return server.read_long(lambda link: list(_problems(link, table)))


def _problems(link: Connection, table: DocumentTable) -> Iterator[IndexProblem]:
    condition, _ = table.condition(None)
    parts: dict[str, Any] = {
        "table": table.name,
        "condition": condition,
        "id": table.id_text,
        "row": table.row,
        "dimension": sql.Literal(table.dimension),
        "unit": sql.Literal(_UNIT),
        "most": sql.Literal(_MOST),
    }
    yield from _incomplete(link, table)
    for statement, what, advice in (
        (_TWICE, "several rows have the same id", "choose a column with an id for each row by ?id="),
        (_DIMENSIONS, "vectors have another dimension", _REMOVE),
        (_LENGTHS if table.is_ours else "", "vectors do not have unit length", "esens index writes them anew"),
    ):
        if statement and (ids := [str(id_) for (id_,) in link.execute(sql.SQL(statement).format(**parts), [])]):
            yield IndexProblem(what, advice, tuple(ids))
    if table.metadata is not None:
        query = sql.SQL(_METADATA).format(**parts, metadata=column(table.metadata.name))
        if bad := list(_unreadable(link, query)):
            yield IndexProblem("metadata cannot be read", _REMOVE, tuple(bad[:_MOST]))


def _incomplete(link: Connection, table: DocumentTable) -> Iterator[IndexProblem]:
    query = sql.SQL(_COUNTS).format(id=column(table.id.name), vector=column(table.vector.name), table=table.name)
    [counts] = link.execute(query, []).fetchall()
    for count, part in zip(counts, ("id", "vector"), strict=True):
        if count:
            yield IndexProblem(f"{count:,} rows have no {part}, so they are not searched", "give them one")


def _unreadable(link: Connection, query: sql.Composed) -> Iterator[str]:
    """Yield the ids of rows whose metadata Python cannot read, and no search can return."""
    with link.transaction(), link.cursor("esens_check") as cursor:
        cursor.execute(query, [])
        while rows := cursor.fetchmany(_ROWS_AT_A_TIME):
            yield from (str(id_) for id_, text in rows if not _is_readable(text))


def _is_readable(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
