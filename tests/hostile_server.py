"""Model servers on loopback that are up to no good, each in one way; what they were asked and sent is counted.

They speak through bare sockets, because a library would not let them.
"""

import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.servers import closed_port

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CLOSING = b"Connection: close\r\n\r\n"
# A megabyte of blanks in a kilobyte, cut so that any number of copies in a row is one stream.
_MEGABYTE = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
_BLANKS = _MEGABYTE.compress(b" " * 2**20) + _MEGABYTE.flush(zlib.Z_FULL_FLUSH)
_GZIP_HEAD = gzip.compress(b"")[:10]
_ZLIB_HEAD = zlib.compress(b"", 9)[:2]

Sends = Callable[["HostileServer"], Iterator[bytes]]


@dataclass
class HostileServer:
    """What it was asked and sent so far; ``elsewhere`` is where its redirects lead."""

    sends: Sends
    base_url: str = ""
    elsewhere: str = ""
    requests: list[bytes] = field(default_factory=list)
    sent: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def serve(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            self.requests.append(_request(connection))
            for piece in self.sends(self):
                connection.sendall(piece)
                with self.lock:
                    self.sent += len(piece)


@contextmanager
def hostile_server(sends: Sends, *, elsewhere: str = "", port: int = 0) -> Iterator[HostileServer]:
    listening = socket.create_server(("127.0.0.1", port))
    port = listening.getsockname()[1]
    server = HostileServer(sends, f"http://127.0.0.1:{port}/v1", elsewhere)

    def accept() -> None:
        with suppress(OSError):  # closed
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=server.serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield server
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@contextmanager
def absent_server() -> Iterator[HostileServer]:
    yield HostileServer(lambda _: iter(()), f"http://127.0.0.1:{closed_port()}/v1")


def _request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = (line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-le"))
    length = int(next(lengths, 0))
    while len(body) < length:
        body += _more(connection)
    return head + b"\r\n\r\n" + body


def _more(connection: socket.socket) -> bytes:
    more = connection.recv(2**16)
    if not more:
        raise ValueError("the client hung up")
    return more


def _reply(body: bytes, status: str = "200 OK", head: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{head}".encode() + CLOSING + body


def _hangs(server: HostileServer) -> Iterator[bytes]:
    yield b""
    time.sleep(600)


def _drips(server: HostileServer) -> Iterator[bytes]:
    yield OK + b"Content-Length: 1000000\r\n" + CLOSING
    while True:
        yield b" "
        time.sleep(0.02)


def _drips_head(server: HostileServer) -> Iterator[bytes]:
    yield OK
    while True:
        yield b"X-A: b\r\n"
        time.sleep(0.02)


def _endless(server: HostileServer) -> Iterator[bytes]:
    yield OK + CLOSING
    while True:
        yield b" " * 2**16


def _endless_head(server: HostileServer) -> Iterator[bytes]:
    yield OK
    while True:
        yield b"X-A: b\r\n" * 2**10


def _continues(server: HostileServer) -> Iterator[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n" * 2**10


def _gzip_bomb(server: HostileServer) -> Iterator[bytes]:
    yield OK + b"Content-Encoding: gzip\r\n" + CLOSING + _GZIP_HEAD
    while True:
        yield _BLANKS * 2**6


def _charset_bomb(server: HostileServer) -> Iterator[bytes]:
    """Name a codec of Python's as the character set: it unpacks. Short enough for any bound on bytes."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=zlib\r\n"
    yield head + CLOSING + _ZLIB_HEAD + _BLANKS * 2**10


def _redirects(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b"", "307 Temporary Redirect", f"Location: {server.elsewhere}/chat/completions\r\n")


def _asks_to_wait(seconds: str) -> Sends:
    def sends(server: HostileServer) -> Iterator[bytes]:
        yield _reply(b"{}", "429 Too Many Requests", f"Retry-After: {seconds}\r\n")

    return sends


def _breaks(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b'{"error": {"message": "out of order"}}', "500 Internal Server Error")


def _broken_json(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b'{"choices": [{"message": {"content": "{\\"target')


def _nested(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b"[" * 2**20)


def _breaks_nested(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b"[" * 900_000, "500 Internal Server Error")


def _breaks_at_length(server: HostileServer) -> Iterator[bytes]:
    yield _reply(b'{"error": {"message": "' + b"key=" * 200_000 + b'"}}', "500 Internal Server Error")


def _stops_midway(server: HostileServer) -> Iterator[bytes]:
    yield OK + b"Content-Length: 1000\r\n" + CLOSING + b'{"choices": [{'


def _hangs_up(server: HostileServer) -> Iterator[bytes]:
    return iter(())


def _not_http(server: HostileServer) -> Iterator[bytes]:
    yield b"\x00\xff\r\n\r\n" * 100


def _swaps(server: HostileServer) -> Iterator[bytes]:
    """Answer as a model that takes the unwanted for the wanted."""
    content = json.dumps({"target": "milk", "exclusions": [{"text": "green tea", "relation": "has"}]})
    yield _reply(json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}).encode())


SWAPS = "swaps target and trap"
MODES: dict[str, Sends] = {
    "hangs": _hangs,
    "drips": _drips,
    "drips headers": _drips_head,
    "endless body": _endless,
    "endless headers": _endless_head,
    "endless 100 Continue": _continues,
    "gzip bomb": _gzip_bomb,
    "character set that unpacks": _charset_bomb,
    "redirects": _redirects,
    "Retry-After 5": _asks_to_wait("5"),
    "Retry-After 60": _asks_to_wait("60"),
    "Retry-After 3600": _asks_to_wait("3600"),
    "Retry-After nonsense": _asks_to_wait("-1e999"),
    "HTTP 500": _breaks,
    "HTTP 500, nested": _breaks_nested,
    "HTTP 500, at length": _breaks_at_length,
    "broken JSON": _broken_json,
    "nested JSON": _nested,
    "stops midway": _stops_midway,
    "hangs up": _hangs_up,
    "not HTTP": _not_http,
    SWAPS: _swaps,
}
ABSENT = "refuses connections"
