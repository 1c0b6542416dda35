"""What a client is told when something went wrong: one shape for all of it, and nothing that is not its business.

Errors of the caller are explained. Of errors of the service (an index that does not answer, a model that is not
installed, a bug) the client learns that they happened and under which request id the log has them: their messages
name paths and servers.
"""

import re
from collections.abc import Mapping, Sequence
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
    "hybrid",
    "metadata", "collection", "top_n",
})  # fmt: skip
# How pydantic calls a type among several that a value may have; no field of a request is called so.
_TYPE = re.compile(r"str|int|bool|(?:dict|list|literal)\[.*|<\w+>|[A-Z]\w*", re.DOTALL)
_ITEMS = ("document ", "documents[", "candidates[")


@dataclass(frozen=True)
class Problem:
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

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def invalid(argument: str, problem: str, remedy: str) -> RefusedError:
    """Return the refusal of a value."""
    return RefusedError(Problem(422, "invalid_argument", problem, remedy, argument))


def busy(what: str) -> RefusedError:
    """Return the refusal of more than can be done."""
    wait = {"Retry-After": str(RETRY_AFTER)}
    remedy = f"try again in {RETRY_AFTER} s, or later"
    return RefusedError(Problem(503, "busy", f"too many {what} are under way", remedy, headers=wait))


def problem_of(error: Exception, described_by: str = "/openapi.json") -> Problem:
    """Return what a client is told of an error; and where requests are described, as this client knows it."""
    match error:
        case RefusedError():
            return error.problem
        case RequestValidationError():
            return _of_validation(error, described_by)
        case HTTPException():
            return _of_http(error)
        case ArgumentError() if error.argument in _OF_REQUESTS or error.argument.startswith(_ITEMS):
            problem, _, advice = error.problem.partition("; ")
            remedy = advice or f"change {error.argument} and send the request again"
            return Problem(422, "invalid_argument", problem, remedy, error.argument)
        case EngineError():
            return Problem(502, "index_unavailable", "the index cannot be used at the moment", _SEE_LOG)
        case EmbedderError():
            return Problem(502, "embedder_unavailable", "the embedder cannot be used at the moment", _SEE_LOG)
        case MissingExtraError() | ModelError():
            return Problem(501, "not_set_up", "this service lacks a part that the request needs", _SEE_LOG)
    return Problem(500, "internal", "something went wrong here", _SEE_LOG)


_SEE_LOG = "the service's log says more, under the id of this request; try again later"


def _of_validation(error: RequestValidationError, described_by: str) -> Problem:
    """Return the first problem of a body that does not fit; the input itself is not quoted."""
    problems: list[dict[str, Any]] = [dict(problem) for problem in error.errors()]
    # Of the types that a value may have, the one that fits furthest is the one that was meant.
    first = max(problems, key=lambda problem: len(problem["loc"]))
    place, kind = first["loc"], str(first["type"])
    if kind == "json_invalid":
        problem = f"the body is no JSON: {first.get('ctx', {}).get('error', first['msg'])}"
        return Problem(400, "invalid_json", problem, f"look at character {place[-1]}")
    is_unknown = kind == "extra_forbidden"
    argument = _argument(place, is_unknown=is_unknown)
    if is_unknown:
        problem = "there is no field of this name"
        return Problem(422, "unknown_field", problem, f"leave it out; {described_by} lists the fields", argument)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    remedy = f"send what {described_by} describes"
    return Problem(422, "invalid_argument", f"{first['msg']}{more}", remedy, argument)


def _argument(place: Sequence[str | int], *, is_unknown: bool) -> str:
    """Return what its sender wrote down to a value, ``exclude.0.weight``; names of our types are no part of it."""
    *inner, last = place[1:] or place
    parts = [part for part in inner if isinstance(part, int) or not _TYPE.fullmatch(part)]
    is_type = isinstance(last, str) and bool(parts) and _TYPE.fullmatch(last) and not is_unknown
    return ".".join(map(str, parts if is_type else [*parts, last]))


def _of_http(error: HTTPException) -> Problem:
    headers = dict(error.headers or {})
    match error.status_code:
        case 404:
            return Problem(404, "not_found", "there is nothing at this address", "GET /openapi.json lists all")
        case 405:
            remedy = f"use {headers.get('Allow', headers.get('allow', 'another method'))}"
            return Problem(405, "method_not_allowed", "this address has no such method", remedy, headers=headers)
    return Problem(400, "invalid_json", "the body cannot be read as JSON", "send a JSON object in UTF-8")
