"""The command line with an embedder on a server: it searches, and what goes wrong is one line and a code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chat_server import Does
from tests.embedding_server import EmbeddingServer, embedding_server

from esens.cli.main import main

MODEL = ["--embedder", "openai:small"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with embedding_server() as state:
        monkeypatch.setenv("OPENAI_BASE_URL", state.base_url)
        yield state


@pytest.fixture
def docs(tmp_path: Path) -> str:
    (tmp_path / "docs.txt").write_text("green tea\nmilk tea\n")
    return str(tmp_path / "docs.txt")


@pytest.mark.parametrize("command", ["search", "rerank"])
def test_it_searches(command: str, docs: str, server: EmbeddingServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, docs, "green tea", *MODEL, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["text"] == "green tea"
    assert [body["model"] for body in server.asked] == ["small", "small"]


@pytest.mark.parametrize(
    ("does", "message"),
    [
        (
            Does(status=401, message="who?"),
            "openai:small: the server does not accept the key; check OPENAI_API_KEY",
        ),
        (Does(status=400, message="too long"), "openai:small: the server refuses a request (HTTP 400: too long)"),
        (Does(body="{}"), "cannot be used: it is not a list of embeddings"),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_code(
    does: Does, message: str, docs: str, server: EmbeddingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = lambda _: does
    assert main(["search", docs, "tea", *MODEL]) == 5
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_limits_can_stand_in_the_spec(
    docs: str, server: EmbeddingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = lambda _: Does(status=500, headers={"Retry-After": "0.01"})
    assert main(["search", docs, "tea", "--embedder", "openai:small?retries=2"]) == 5
    assert "openai:small did not answer: HTTP 500: no reason given, 3 times" in capsys.readouterr().err
    assert len(server.asked) == 3
    assert main(["search", docs, "tea", "--embedder", "openai:small?size=2"]) == 2
    assert "--embedder: unknown option 'size' after the model" in capsys.readouterr().err
