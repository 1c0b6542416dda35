"""What the commands show of what others wrote: no escape sequence, no password, no megabyte; and JSON is JSON."""

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.onnx_models import write_model

from esens.cli.main import main

EVIL = "\x1b]2;PWNED\x07\x9b31m\u202eexe\u2066"


@pytest.fixture
def embedder(tmp_path: Path) -> str:
    return f"onnx:{write_model(tmp_path / 'model')}"


@pytest.fixture(autouse=True)
def _showwarning() -> Iterator[None]:
    with warnings.catch_warnings():  # main shows them its own way
        yield


def _is_harmless(text: str) -> bool:
    return all(sign.isprintable() or sign == "\n" for sign in text)


def _jsonl(path: Path, *rows: object) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search", "{}/fields.jsonl", "tea"], 3),
        (["search", "{}/fields.jsonl", "tea", "--skip-bad"], 3),
        (["search", "{}/header.csv", "tea"], 3),
        (["search", "{}/missing" + EVIL, "tea"], 3),
        (["search", "{}/missing" + EVIL, "tea", "--debug"], 3),
        (["search", "{}/ids.jsonl", "tea"], 3),
        (["search", "{}/docs.jsonl", "tea", "--where", f"{EVIL} or"], 2),
        (["search", "{}/docs.jsonl", "tea", "--embedder", EVIL], 2),
        (["search", "{}/docs.jsonl", "tea", "--embedder", f"onnx:{EVIL}"], 4),
        (["rerank", "{}/docs.jsonl", "tea", "--scores", EVIL], 3),
        (["decompose", f"{EVIL}.csv"], 3),
        (["index", "{}/docs.jsonl", "--to", EVIL], 2),
        (["delete", f"{EVIL}.lance", "a"], 6),
        (["evaluate", EVIL], 3),
    ],
)
def test_no_message_steers_a_terminal(
    arguments: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _jsonl(tmp_path / "docs.jsonl", {"id": "a", "text": "tea"})
    _jsonl(tmp_path / "fields.jsonl", {"id": "a", EVIL: 1})
    _jsonl(tmp_path / "ids.jsonl", {"id": EVIL, "text": "tea"}, {"id": EVIL, "text": "milk"})
    (tmp_path / "header.csv").write_text(f"id,{EVIL}\na,b\n")
    assert main([argument.replace("{}", str(tmp_path)) for argument in arguments]) == code
    printed = capsys.readouterr()
    assert _is_harmless(printed.out + printed.err)
    assert "esens: " in printed.err


def test_arguments_that_nobody_knows_are_shown_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["delete", "x.lance", "a", f"--{EVIL}"],
        [EVIL],
        ["delete", "x", "a", "--at=milvus:/u:SECRET@h/c"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        said = capsys.readouterr().err
        assert _is_harmless(said)
        assert "SECRET" not in said


def test_json_holds_no_sign_that_steers(tmp_path: Path, embedder: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _jsonl(tmp_path / "d.jsonl", {"id": EVIL, "text": f"tea {EVIL}", "n": float("nan"), EVIL: 1e999})
    assert main(["search", rows, f"tea {EVIL}", "--json", "--embedder", embedder]) == 0
    printed = capsys.readouterr().out
    assert _is_harmless(printed)
    (hit,) = json.loads(printed, parse_constant=pytest.fail)["hits"]
    assert hit["id"] == EVIL
    assert hit["metadata"] == {"n": None, EVIL: "Infinity"}
    assert main(["decompose", f"tea {EVIL}", "--json"]) == 0
    assert _is_harmless(capsys.readouterr().out)


def test_messages_are_of_bounded_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _jsonl(tmp_path / "d.jsonl", {f"field {number}": 1 for number in range(100_000)})
    long_id = _jsonl(tmp_path / "e.jsonl", *({"id": "x" * 1_000_000, "text": "tea"} for _ in range(2)))
    for path in (rows, long_id):
        assert main(["search", path, "tea"]) == 3
        assert len(capsys.readouterr().err) < 3000


@pytest.mark.parametrize(
    "spec",
    [
        "milvus://root:SECRET/x@host:1/docs",
        "postgresql:/u:SECRET@h/db?table=t",
        "postgresql:u:SECRET@h/db?table=t",
        "postgresql//u:SECRET@h/db?table=t",
        "postgresql://u:SECRET@h:port/db?table=t",
        "postgresql://u:SECRET@[h/db?table=t",
        "postgresql://u:SECRET@h/db",
        "postgresql://127.0.0.1:1/db?table=t&pass=SECRET",
        "postgresql://127.0.0.1:1/db?table=t&pwd=SECRET",
        "mysql://u:SECRET@h/db",
        "qdrant:/u:SECRET@h/c",
        "qdrant://127.0.0.1:1/c?key=SECRET",
        "qdrant://u:SECRET@127.0.0.1:1/c",
        "milvus:/u:SECRET@h/c",
        "host=h password=SECRET",
    ],
)
@pytest.mark.parametrize("command", ["search", "index", "delete"])
def test_no_password_shows(
    command: str, spec: str, tmp_path: Path, embedder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = _jsonl(tmp_path / "docs.jsonl", {"id": "a", "text": "tea"})
    arguments = {
        "search": ["search", spec, "tea", "--embedder", embedder],
        "index": ["index", docs, "--to", spec, "--embedder", embedder],
        "delete": ["delete", spec, "a"],
    }[command]
    assert main(arguments) in (2, 3, 4, 6)
    printed = capsys.readouterr()
    assert "SECRET" not in printed.out + printed.err
