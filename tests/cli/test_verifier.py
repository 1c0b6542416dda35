"""The command line with a verifier and a relevance model, on servers on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmark import write_benchmark
from tests.chat_server import Body, ChatServer, Does, chat_server
from tests.onnx_models import write_model

from esens.cli.main import main

QUERY = "tea without milk"
MODEL = ["--verifier", "openai:small"]
DOCS = [
    {"id": "green", "text": "green tea"},
    {"id": "cream", "text": "tea with Obers"},
    {"id": "soup", "text": "soup"},
]


def _answers(body: Body) -> Does:
    """Know what Obers is where it is read, and no more."""
    if "kinds" in body["response_format"]["json_schema"]["schema"]["properties"]:
        return Does('{"kinds": []}')
    affirmed = "Obers" in body["messages"][1]["content"]
    said = {"answer": "affirmed", "quote": "with Obers"} if affirmed else {"answer": "silent", "quote": ""}
    return Does(json.dumps(said))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("docs.jsonl").write_text("".join(json.dumps(each) + "\n" for each in DOCS))
    with chat_server() as state:
        monkeypatch.setenv("OPENAI_BASE_URL", state.base_url)
        monkeypatch.setenv("COHERE_BASE_URL", state.base_url)
        state.otherwise = _answers
        yield state


@pytest.mark.parametrize("command", ["search", "rerank"])
def test_search_and_rerank_ask_the_verifier_and_say_what_that_took(
    command: str, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "docs.jsonl", QUERY, *MODEL, "--mode", "hard", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    (removed,) = found["removed"]
    assert removed["id"] == "cream"
    evidence = removed["explanation"]["evidence"]
    assert (evidence["quote"], evidence["told_by"]) == ("with Obers", "openai:small")
    assert printed.err == "openai:small: 4 calls, 0 from the cache, 400 tokens in and 40 out\n"
    assert main([command, "docs.jsonl", QUERY, *MODEL, "--verify", "2"]) == 0
    assert "0 calls, 3 from the cache" in capsys.readouterr().err
    assert main([command, "docs.jsonl", QUERY, *MODEL, "--verify", "1", "--no-cache"]) == 0
    assert "2 calls, 0 from the cache" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["search", "rerank", "evaluate"])
def test_the_address_of_the_server_may_be_typed(
    command: str,
    server: ChatServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL")
    what = [str(write_benchmark(tmp_path / "drinks"))] if command == "evaluate" else ["docs.jsonl", QUERY]
    assert main([command, *what, *MODEL, "--base-url", server.base_url]) == 0
    assert server.asked
    capsys.readouterr()
    assert main([command, *what, "--base-url", server.base_url]) == 2
    assert "--base-url: needs --decomposer openai:MODEL" in capsys.readouterr().err


def test_a_server_that_is_gone_is_noted(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = lambda _: Does(status=500, message="out of order")
    assert main(["search", "docs.jsonl", QUERY, "--verifier", "openai:small?retries=0"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "openai:small could not verify all that it was asked (HTTP 500: out of order" in shown


def test_relevance_is_a_servers(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    def reranks(body: Body) -> Does:
        scores = [{"index": at, "relevance_score": "soup" in text} for at, text in enumerate(body["documents"])]
        return Does(body=json.dumps({"results": scores}))

    server.otherwise = reranks
    assert main(["search", "docs.jsonl", "tea", "--relevance", "cohere:x", "--rescore", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["id"] == "soup"


def test_evaluate_has_a_row_for_it(server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_benchmark(tmp_path / "drinks"))
    report = tmp_path / "report.json"
    typed = ["evaluate", folder, "--methods", "plain,esens", *MODEL, "--json", str(report)]
    assert main(typed) == 0
    assert list(json.loads(report.read_text())["methods"]) == ["plain", "esens", "esens + openai:small"]
    asked = len(server.asked)
    assert asked > 0
    assert main(typed) == 0
    assert len(server.asked) == asked  # all answers were cached
    capsys.readouterr()
    server.otherwise = lambda _: Does("nonsense")
    assert main([*typed, "--no-cache"]) == 0
    assert "esens + openai:small: models failed for" in capsys.readouterr().err


def test_evaluate_with_a_cross_encoder(server: ChatServer, tmp_path: Path) -> None:
    folder, model = str(write_benchmark(tmp_path / "drinks")), write_model(tmp_path / "m", outputs={"x": "score"})
    report, spec = tmp_path / "report.json", f"cross-encoder:{model}"
    typed = ["evaluate", folder, "--methods", "esens", "--verifier", spec, "--relevance", spec]
    assert main([*typed, "--rescore", "5", "--json", str(report)]) == 0
    assert list(json.loads(report.read_text())["methods"]) == ["esens", f"esens + relevance {spec} + {spec}"]


def test_a_spec_that_names_nothing_is_an_error(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "docs.jsonl", QUERY, "--verifier", "gpt"]) == 2
    assert "verifier: unknown spec" in capsys.readouterr().err
