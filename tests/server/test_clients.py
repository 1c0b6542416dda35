"""Clients of others: Cohere's own, and one that tries all that the description of the service says."""

import time
from contextlib import closing
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from tests.server.running import Running, running

COFFEE = ["Espresso is brewed under pressure.", "Filter coffee drips through paper.", "A cat sleeps."]
QUERY = "coffee other than espresso"


@pytest.fixture(scope="module")
def service():
    with running(max_body_bytes=100_000, max_k=100) as state:
        yield state


def test_the_official_cohere_client_reranks(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    cohere = pytest.importorskip("cohere", reason="cohere is not installed: pip install -e '.[serve-test]'")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with httpx.Client() as wire:
        second = cohere.ClientV2(api_key="any", base_url=service.url, httpx_client=wire)
        answer = second.rerank(model="esens", query=QUERY, documents=COFFEE, top_n=2)
        first = cohere.Client(api_key="any", base_url=service.url, httpx_client=wire)
        documents = [COFFEE[0], {"text": COFFEE[1]}]
        old = first.rerank(model="esens", query=QUERY, documents=documents, return_documents=True)
    assert answer.results[0].index == 1
    assert len(answer.results) == 2
    assert all(0 <= result.relevance_score <= 1 for result in answer.results)
    assert old.results[0].document.text == COFFEE[1]
    assert old.id
    assert old.meta.api_version.version == "2"


def test_the_cohere_client_shows_our_errors(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    cohere = pytest.importorskip("cohere", reason="cohere is not installed: pip install -e '.[serve-test]'")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with httpx.Client() as wire:
        client = cohere.ClientV2(api_key="any", base_url=service.url, httpx_client=wire)
        with pytest.raises(cohere.errors.UnprocessableEntityError) as refused:
            client.rerank(model="esens", query="", documents=COFFEE)
    assert refused.value.body["error"]["argument"] == "query"


def test_our_own_client_of_such_servers_reranks(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="the client of reranking servers comes with the extra openai")
    from esens.verify.cohere import CohereReranker

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    model = CohereReranker("esens", base_url=f"{service.url}/v2", api_key="any", cache=False)
    with closing(model):
        scores = model.scores(QUERY, COFFEE, ends=time.monotonic() + 60)
    assert max(range(3), key=lambda at: scores[at]) == 1


def test_whatever_fits_the_description_or_not_the_service_does_not_break(service: Running) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    import requests
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conforms = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    operations = [
        result.ok() for result in schemathesis.openapi.from_url(f"{service.url}/openapi.json").get_all_operations()
    ]
    assert len(operations) >= 10
    with requests.Session() as session:
        for operation in operations:
            modes = schemathesis.GenerationMode
            for mode in (
                modes if operation.method != "get" else [modes.POSITIVE]
            ):  # which take nothing to get wrong
                _try(operation.as_strategy(generation_mode=mode), session, conforms)


def _try(cases: Any, session: Any, checks: list[Any]) -> None:
    @settings(max_examples=8, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(cases)
    def call(case: Any) -> None:
        case.call_and_validate(session=session, checks=checks)

    call()
