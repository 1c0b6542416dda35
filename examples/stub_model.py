"""A model server on this machine that speaks OpenAI's chat protocol, for examples that must run anywhere.

It is no language model: it answers with the first sentence of every passage in its context. So an answer shows
at a glance what a model was given to read. Any server with that protocol can stand in its place.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StubModel(BaseHTTPRequestHandler):
    """Answers ``POST /v1/chat/completions``."""

    def do_POST(self) -> None:
        """Read the conversation, and write an answer that follows from its passages alone."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        passages = re.findall(r"^\[\d+\] (.*)$", request["messages"][-1]["content"], re.MULTILINE)
        answer = "\n".join(f"- {first_sentence(passage)} [{n}]" for n, passage in enumerate(passages, 1))
        message = {"role": "assistant", "content": answer}
        reply = {
            "id": "stub",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        content = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the terminal for the example."""


def first_sentence(passage: str) -> str:
    """Return a passage up to its first full stop."""
    return re.split(r"(?<=\.)\s", passage, maxsplit=1)[0]


@contextmanager
def stub_model() -> Iterator[str]:
    """Run the server as long as it is needed; its address is what a client takes as ``base_url``."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StubModel)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
