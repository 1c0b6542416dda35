"""PostgreSQL with pgvector: a table that esens made, or one that is there already.

``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?table=NAME`` names it; ``catalogue.py`` finds its columns.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.documents import may_be_passage, stored_document
from esens.errors import ArgumentError
from esens.index.base import ENDS, ENGINE_CHECKS, BaseWritableIndex, Neighbours, Pool, Vectors, pool_by_vectors
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
# goes on where a filter left too few. For a few neighbours and no filter that is how it is set anyway. It is set
# by the row that all searches take their vectors from: before the first begins, and until the statement ends.
_EFFORT = """
(SELECT t.*, set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search',
greatest({effort}, nullif(current_setting('hnsw.ef_search', true), '')::int)::text, true)
FROM {vectors} OFFSET 0) AS t
"""
_EXACTLY = "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true)"
_NEAREST = """
SELECT found.* FROM {vectors} CROSS JOIN LATERAL ({found}) AS found
"""
_VECTORS = "(VALUES ({values})) AS t({names})"
_FOUND = """
(SELECT q.at, {columns}, {document} FROM (VALUES {probes}) AS q(at, v) CROSS JOIN LATERAL
(SELECT * FROM {table} d WHERE {condition} ORDER BY {distance} LIMIT {k}) d)
"""
# Any of the words is a match, as in BM25, not all of them. The rank is divided by the logarithm of the length.
_MATCHING = """
WITH q AS (SELECT at, replace(plainto_tsquery('english', t)::text, '&', '|')::tsquery AS any_word
FROM unnest(%s::int[], %s::text[]) AS given(at, t))
SELECT q.at, d.rank, {vector}, {document} FROM q CROSS JOIN LATERAL
(SELECT *, ts_rank_cd({words}, q.any_word, 1) AS rank FROM {table} d
WHERE {words} @@ q.any_word AND {condition} ORDER BY rank DESC LIMIT {k}) d
"""
_RANGES = "WITH s AS MATERIALIZED (SELECT {scores} FROM {table} d WHERE {condition}) SELECT {ends} FROM s"
_SAMPLE = "SELECT {row} FROM {table} d WHERE {condition} ORDER BY random() LIMIT {size}"
_FIRST = "SELECT {row} FROM {table} d WHERE {condition} ORDER BY {id} LIMIT {size}"


class _NearestRequest(NamedTuple):
    """What is asked: how many vectors are sent, which of them are probes, and how many neighbours each has.

    Of ``ends`` the first two are asked for. Of a neighbour come its score and, where that is wanted, its vector;
    of a pool the score of every vector sent.
    """

    vectors: int
    probes: tuple[int, ...]
    k: int
    ends: tuple[int, ...] = ()
    is_pool: bool = True
    with_vectors: bool = False

    @classmethod
    def of_neighbours(cls, probes: int, k: int, with_vectors: bool) -> "_NearestRequest":
        """Return the request for the neighbours of so many probes."""
        return cls(probes, tuple(range(probes)), k, is_pool=False, with_vectors=with_vectors)

    def score_of(self, probe: int) -> int:
        """Return which of the columns is the score of a probe's own neighbours."""
        return (*self.probes, *self.ends)[probe] if self.is_pool else 0

    @property
    def rows(self) -> int:
        """How many rows come, where there are as many."""
        return self.k * len(self.probes) + ENDS * len(self.ends)

    @property
    def effort(self) -> int:
        """How many documents an HNSW index looks at."""
        # Candidates are more than are wanted anyway: to look at twice as many would take twice as long.
        wanted = self.k if self.is_pool or self.with_vectors else 2 * self.k
        return min(_MOST_EFFORT, max(_LEAST_EFFORT, wanted))

    @property
    def is_small(self) -> bool:
        """Whether so few are wanted that an index finds them as it is set, though some that it finds are gone."""
        return 2 * self.k <= _LEAST_EFFORT


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
        self._statements: dict[_NearestRequest, bytes] = {}

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
            for rows in self._search(part, _NearestRequest.of_neighbours(len(part), k, with_vectors), where)
        ]

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, by PostgreSQL's full text search."""
        rows = self._select(
            _MATCHING,
            where,
            before=[list(range(len(texts))), [text.replace("\0", " ") for text in texts]],
            vector=self._table.row,
            document=self._table.document,
            words=self._table.words,
            k=sql.Literal(k),
        )
        by_text = _by_probe(rows, len(texts))
        documents: dict[str, Document] = {}
        matching = [self._neighbours(matched, documents, with_vectors=True) for matched in by_text]
        return [each._replace(vectors=self.comparable(np.asarray(each.vectors))) for each in matching]

    def pool(self, probes: Vectors, texts: Vectors, k: int, where: Filter | None, ends: Vectors) -> Pool:
        """Return the k nearest of every probe and two of ``ends``, with raw scores that the server computes.

        No vector leaves it, and documents are read of the rows only where they are wanted.
        """
        asked = np.concatenate([probes, ends])
        if self.metric != "cosine" or len(asked) + len(texts) > _VECTORS_AT_A_TIME:  # of products, lengths count
            every = self.nearest(asked, k, where=where, with_vectors=True)
            return pool_by_vectors(every, texts, k, len(probes))
        compared, places = _compared(texts, asked)
        count = len(compared)
        request = _NearestRequest(count, places[: len(probes)], k, places[len(probes) :])
        neighbours = self._search(compared, request, where)
        rows: dict[str, Sequence[Any]] = {}
        for near in neighbours:
            self._check_distinct(row[count] for row in near)
            rows |= {row[count]: row for row in near}
        column = {id_: at for at, id_ in enumerate(rows)}
        found, of_probes = list(rows.values()), neighbours[: len(probes)]
        # The last is the one with the least score, whatever the order in which an index found them.
        last = [min(near, key=itemgetter(at)) for at, near in zip(request.probes, of_probes, strict=True) if near]
        scores = np.array([row[:count] for row in found], np.float32).reshape(-1, count)
        return Pool(
            np.ascontiguousarray(scores[:, : len(texts)].T),
            lambda positions: [self._document(found[at][count:]) for at in positions],
            None,
            tuple(column[row[count]] for row in last),
            all(len(near) < k for near in of_probes),
            any(map(may_be_passage, rows)),
        )

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

    def _search(self, vectors: Vectors, request: "_NearestRequest", where: Filter | None) -> list[list[Any]]:
        """Return the nearest rows of every probe: what the request wants of them, and the document."""
        condition, values = self._table.condition(where)
        query = self._cached_statement(request) if where is None else self._nearest_statement(request, condition)
        parameters = [*vectors, *values, *(values if request.ends else ())]
        # Only without a filter is it prepared: one plan for all values of a filter would be a bad one for some.
        rows = self._server.read(
            lambda link: link.execute(query, parameters, binary=True, prepare=where is None).fetchall()
        )
        # An index gives up at some point, a scan does not; and zero vectors belong before what is less than 0.
        if len(rows) < request.rows or (
            self._table.may_misplace_zeros and any(row[1 + request.score_of(row[0])] < 0 for row in rows)
        ):
            exact = self._nearest_statement(request, condition, is_exact=True)
            rows = self._server.read(lambda link: _select_exactly(link, exact, parameters))
        return _by_probe(rows, len(request.probes) + len(request.ends))

    def _cached_statement(self, request: "_NearestRequest") -> bytes:
        """Return the statement without a filter; to compose it takes a tenth of the time of a search."""
        statement = self._statements.get(request)
        if statement is None:
            if len(self._statements) >= _CACHED_STATEMENTS:
                self._statements.clear()
            statement = self._nearest_statement(request, self._table.condition(None)[0], has_filter=False)
            self._statements[request] = statement
        return statement

    def _nearest_statement(
        self,
        request: "_NearestRequest",
        condition: sql.Composable,
        *,
        has_filter: bool = True,
        is_exact: bool = False,
    ) -> bytes:
        query, comma = identifier("q", "v"), sql.SQL(", ")
        texts = [f"t{at}" for at in range(request.vectors)]
        score_and_row = [self._table.score(query), self._table.row if request.with_vectors else sql.SQL("NULL")]
        scores = [self._table.score(identifier("t", text)) for text in texts]

        def found(probes: Sequence[int], first: int, k: int) -> sql.Composed:
            values = [(sql.Literal(n), identifier("t", texts[at])) for n, at in enumerate(probes, start=first)]
            return sql.SQL(_FOUND).format(
                columns=comma.join(scores if request.is_pool else score_and_row),
                document=self._table.document,
                probes=comma.join([sql.SQL("({}, {})").format(*value) for value in values]),
                table=self._table.name,
                condition=condition,
                distance=self._table.exact_distance(query) if is_exact else self._table.distance(query),
                k=sql.Literal(k),
            )

        parts = [found(request.probes, 0, request.k)]
        if request.ends:
            parts.append(found(request.ends, len(request.probes), ENDS))
        vectors = sql.SQL(_VECTORS).format(
            values=comma.join([sql.SQL("%b::vector")] * request.vectors),
            names=comma.join(map(sql.Identifier, texts)),
        )
        if not is_exact and (has_filter or not request.is_small):
            vectors = sql.SQL(_EFFORT).format(effort=sql.Literal(request.effort), vectors=vectors)
        statement = sql.SQL(_NEAREST).format(vectors=vectors, found=sql.SQL(" UNION ALL ").join(parts))
        return statement.as_bytes(None)

    def _neighbours(
        self, rows: Iterable[Sequence[Any]], documents_by_id: dict[str, Document], *, with_vectors: bool
    ) -> Neighbours:
        """Sort by score, and equal scores by their ordinal in the corpus, or by id where there is none."""
        ordered = sorted(rows, key=lambda row: (-row[0], row[-1] or 0, row[2]))
        self._check_distinct(row[2] for row in ordered)
        documents_by_id |= {row[2]: self._document(row[2:]) for row in ordered if row[2] not in documents_by_id}
        documents = tuple(documents_by_id[row[2]] for row in ordered)
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
        id_, title, text, stored, joined, _ = row
        present = self._metadata(stored)
        if joined:
            # A column hides what has its name in the JSON, also where it is empty.
            columns = {field.name: value for field, value in zip(self._table.fields, joined, strict=True)}
            merged = columns if not isinstance(present, dict) else present | columns
            present = {name: value for name, value in merged.items() if name not in columns or value is not None}
        elif not isinstance(present, dict):
            present = {}
        return stored_document(id_, text, title, present, by_fields=self._table.is_ours)

    def _metadata(self, stored: str | None) -> Any:
        if not stored or stored == "{}":
            return {}
        with self.translate_errors():  # they may be nested too deeply
            return json.loads(stored)


