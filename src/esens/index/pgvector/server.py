"""The way to a PostgreSQL server: from a spec to connections, and from its errors to ours."""

import re
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from esens.errors import ArgumentError, EngineError, MissingExtraError
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

OPTIONS = ("table", "id", "text", "title", "vector", "metadata", "metric", "extents")
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
_FAILED: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.InsufficientPrivilege, "this role may not do that; ask for the right, or use another role"),
    (
        errors.ReadOnlySqlTransaction,
        "this server, or this role, only reads; write to the primary, by another role",
    ),
    (errors.UndefinedTable, "the table is gone"),
    (errors.DiskFull, "the server's disk is full; make room, nothing was written"),
    (errors.QueryCanceled, "it took longer than the server allows; raise statement_timeout"),
    (errors.InvalidColumnReference, "the id column needs a unique index, so that a document can be replaced"),
    (errors.NotNullViolation, "a column must have a value, and the documents bring none"),
    (errors.DataError, "the table does not take a value of the documents"),
    (psycopg.OperationalError, "the server does not answer as it should; is it still running?"),
)


class Server:
    """Connections to one database: made when they are needed, at most four, and usable by several threads."""

    def __init__(self, address: IndexURI) -> None:
        """Read the spec; nothing is connected yet."""
        self.address = address
        self._conninfo = _conninfo(address)
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

    def ask(self, work: Callable[[Connection], T]) -> T:
        """Read over a connection, each statement a transaction of its own unless it opens one.

        A connection that the server closed while it was idle is noticed by its first use; the work is done again,
        so it may change nothing.
        """
        with self._opened():
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
        """Do work that changes something, once: what was kept of it when a connection breaks, nobody knows."""
        with self._opened():
            self._pool.check()  # replaces those that the server closed while they were idle
            with self._pool.connection() as connection:
                try:
                    return work(connection)
                except psycopg.OperationalError as error:
                    if not connection.broken:
                        raise
                    problem = (
                        "the connection broke during a write, so it is not known whether that was kept; look, and "
                        "write again if it was not"
                    )
                    raise self.problem(problem, said=str(error)) from None

    @contextmanager
    def _opened(self) -> Iterator[None]:
        if not self._closing.alive:
            raise self.problem("the index is closed; open it again")
        with self.translated():
            self._pool.open()
            yield

    @contextmanager
    def directly(self) -> Iterator[Connection]:
        """Give a connection beside the pool, in one transaction: to look at what is there, and to create it."""
        with self.translated(), self._connected() as connection:
            yield connection

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn errors of the client and the server into ours."""
        try:
            yield
        except PoolTimeout:
            self._connected().close()  # says better what is wrong
            raise self.problem(
                f"its {_CONNECTIONS} connections were busy for {_SECONDS_FOR_A_CONNECTION:.0f} seconds; "
                "ask for less at once"
            ) from None
        except psycopg.Error as error:
            raise self.problem(_advice(error), said=str(error)) from None

    def problem(self, problem: str, *, said: str = "") -> EngineError:
        """Return an error about this index, with what the server said."""
        words = f" ({redact(said, key=self._password)})" if said else ""
        return EngineError(str(self.address), problem + words)

    def close(self) -> None:
        """Close every connection."""
        self._closing()

    def _connected(self) -> Connection:
        try:
            return psycopg.connect(self._conninfo)
        except psycopg.OperationalError as error:
            advice = next(advice for words, advice in _REFUSED if re.search(words, str(error)))
            raise self.problem(advice, said=str(error)) from None


def _advice(error: psycopg.Error) -> str:
    return next((advice for kind, advice in _FAILED if isinstance(error, kind)), "the server refuses")


def _conninfo(address: IndexURI) -> str:
    """Return the spec without our options, as libpq reads it."""
    for_libpq = {name: value for name, value in address.options.items() if name not in OPTIONS}
    known = {option.keyword.decode() for option in Conninfo.get_defaults()}
    for name in for_libpq:
        if name not in known and re.fullmatch(r"\w+", name):
            raise ArgumentError(
                "index", f"{address}: unknown option {name!r}; valid are: {', '.join(OPTIONS)}, and those of libpq"
            )
    head = address.spec.partition("?")[0]
    conninfo = f"{head}?{urlencode(for_libpq, quote_via=quote)}" if for_libpq else head
    try:
        ports = str(conninfo_to_dict(conninfo).get("port") or "")
    except psycopg.Error:
        ports = "unreadable"
    if re.search(r"[^\d,]", ports):  # libpq's own words may hold a part of the password
        raise ArgumentError(
            "index",
            f"{address}: cannot be read; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE?table=NAME, "
            "with signs such as / ? # @ in the password as %2F %3F %23 %40",
        )
    return conninfo
