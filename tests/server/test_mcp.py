"""``esens mcp``, called by the protocol's own client: in process, over stdio and over HTTP."""

import ast
import asyncio
import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent
from tests.server.running import DOCUMENTS, ROOT, Held, Running, running, searcher
from tests.words import by_words

import esens
from esens import Reranker
from esens.cli.main import main, parser
from esens.errors import EngineError
from esens.integrations.mcp import PATH, create_mcp_app, create_server
from esens.server.keys import new_key
from esens.server.service import Service
from esens.server.settings import Settings

QUERY = "salad dressings without vinegar"
MODES = ["auto", "legacy"]  # the protocol of 2026, and the one with a handshake before it


def served(embedder: Any = by_words, **options: Any) -> Service:
    collections = {"salads": searcher(embedder), "other": searcher()}
    return Service(collections, Settings(**options), reranker=Reranker(embedder=by_words))


def in_process(use: Callable[[Client], Awaitable[Any]], service: Service | None = None, mode: str = "auto") -> Any:
    """Return what a function makes of a client that is connected to a server in this process."""

    async def connect() -> Any:
        async with Client(create_server(service or served()), mode=mode) as client:
            return await use(client)

    return asyncio.run(connect())


def call(
    name: str, arguments: dict[str, Any], service: Service | None = None, mode: str = "auto"
) -> CallToolResult:
    async def use(client: Client) -> CallToolResult:
        return await client.call_tool(name, arguments)

    result: CallToolResult = in_process(use, service, mode)
    return result


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_described_and_change_nothing(mode: str) -> None:
    async def use(client: Client) -> Any:
        return client.instructions, (await client.list_tools()).tools

    instructions, tools = in_process(use, mode=mode)
    assert "but not" in instructions
    assert [tool.name for tool in tools] == ["search", "rerank", "decompose"]
    for tool in tools:
        assert tool.title
        assert tool.description
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
    assert tools[0].input_schema["properties"]["collection"]["enum"] == ["salads", "other"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "arguments",
    [
        {"query": QUERY},
        {"query": QUERY, "k": 2, "mode": "hard"},
        {"query": "salad", "exclude": ["egg", {"text": "tea", "relation": "has"}], "score": "contrast"},
        {"query": "salad", "exclude": [{"example": "tea"}, {"where": {"year": 1999}}], "collection": "other"},
        {"query": QUERY, "decomposition": {"target": "salad", "exclusions": ["vinegar"]}, "where": "year>=2000"},
    ],
)
def test_a_search_is_that_of_the_service_and_its_text_says_the_same(mode: str, arguments: dict[str, Any]) -> None:
    result = call("search", arguments, mode=mode)  # the client checks it against the output schema
    assert not result.is_error
    with running({"salads": searcher(), "other": searcher()}) as service:
        assert result.structured_content == service.post("/v1/search", arguments).json()
    assert json.loads(text_of(result)) == result.structured_content


def test_candidates_are_reranked_and_queries_split() -> None:
    documents = ["Espresso.", {"text": "Filter coffee.", "title": "Filter"}]
    ranked = call("rerank", {"query": "coffee other than espresso", "documents": documents, "top_n": 1})
    assert [entry["index"] for entry in ranked.structured_content["results"]] == [1]
    assert ranked.structured_content["meta"]["traps"] == ["espresso"]
    split = call("decompose", {"query": "pain relief without opioids"})
    assert split.structured_content == {
        "query": "pain relief without opioids",
        **json.loads(json.dumps(esens.decompose("pain relief without opioids").to_dict())),
    }


LIMITS: dict[str, Any] = {
    "max_k": 20,
    "max_query_chars": 100,
    "max_exclusions": 2,
    "max_documents": 3,
    "max_body_bytes": 5000,
}


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("search", {}, ["query", "input schema"]),
        ("search", {"query": "tea", "k": 21}, ["k: ", "at most 20"]),
        ("search", {"query": "tea", "k": "5"}, ["k: "]),
        ("search", {"query": "x" * 101}, ["query: ", "at most 100"]),
        ("search", {"query": "tea", "top_k": 3}, ["top_k: ", "input schema", "unknown_field"]),
        ("search", {"query": "tea", "exclude": ["a", "b", "c"]}, ["exclude: ", "at most 2"]),
        ("search", {"query": "tea", "exclude": [{"text": "x", "weight": 2}]}, ["exclude.0.weight: "]),
        ("search", {"query": "tea", "where": {"year": {"~": 3}}}, ["where: "]),
        ("search", {"query": "tea", "collection": "third"}, ["collection: ", "salads, other"]),
        ("rerank", {"query": "tea", "documents": ["x"] * 4}, ["documents: ", "at most 3"]),
        ("rerank", {"query": "tea", "documents": ["x" * 6000]}, ["5,000 bytes", "too_large"]),
        ("decompose", {"query": " "}, ["query: "]),
    ],
)
def test_a_bad_call_is_refused_in_words_that_a_model_can_use(
    name: str, arguments: dict[str, Any], says: list[str]
) -> None:
    result = call(name, arguments, served(**LIMITS))
    assert result.is_error
    for words in says:
        assert words in text_of(result)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol() -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match="tools are: search, rerank, decompose"):
            await client.call_tool("delete", {})

    in_process(use)


