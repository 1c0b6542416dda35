"""``esens serve`` as a process: killed while it writes, stopped, started again, and what its log says."""

import json
import signal
from functools import partial
from pathlib import Path

import pytest
from tests.server.memory import resident_while, send_many
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
    service.stop(signal.SIGKILL)
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


def test_started_again_it_has_what_was_written_and_not_what_was_deleted(folder: str) -> None:
    first = ChildService(folder)
    documents = [{"id": f"new-{number}", "text": f"document {number}"} for number in range(10)]
    assert first.client.post(PATH, json={"documents": documents}).json() == {"written": 10}
    assert first.client.delete(PATH, params={"id": ["tea", "new-3"]}).json() == {"deleted": 2}
    search = {"query": "document", "k": 100}
    before = first.client.post("/v1/search", json=search).json()["hits"]
    first.stop()
    second = ChildService(folder)
    assert second.client.post("/v1/search", json=search).json()["hits"] == before
    ids = {*(document["id"] for document in documents), *(document["id"] for document in DOCUMENTS)}
    assert {hit["id"] for hit in before} == ids - {"tea", "new-3"}
    second.stop()


def test_two_processes_write_into_one_index_and_each_sees_what_the_other_wrote(folder: str) -> None:
    services = [ChildService(folder), ChildService(folder)]
    rounds = 6

    def write(at: int) -> list[int]:
        statuses = []
        for number in range(rounds):
            documents = [{"id": f"{at}-{number}-{part}", "text": f"document {at} {number}"} for part in range(3)]
            statuses.append(services[at].client.post(PATH, json={"documents": documents}).status_code)
        return statuses

    writers = [Call(partial(write, at)) for at in range(2)]
    assert [writer.result() for writer in writers] == [[200] * rounds] * 2
    expected = {f"{at}-{number}-{part}" for at in range(2) for number in range(rounds) for part in range(3)}
    for service in services:
        hits = service.client.post("/v1/search", json={"query": "document", "k": 100}).json()["hits"]
        assert {hit["id"] for hit in hits} == expected | {document["id"] for document in DOCUMENTS}
    assert services[0].client.delete(PATH, params={"id": "1-0-0"}).json() == {"deleted": 1}
    hits = services[1].client.post("/v1/search", json={"query": "document", "k": 100}).json()["hits"]
    assert "1-0-0" not in {hit["id"] for hit in hits}
    for service in services:
        service.stop()
    assert check_index(folder).is_sound


def test_requests_leave_nothing_in_memory(folder: str) -> None:
    """Fifty thousand of them are tried by ``make test-load``."""
    service = ChildService(folder, "--embedder", "wordllama")
    middle, last = resident_while(service, [partial(send_many, service, 200)] * 4)
    assert last - middle < 8 * 2**20  # so twenty kilobytes a request would be found
    service.stop()


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
