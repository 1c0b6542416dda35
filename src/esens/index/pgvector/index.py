"""PostgreSQL with pgvector: a table of ours, or one that is there already.

``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?table=NAME`` names it; ``catalogue.py`` finds its columns.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError
from esens.index.adapter import check_compatible
from esens.index.base import Closing, Neighbours, Vectors
from esens.index.filters import Filter
from esens.index.pgvector.catalogue import find_table, metric_option, others, table_name
from esens.index.pgvector.filters import identifier
from esens.index.pgvector.server import Connection, Server, sql
from esens.index.pgvector.table import Table
from esens.index.pgvector.write import add_extension, create, indexes_of, json_of, record_of, upsert_of
from esens.index.ranges import SAMPLE, TOP, Sample, Samples, estimate_ranges
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId, documents_of

EXTENTS = ("exact", "sample")
_ROWS_AT_A_TIME = 1000
_VECTORS_AT_A_TIME = 64  # three columns each in a row of spans, which has at most 1,664
_STATEMENTS_KEPT = 64
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
(SELECT * FROM {table} d WHERE {asked} ORDER BY {distance} LIMIT {k}) d
"""
_SAMPLE = "SELECT {row} FROM {table} d WHERE {asked} ORDER BY random() LIMIT {size}"


class PgVectorIndex(Closing):
    """A table in PostgreSQL, searched by pgvector.

    Without an index of type HNSW or IVFFlat the server compares a vector with every document, which is exact;
    :meth:`optimise` makes one. Several threads may ask at once.
    """

    def __init__(self, server: Server, table: Table) -> None:
        """Take a server and what was found there; ``open`` and ``prepare`` do that."""
        self._server = server
        self._table = table
        self._samples = Samples()
        self._statements: dict[tuple[int, int, bool], bytes] = {}

    @classmethod
    def open(cls, address: IndexURI) -> Self:
        """Open a table that is there."""
        server = _server(address)
        with server.directly() as connection:
            table = find_table(connection, server)
            if table is None:
                raise server.problem(f"there is no such table; {others(connection)}")
        return cls(server, table)

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> Self:
        """Open a table to write to it, or make it where it is not there yet."""
        server = _server(address)
        with server.directly() as connection:
            add_extension(connection, server)
            table = find_table(connection, server, dimension=dimension)
            if table is None:
                create(connection, server, dimension, embedder_id)
                table = find_table(connection, server)
        assert table is not None  # noqa: S101 - it was made just now
        check_compatible(
            server.address, dimension=(table.dimension, dimension), embedder_id=(table.embedder_id, embedder_id)
        )
        return cls(server, table)

    max_neighbours: int | None = None

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._table.dimension

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors; a table that is not ours does not say."""
        return self._table.embedder_id

    def __len__(self) -> int:
        """Return how many documents there are."""
        condition, values = self._table.asked(None)
        [[count]] = self._rows("SELECT count(*) FROM {table} d WHERE {asked}", values, asked=condition)
        return int(count)

    def __repr__(self) -> str:
        return f"PgVectorIndex({str(self._server.address)!r})"

    def close(self) -> None:
        """Close the connections; the index cannot be used any more."""
        self._server.close()

    def nearest(
        self, vectors: npt.ArrayLike, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each), in one round trip."""
        asked = self._asked(vectors)
        if k < 1:
            return [self._neighbours([], with_vectors) for _ in asked]
        return [
            self._neighbours(rows, with_vectors)
            for part in _parts(asked)
            for rows in self._found(part, k, where, with_vectors)
        ]

    def score_ranges(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach: exactly, unless the spec wants a sample."""
        asked = self._asked(vectors)
        if self._server.address.option("extents") == "sample":
            return estimate_ranges(
                asked, [found.scores for found in self.nearest(asked, TOP, where=where)], *self._sample(where)
            )
        return [span for part in _parts(asked) for span in self._spans(part, where)]

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        condition, values = self._table.named(ids)
        statement = "SELECT {id}, {row} FROM {table} d WHERE {asked}"
        found = dict(self._rows(statement, values, asked=condition, id=self._table.id_text, row=self._table.row))
        for id_ in ids:
            if id_ not in found:
                raise not_there(id_)
        return _matrix([found[id_] for id_ in ids], self._table)

    def documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        """Return those of these documents that are there, by id."""
        condition, values = self._table.named(ids)
        statement = "SELECT {document} FROM {table} d WHERE {asked}"
        rows = self._rows(statement, values, asked=condition, document=self._table.document)
        found = {row[0]: self._document(row) for row in rows}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        given = documents_of(documents)
        unit = a_row_a_document(vectors, len(given), dimension=self.dimension)
        rows = unit if self._table.metric == "cosine" else np.asarray(vectors, np.float32)
        records = [record_of(document, self._table, self._server) for document in given]
        statement = upsert_of({name for record in records for name in record}, self._table)
        written = [json_of(record, document) for record, document in zip(records, given, strict=True)]

        def write(link: Connection) -> None:
            with link.transaction():
                for start in range(0, len(written), _ROWS_AT_A_TIME):
                    part = slice(start, start + _ROWS_AT_A_TIME)
                    link.execute(statement, [written[part], list(rows[part])])

        with self._changing():
            self._server.write(write)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        condition, values = self._table.named(ids)
        statement = sql.SQL("DELETE FROM {} d WHERE {}").format(self._table.name, condition)
        with self._changing():
            return self._server.write(lambda link: link.execute(statement, values).rowcount)

    def optimise(self) -> None:
        """Make the indexes of a table of ours, if it has none; that is quicker once it is full.

        Beyond 2,000 dimensions the one for vectors is in half precision; beyond 4,000 pgvector has none, and a
        search is a scan. It wants memory for the whole graph: &options=-cmaintenance_work_mem%3D1GB gives some.
        """
        if not self._table.is_ours:
            return
        for statement in (*indexes_of(self._table), sql.SQL("ANALYZE {}").format(self._table.name)):
            self._server.write(partial(_execute, statement))
        with self._server.directly() as connection:
            self._table = find_table(connection, self._server) or self._table
        self._statements.clear()

    def _sample(self, where: Filter | None) -> Sample:
        return self._samples.of(where, partial(_drawn, self._server, self._table))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        try:
            yield
        finally:  # where the connection broke, the documents may have changed all the same
            self._samples.forget()

    def _found(
        self, asked: Vectors, k: int, where: Filter | None, with_vectors: bool
    ) -> list[list[tuple[Any, ...]]]:
        """Return what is nearest to every vector, as rows of score, vector and document."""
        condition, values = self._table.asked(where)
        shape = (len(asked), k, with_vectors)
        query = self._nearest(*shape, condition) if where else self._kept(*shape)
        # Only without a filter is it prepared: one plan for all values of a filter would be a bad one for some.
        parameters, is_prepared = [*asked, *values], not where
        effort = min(_MOST_EFFORT, max(_LEAST_EFFORT, 2 * k))
        setting = None if effort == _LEAST_EFFORT and not where else (_EFFORT, [effort])
        rows = self._server.ask(lambda link: _ask(link, query, parameters, setting, is_prepared=is_prepared))
        # An index gives up at some point, a scan does not; and zero vectors belong before what is less than 0.
        if len(rows) < k * len(asked) or (self._table.may_misplace_zeros and any(row[1] < 0 for row in rows)):
            exact = self._nearest(*shape, condition, is_exact=True)
            rows = self._server.ask(lambda link: _ask(link, exact, parameters, (_EXACTLY, []), is_prepared=False))
        found: list[list[tuple[Any, ...]]] = [[] for _ in asked]
        for at, *row in rows:
            found[at].append(tuple(row))
        return found

    def _kept(self, count: int, k: int, with_vectors: bool) -> bytes:
        """Return the statement without a filter; to compose it takes a tenth of the time of a search."""
        statement = self._statements.get((count, k, with_vectors))
        if statement is None:
            if len(self._statements) >= _STATEMENTS_KEPT:
                self._statements.clear()
            statement = self._nearest(count, k, with_vectors, self._table.asked(None)[0])
            self._statements[count, k, with_vectors] = statement
        return statement

    def _nearest(
        self, count: int, k: int, with_vectors: bool, condition: sql.Composable, *, is_exact: bool = False
    ) -> bytes:
        query, one = identifier("q", "v"), sql.SQL("({}, %b::vector)")
        statement = sql.SQL(_NEAREST).format(
            score=self._table.score(query),
            vector=self._table.row if with_vectors else sql.SQL("NULL"),
            document=self._table.document,
            queries=sql.SQL(", ").join([one.format(sql.Literal(at)) for at in range(count)]),
            table=self._table.name,
            asked=condition,
            distance=self._table.exact_distance(query) if is_exact else self._table.distance(query),
            k=sql.Literal(k),
        )
        return statement.as_bytes(None)

    def _neighbours(self, rows: Iterable[tuple[Any, ...]], with_vectors: bool) -> Neighbours:
        """Sort by score, and equal scores by their place in the corpus, or by id where there is none."""
        ordered = sorted(rows, key=lambda row: (-row[0], row[-1] or 0, row[2]))
        documents = tuple(self._document(row[2:]) for row in ordered)
        scores = np.array([row[0] for row in ordered], np.float32)
        rows_of = _matrix([row[1] for row in ordered], self._table) if with_vectors else None
        return Neighbours(documents, scores, rows_of)

    def _spans(self, asked: Vectors, where: Filter | None) -> list[ScoreRange]:
        """Look once at every document, and at the scores that came of it once for every vector."""
        names = [sql.Identifier(f"s{at}") for at in range(len(asked))]
        score = self._table.score(sql.SQL("%b::vector"))
        scores = sql.SQL(", ").join([sql.SQL("{} AS {}").format(score, name) for name in names])
        ends = sql.SQL("min({0}), max({0}), (SELECT {0} FROM s ORDER BY {0} DESC OFFSET 1 LIMIT 1)")
        condition, values = self._table.asked(where)
        statement = "WITH s AS MATERIALIZED (SELECT {scores} FROM {table} d WHERE {asked}) SELECT {ends} FROM s"
        [row] = self._rows(
            statement,
            [*asked, *values],
            asked=condition,
            scores=scores,
            ends=sql.SQL(", ").join([ends.format(name) for name in names]),
        )
        return [_span(*row[at : at + 3]) for at in range(0, len(row), 3)]

    def _rows(self, statement: Any, values: Sequence[Any], **parts: sql.Composable) -> list[tuple[Any, ...]]:
        query = sql.SQL(statement).format(table=self._table.name, **parts)
        return self._server.ask(lambda link: link.execute(query, values, binary=True).fetchall())

    def _document(self, row: Sequence[Any]) -> Document:
        id_, title, text, metadata, joined, _ = row
        # A column hides what has its name in the JSON, also where it is empty.
        columns = {field.name: value for field, value in zip(self._table.fields, joined, strict=True)}
        kept = columns if not isinstance(metadata, dict) else metadata | columns
        present = {name: value for name, value in kept.items() if name not in columns or value is not None}
        return Document(id_, text, title, present)

    def _asked(self, vectors: npt.ArrayLike) -> Vectors:
        unit = unit_rows(vectors, argument="query vectors", dimension=self.dimension)
        return unit if self._table.metric == "cosine" else np.asarray(vectors, np.float32)


def _server(address: IndexURI) -> Server:
    server = Server(address)
    table_name(server)
    metric_option(server)
    extents = address.option("extents", "exact")
    if extents not in EXTENTS:
        raise ArgumentError("index", f"{address}: unknown extents {extents!r}; valid are: {', '.join(EXTENTS)}")
    return server


def _ask(
    link: Connection,
    query: bytes,
    parameters: Sequence[Any],
    setting: tuple[Any, list[Any]] | None,
    *,
    is_prepared: bool,
) -> list[tuple[Any, ...]]:
    """Ask with a setting that is forgotten afterwards: both in one round trip, which is one transaction."""
    if setting is None:
        return link.execute(query, parameters, binary=True, prepare=is_prepared).fetchall()
    with link.pipeline():
        link.execute(*setting, prepare=True)
        cursor = link.execute(query, parameters, binary=True, prepare=is_prepared)
    return cursor.fetchall()


def _drawn(server: Server, table: Table, where: Filter | None) -> Sample:
    """Return vectors of documents drawn at random."""
    condition, values = table.asked(where)
    query = sql.SQL(_SAMPLE).format(row=table.row, table=table.name, asked=condition, size=sql.Literal(SAMPLE))
    rows = server.ask(lambda link: link.execute(query, values, binary=True).fetchall())
    sample = _matrix([row for (row,) in rows], table)
    return Sample(sample, len(sample) if len(sample) < SAMPLE else SAMPLE + 1)  # how many more does not matter


def _matrix(found: Sequence[Any], table: Table) -> Vectors:
    """Return vectors as they are compared; the package gives arrays, from 0.5 on something with an array."""
    rows = [row if isinstance(row, np.ndarray) else row.to_numpy() for row in found]
    matrix = np.array(rows, np.float32).reshape(len(rows), table.dimension)
    return unit_rows(matrix) if table.metric == "cosine" else matrix


def _execute(statement: sql.Composed, link: Connection) -> None:
    link.execute(statement, [])


def _parts(asked: Vectors) -> list[Vectors]:
    return [asked[start : start + _VECTORS_AT_A_TIME] for start in range(0, len(asked), _VECTORS_AT_A_TIME)]


def _span(low: float | None, high: float | None, second: float | None) -> ScoreRange:
    if low is None or high is None:
        return ScoreRange(0.0, 0.0, 0.0, True)
    return ScoreRange(low, high, high if second is None else second, True)