def test_an_error_of_the_service_tells_no_path_and_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    service = served()
    secret = "/srv/secret/my.lance"

    def fail(*_: Any, **__: Any) -> Any:
        raise EngineError(secret, f"no {secret}")

    index: Any = service.searchers["salads"].index
    index.nearest = index.scan = fail
    text = text_of(call("search", {"query": QUERY}, service))
    assert "secret" not in text
    assert "index_unavailable" in text
    (error,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert secret in error.getMessage()
    assert error.fields["request_id"] in text  # type: ignore[attr-defined]


def test_no_more_runs_than_the_settings_allow_and_not_for_longer() -> None:
    embedder = Held()
    service = served(embedder, threads=1, queue=0, timeout=1)
    embedder.holds = True

    async def use(client: Client) -> list[CallToolResult]:
        first = asyncio.create_task(client.call_tool("search", {"query": "tea"}))
        await asyncio.to_thread(embedder.wait_for, 1)
        second = await client.call_tool("search", {"query": "egg"})
        slow = await first
        embedder.gate.set()
        return [slow, second]

    slow, refused = in_process(use, service)
    assert "more than 1 s" in text_of(slow)
    assert "(busy, " in text_of(refused)


def test_the_log_has_calls_and_their_queries_only_where_that_is_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "esens.server")
    call("search", {"query": "nobody's business"})
    call("search", {"query": "harmless"}, served(log_queries=True))
    first, second = [record.fields for record in caplog.records if record.getMessage() == "call"]  # type: ignore[attr-defined]
    assert (first["tool"], first["code"]) == ("search", "ok")
    assert "query" not in first
    assert second["query"] == "harmless"


# Over HTTP.


@pytest.fixture(scope="module")
def over_http():
    with running(create=create_mcp_app, allowed_hosts=("search.example",), max_body_bytes=50_000) as state:
        yield state


@pytest.mark.parametrize("mode", MODES)
def test_it_is_called_over_http(over_http: Running, mode: str) -> None:
    async def use() -> None:
        async with httpx2.AsyncClient(trust_env=False) as wire:
            transport = streamable_http_client(f"{over_http.url}{PATH}", http_client=wire)
            async with Client(transport, mode=mode) as client:
                assert len((await client.list_tools()).tools) == 3
                result = await client.call_tool("search", {"query": QUERY, "k": 1})
                assert result.structured_content["hits"][0]["id"] != "vinaigrette"
                refused = await client.call_tool("search", {"query": QUERY, "k": 10**6})
                assert "at most 1,000" in text_of(refused)

    asyncio.run(use())


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def post(service: Running, headers: dict[str, str], **options: Any) -> httpx.Response:
    return service.client.post(PATH, headers={**ACCEPT, **headers}, **({"json": PING} | options))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "search.example"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "search.example", "Origin": "https://search.example"}, 200),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
    ],
)
def test_whom_a_browser_was_led_here_by_is_refused(
    over_http: Running, headers: dict[str, str], status: int
) -> None:
    assert post(over_http, headers).status_code == status


def test_a_page_whose_origin_is_allowed_may_call() -> None:
    with running(create=create_mcp_app, allowed_origins=("https://page.example",)) as service:
        answer = post(service, {"Origin": "https://page.example"})
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == "https://page.example"
        assert post(service, {"Origin": "https://evil.example"}).status_code == 403


def test_limits_and_headers_are_those_of_the_service(over_http: Running) -> None:
    headers = {"Content-Type": "application/json"}
    assert post(over_http, headers, json=None, content=b" " * 50_001).status_code == 413
    assert post(over_http, {"Content-Type": "text/plain"}, json=None, content=b"{}").status_code == 415
    answer = post(over_http, {"X-Request-ID": "mine-1"})
    assert answer.headers["X-Request-ID"] == "mine-1"
    assert answer.headers["Cache-Control"] == "no-store"
    # Nothing is sent but answers, so there is no stream to listen to and no session to end.
    assert over_http.client.get(PATH, headers=ACCEPT).status_code == 405
    assert over_http.client.delete(PATH).status_code == 405


