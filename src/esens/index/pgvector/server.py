"""The way to a PostgreSQL server: from a spec to connections, and from its errors to ours."""

import re
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import engine_errors
from esens.index.layout import PARTS
from esens.index.uri import IndexURI
from esens.text.redact import redact

try:
    import psycopg
    from pgvector.psycopg import register_vector
    from psycopg import errors as errors
    from psycopg import sql as sql
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import Conninfo
    from psycopg.types.json import Jsonb as Jsonb
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as error:
    raise MissingExtraError(error.name or "psycopg", "pgvector") from None

OPTIONS = ("table", *PARTS, "vector", "metric", "extents")
"""What a spec says to us; every other option is for libpq."""
_CONNECTIONS = 4
_SECONDS_FOR_A_CONNECTION = 30.0

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")

_REFUSED = (  # what libpq says when no connection comes about: it has no codes there
    (r"password authentication failed|no password supplied", "the password is wrong, or there is none: give it in "
     "the spec, by PGPASSWORD or in a pgpass file"),
    (r"database .* does not exist", "there is no such database; create it, or name another"),
    (r"role .* does not exist", "there is no such role; create it, or name another"),
    (r"", "no connection; is the server running, and may this machine reach it?"),
)  # fmt: skip
_ADVICE: Mapping[type[psycopg.Error], str] = {
    errors.InsufficientPrivilege: "this role may not do that; ask for the right, or use another role",
    errors.ReadOnlySqlTransaction: "this server, or this role, only reads; write to the primary, by another role",
    errors.UndefinedTable: "the table is gone",
    errors.DiskFull: "the server's disk is full; make room, nothing was written",
    errors.QueryCanceled: "it took longer than the server allows; raise statement_timeout",
    errors.InvalidColumnReference: "the id column needs a unique index, so that a document can be replaced",
    errors.NotNullViolation: "a column must have a value, and the documents bring none",
    errors.DataError: "the table does not take a value of the documents",
    psycopg.OperationalError: "the server does not answer as it should; is it still running?",
    psycopg.Error: "the server refuses",
}


class PostgresServer:
    """Connections to one database: made when they are needed, at most four, and usable by several threads."""

    def __init__(self, uri: IndexURI) -> None:
        """Read the spec; nothing is connected yet."""
        self.uri = uri
        self._conninfo = _conninfo(uri)
        self._password = str(conninfo_to_dict(self._conninfo).get("password") or "")
        # Statements are prepared only where we say so: a plan that fits every filter fits none.
        how = {"autocommit": True, "prepare_threshold": sys.maxsize}
        self._pool = ConnectionPool(
            self._conninfo,
            kwargs=how,
            min_size=0,
            max_size=_CONNECTIONS,
            open=False,
            configure=register_vector,
            timeout=_SECONDS_FOR_A_CONNECTION,
            name="esens",
        )
        self._closing = weakref.finalize(self, self._pool.close)  # also at exit

    def read(self, work: Callable[[Connection], T]) -> T:
        """Read over a connection, each statement a transaction of its own unless it opens one.

        A connection that the server closed while it was idle is noticed by its first use; the work is done again,
        so it may change nothing.
        """
        with self._open_pool():
            with self._pool.connection() as connection:
                try:
                    return work(connection)
                except psycopg.OperationalError:
                    if not connection.broken:
                        raise
            self._pool.check()
            with self._pool.connection() as connection:
                return work(connection)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work that changes something, once: what was stored when a connection breaks, nobody knows."""
        with self._open_pool():
            self._pool.check()  # replaces those that the server closed while they were idle
            with self._pool.connection() as connection:
                try:
                    return work(connection)
                except psycopg.OperationalError as error:
                    if not connection.broken:
                        raise
                    problem = (
                        "the connection broke during a write, so it is not known whether that was stored; look, "
                        "and write again if it was not"
                    )
                    raise self.problem(problem, words=str(error)) from None

    @contextmanager
    def _open_pool(self) -> Iterator[None]:
        if not self._closing.alive:
            raise self.problem("the index is closed; open it again")
        with self.translate_errors():
            self._pool.open()
            yield

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Give a connection outside the pool, in one transaction: to look at what is there, and to create it."""
        with self.translate_errors(), self._connect() as connection:
            yield connection

    def translate_errors(self) -> AbstractContextManager[None]:
        """Raise errors of the client and the server as an EngineError, while a ``with`` block runs."""
        by_advice: dict[type[BaseException], Callable[[Any, IndexURI], str]] = {
            kind: partial(self._explain, advice) for kind, advice in _ADVICE.items()
        }
        return engine_errors(self.uri, {PoolTimeout: self._explain_busy, **by_advice})

    def problem(self, problem: str, *, words: str = "") -> EngineError:
        """Return an error about this index, with the server's words."""
        return EngineError(str(self.uri), problem + self._quote(words))

    def _explain(self, advice: str, error: psycopg.Error, _: IndexURI) -> str:
        return advice + self._quote(str(error))

    def _explain_busy(self, _: PoolTimeout, __: IndexURI) -> str:
        self._connect().close()  # where that fails, its error says better what is wrong
        seconds = f"{_SECONDS_FOR_A_CONNECTION:.0f}"
        return f"its {_CONNECTIONS} connections were busy for {seconds} seconds; ask for less at once"

    def _quote(self, words: str) -> str:
        return f" ({redact(words, key=self._password)})" if words else ""

    def close(self) -> None:
        """Close every connection."""
        self._closing()

    def _connect(self) -> Connection:
        try:
            return psycopg.connect(self._conninfo)
        except psycopg.OperationalError as error:
            advice = next(advice for pattern, advice in _REFUSED if re.search(pattern, str(error)))
            raise self.problem(advice, words=str(error)) from None


def _conninfo(uri: IndexURI) -> str:
    """Return the spec without our options, as libpq reads it."""
    for_libpq = {name: value for name, value in uri.options.items() if name not in OPTIONS}
    valid = {option.keyword.decode() for option in Conninfo.get_defaults()}
    for name in for_libpq:
        if name not in valid and re.fullmatch(r"\w+", name):
            raise ArgumentError(
                "index", f"{uri}: unknown option {name!r}; valid are: {', '.join(OPTIONS)}, and those of libpq"
            )
    head = uri.spec.partition("?")[0]
    conninfo = f"{head}?{urlencode(for_libpq, quote_via=quote)}" if for_libpq else head
    try:
        ports = str(conninfo_to_dict(conninfo).get("port") or "")
    except psycopg.Error:
        ports = "unreadable"
    if re.search(r"[^\d,]", ports):  # libpq's own words may hold a part of the password
        raise ArgumentError(
            "index",
            f"{uri}: cannot be read; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE?table=NAME, "
            "with signs such as / ? # @ in the password as %2F %3F %23 %40",
        )
    return conninfo
