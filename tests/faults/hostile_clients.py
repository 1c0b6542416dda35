"""What nobody should send to the service: JSON of hostile values, bytes that are no JSON, heads that are no HTTP.

Whoever sends it is told so in the shape that all errors have, or cut off, in time; and changes nothing for others.
"""

import json
import random
import re
import socket
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx

from esens.messages import printable
from esens.server.keys import new_key
from tests.faults.hostile import SECRET, Hostile
from tests.faults.record import CLEAR_ERROR, FINE, RAW, TOO_SLOW, UNFIT, WRONG, FaultRecord, in_time
from tests.faults.service import refusal_of
from tests.server.running import Running, running, searcher

_SECONDS = 2.0  # that the service gives a request
_PATIENCE = _SECONDS + 10.0  # on a busy machine
_QUERY = {"query": "salad without vinegar", "collection": "salads"}
_OPTIONS = ("score", "beta", "mode", "decomposition", "exclude", "evidence_fields")
_PATHS: dict[str, tuple[str, ...]] = {
    "/v1/search": ("query", "k", "where", "hybrid", "candidates", "collection", *_OPTIONS),
    "/v1/rerank": ("query", "documents", "top_n", "return_documents", "model", "scores", *_OPTIONS),
    "/v1/decompose": ("query",),
    "/v1/collections/notes/documents": ("documents",),
}
_JSON = {"Content-Type": "application/json"}
_ACCEPT = {**_JSON, "Accept": "application/json, text/event-stream"}
_INTERNAL = -32603  # as JSON-RPC has it
_SHARE_OF_SLOW = 0.02
_NOT_OURS = b"Invalid HTTP request received."  # uvicorn's own words, where it cannot make out a request

Outcome = tuple[str, str]


class _Target(NamedTuple):
    service: Running
    key: str
    expected: list[str]


def run(cases: int, seed: int) -> FaultRecord:
    """Send so many requests to one service, which has two collections: one is written to, the other is not."""
    record, chance = FaultRecord("hostile clients of the service", seed), random.Random(seed)
    key, access = new_key(["read", "write"])
    searchers = {"notes": searcher(), "salads": searcher()}
    with running(searchers, timeout=_SECONDS, keys=(str(access),), max_documents=20) as service:
        service.client.headers["Authorization"] = f"Bearer {key}"
        expected = [hit["id"] for hit in service.post("/v1/search", _QUERY).json()["hits"]]
        target = _Target(service, key, expected)
        for number in in_time(cases):
            is_slow = chance.random() < _SHARE_OF_SLOW
            send = _slow if is_slow else chance.choice((_values, _values, _values, _bytes, _address, _head))
            hostile = Hostile(f"{seed}/{number}")
            begun = time.monotonic()
            try:
                outcome, why = send(target, hostile)
            except Exception as error:  # noqa: BLE001 - that is what is counted
                outcome, why = RAW, repr(error)
            seconds = time.monotonic() - begun
            if seconds > _PATIENCE:
                outcome, why = TOO_SLOW, f"{seconds:.1f} s"
            elif outcome in (FINE, CLEAR_ERROR) and not _is_as_before(target):
                outcome, why = WRONG, "another client is answered otherwise than before"
            record.add(outcome, f"seed {seed}, case {number}: {send.__name__}: {why}")
    return record


def tools(cases: int, seed: int) -> FaultRecord:
    """Call the tools of ``esens mcp`` over HTTP with hostile arguments, or by messages that are none."""
    record = FaultRecord("hostile calls of esens mcp", seed)
    if find_spec("mcp") is None:
        record.skipped = "mcp is not installed; pip install -e '.[mcp]'"
        return record
    from esens.integrations.mcp import PATH, create_mcp_app

    with running({"salads": searcher()}, create=create_mcp_app, timeout=_SECONDS) as service:
        for number in in_time(cases):
            hostile = Hostile(f"tools/{seed}/{number}")
            begun = time.monotonic()
            try:
                content = _json(_message(hostile), hostile)
                outcome, why = _judged_call(service.client.post(PATH, content=content, headers=_ACCEPT))
                if outcome in (FINE, CLEAR_ERROR) and not _finds_salads(service, PATH):
                    outcome, why = WRONG, "another client is not answered any more"
            except Exception as error:  # noqa: BLE001 - that is what is counted
                outcome, why = RAW, repr(error)
            seconds = time.monotonic() - begun
            outcome, why = (TOO_SLOW, f"{seconds:.1f} s") if seconds > _PATIENCE else (outcome, why)
            record.add(outcome, f"seed {seed}, case {number}: {why}")
    return record


