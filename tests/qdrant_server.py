"""What speaks to Qdrant's client on loopback: it answers what it is told to, and keeps what it was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server(ThreadingHTTPServer):
    """Answers what it is told to, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.asked: list[tuple[str, Any]] = []
        self.headers: list[Any] = []
        self.answers: dict[str, tuple[int, Any]] = {}

    def spec(self, options: str = "") -> str:
        return f"qdrant://127.0.0.1:{self.server_port}/docs{options}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.split("?")[0]
        self.server.asked.append((f"{self.command} {path}", json.loads(body) if body else None))
        self.server.headers.append(self.headers)
        answers, call = self.server.answers, f"{self.command} {path}"
        status, answer = answers.get(call, answers.get(path, answers.get("", (404, {}))))
        sent = (
            answer
            if isinstance(answer, bytes)
            else json.dumps({"result": answer, "status": "ok", "time": 0}).encode()
        )
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = do_PATCH = handle_any  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def running_server(port: int = 0) -> Iterator[Server]:
    """Answer on a port, or on any, while a ``with`` block runs."""
    with Server(port) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield running
        finally:
            running.shutdown()
            thread.join()


def collection(server: Server, distance: str = "Cosine") -> None:
    """Let a server have a collection ``docs`` of one document, ``a``."""
    from esens.index.qdrant import payload as qdrant_payload  # which needs the client

    params = {"vectors": {"size": 4, "distance": distance}}
    config = {
        "params": params,
        "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10},
        "optimizer_config": {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        },
    }
    info = {
        "status": "green",
        "optimizer_status": "ok",
        "segments_count": 1,
        "config": config,
        "payload_schema": {},
    }
    point = {
        "id": qdrant_payload.esens_point_id("a"),
        "payload": {"_id": "a", "text": "t", "title": "", "metadata": {}},
    }
    hit = point | {"version": 1, "score": 0.5}
    server.answers = {
        "/collections/docs/exists": (200, {"exists": True}),
        "/collections/docs": (200, info),
        "/collections/docs/points/scroll": (200, {"points": [point], "next_page_offset": None}),
        "/collections/docs/points/query": (200, {"points": [hit]}),
        "/collections/docs/points/query/batch": (200, [{"points": [hit]}, {"points": []}]),
        "/collections/docs/points": (200, {"operation_id": 1, "status": "completed"}),
    }
