"""The command line with a language model: what it asks, what it prints on which stream, and its exit codes."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chat_server import ChatServer, Does, answer, chat_server

from esens.cli.main import main

QUERY = "tea without milk"
MODEL = ["--decomposer", "openai:small"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with chat_server() as state:
        monkeypatch.setenv("OPENAI_BASE_URL", state.base_url)
        yield state


def test_decompose_asks_the_model_and_says_what_that_took(
    server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decompose", QUERY, *MODEL, "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert (found["target"], found["traps"]) == ("tea", ["milk"])
    (exclusion,) = found["exclusions"]
    assert (exclusion["relation"], exclusion["told_by"], exclusion["span"]) == ("has", "openai:small", [12, 16])
    assert found["provenance"]["decomposer"] == "openai:small"
    assert found["provenance"]["prompt_version"] == "2"
    assert printed.err == "openai:small: 1 call, 0 from the cache, 100 tokens in and 10 out\n"


def test_the_printed_line_says_which_documents_are_ruled_out(
    server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [Does(answer("tea", "milk", relation="about"))]
    assert main(["decompose", QUERY, *MODEL, "--explain"]) == 0
    printed = capsys.readouterr().out
    assert "milk (documents about it)" in printed
    assert "openai:small, prompt 2 (" in printed


def test_the_papers_two_fields_tell_no_relation(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = [Does('{"target": "tea", "trap": "milk"}')]
    assert main(["decompose", QUERY, *MODEL, "--single-trap", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["traps"], found["exclusions"][0]["relation"]) == (["milk"], "open")
    assert found["provenance"]["prompt_version"] == "1"


def test_a_file_of_queries_resumes(server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "queries.txt"
    path.write_text(f"{QUERY}\n")
    assert main(["decompose", str(path), *MODEL]) == 0
    path.write_text(f"{QUERY}\ncoffee\n")
    capsys.readouterr()
    assert main(["decompose", str(path), *MODEL]) == 0
    assert "1 call, 1 from the cache" in capsys.readouterr().err
    assert server.queries == [QUERY, "coffee"]


def test_what_the_rules_did_is_said(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = [Does("nonsense"), Does("nonsense")]
    assert main(["decompose", QUERY, *MODEL, "--explain"]) == 0
    printed = capsys.readouterr()
    assert "openai:small did not answer: both its answers were refused" in printed.out
    assert printed.err.endswith("1 left to the rules (--explain says why)\n")


@pytest.mark.parametrize("command", ["search", "rerank"])
def test_search_and_rerank_take_it_too(
    command: str, server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "docs.txt"
    path.write_text("green tea\nmilk tea\n")
    server.script = [Does('{"target": "tea", "trap": "milk"}')]
    assert main([command, str(path), QUERY, *MODEL, "--single-trap", "--no-cache", "--json"]) == 0
    printed = capsys.readouterr()
    assert "openai:small: 1 call" in printed.err
    assert json.loads(printed.out)["provenance"]["decomposer"] == "openai:small"
    assert set(server.asked[0]["response_format"]["json_schema"]["schema"]["properties"]) == {"target", "trap"}
    assert not (tmp_path / "home" / "esens").exists()


def test_options_reach_the_model(server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://nowhere.invalid/v1")
    options = [
        "--base-url",
        server.base_url,
        "--cache-dir",
        str(tmp_path / "c"),
        "--timeout",
        "5",
        "--concurrency",
        "1",
        "--deadline",
        "9",
        "--retries",
        "0",
        "--max-failures",
        "1",
        "--pause",
        "600",
    ]
    assert main(["decompose", QUERY, *MODEL, *options]) == 0
    assert server.queries == [QUERY]
    assert (tmp_path / "c" / "decompositions.sqlite").is_file()
    server.otherwise = lambda _: Does(status=500)
    path = tmp_path / "queries.txt"
    path.write_text("tea without sugar\ntea without lemon\ntea without mint\n")
    assert main(["decompose", str(path), *MODEL, *options]) == 0
    assert len(server.queries) == 2  # no try again, and one failure is enough


def test_limits_can_stand_in_the_spec(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.otherwise = lambda _: Does(status=500, headers={"Retry-After": "0.01"})
    assert main(["decompose", QUERY, "--decomposer", "openai:small?retries=4&timeout=9", "--explain"]) == 0
    assert (
        "openai:small did not answer: HTTP 500: no reason given, 5 times; the rules did" in capsys.readouterr().out
    )
    assert len(server.asked) == 5
    main(["decompose", QUERY, "--decomposer", "openai:small?retries=4", "--retries", "1"])
    assert len(server.asked) == 7


def test_a_price_says_what_the_tokens_come_to(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", QUERY, *MODEL, "--price", "0.15", "0.6"]) == 0
    assert capsys.readouterr().err == (
        "openai:small: 1 call, 0 from the cache, 100 tokens in and 10 out, 2.1e-05 by --price\n"
    )


def test_tokens_beyond_all_measure_are_no_trouble(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    choice = json.dumps({"message": {"content": answer("tea", "milk")}})
    usage = f'{{"prompt_tokens": {10**400}, "completion_tokens": -5}}'
    server.script = [Does(body=f'{{"choices": [{choice}], "usage": {usage}}}')]
    assert main(["decompose", QUERY, *MODEL, "--price", "1", "1"]) == 0
    assert "9,007,199,254,740,992 tokens in and 0 out, 9.007e+09 by --price" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--base-url", "http://x/v1"], 2, "--base-url: needs --decomposer openai:MODEL, not rules"),
        (["--single-trap"], 2, "--single-trap: needs --decomposer"),
        (["--no-cache"], 2, "--no-cache: needs --decomposer"),
        (["--cache-dir", "x"], 2, "--cache-dir: needs --decomposer"),
        (["--decomposer", "none", "--timeout", "1"], 2, "--timeout: needs --decomposer openai:MODEL, not none"),
        (["--decomposer", "openai:"], 2, "--decomposer: is empty"),
        ([*MODEL, "--timeout", "0"], 2, "timeout: must be a number"),
        ([*MODEL, "--deadline", "0"], 2, "--deadline: must be a number"),
        ([*MODEL, "--max-failures", "-1"], 2, "--max-failures: must be a number"),
        ([*MODEL, "--price", "nan", "1"], 2, "--price: must be a number of at least 0, got nan"),
        (["--price", "1", "2"], 2, "--price: needs --decomposer openai:MODEL, not rules"),
        (["--retries", "1"], 2, "--retries: needs --decomposer openai:MODEL, not rules"),
        (
            ["--decomposer", "openai:x?tries=1"],
            2,
            "--decomposer: unknown option 'tries' after the model; valid are",
        ),
        (["--decomposer", "openai:x?timeout=y"], 2, "--decomposer: timeout must be a number, got 'y'"),
        ([*MODEL, "--base-url", "https://api.openai.com/v1"], 2, "api_key: is missing; set OPENAI_API_KEY"),
        (
            [*MODEL, "--cache-dir", "/dev/null/x"],
            5,
            "/dev/null/x/decompositions.sqlite: the cache of answers cannot be used",
        ),
        ([*MODEL, "--cache-dir", "{wrong}"], 5, "file is not a database"),
        ([*MODEL], 5, "openai:small: the server does not accept the key; check OPENAI_API_KEY (HTTP 401: who?)"),
    ],
)
def test_mistakes_are_one_line_and_a_code(
    options: list[str],
    code: int,
    message: str,
    server: ChatServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.otherwise = lambda _: Does(status=401, message="who?")
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    (wrong / "decompositions.sqlite").write_text("not a database " * 100)
    assert main(["decompose", QUERY, *(option.format(wrong=wrong) for option in options)]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_both_ways_of_keeping_are_a_usage_error(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["decompose", QUERY, *MODEL, "--cache-dir", "x", "--no-cache"])
    assert "not allowed with argument --cache-dir" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("script") is None, reason="script(1), which makes a terminal, is not here")
def test_a_bar_shows_on_a_terminal(server: ChatServer, tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_text("".join(f"tea number {i} without milk\n" for i in range(220)))
    command = f"'{sys.executable}' -m esens.cli.main decompose '{path}' --decomposer openai:small --json"
    done = subprocess.run(
        ["script", "-qec", command, "/dev/null"],
        env=os.environ | {"TERM": "xterm"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "decomposing" in done.stdout
    assert re.search(r"\d+/220", done.stdout)
    assert "220 calls" in done.stdout
