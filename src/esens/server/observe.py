"""What is seen of a request from outside: its id, the headers of its answer, a line in the log, and counts."""

import json
import logging
import re
import time
import traceback
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from esens.messages import mask_words, message
from esens.server.metrics import Metrics
from esens.server.problems import Problem, problem_of

LOG = logging.getLogger("esens.server")
# No answer is a page, so nothing in it may load, run or be framed. A page brings a policy of its own.
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Observed:
    """The outermost layer: whatever happens inside, the client gets an answer and the log a line."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Reply(_request_id(scope), send)
        scope.setdefault("state", {})["request_id"] = answer.request_id
        started = time.perf_counter()
        try:
            await self._app(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001 - the last line of defence: nobody gets a traceback
            problem = problem_of(error)
            log_problem(problem, error, answer.request_id)
            if not answer.status:
                await problem.response()(scope, receive, answer.send)
        finally:
            self._note(scope, answer, time.perf_counter() - started)

    def _note(self, scope: Scope, answer: "_Reply", seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.count(route, answer.status, seconds)
        fields = {
            "request_id": answer.request_id,
            "method": scope["method"],
            "route": route,
            "status": answer.status,
            "ms": round(seconds * 1000, 1),
            **scope["state"].get("log", {}),
        }
        LOG.info("request", extra={"fields": fields})


class _Reply:
    """The way to the client: adds headers to an answer, and remembers its status."""

    def __init__(self, request_id: str, send: Send) -> None:
        self.request_id = request_id
        self.status = 0
        """Of the answer; 0 while there is none."""
        self._send = send

    async def send(self, event: Message) -> None:
        if event["type"] == "http.response.start":
            self.status = event["status"]
            headers = MutableHeaders(scope=event)
            headers["X-Request-ID"] = self.request_id
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await self._send(event)


def log_problem(problem: Problem, error: Exception, request_id: str) -> None:
    """Write into the log what went wrong here. What a caller did wrong is seen by the status alone."""
    if problem.status in (503, 504) or problem.status < 500:
        return
    lines = traceback.format_exception(error)
    fields = {"request_id": request_id, "code": problem.code, "traceback": mask_words("".join(lines))}
    LOG.error(message(f"{type(error).__name__}: {error}"), extra={"fields": fields})


def _request_id(scope: Scope) -> str:
    """Return the id that a proxy or a client gave the request, if it is one, else a new one."""
    sent = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return sent if _REQUEST_ID.fullmatch(sent) else uuid4().hex


class JsonFormatter(logging.Formatter):
    """A line of the log as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": message(record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = mask_words(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=True, default=str)