def test_a_key_opens_it_and_none_does_not() -> None:
    reader, reading = new_key(["read"])
    writer, writing = new_key(["write"])
    with running(create=create_mcp_app, keys=(str(reading), str(writing))) as service:
        statuses = [
            post(service, {"Authorization": f"Bearer {key}"}).status_code for key in (reader, writer, "esens_no")
        ]
        assert statuses == [200, 403, 401]
        assert post(service, {}).status_code == 401


def test_it_listens_elsewhere_only_with_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "x.lance", "--transport", "http", "--host", "0.0.0.0"]) == 2
    assert "--allow-anyone" in capsys.readouterr().err


# As a process.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
    pytest.importorskip("wordllama", reason="wordllama is not installed: pip install -e '.[wordllama]'")
    path = tmp_path_factory.mktemp("mcp") / "salads.lance"
    esens.build_index(DOCUMENTS, path, embedder="wordllama")
    return str(path)


PRINTS = """
import sys
from esens.cli.main import main, parser
from esens.search.searcher import Searcher
search = Searcher.search
def noisy(*arguments, **options):
    print("to standard output")
    return search(*arguments, **options)
Searcher.search = noisy
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("mode", MODES)
def test_over_stdio_nothing_but_the_protocol_is_on_standard_output(folder: str, mode: str, tmp_path: Path) -> None:
    arguments = ["-c", PRINTS, "mcp", folder, "--max-k", "20"]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
    log = tmp_path / "log"

    async def use() -> None:
        from mcp import stdio_client

        with log.open("w", encoding="utf-8") as errlog, anyio.fail_after(60):
            async with Client(stdio_client(parameters, errlog=errlog), mode=mode) as client:
                result = await client.call_tool("search", {"query": QUERY, "k": 3})
                assert len(result.structured_content["hits"]) == 3
                refused = await client.call_tool("search", {"query": QUERY, "k": 21})
                assert "at most 20" in text_of(refused)

    asyncio.run(use())
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines.count("to standard output") >= 2  # of the search, and of the one that warms up
    calls = [json.loads(line) for line in lines if line.startswith("{")]
    assert [line["code"] for line in calls if line["event"] == "call"] == ["ok", "invalid_argument"]
    assert QUERY not in log.read_text(encoding="utf-8")


def test_over_stdio_it_does_not_matter_where_it_would_listen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESENS_SERVE_HOST", "0.0.0.0")
    assert main(["mcp", "absent.lance"]) == 6  # and not 2, for want of a key
    assert "absent.lance" in capsys.readouterr().err


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_over_stdio_it_ends_when_it_is_told_to(folder: str, sign: signal.Signals) -> None:
    typed = [sys.executable, "-m", "esens.cli.main", "mcp", folder]
    with subprocess.Popen(typed, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "esens"
        process.send_signal(sign)
        assert process.wait(60) == -sign


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "name at least one index"),
        (["absent.lance"], 6, "absent.lance"),
        (["x.lance", "--max-k", "0"], 2, "--max-k"),
    ],
)
def test_what_makes_no_sense_is_said_on_standard_error(
    arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == code
    shown = capsys.readouterr()
    assert says in shown.err
    assert shown.out == ""


# What docs/mcp.md says.

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_names_every_tool_and_its_commands_can_be_typed() -> None:
    async def use(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert rows == in_process(use)
    snippets = [json.loads(block) for block in _blocks("json")]
    servers = [next(iter(snippet.values()))["esens"]["args"] for snippet in snippets]
    lines = [line for block in _blocks("sh") for line in block.splitlines() if "esens mcp " in line]
    assert (len(servers), len(lines)) == (2, 4)
    for typed in [*servers, *(shlex.split(line.partition("esens mcp ")[2]) for line in lines)]:
        parser().parse_args(["mcp", *(typed[1:] if typed[0] == "mcp" else typed)])


def test_the_program_on_the_page_runs(folder: str) -> None:
    (block,) = _blocks("python")
    program = block.replace('command="esens"', f"command={str(Path(sys.executable).with_name('esens'))!r}")
    done = subprocess.run(
        [sys.executable, "-c", program.replace('"my.lance"', repr(folder))], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(ast.literal_eval(done.stdout)) == 3
