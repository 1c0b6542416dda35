"""What a client is told when something went wrong: one shape for all of it, and nothing that is not its business.

Errors of the caller are explained. Of errors of the service (an index that does not answer, a model that is not
installed, a bug) the client learns that they happened and under which request id the log has them: their messages
name paths and servers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from esens import strict_json
from esens.errors import (
    ArgumentError,
    EmbedderError,
    EngineError,
    MissingExtraError,
    ModelError,
)
from esens.messages import message

RETRY_AFTER = 1
"""Seconds after which a client that was refused may try again."""
# Arguments of the library that a request sets. An error about any other is about how the service was set up.
_OF_REQUESTS = frozenset({
    "query", "k", "score", "beta", "mode", "where", "exclude", "exclusion", "exclusions", "evidence_fields",
    "decomposition", "target", "traps", "relation", "weight", "field", "scores", "documents", "candidates", "ids",
    "metadata", "collection", "top_n",
})  # fmt: skip
_ITEMS = ("document ", "documents[", "candidates[")


@dataclass(frozen=True)
class Failure:
    """An answer that is an error: the status, a code for programs, and words for people."""

    status: int
    code: str
    message: str
    remedy: str
    argument: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        """Return it as an answer."""
        body = {
            "code": self.code,
            "message": message(self.message),
            "argument": None if self.argument is None else message(self.argument),
            "remedy": message(self.remedy),
        }
        content = strict_json.dumps({"error": body})
        return Response(content, self.status, dict(self.headers), media_type="application/json")


class RefusedError(Exception):
    """A request that is not served, and what its sender is told."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def invalid(argument: str, problem: str, remedy: str) -> RefusedError:
    """Return the refusal of a value."""
    return RefusedError(Failure(422, "invalid_argument", problem, remedy, argument))


def busy(what: str) -> RefusedError:
    """Return the refusal of more than can be done."""
    wait = {"Retry-After": str(RETRY_AFTER)}
    remedy = f"try again in {RETRY_AFTER} s, or later"
    return RefusedError(Failure(503, "busy", f"too many {what} are under way", remedy, headers=wait))


def failure_of(error: Exception) -> Failure:
    """Return what a client is told of an error."""
    match error:
        case RefusedError():
            return error.failure
        case RequestValidationError():
            return _of_validation(error)
        case HTTPException():
            return _of_http(error)
        case ArgumentError() if error.argument in _OF_REQUESTS or error.argument.startswith(_ITEMS):
            problem, _, advice = error.problem.partition("; ")
            remedy = advice or f"change {error.argument} and send the request again"
            return Failure(422, "invalid_argument", problem, remedy, error.argument)
        case EngineError():
            return Failure(502, "index_unavailable", "the index cannot be used at the moment", _SEE_LOG)
        case EmbedderError():
            return Failure(502, "embedder_unavailable", "the embedder cannot be used at the moment", _SEE_LOG)
        case MissingExtraError() | ModelError():
            return Failure(501, "not_set_up", "this service lacks a part that the request needs", _SEE_LOG)
    return Failure(500, "internal", "something went wrong here", _SEE_LOG)


_SEE_LOG = "the service's log says more, under the id in the header X-Request-ID; try again later"


def _of_validation(error: RequestValidationError) -> Failure:
    """Return the first problem of a body that does not fit; the input itself is not quoted."""
    problems: list[dict[str, Any]] = [dict(problem) for problem in error.errors()]
    first = problems[0]
    place, kind = [str(part) for part in first["loc"]], str(first["type"])
    if kind == "json_invalid":
        problem = f"the body is no JSON: {first.get('ctx', {}).get('error', first['msg'])}"
        return Failure(400, "invalid_json", problem, f"look at character {place[-1]}")
    argument = ".".join(place[1:]) or place[0]
    if kind == "extra_forbidden":
        problem = "there is no field of this name"
        return Failure(422, "unknown_field", problem, "leave it out; /openapi.json lists the fields", argument)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    remedy = "send what /openapi.json describes"
    return Failure(422, "invalid_argument", f"{first['msg']}{more}", remedy, argument)


def _of_http(error: HTTPException) -> Failure:
    headers = dict(error.headers or {})
    match error.status_code:
        case 404:
            return Failure(404, "not_found", "there is nothing at this address", "GET /openapi.json lists all")
        case 405:
            remedy = f"use {headers.get('Allow', headers.get('allow', 'another method'))}"
            return Failure(405, "method_not_allowed", "this address has no such method", remedy, headers=headers)
    return Failure(400, "invalid_json", "the body cannot be read as JSON", "send a JSON object in UTF-8")
