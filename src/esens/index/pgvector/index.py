"""PostgreSQL with pgvector: a table that esens made, or one that is there already.

``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?table=NAME`` names it; ``catalogue.py`` finds its columns.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.documents import stored_document
from esens.errors import ArgumentError
from esens.index.base import ENGINE_CHECKS, BaseWritableIndex, Neighbours, Vectors
from esens.index.check import IndexCheck
from esens.index.filters import Filter
from esens.index.pgvector.catalogue import find_table, metric_option, other_tables, table_name
from esens.index.pgvector.check import find_problems
from esens.index.pgvector.filters import identifier
from esens.index.pgvector.server import Connection, PostgresServer, sql
from esens.index.pgvector.table import DocumentTable
from esens.index.pgvector.write import add_extension, create_table, index_statements, record_of, upsert_statement
from esens.index.ranges import Sample
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId

EXTENTS = ("sample", "exact")
_ROWS_AT_A_TIME = 1000
_VECTORS_AT_A_TIME = 64  # three columns each in a row of ranges, which has at most 1,664
_CACHED_STATEMENTS = 64
_LEAST_EFFORT, _MOST_EFFORT = 40, 1000  # hnsw.ef_search: pgvector's default, and the most it takes

# The index looks at twice as many as are wanted, or more where the session's own hnsw.ef_search says so, and
# goes on where a filter left too few. For a few neighbours and no filter that is how it is set anyway.
_EFFORT = """
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search',
greatest(%s::int, nullif(current_setting('hnsw.ef_search', true), '')::int)::text, true)
"""
_EXACTLY = "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true)"
_NEAREST = """
SELECT q.at, {score}, {vector}, {document} FROM (VALUES {queries}) AS q(at, v) CROSS JOIN LATERAL
(SELECT * FROM {table} d WHERE {condition} ORDER BY {distance} LIMIT {k}) d
"""
_RANGES = "WITH s AS MATERIALIZED (SELECT {scores} FROM {table} d WHERE {condition}) SELECT {ends} FROM s"
_SAMPLE = "SELECT {row} FROM {table} d WHERE {condition} ORDER BY random() LIMIT {size}"
_FIRST = "SELECT {row} FROM {table} d WHERE {condition} ORDER BY {id} LIMIT {size}"


class PgVectorIndex(BaseWritableIndex):
    """A table in PostgreSQL, searched by pgvector.

    Without an index of type HNSW or IVFFlat the server compares a vector with every document, which is exact;
    :meth:`optimise` makes one. Several threads may search at once.
    """

    def __init__(self, server: PostgresServer, table: DocumentTable) -> None:
        """Take a server and a table that is there; see :meth:`open` and :meth:`prepare`."""
        super().__init__(server.uri)
        self._server, self._table = server, table
        self.dimension, self.metric, self.embedder_id = table.dimension, table.metric, table.embedder_id
        self._statements: dict[tuple[int, int, bool], bytes] = {}

    @classmethod
    def open(cls, uri: IndexURI) -> Self:
        """Open a table that is there."""
        server = _server(uri)
        with server.connection() as connection:
            table = find_table(connection, server)
            if table is None:
                raise server.problem(f"there is no such table; {other_tables(connection)}")
        return cls(server, table)

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> Self:
        """Open a table to write to it, or make it where it is not there yet."""
        server = _server(uri)
        with server.connection() as connection:
            add_extension(connection, server)
            table = find_table(connection, server, dimension=dimension)
            if table is None:
                create_table(connection, server, dimension, embedder_id)
                table = find_table(connection, server)
        assert table is not None  # noqa: S101 - it was made just now
        index = cls(server, table)
        index.check_compatible(dimension, embedder_id)
        return index

    def close(self) -> None:
        """Close the connections; the index cannot be used any more."""
        self._server.close()

    def translate_errors(self) -> AbstractContextManager[None]:
        """Raise errors of the client and the server as an EngineError, while a ``with`` block runs."""
        return self._server.translate_errors()

    def __len__(self) -> int:
        """Return how many documents there are."""
        [[count]] = self._select("SELECT count(*) FROM {table} d WHERE {condition}")
        return int(count)

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> Sequence[Neighbours]:
        """Return the k nearest documents of every unit vector, in one round trip for 64 of them."""
        documents: dict[str, Document] = {}  # what is near to several vectors is read once
        return [
            self._neighbours(rows, documents, with_vectors=with_vectors)
            for part in _parts(probes)
            for rows in self._search(part, k, where, with_vectors)
        ]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return the range of every vector's raw scores: from a sample, unless the spec wants them exactly."""
        if self.uri.option("extents") != "exact":
            return super().score_ranges(vectors, where=where)
        return [range_ for part in _parts(self.probes(vectors)) for range_ in self._exact_ranges(part, where)]

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return vectors of documents drawn at random."""
        rows = self._select(_SAMPLE, where, row=self._table.row, size=sql.Literal(size))
        sample = _matrix([row for (row,) in rows], self.dimension)
        return Sample(sample, len(sample) if len(sample) < size else size + 1)  # how many more does not matter

    def first_vectors(self, count: int) -> Vectors:
        """Return the vectors of the first documents by their ids."""
        id_ = identifier("d", self._table.id.name)
        rows = self._select(_FIRST, row=self._table.row, id=id_, size=sql.Literal(count))
        return _matrix([row for (row,) in rows], self.dimension)

    def fetch_vectors(self, ids: Sequence[str]) -> dict[str, Any]:
        """Return the stored vectors of those of these documents that are there, by id."""
        statement = "SELECT {id}, {row} FROM {table} d WHERE {condition}"
        rows = self._select(statement, ids=ids, id=self._table.id_text, row=self._table.row)
        self._check_distinct(id_ for id_, _ in rows)
        return {id_: _array(row) for id_, row in rows}

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""
        statement = "SELECT {document} FROM {table} d WHERE {condition}"
        rows = self._select(statement, ids=ids, document=self._table.document)
        self._check_distinct(row[0] for row in rows)
        by_id = {row[0]: self._document(row) for row in rows}
        return {id_: by_id[id_] for id_ in ids if id_ in by_id}

    def write(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Store documents with a vector each, all or none."""
        records = [record_of(document, self._table, self._server) for document in documents]
        statement = upsert_statement({name for record in records for name in record}, self._table)
        texts = [json.dumps(record) for record in records]

        def insert(link: Connection) -> None:
            with link.transaction():
                for start in range(0, len(texts), _ROWS_AT_A_TIME):
                    part = slice(start, start + _ROWS_AT_A_TIME)
                    link.execute(statement, [texts[part], list(rows[part])])

        self._server.write(insert)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        condition, values = self._table.with_ids(ids)
        statement = sql.SQL("DELETE FROM {} d WHERE {}").format(self._table.name, condition)
        return self._server.write(lambda link: link.execute(statement, values).rowcount)

    def optimise(self) -> None:
        """Make the indexes of a table that esens made, if it has none; that is quicker once it is full.

        Beyond 2,000 dimensions the one for vectors is in half precision; beyond 4,000 pgvector has none, and a
        search is a scan. It wants memory for the whole graph: &options=-cmaintenance_work_mem%3D1GB gives some.
        """
        if not self._table.is_ours:
            return
        for statement in (*index_statements(self._table), sql.SQL("ANALYZE {}").format(self._table.name)):
            self._server.write(partial(_execute, statement), limit="build_timeout")
        with self._server.connection() as connection:
            self._table = find_table(connection, self._server) or self._table
        self._statements.clear()

    def check(self) -> IndexCheck:
        """Look at every row: what no search could return, or would return wrongly."""
        problems = find_problems(self._server, self._table)
        count = len(self)
        if count and not problems:
            self.nearest(self.draw_sample(None, 1).vectors, 1)
        checked = ("every row: its id, its vector, its metadata", "that a search is answered")
        return IndexCheck(
            str(self.uri), count, self.dimension, self.embedder_id, checked, (ENGINE_CHECKS,), tuple(problems)
        )

    def _search(self, probes: Vectors, k: int, where: Filter | None, with_vectors: bool) -> list[list[Any]]:
        """Return the nearest rows of every vector: score, vector and document."""
        condition, values = self._table.condition(where)
        shape = (len(probes), k, with_vectors)
        query = self._nearest_statement(*shape, condition) if where else self._cached_statement(*shape)
        # Only without a filter is it prepared: one plan for all values of a filter would be a bad one for some.
        parameters, is_prepared = [*probes, *values], where is None
        # Candidates are more than are wanted anyway: to look at twice as many would take twice as long.
        effort = min(_MOST_EFFORT, max(_LEAST_EFFORT, k if with_vectors else 2 * k))
        setting = None if effort == _LEAST_EFFORT and where is None else (_EFFORT, [effort])
        rows = self._server.read(lambda link: _select(link, query, parameters, setting, is_prepared=is_prepared))
        # An index gives up at some point, a scan does not; and zero vectors belong before what is less than 0.
        if len(rows) < k * len(probes) or (self._table.may_misplace_zeros and any(row[1] < 0 for row in rows)):
            exact = self._nearest_statement(*shape, condition, is_exact=True)
            rows = self._server.read(
                lambda link: _select(link, exact, parameters, (_EXACTLY, []), is_prepared=False)
            )
        by_probe: list[list[Any]] = [[] for _ in probes]
        for at, *row in rows:
            by_probe[at].append(row)
        return by_probe

    def _cached_statement(self, count: int, k: int, with_vectors: bool) -> bytes:
        """Return the statement without a filter; to compose it takes a tenth of the time of a search."""
        statement = self._statements.get((count, k, with_vectors))
        if statement is None:
            if len(self._statements) >= _CACHED_STATEMENTS:
                self._statements.clear()
            statement = self._nearest_statement(count, k, with_vectors, self._table.condition(None)[0])
            self._statements[count, k, with_vectors] = statement
        return statement

    def _nearest_statement(
        self, count: int, k: int, with_vectors: bool, condition: sql.Composable, *, is_exact: bool = False
    ) -> bytes:
        query, numbered = identifier("q", "v"), sql.SQL("({}, %b::vector)")
        statement = sql.SQL(_NEAREST).format(
            score=self._table.score(query),
            vector=self._table.row if with_vectors else sql.SQL("NULL"),
            document=self._table.document,
            queries=sql.SQL(", ").join([numbered.format(sql.Literal(at)) for at in range(count)]),
            table=self._table.name,
            condition=condition,
            distance=self._table.exact_distance(query) if is_exact else self._table.distance(query),
            k=sql.Literal(k),
        )
        return statement.as_bytes(None)

    def _neighbours(
        self, rows: Iterable[Sequence[Any]], known: dict[str, Document], *, with_vectors: bool
    ) -> Neighbours:
        """Sort by score, and equal scores by their ordinal in the corpus, or by id where there is none."""
        ordered = sorted(rows, key=lambda row: (-row[0], row[-1] or 0, row[2]))
        self._check_distinct(row[2] for row in ordered)
        known |= {row[2]: self._document(row[2:]) for row in ordered if row[2] not in known}
        documents = tuple(known[row[2]] for row in ordered)
        scores = np.array([row[0] for row in ordered], np.float32)
        vectors = _matrix([row[1] for row in ordered], self.dimension) if with_vectors else None
        return Neighbours(documents, scores, vectors)

    def _exact_ranges(self, probes: Vectors, where: Filter | None) -> list[ScoreRange]:
        """Look once at every document, and at the scores that came of it once for every vector."""
        names = [sql.Identifier(f"s{at}") for at in range(len(probes))]
        score, comma = self._table.score(sql.SQL("%b::vector")), sql.SQL(", ")
        ends = sql.SQL("min({0}), max({0}), (SELECT {0} FROM s ORDER BY {0} DESC OFFSET 1 LIMIT 1)")
        [row] = self._select(
            _RANGES,
            where,
            before=list(probes),
            scores=comma.join([sql.SQL("{} AS {}").format(score, name) for name in names]),
            ends=comma.join([ends.format(name) for name in names]),
        )
        length = 1.0 if self.metric == "cosine" else self._scale()
        return [_range(*row[at : at + 3], length=length) for at in range(0, len(row), 3)]

    def _select(
        self,
        statement: Any,
        where: Filter | None = None,
        *,
        ids: Sequence[str] | None = None,
        before: Sequence[Any] = (),
        **parts: sql.Composable,
    ) -> list[tuple[Any, ...]]:
        """Return the rows of documents with these ids, or that fulfil a filter; ``before`` are parameters."""
        condition, values = self._table.condition(where) if ids is None else self._table.with_ids(ids)
        query = sql.SQL(statement).format(table=self._table.name, condition=condition, **parts)
        parameters = [*before, *values]
        return self._server.read(lambda link: link.execute(query, parameters, binary=True).fetchall())

    def _check_distinct(self, ids: Iterable[str]) -> None:
        """Raise where two rows have one id, which only a table of others can have."""
        if self._table.id.is_primary:
            return
        twice = [id_ for id_, count in Counter(ids).items() if count > 1]
        if twice:
            raise self._server.problem(
                f"several rows have the id {twice[0]!r}, and a document has one; choose a column with an id for "
                "each row by ?id=, or remove the others"
            )

    def _document(self, row: Sequence[Any]) -> Document:
        id_, title, text, metadata, joined, _ = row
        # A column hides what has its name in the JSON, also where it is empty.
        columns = {field.name: value for field, value in zip(self._table.fields, joined, strict=True)}
        merged = columns if not isinstance(metadata, dict) else metadata | columns
        present = {name: value for name, value in merged.items() if name not in columns or value is not None}
        return stored_document(id_, text, title, present, by_fields=self._table.is_ours)


