"""A chat server on loopback that behaves, and misbehaves, as a script tells it."""

import http.server
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Does:
    """One thing that the server does when asked."""

    content: str | None = None
    status: int = 200
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    finish: str = "stop"
    refusal: str | None = None
    wait: float = 0
    resets: bool = False
    drips: bool = False

    def text(self) -> str:
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": self.message, "type": "x", "param": None, "code": None}})
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})


@dataclass
class ChatServer:
    """What it was asked, and what it does: a script, then one way for all that follow."""

    base_url: str = ""
    script: list[Does] = field(default_factory=list)
    otherwise: Callable[[Body], Does] = lambda body: Does(splits(query_of(body)))
    asked: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def queries(self) -> list[str]:
        return [query_of(body) for body in self.asked]

    def next(self, body: Body, headers: dict[str, str]) -> Does:
        with self.lock:
            self.asked.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            return self.script.pop(0) if self.script else self.otherwise(body)

    @contextmanager
    def busy(self) -> Iterator[None]:
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            with self.lock:
                self.at_once -= 1


def query_of(body: Body) -> str:
    """Return the query as a model would find it: the JSON string in the user's first message."""
    return str(json.loads(body["messages"][1]["content"].split("\n")[1]))


def splits(query: str) -> str:
    """Return what a good model answers to "A without B"."""
    target, _, trap = query.partition(" without ")
    return answer(target, *([trap] if trap else []))


def answer(target: str, *traps: str, relation: object = "has") -> str:
    """Return a target and what is excluded in the form that a model is asked for."""
    return json.dumps({"target": target, "exclusions": [{"text": trap, "relation": relation} for trap in traps]})


@contextmanager
def chat_server(port: int = 0) -> Iterator[ChatServer]:
    state = ChatServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.busy():
                state.paths.append(self.path)
                self._do(state.next(body, {name.lower(): value for name, value in self.headers.items()}))

        def _do(self, does: Does) -> None:
            time.sleep(does.wait)
            if does.resets:  # a linger of nothing makes closing a reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            content = does.text().encode()
            self.send_response(does.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in does.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for byte in content if does.drips else b"":
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.05)
            if not does.drips:
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # a client that hung up

    server = Server(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
