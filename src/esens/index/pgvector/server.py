"""The way to a PostgreSQL server: from a spec to connections, and from its errors to ours.

Nobody waits for ever. A connection comes about within ``connect_timeout`` seconds (libpq's own option) and a
statement is done within ``timeout``; where the server says nothing for as long as a connection may take, it is
asked on another connection whether it is there at all. Who waits longer than ``pool_timeout`` for one of the
connections gets an error, and a server that gave no answer is left alone for ``pause`` seconds.
"""

import os
import re
import sys
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import engine_errors
from esens.index.layout import PARTS
from esens.index.silence import SilenceGuard
from esens.index.uri import IndexURI
from esens.text.redact import redact

try:
    import psycopg
    from pgvector.psycopg import register_vector
    from psycopg import errors as errors
    from psycopg import sql as sql
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg.pq import Conninfo, TransactionStatus
    from psycopg.types.json import Jsonb as Jsonb
except ImportError as error:
    raise MissingExtraError(error.name or "psycopg", "pgvector") from None

LIMITS = {"timeout": 30, "pool_timeout": 30, "build_timeout": 6 * 3600}
"""Seconds: that a statement may take, that somebody waits for a connection, that making an index may take."""
CONNECT_TIMEOUT = 5
"""Seconds in which a connection comes about, unless the spec or the environment says otherwise."""
OPTIONS = ("table", *PARTS, "vector", "metric", "extents", *LIMITS, "pause")
"""What a spec says to us; every other option is for libpq."""
_CONNECTIONS = 4
_READY_NONE = 0  # what psycopg sends where it waited, and nothing came

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")

_REFUSED = (  # what libpq says when no connection comes about: it has no codes there
    (r"password authentication failed|no password supplied", "the password is wrong, or there is none: give it in "
     "the spec, by PGPASSWORD or in a pgpass file"),
    (r"database .* does not exist", "there is no such database; create it, or name another"),
    (r"role .* does not exist", "there is no such role; create it, or name another"),
    (r"", "no connection; is the server running, and may this machine reach it?"),
)  # fmt: skip
_ADVICE: Mapping[type[Exception], str] = {
    errors.InsufficientPrivilege: "this role may not do that; ask for the right, or use another role",
    errors.ReadOnlySqlTransaction: "this server, or this role, only reads; write to the primary, by another role",
    errors.UndefinedTable: "the table is gone",
    errors.DiskFull: "the server's disk is full; make room, nothing was written",
    errors.QueryCanceled: "it took longer than the server allows; raise statement_timeout, or &timeout=SECONDS",
    errors.InvalidColumnReference: "the id column needs a unique index, so that a document can be replaced",
    errors.NotNullViolation: "a column must have a value, and the documents bring none",
    errors.DataError: "the table does not take a value of the documents",
    psycopg.OperationalError: "the server does not answer as it should; is it still running?",
    psycopg.Error: "the server refuses",
    RecursionError: "the metadata of a document are nested too deeply to be read; esens check says of which",
}


_SERVER_FIRST = 1.0
"""Seconds beyond a limit until we give up: the server, which has the same limit, says more of what took long."""


