"""What docs/service.md says is true."""

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from tests.server.running import ROOT, ChildService, Running, running

from esens.cli.main import main, parser
from esens.cli.parsing import CommandParser
from esens.server.service import _WRITES_WAITING
from esens.server.settings import Settings, read_settings

PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
DOCS = '{"id": "doc-17", "text": "lemon dressing", "year": 2001}\n{"text": "vinegar dressing", "year": 2002}\n'


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def _shown(name: str, default: object) -> str:
    match default:
        case "" | ():
            return "–"
        case bool():
            return "on" if default else "off"
        case int():
            return "as many as cores" if name == "threads" else f"{default:,}"
        case float():
            return f"{default:g}"
    return f"`{default}`"


def test_the_page_lists_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
    settings = [setting for setting in fields(Settings) if setting.name != "collections"]
    assert rows == [
        (setting.name, _shown(setting.name, setting.default), setting.metadata["what"]) for setting in settings
    ]
    assert f"{_WRITES_WAITING} places" in PAGE


def test_the_page_lists_every_code_of_an_error() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/esens/server").glob("*.py"))
    codes = set(re.findall(r'Problem\(\s*(\d{3}), "(\w+)"', source))
    assert len(codes) > 15
    rows = dict(re.findall(r"^\| ([\d, ]+) \| (.+) \|$", PAGE, re.MULTILINE))
    for status, code in codes:
        (told,) = [text for statuses, text in rows.items() if status in statuses.split(", ")]
        assert f"`{code}`" in told


def test_the_page_lists_every_address() -> None:
    with running() as service:
        description = service.client.get("/openapi.json").json()
    for path, methods in description["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}" in PAGE


def test_the_file_of_settings_is_read(tmp_path: Path) -> None:
    (block,) = _blocks("toml")
    (tmp_path / "serve.toml").write_text(block)
    settings = read_settings({"config": str(tmp_path / "serve.toml")}, {})
    assert list(settings.collections) == ["films", "shop"]
    assert settings.max_k == 100


def test_the_commands_can_be_typed() -> None:
    lines = [line for block in _blocks("sh") for line in block.splitlines() if line.startswith("esens ")]
    assert len(lines) == 5
    for line in lines:
        options = parser().parse_args(shlex.split(line)[1:])
        assert isinstance(options.parser, CommandParser)


def test_the_calls_on_the_page_are_answered(tmp_path: Path) -> None:
    pytest.importorskip("lance", reason="pylance is not installed: pip install -e '.[lance]'")
    pytest.importorskip("wordllama", reason="wordllama is not installed: pip install -e '.[wordllama]'")
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    (tmp_path / "docs.jsonl").write_text(DOCS)
    index = str(tmp_path / "my.lance")
    assert main(["index", str(tmp_path / "docs.jsonl"), "--to", index, "--embedder", "wordllama"]) == 0
    service = ChildService(index)
    calls = [block for block in _blocks("sh") if "curl" in block]
    assert len(calls) == 4
    for block in calls:
        typed = block.replace("localhost:8080", service.url.removeprefix("http://")).replace("curl -s", "curl -sf")
        done = subprocess.run(["sh", "-e", "-c", typed], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, typed
        assert done.stdout.startswith("{")
    service.stop()


def test_the_program_on_the_page_reranks(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cohere", reason="cohere is not installed: pip install -e '.[serve-test]'")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (block,) = _blocks("python")
    with running() as service:  # a process of its own, since the client leaves its connection open
        program = block.replace("http://localhost:8080", service.url)
        subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_the_error_on_the_page_is_the_one_that_comes() -> None:
    with running() as service:
        answer = _refused(service)
    assert f'"message": "{answer["message"]}"' in PAGE
    assert f'"remedy": "{answer["remedy"]}"' in PAGE


def _refused(service: Running) -> dict[str, str]:
    error: dict[str, str] = service.post("/v1/search", {"query": "tea", "k": 5000}).json()["error"]
    return error
