"""Bad input: every refusal has one shape, names what is wrong and what to do, and tells nothing else."""

import logging
from typing import Any

import httpx
import pytest
from tests.server.running import Running, running, searcher, until

from esens.errors import EngineError

LIMITS: dict[str, Any] = {
    "max_body_bytes": 20_000,
    "max_documents": 3,
    "max_k": 20,
    "max_query_chars": 100,
    "max_exclusions": 2,
}


@pytest.fixture(scope="module")
def service():
    with running(**LIMITS) as state:
        yield state


def _error(answer: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert set(error) == {"code", "message", "argument", "remedy"}
    assert error["code"]
    assert error["message"]
    assert error["remedy"]
    return error


LONG = "x" * 101
SEARCHES: list[tuple[Any, str]] = [
    ({}, "query"),
    ({"query": 3}, "query"),
    ({"query": ""}, "query"),
    ({"query": LONG}, "query"),
    ({"query": "tea", "k": 0}, "k"),
    ({"query": "tea", "k": "5"}, "k"),
    ({"query": "tea", "k": 21}, "k"),
    ({"query": "tea", "k": True}, "k"),
    ({"query": "tea", "top_k": 3}, "top_k"),
    ({"query": "tea", "beta": -1}, "beta"),
    ({"query": "tea", "mode": "loud"}, "mode"),
    ({"query": "tea", "where": "year"}, "where"),
    ({"query": "tea", "where": {"year": {"~": 3}}}, "where"),
    ({"query": "tea", "exclude": ["a", "b", "c"]}, "exclude"),
    ({"query": "tea", "exclude": [LONG]}, "exclude"),
    ({"query": "tea", "exclude": [{"example": "absent"}]}, "exclude"),
    ({"query": "tea", "exclude": [3]}, "exclude.0"),
    ({"query": "tea", "exclude": [{"text": "x", "weight": 2}]}, "exclude.0.weight"),
    ({"query": "tea", "exclude": [{"example": 3}]}, "exclude.0.example"),
    ({"query": "tea", "exclude": [{"where": {}, "Other": 1}]}, "exclude.0.Other"),
    ({"query": "tea", "where": 3}, "where"),
    ({"query": "tea", "where": [3]}, "where.0"),
    ({"query": "tea", "hybrid": "loud"}, "hybrid"),
    (
        {"query": "tea", "decomposition": {"target": "x", "exclusions": [{"text": 3}]}},
        "decomposition.exclusions.0.text",
    ),
    ({"query": "tea", "decomposition": {"target": LONG}}, "decomposition.target"),
    ({"query": "tea", "decomposition": {"target": ""}}, "target"),
    ({"query": "tea", "evidence_fields": [""]}, "evidence_fields"),
    ([], "body"),
    ("tea", "body"),
]


@pytest.mark.parametrize(("body", "argument"), SEARCHES)
def test_a_bad_search_is_refused_with_its_argument(service: Running, body: Any, argument: str) -> None:
    answer = service.post("/v1/search", body)
    assert answer.status_code == 422
    assert _error(answer)["argument"] == argument


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"\xff\xfe",
        b'{"query": "tea \\ud800"}',
        b'{"query": "tea", "beta": NaN}',
        b'{"query": "tea", "beta": 1e999}',
        b'{"query": "tea", "k": ' + b"9" * 5000 + b"}",
        b'{"query": "tea", "where": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
)
def test_what_is_no_json_or_no_number_is_refused(service: Running, raw: bytes) -> None:
    answer = service.client.post("/v1/search", content=raw, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    _error(answer)


@pytest.mark.parametrize(
    ("path", "body", "argument"),
    [
        ("/v1/rerank", {"query": "a", "documents": ["x"] * 4}, "documents"),
        ("/v1/rerank", {"query": "a", "documents": [{"title": "no text"}]}, "documents.0"),
        ("/v1/rerank", {"query": "a", "documents": [3]}, "documents.0"),
        ("/v1/rerank", {"query": "a", "documents": ["x"], "scores": [1, 2]}, "scores"),
        ("/v1/rerank", {"query": "a", "documents": ["x"], "top_n": 0}, "top_n"),
        ("/v1/decompose", {"query": LONG}, "query"),
        ("/v1/decompose", {"query": " "}, "query"),
        ("/v1/collections/salads/documents", {"documents": [{"text": "x"}] * 4}, "documents"),
        ("/v1/collections/salads/documents", {"documents": [{"id": 1.5, "text": "x"}]}, "documents.0.id"),
        ("/v1/collections/salads/documents", {"documents": [{"id": "a"}]}, "documents.0.text"),
        ("/v1/collections/salads/documents", {"documents": [{"id": "a", "text": "x"}] * 2}, "documents"),
    ],
)
def test_other_bad_bodies_are_refused_with_their_argument(
    service: Running, path: str, body: Any, argument: str
) -> None:
    answer = service.post(path, body)
    assert answer.status_code == 422
    assert _error(answer)["argument"] == argument


def test_another_address_or_method_is_refused_in_the_same_shape(service: Running) -> None:
    assert _error(service.client.get("/nothing"))["code"] == "not_found"
    answer = service.client.get("/v1/search")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert _error(answer)["code"] == "method_not_allowed"
    assert _error(service.client.delete("/v1/collections/salads/documents"))["argument"] == "id"


@pytest.mark.parametrize("path", ["/v1/collections/", "/v1/search/", "/health/"])
def test_an_address_with_a_slash_too_many_is_refused_and_not_redirected(service: Running, path: str) -> None:
    answer = service.client.get(path)
    assert answer.status_code == 404
    assert _error(answer)["code"] == "not_found"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_a_foreign_page_could_send_is_refused(service: Running, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = service.client.post("/v1/search", content=b'{"query": "tea"}', headers=headers)
    assert answer.status_code == 415
    _error(answer)


def test_a_body_that_is_too_large_is_refused_by_its_length_and_while_it_comes(service: Running) -> None:
    headers = {"Content-Type": "application/json"}
    declared = service.client.post("/v1/search", content=b" " * 20_001, headers=headers)
    streamed = service.client.post("/v1/search", content=(b" " * 1000 for _ in range(21)), headers=headers)
    for answer in (declared, streamed):
        assert answer.status_code == 413
        assert _error(answer)["code"] == "too_large"
    assert service.post("/v1/search", {"query": "tea"}).status_code == 200


def test_an_error_of_the_service_tells_no_path_and_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    broken = searcher()

    def fail(error: Exception) -> None:
        def nearest(*_: Any, **__: Any) -> Any:
            raise error

        broken.index.nearest = broken.index.scan = nearest  # type: ignore[method-assign, attr-defined]

    secret = "/srv/secret/my.lance"
    with running({"broken": broken}) as service:
        for error, status in ((EngineError(secret, f"no {secret}"), 502), (RuntimeError(secret), 500)):
            fail(error)
            caplog.clear()
            answer = service.post("/v1/search", {"query": "salad without egg"}, headers={"X-Request-ID": "mine-1"})
            assert answer.status_code == status
            _error(answer)
            assert answer.headers["X-Request-ID"] == "mine-1"
            assert "secret" not in answer.text
            assert "Traceback" not in answer.text
            # The line is written after the answer has been sent.
            until(lambda: any(_names_request(record, "mine-1") for record in caplog.records))
            assert any(secret in record.getMessage() for record in caplog.records if record.levelname == "ERROR")


def _names_request(record: logging.LogRecord, request: str) -> bool:
    return record.levelname == "ERROR" and getattr(record, "fields", {}).get("request_id") == request
