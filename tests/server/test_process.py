"""``esens serve`` as a process: killed while it writes, stopped, started again, and what its log says."""

import json
import signal
from functools import partial
from pathlib import Path

import pytest
from tests.server.running import DOCUMENTS, Call, ChildService

import esens
from esens.cli.main import main
from esens.index import check_index, open_writable

pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
pytest.importorskip("wordllama", reason="wordllama is not installed: pip install -e '.[wordllama]'")
PATH = "/v1/collections/salads/documents"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    esens.build_index(DOCUMENTS, tmp_path / "salads.lance", embedder="wordllama")
    return str(tmp_path / "salads.lance")


def test_killed_while_it_writes_it_loses_nothing_that_it_acknowledged(folder: str) -> None:
    service = ChildService(folder)
    acknowledged: list[str] = []

    def write() -> None:
        number = 0
        while True:
            ids = [f"{number}-{part}" for part in range(3)]
            body = {"documents": [{"id": id_, "text": f"document {id_}"} for id_ in ids]}
            try:
                answer = service.client.post(PATH, json=body)
            except Exception:  # noqa: BLE001 - however a killed server looks to its client
                return
            assert answer.json() == {"written": 3}
            acknowledged.extend(ids)
            number += 1
            if number == 5:
                service.process.send_signal(signal.SIGKILL)

    Call(write).result()
    service.process.communicate()
    index = open_writable(folder)
    assert len(acknowledged) >= 15
    assert set(index.documents(acknowledged)) == set(acknowledged)
    rest = len(index) - len(DOCUMENTS) - len(acknowledged)
    assert rest in (0, 3)  # the write that nobody heard of is there or is not
    index.close()
    assert check_index(folder).is_sound
    again = ChildService(folder)
    hits = again.client.post("/v1/search", json={"query": "document 4-2", "k": 1}).json()["hits"]
    assert len(hits) == 1
    again.stop()


def test_a_stop_finishes_writes_and_the_log_has_no_queries(folder: str) -> None:
    service = ChildService(folder)
    secret = "a query that is nobody's business"
    assert service.client.post("/v1/search", json={"query": secret}).status_code == 200
    documents = [{"id": str(number), "text": f"document {number}"} for number in range(300)]
    write = Call(partial(service.client.post, PATH, json={"documents": documents}))
    while 'esens_lane_calls{lane="write"} 1' not in service.client.get("/metrics").text and write.is_alive():
        pass
    lines = service.stop()
    assert write.result().json() == {"written": 300}
    assert service.process.returncode == -signal.SIGTERM
    assert all({"time", "level", "event"} <= line.keys() for line in lines)
    requests = [line for line in lines if line["event"] == "request"]
    assert {line["route"] for line in requests} >= {"/v1/search", "/v1/collections/{name}/documents"}
    assert all(line["request_id"] and line["status"] for line in requests)
    assert secret not in json.dumps(lines)


def test_the_log_has_queries_where_that_is_asked_for_by_the_environment(folder: str) -> None:
    service = ChildService(env={"ESENS_SERVE_COLLECTIONS": f"films={folder}", "ESENS_SERVE_LOG_QUERIES": "yes"})
    assert service.client.get("/v1/collections").json()["collections"][0]["name"] == "films"
    service.client.post("/v1/search", json={"query": "a harmless query"})
    assert any(line.get("query") == "a harmless query" for line in service.stop())


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "name at least one index"),
        (["absent.lance"], 6, "absent.lance"),
        (["notes.txt"], 2, "unknown spec"),
        (["a=x.lance", "a=y.lance"], 2, "stands for two indexes"),
        (["x.lance", "--host", "0.0.0.0"], 2, "--allow-anyone"),
        (["x.lance", "--max-k", "0"], 2, "--max-k"),
        (["--keys", f"read:{'a' * 64}", "--keys", "read:abc", "x.lance"], 2, "esens serve-key"),
        (["--keys", f"read:{'a' * 64}", "x.lance", "--host", "0.0.0.0"], 6, "x.lance"),
    ],
)
def test_what_makes_no_sense_is_said_before_it_listens(
    arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *arguments]) == code
    assert says in capsys.readouterr().err
