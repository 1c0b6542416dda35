"""Clients that hang, send half of something or far too much: told so or cut off, while others are answered."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPResponse

import pytest
from tests.server.running import Running, running, until

HEAD = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
MEGABYTES = 100
Attack = Callable[[socket.socket], None]


def _say_nothing(_: socket.socket) -> None:
    pass


def _send_half_a_head(sender: socket.socket) -> None:
    sender.sendall(HEAD)


def _send_half_a_body(sender: socket.socket) -> None:
    sender.sendall(HEAD + b'Content-Length: 1000\r\n\r\n{"query": ')


def _send_half_a_second_head(sender: socket.socket) -> None:
    sender.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while not answer.endswith(b'{"status":"ok"}'):
        answer += sender.recv(65_536)
    sender.sendall(HEAD)


def _declare_too_much(sender: socket.socket) -> None:
    sender.sendall(HEAD + f"Content-Length: {MEGABYTES * 2**20}\r\n\r\n".encode())
    _pour(sender, b" " * 2**20)


def _send_too_much_in_chunks(sender: socket.socket) -> None:
    sender.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    _pour(sender, b"100000\r\n" + b" " * 2**20 + b"\r\n")


def _send_ten_thousand_headers(sender: socket.socket) -> None:
    sender.sendall(b"GET /health HTTP/1.1\r\n" + b"x-a: b\r\n" * 10_000 + b"\r\n")


def _pour(sender: socket.socket, part: bytes) -> None:
    for _ in range(MEGABYTES):
        sender.sendall(part)


ATTACKS: dict[Attack, int] = {
    _say_nothing: 20,
    _send_half_a_head: 20,
    _send_half_a_second_head: 20,
    _send_half_a_body: 20,
    _declare_too_much: 3,
    _send_too_much_in_chunks: 3,
    _send_ten_thousand_headers: 10,
}
"""How many of each come at once."""


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as sender:
        yield sender


def carry_out(url: str, attack: Attack) -> bytes:
    """Return all that a client is told until the server closes the connection, as it must."""
    parts = []
    with connected(url) as sender:
        try:
            attack(sender)
            while part := sender.recv(65_536):
                parts.append(part)
        except ConnectionError:  # cut off while it was sending
            pass
    return b"".join(parts)


@pytest.mark.parametrize(
    ("attack", "statuses"),
    [
        (_say_nothing, [b""]),
        (_send_half_a_head, [b""]),
        (_send_half_a_second_head, [b""]),
        (_send_half_a_body, [b"408"]),
        (_declare_too_much, [b"413", b""]),  # an answer may be lost where its sender is cut off
        (_send_too_much_in_chunks, [b"413", b""]),
        (_send_ten_thousand_headers, [b"400", b""]),
    ],
)
def test_each_is_told_and_cut_off(attack: Attack, statuses: list[bytes]) -> None:
    with running(timeout=1) as service:
        assert carry_out(service.url, attack)[9:12] in statuses


def test_while_all_of_them_are_at_it_others_are_answered() -> None:
    with running(timeout=3) as service:
        assert service.post("/v1/search", {"query": "salad"}).status_code == 200
        attacks = [attack for attack, times in ATTACKS.items() for _ in range(times)]
        calls = service.in_threads([partial(carry_out, service.url, attack) for attack in attacks])
        answered = _answered_while(service, lambda: any(call.is_alive() for call in calls))
        for call in calls:
            call.result()
        assert answered >= 10  # in the three seconds that those who are silent have, at least
        until(lambda: "esens_requests_under_way 1\n" in service.client.get("/metrics").text)


def _answered_while(service: Running, goes_on: Callable[[], bool]) -> int:
    answered = 0
    while goes_on():
        for path in ("/v1/search", "/v1/decompose"):
            answer = service.post(path, {"query": f"salad {answered} without vinegar"})
            assert answer.status_code == 200
            answered += 1
    return answered


def test_a_slow_request_is_not_taken_for_a_silent_one() -> None:
    with running(timeout=2) as service, connected(service.url) as sender:
        for _ in range(3):  # a second each, on one connection, with a pause in the middle
            threading.Event().wait(0.5)
            sender.sendall(HEAD + b'Content-Length: 16\r\n\r\n{"query"')
            threading.Event().wait(0.5)
            sender.sendall(b': "tea"}')
            assert _status_of_answer(sender) == 200


def _status_of_answer(sender: socket.socket) -> int:
    """Read a whole answer: its head and its body may come apart."""
    answer = HTTPResponse(sender)
    answer.begin()
    answer.read()
    return answer.status