def _message(hostile: Hostile) -> dict[Any, Any]:
    """Return a call of a tool, as a rule one whose frame is right."""
    tool = hostile.choice("search", "search", "rerank", "decompose")
    params = {"name": tool, "arguments": _body(f"/v1/{tool}", hostile)}
    message: dict[Any, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    if hostile.random.random() < 0.3:
        where = hostile.choice(message, params)
        where[hostile.choice(*where, "_meta")] = hostile.value()
    return message


def _finds_salads(service: Running, path: str) -> bool:
    params = {"name": "search", "arguments": {"query": "salad without vinegar"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    result = service.client.post(path, json=message, headers=_ACCEPT).json()["result"]
    return bool(result["structuredContent"]["hits"][0]["id"] != "vinaigrette")


def _judged_call(answer: httpx.Response) -> Outcome:
    """Return what became of a call: a result, an error that a model can read, or a refusal of the protocol."""
    if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        return RAW, f"{answer.status_code}: {answer.text[:300]}"
    reply = json.loads(answer.text or "null", parse_constant=_refuse_constant)
    result = (reply or {}).get("result") or {}
    if not answer.is_success or (reply and "result" not in reply):
        is_ours = reply and (reply.get("error") or {}).get("code") == _INTERNAL
        return (RAW, answer.text[:300]) if is_ours else (CLEAR_ERROR, "")
    if not result.get("isError"):
        return FINE, ""
    said = result["content"][0]["text"]
    if printable(said) != said:
        return UNFIT, f"steers a terminal: {said[:300]!r}"
    return (RAW, said[:300]) if "(internal," in said else (CLEAR_ERROR, "")


def _is_as_before(target: _Target) -> bool:
    answer = target.service.post("/v1/search", _QUERY)
    return answer.status_code == httpx.codes.OK and [hit["id"] for hit in answer.json()["hits"]] == target.expected


def _values(target: _Target, hostile: Hostile) -> Outcome:
    """Send a good request with hostile values in some of its fields."""
    path = hostile.choice(*_PATHS)
    return judged(target.service.client.post(path, content=_json(_body(path, hostile), hostile), headers=_JSON))


def _body(path: str, hostile: Hostile) -> dict[Any, Any]:
    body: dict[Any, Any] = {"query": hostile.query()}
    if path.endswith("documents"):
        body = {"documents": [_document(hostile) for _ in range(hostile.random.randint(0, 3))]}
    elif path.endswith("rerank"):
        body["documents"] = [hostile.choice("tea", hostile.text(), hostile.row()) for _ in range(3)]
    for _ in range(hostile.random.randint(0, 2)):
        name = hostile.choice(*_PATHS[path]) if hostile.random.random() < 0.9 else hostile.key()
        body[name] = hostile.choice(hostile.value, hostile.number, lambda: [hostile.value()], hostile.row)()
    return body


def _json(body: dict[Any, Any], hostile: Hostile) -> bytes:
    """Return a body as somebody writes it who does not care what JSON is: NaN, half characters, long numbers."""
    try:
        text = json.dumps(body, skipkeys=True, default=repr, ensure_ascii=hostile.random.random() < 0.5)
    except (ValueError, RecursionError):  # in a circle, too deep, or a number of too many digits
        text = '{"query": "tea", "k": ' + "1" * 5_000 + "}"
    return text.encode("utf-8", "surrogatepass")


def _document(hostile: Hostile) -> dict[str, Any]:
    names = hostile.random.sample(["id", "title", "metadata"], hostile.random.randint(0, 3))
    return {"text": hostile.choice("tea", hostile.text())} | {name: hostile.value() for name in names}


def _bytes(target: _Target, hostile: Hostile) -> Outcome:
    """Send what is no JSON, or is no JSON for long, as JSON or as something else."""
    content = hostile.choice(
        hostile.content(),
        b'{"query": "tea", "where": ' + b"[" * 5_000,
        b'{"query": ' + b"9" * 100_000 + b"}",
        b'{"query": "tea", "query": "milk", "k": 1e400}',
        b'{"query": "\\ud800"}',
        b"\xef\xbb\xbf" + json.dumps({"query": "tea"}).encode("utf-16"),
    )
    kind = hostile.choice(
        "application/json", "application/json; charset=zlib", "text/plain", "multipart/form-data", "x"
    )
    encoding = {"Content-Encoding": hostile.choice("gzip", "br", "x")} if hostile.random.random() < 0.2 else {}
    path = hostile.choice(*_PATHS)
    return judged(target.service.client.post(path, content=content, headers={"Content-Type": kind, **encoding}))


def _address(target: _Target, hostile: Hostile) -> Outcome:
    """Ask for what is not there, by methods that are none, with a key that is none."""
    begin = hostile.choice(
        "/", "/v1/collections/", "/../../etc/", "/static/", "/v1/collections/notes/documents?id="
    )
    path = begin + quote(hostile.text()[:2_000], safe=hostile.choice("", "/%?&=."), errors="surrogatepass")
    headers = {"Authorization": f"Bearer {SECRET}"} if hostile.random.random() < 0.3 else {}
    method = hostile.choice("GET", "POST", "DELETE", "PUT", "OPTIONS", "TRACE", "HEAD", "BREW")
    return judged(target.service.client.request(method, path, headers=headers))


def judged(answer: httpx.Response) -> Outcome:
    """Return what became of a request: answered, or refused in the shape that all refusals have."""
    if SECRET in answer.text:
        return UNFIT, f"shows a key: {answer.text[:300]}"
    if answer.request.method == "HEAD" or answer.headers.get("content-type", "").startswith("text/"):
        is_whole = answer.is_success or answer.request.method == "HEAD"  # the page, the metrics
        return (
            (FINE, "")
            if is_whole and answer.status_code < 500
            else (UNFIT, f"{answer.status_code}: {answer.text[:300]}")
        )
    if any(printable(sign) != sign for sign in answer.text if sign not in "\n\t"):
        return UNFIT, f"steers a terminal: {answer.text[:300]!r}"
    if answer.is_success:
        json.loads(answer.text or "null", parse_constant=_refuse_constant)
        return FINE, ""
    return refusal_of(answer, (400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422))


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _head(target: _Target, hostile: Hostile) -> Outcome:
    """Send heads that are no HTTP, or that say two things at once."""
    auth = f"Authorization: Bearer {target.key}\r\n".encode()
    good = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + auth
    body = b'{"query": "tea"}'
    sent = hostile.choice(
        hostile.random.randbytes(hostile.random.randint(1, 400)) + b"\r\n\r\n",
        hostile.content() + b"\r\n\r\n",
        good + b"Content-Length: 16\r\nContent-Length: 3\r\n\r\n" + body,
        good + b"Content-Length: -1\r\n\r\n" + body,
        good + b"Content-Length: 16\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
        good + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n" + body,
        good + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body,
        good + b"Host: evil.example\r\nConnection: close\r\nContent-Length: 16\r\n\r\n" + body,
        good.replace(b"localhost", b"evil.example") + b"Connection: close\r\nContent-Length: 16\r\n\r\n" + body,
        good.replace(b"HTTP/1.1", b"HTTP/9.9") + b"Content-Length: 16\r\n\r\n" + body,
        good + b"X-A: " + b"a" * 200_000 + b"\r\n\r\n",
        good + b"X-A: b\r\n" * 5_000 + b"\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + hostile.random.randbytes(100),  # TLS
        b"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nX-A: \x00\x1b[2J\r\nConnection: close\r\n\r\n",
    )
    return _judged_bytes(_exchanged(target.service.url, lambda sender: sender.sendall(sent)))


def _slow(target: _Target, hostile: Hostile) -> Outcome:
    """Send half of something, and wait for the rest of one's life."""
    half = hostile.choice(
        b"",
        b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\n",
        f"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {target.key}\r\n"
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"query": '.encode(),
    )
    return _judged_bytes(_exchanged(target.service.url, lambda sender: sender.sendall(half)))


def _exchanged(url: str, send: Callable[[socket.socket], None]) -> bytes:
    """Return all that comes until the service closes the connection, as it must in time."""
    host, port = url.removeprefix("http://").split(":")
    received = b""
    with socket.create_connection((host, int(port)), timeout=_PATIENCE) as sender:
        try:
            send(sender)
            while part := sender.recv(65_536):
                received += part
        except ConnectionError:  # cut off while it was sending
            pass
    return received


def _judged_bytes(received: bytes) -> Outcome:
    head, _, body = received.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.1 (\d{3}) ", head)
    if SECRET.encode() in received:
        return UNFIT, f"shows a key: {received[:300]!r}"
    if not received or body.startswith(_NOT_OURS):
        return CLEAR_ERROR, ""
    if status is None or int(status[1]) >= httpx.codes.INTERNAL_SERVER_ERROR:
        return RAW, repr(received[:300])
    return (FINE if int(status[1]) < httpx.codes.BAD_REQUEST else CLEAR_ERROR), ""
