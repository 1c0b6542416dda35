"""Keys, hosts, origins and headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.running import Running, running

from esens.cli.main import main
from esens.errors import ArgumentError
from esens.server.access import needed_scope
from esens.server.keys import AccessKey, new_key, scopes_of
from esens.server.settings import Settings, is_loopback

READER, READING = new_key(["read"])
WRITER, WRITING = new_key(["write"])
BOTH, BOTH_SCOPES = new_key(["read", "write"])
KEYS = (str(READING), str(WRITING), str(BOTH_SCOPES))
PATH = "/v1/collections/salads/documents"


def _key(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def service():
    with running(keys=KEYS, allowed_hosts=("search.example",), allowed_origins=("https://page.example",)) as state:
        yield state


@pytest.mark.parametrize(
    ("key", "reads", "writes"),
    [(READER, 200, 403), (WRITER, 403, 200), (BOTH, 200, 200), ("esens_wrong", 401, 401), ("", 401, 401)],
    ids=["reader", "writer", "both", "wrong", "none"],  # keys are other ones in every process
)
def test_a_key_allows_what_its_scopes_say(service: Running, key: str, reads: int, writes: int) -> None:
    headers = _key(key) if key else {}
    read = service.post("/v1/search", {"query": "tea"}, headers=headers)
    written = service.post(PATH, {"documents": [{"id": "new", "text": "new"}]}, headers=headers)
    deleted = service.client.delete(PATH, params={"id": "new"}, headers=headers)
    assert (read.status_code, written.status_code, deleted.status_code) == (reads, writes, writes)
    if reads == 401:
        assert read.headers["WWW-Authenticate"].startswith("Bearer")
    assert not key or key not in read.text + written.text


@pytest.mark.parametrize(
    "header",
    [READER, f"Basic {READER}", f"Bearer {READING.digest}", "Bearer", "Bearer é"],
    ids=["bare", "basic", "digest", "nothing", "foreign"],
)
def test_what_is_no_bearer_key_opens_nothing(service: Running, header: str) -> None:
    answer = service.client.get("/metrics", headers={b"Authorization": header.encode()})
    assert answer.status_code == 401


def test_a_probe_needs_no_key_and_all_else_does(service: Running) -> None:
    assert service.client.get("/health").status_code == 200
    assert service.client.get("/ready").status_code == 200
    for path in (
        "/metrics",
        "/openapi.json",
        "/v1/collections",
        "/nothing",
        "//health",
        "/health/",
        "//",
        "/statics",
    ):
        assert service.client.get(f"{service.url}{path}").status_code == 401


def test_a_key_is_asked_for_before_a_body_is_read(service: Running) -> None:
    big = service.client.post("/v1/search", content=b" " * 5_000_000, headers={"Content-Type": "application/json"})
    assert big.status_code == 401


@given(st.text(), st.lists(st.sampled_from(["read", "write"]), min_size=1))
def test_only_the_key_itself_is_recognised(other: str, scopes: list[str]) -> None:
    key, stored = new_key(scopes)
    assert AccessKey.parse(str(stored)) == stored
    assert scopes_of(key, [READING, stored]) == set(scopes)
    assert scopes_of(other, [stored]) == frozenset()
    assert key not in str(stored)


@pytest.mark.parametrize(
    "text",
    ["", "read", "read:abc", "admin:" + "a" * 64, f"read:{READER}", ":" + "a" * 64],
    ids=["empty", "no hash", "short", "no such scope", "the key itself", "no scope"],
)
def test_a_key_that_is_none_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(ArgumentError, match="esens serve-key prints") as refused:
        Settings(keys=(text,))
    assert READER not in str(refused.value)


def test_the_command_prints_a_key_and_what_a_service_stores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve-key", "--scopes", "read", "write"]) == 0
    key, stored = (line.split()[1] for line in capsys.readouterr().out.splitlines())
    assert scopes_of(key, [AccessKey.parse(stored)]) == {"read", "write"}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:1", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("10.0.0.7:8080", 200),
        ("search.example", 200),
        ("SEARCH.example:443", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
def test_a_name_that_is_not_the_servers_is_refused(service: Running, host: str, status: int) -> None:
    answer = service.client.get("/health", headers={"Host": host})
    assert answer.status_code in (status, 400 if not host else status)


def test_headers_keep_browsers_from_doing_anything_with_an_answer(service: Running) -> None:
    for answer in (service.client.get("/health"), service.client.get("/v1/collections")):
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "server" not in answer.headers


def test_a_request_id_is_taken_over_if_it_is_one(service: Running) -> None:
    assert service.client.get("/health", headers={"X-Request-ID": "a-1"}).headers["X-Request-ID"] == "a-1"
    for bad in ("a b", "x" * 65, "<script>"):
        assert service.client.get("/health", headers={"X-Request-ID": bad}).headers["X-Request-ID"] != bad


def test_other_origins_are_allowed_only_where_they_are_named(service: Running) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    named = service.client.options("/v1/search", headers={"Origin": "https://page.example", **asks})
    assert named.headers["Access-Control-Allow-Origin"] == "https://page.example"
    other = service.client.options("/v1/search", headers={"Origin": "https://evil.example", **asks})
    assert "Access-Control-Allow-Origin" not in other.headers
    refused = service.post("/v1/search", {"query": "tea"}, headers={"Origin": "https://page.example"})
    assert refused.status_code == 401
    assert refused.headers["Access-Control-Allow-Origin"] == "https://page.example"
    with running() as closed:
        answer = closed.client.options("/v1/search", headers={"Origin": "https://page.example", **asks})
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "search.example"])
def test_it_listens_elsewhere_only_with_a_key_or_when_that_is_said(host: str) -> None:
    with pytest.raises(ArgumentError, match="--allow-anyone"):
        Settings(host=host)
    Settings(host=host, keys=KEYS)
    Settings(host=host, allow_anyone=True)
    assert not is_loopback(host)
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "localhost"]))


@given(st.sampled_from(["POST", "PUT", "PATCH", "DELETE"]), st.text())
def test_whatever_may_change_a_collection_needs_the_scope_write(method: str, rest: str) -> None:
    assert needed_scope(method, f"/v1/collections{rest}") == "write"
    assert needed_scope(method, "/v1/search") == needed_scope("GET", "/v1/collections") == "read"