class SilentServer(psycopg.OperationalError):
    """The server says nothing any more."""


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection on which no statement takes longer than a limit, whatever the server does."""

    limit: float
    """Seconds that a statement may take."""
    silence: float
    """Seconds without a word after which the server is asked whether it is there."""
    is_there: Callable[[], bool]

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        """Do a piece of work with the server, as psycopg does, but not for ever."""
        return super().wait(self._bounded(gen), *args, **options)

    def _bounded(self, gen: Any) -> Generator[Any, Any, Any]:
        begin = time.monotonic()
        ask_at = begin + self.silence
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready != _READY_NONE:
                    ask_at = now + self.silence
                elif now - begin > self.limit + _SERVER_FIRST:
                    self._give_up(f"no answer after {now - begin:.0f} s; wait longer with &timeout=SECONDS")
                elif now > ask_at:
                    if not self.is_there():
                        self._give_up(f"no answer after {now - begin:.0f} s, and no new connection")
                    ask_at = time.monotonic() + self.silence
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _give_up(self, problem: str) -> None:
        self.pgconn.finish()  # there is no use in saying goodbye
        raise SilentServer(problem)


class PostgresServer:
    """Connections to one database: made when they are needed, at most four, and usable by several threads."""

    def __init__(self, uri: IndexURI) -> None:
        """Read the spec; nothing is connected yet."""
        self.uri = uri
        self._limits = {name: uri.seconds(name, default) for name, default in LIMITS.items()}
        self._conninfo = _conninfo(uri)
        given = conninfo_to_dict(self._conninfo)
        self._password = str(given.get("password") or "")
        if "connect_timeout" not in given and not os.environ.get("PGCONNECT_TIMEOUT"):
            self._conninfo = make_conninfo(self._conninfo, connect_timeout=CONNECT_TIMEOUT)
        self._silence = float(conninfo_to_dict(self._conninfo).get("connect_timeout") or CONNECT_TIMEOUT)
        self._guard = SilenceGuard(uri)
        self._connections = BoundedSemaphore(_CONNECTIONS)
        self._idle = _IdleConnections()
        self._closing = weakref.finalize(self, self._idle.close)  # also at exit

    def read(self, work: Callable[[Connection], T]) -> T:
        """Read over a connection, each statement a transaction of its own unless it opens one.

        A connection that the server closed while it was idle is noticed by its first use; the work is done again,
        so it may change nothing.
        """
        with self.translate_errors():
            with self._lent() as connection:
                try:
                    return work(connection)
                except psycopg.OperationalError as error:
                    if not connection.broken or isinstance(error, SilentServer):
                        raise
            self._idle.close()  # those that are idle broke with it
            with self._lent() as connection:
                return work(connection)

    def read_long(self, work: Callable[[Connection], T]) -> T:
        """Read for as long as making an index may take."""
        with self.translate_errors(), self._lent() as connection, self._allowing(connection, "build_timeout"):
            return work(connection)

    def write(self, work: Callable[[Connection], T], *, limit: str = "timeout") -> T:
        """Do work that changes something, once: what was stored when a connection breaks, nobody knows.

        ``limit`` is the option that bounds it.
        """
        connection: BoundedConnection | None = None
        with self.translate_errors():
            try:
                with self._lent(is_checked=True) as connection, self._allowing(connection, limit):
                    return work(connection)
            except psycopg.OperationalError as error:
                if connection is None or not connection.broken:
                    raise
                problem = (
                    "the connection broke during a write, so it is not known whether that was stored; look, "
                    "and write again if it was not"
                )
                raise self.problem(problem, words=str(error)) from None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Give a connection of its own, in one transaction: to look at what is there, and to create it."""
        with (
            self.translate_errors(),
            self._guard.watch(_is_silence),
            self._connect() as connection,
            connection.transaction(),
        ):
            yield connection

    def translate_errors(self) -> AbstractContextManager[None]:
        """Raise errors of the client and the server as an EngineError, while a ``with`` block runs."""
        by_advice: dict[type[BaseException], Callable[[Any, IndexURI], str]] = {
            kind: partial(self._explain, advice) for kind, advice in _ADVICE.items()
        }
        return engine_errors(self.uri, by_advice)

    def problem(self, problem: str, *, words: str = "") -> EngineError:
        """Return an error about this index, with the server's words."""
        return EngineError(str(self.uri), problem + self._quote(words))

    def close(self) -> None:
        """Close every connection."""
        self._closing()

    @contextmanager
    def _lent(self, *, is_checked: bool = False) -> Iterator[BoundedConnection]:
        """Give one of the connections; with ``is_checked``, one that the server has not closed meanwhile."""
        if not self._closing.alive:
            raise self.problem("the index is closed; open it again")
        seconds = self._limits["pool_timeout"]
        if not self._connections.acquire(timeout=seconds):
            raise self.problem(
                f"its {_CONNECTIONS} connections were busy for {seconds} seconds; ask for less at once, or wait "
                "longer with &pool_timeout=SECONDS"
            )
        try:
            with self._guard.watch(_is_silence):
                connection = self._idle.take()
                if connection is not None and is_checked and not _is_open(connection):
                    self._idle.close()
                    connection = None
                connection = connection or self._connect()
                try:
                    yield connection
                finally:
                    self._idle.give_back(connection)
        finally:
            self._connections.release()

    @contextmanager
    def _allowing(self, connection: BoundedConnection, limit: str) -> Iterator[None]:
        """Let statements take as long as an option says."""
        if limit == "timeout":
            yield
            return
        before, connection.limit = connection.limit, self._limits[limit]
        connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{self._limits[limit]}s"])
        try:
            yield
        finally:
            connection.limit = before
            if not connection.closed:
                connection.close()  # its settings are of no use to others

    def _explain(self, advice: str, error: Exception, _: IndexURI) -> str:
        return advice + self._quote(str(error))

    def _quote(self, words: str) -> str:
        return f" ({redact(words, key=self._password)})" if words else ""

    def _connect(self) -> BoundedConnection:
        try:
            # Statements are prepared only where we say so: a plan that fits every filter fits none.
            connection = BoundedConnection.connect(self._conninfo, autocommit=True, prepare_threshold=sys.maxsize)
        except psycopg.OperationalError as error:
            if isinstance(error, errors.ConnectionTimeout):
                raise SilentServer(f"no connection after {self._silence:.0f} s") from None
            advice = next(advice for pattern, advice in _REFUSED if re.search(pattern, str(error)))
            raise self.problem(advice, words=str(error)) from None
        connection.limit, connection.silence = self._limits["timeout"], self._silence
        connection.is_there = partial(_is_there, self._conninfo)  # it must not keep this object alive
        _prepare(connection, self._limits["timeout"])
        return connection


class _IdleConnections:
    """Connections that nobody uses. A child of a fork leaves its parent's alone: their sockets are shared."""

    def __init__(self) -> None:
        self._connections: list[BoundedConnection] = []
        self._of_parent: list[BoundedConnection] = []
        self._lock = Lock()
        self._process = os.getpid()

    def take(self) -> BoundedConnection | None:
        with self._lock:
            if self._process != os.getpid():
                self._of_parent, self._connections, self._process = self._connections, [], os.getpid()
            return self._connections.pop() if self._connections else None

    def give_back(self, connection: BoundedConnection) -> None:
        if connection.closed:
            return
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._connections.append(connection)

    def close(self) -> None:
        with self._lock:
            connections, self._connections = self._connections, []
        for connection in connections:
            connection.close()


def _prepare(connection: BoundedConnection, seconds: int) -> None:
    """Let the server end what takes too long, unless somebody has told it when; and read vectors as arrays."""
    connection.execute(
        "SELECT set_config('statement_timeout', %s, false) WHERE current_setting('statement_timeout') = '0'",
        [f"{seconds}s"],
    )
    try:
        register_vector(connection)
    except psycopg.ProgrammingError:  # the database has no pgvector yet
        return


def _is_open(connection: BoundedConnection) -> bool:
    try:
        connection.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


def _is_there(conninfo: str) -> bool:
    """Whether the server answers at all, if only that it has too many connections."""
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError as error:
        return "FATAL" in str(error)
    return True


def _is_silence(error: Exception) -> bool:
    return isinstance(error, SilentServer)


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
