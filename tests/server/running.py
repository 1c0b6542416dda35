"""A service on loopback: real uvicorn, in a thread of the tests or in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from starlette.types import ASGIApp
from tests.words import by_words

from esens import Decomposition, Reranker, Searcher
from esens.server.app import create_app
from esens.server.run import listen, server_of, url_of
from esens.server.service import Service
from esens.server.settings import Settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    {"id": "vinaigrette", "title": "Vinaigrette", "text": "Oil and vinegar for a salad.", "year": 1999},
    {"id": "ranch", "title": "Ranch", "text": "Buttermilk and herbs for a salad.", "year": 2005},
    {"id": "caesar", "title": "Caesar", "text": "Anchovies, egg and cheese for a salad.", "year": 2010},
    {"id": "tea", "title": "Tea", "text": "Leaves and hot water.", "year": 2020},
]


def searcher(embedder: Any = by_words, **options: Any) -> Searcher:
    return Searcher.from_documents(DOCUMENTS, embedder=embedder, **options)


class Running:
    """A service that runs, and a client of it."""

    def __init__(self, service: Service, url: str) -> None:
        self.service = service
        self.url = url
        self.client = httpx.Client(base_url=url, timeout=60, trust_env=False)

    def post(self, path: str, body: object = None, **options: Any) -> httpx.Response:
        return self.client.post(path, json=body, **options)

    def in_threads(self, calls: Sequence[Callable[[], Any]]) -> "list[Call]":
        return [Call(call) for call in calls]


class Call(threading.Thread):
    """A call in a thread, and what it returned."""

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.value: Any = None
        self.start()

    def run(self) -> None:
        self.value = self._call()

    def result(self) -> Any:
        self.join(60)
        assert not self.is_alive()
        return self.value


@contextmanager
def running(
    searchers: Mapping[str, Searcher] | None = None,
    *,
    service: Service | None = None,
    create: Callable[[Service], ASGIApp] = create_app,
    **options: Any,
) -> Iterator[Running]:
    settings = Settings(port=0, **options)
    chosen = service or Service(
        searchers or {"salads": searcher()}, settings, reranker=Reranker(embedder=by_words)
    )
    listener = listen(settings)
    server = server_of(chosen, create)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    url = url_of(listener)
    thread.start()
    until(lambda: server.started or not thread.is_alive())
    state = Running(chosen, url)
    try:
        yield state
    finally:
        state.client.close()
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()


class Held:
    """An embedder of queries that waits until somebody lets it go on."""

    name = "held"

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.entered = threading.Semaphore(0)
        self.holds = False

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return by_words(texts)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        if self.holds:
            self.entered.release()
            assert self.gate.wait(60)
        return by_words(texts)

    def wait_for(self, calls: int) -> None:
        for _ in range(calls):
            assert self.entered.acquire(timeout=60)


def until(condition: Callable[[], bool]) -> None:
    """Wait until something holds; a test that waits for ever fails."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("this never came to be")


class ChildService:
    """``esens serve`` in a process of its own."""

    def __init__(self, *arguments: str, command: str = "serve", env: Mapping[str, str] | None = None) -> None:
        typed = [sys.executable, "-m", "esens.cli.main", command, *arguments, "--port", "0"]
        # A file, since a pipe that nobody reads would hold up the service.
        with tempfile.NamedTemporaryFile("w", delete=False) as log:
            self.process = subprocess.Popen(typed, cwd=ROOT, stderr=log, env={**os.environ, **(env or {})})
        self._log = Path(log.name)
        until(lambda: "\n" in self._log.read_text() or self.process.poll() is not None)
        first = self._log.read_text().partition("\n")[0]
        assert first.startswith("{"), self._log.read_text()
        self.url = json.loads(first)["url"]
        self.client = httpx.Client(base_url=httpx.URL(self.url).join("/"), timeout=60, trust_env=False)
        until(self._answers)

    def _answers(self) -> bool:
        try:
            return self.client.get("/health").status_code in (200, 404)
        except httpx.TransportError:
            return False

    def stop(self, sign: int = signal.SIGTERM) -> list[dict[str, Any]]:
        """Send a signal, wait for the end, and return the lines of the log."""
        self.process.send_signal(sign)
        self.process.wait(60)
        self.client.close()
        lines = self._log.read_text().splitlines()[1:]
        self._log.unlink()
        return [json.loads(line) for line in lines]


def split(target: str, *traps: str) -> Decomposition:
    return Decomposition(target, traps)