def _server(uri: IndexURI) -> PostgresServer:
    server = PostgresServer(uri)
    table_name(server)
    metric_option(server)
    extents = uri.option("extents", EXTENTS[0])
    if extents not in EXTENTS:
        raise ArgumentError("index", f"{uri}: unknown extents {extents!r}; valid are: {', '.join(EXTENTS)}")
    return server


def _select(
    link: Connection,
    query: bytes,
    parameters: Sequence[Any],
    setting: tuple[Any, list[Any]] | None,
    *,
    is_prepared: bool,
) -> list[tuple[Any, ...]]:
    """Select with a setting that is forgotten afterwards: both in one round trip, which is one transaction."""
    if setting is None:
        return link.execute(query, parameters, binary=True, prepare=is_prepared).fetchall()
    with link.pipeline():
        link.execute(*setting, prepare=True)
        cursor = link.execute(query, parameters, binary=True, prepare=is_prepared)
    return cursor.fetchall()


def _matrix(vectors: Sequence[Any], dimension: int) -> Vectors:
    return np.array([_array(vector) for vector in vectors], np.float32).reshape(len(vectors), dimension)


def _array(vector: Any) -> Any:
    """Return an array; the package pgvector gives arrays, from 0.5 on something with an array."""
    return vector if isinstance(vector, np.ndarray) else vector.to_numpy()


def _execute(statement: sql.Composed, link: Connection) -> None:
    link.execute(statement, [])


def _parts(probes: Vectors) -> list[Vectors]:
    return [probes[start : start + _VECTORS_AT_A_TIME] for start in range(0, len(probes), _VECTORS_AT_A_TIME)]


def _range(low: float | None, high: float | None, second: float | None, *, length: float) -> ScoreRange:
    if low is None or high is None:
        return ScoreRange(0.0, 0.0, 0.0, True)
    return ScoreRange(low / length, high / length, (high if second is None else second) / length, True)