def _server(uri: IndexURI) -> PostgresServer:
    server = PostgresServer(uri)
    table_name(server)
    metric_option(server)
    extents = uri.option("extents", EXTENTS[0])
    if extents not in EXTENTS:
        raise ArgumentError("index", f"{uri}: unknown extents {extents!r}; valid are: {', '.join(EXTENTS)}")
    return server


def _select_exactly(link: Connection, query: bytes, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Select with a setting that is forgotten afterwards: both in one round trip, which is one transaction."""
    with link.pipeline():
        link.execute(_EXACTLY, prepare=True)
        cursor = link.execute(query, parameters, binary=True, prepare=False)
    return cursor.fetchall()


def _compared(texts: Vectors, probes: Vectors) -> tuple[Vectors, tuple[int, ...]]:
    """Return all of these vectors, each once, the texts first; and where each probe is among them."""
    compared, places = [row.tobytes() for row in texts], []
    for key in (row.tobytes() for row in probes):
        if key not in compared:
            compared.append(key)
        places.append(compared.index(key))
    rows = np.frombuffer(b"".join(compared), np.float32).reshape(len(compared), -1)
    return rows, tuple(places)


def _by_probe(rows: Iterable[Sequence[Any]], count: int) -> list[list[Any]]:
    """Return the rows of each probe, or text, by the number that each row begins with."""
    by_probe: list[list[Any]] = [[] for _ in range(count)]
    for at, *row in rows:
        by_probe[at].append(row)
    return by_probe


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
