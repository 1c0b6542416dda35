"""What happens without the packages of the extra."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

NEEDED = ("fastapi", "uvicorn", "httpx")


@pytest.mark.parametrize("package", NEEDED)
def test_the_service_is_tested_here(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"no test of the service runs, for {package} is not installed: pip install -e '.[serve-test]'")


@pytest.mark.parametrize(
    ("typed", "package", "extra"),
    [
        (["serve", "my.lance"], "fastapi", "serve"),
        (["serve", "my.lance"], "uvicorn", "serve"),
        (["demo", "--serve"], "fastapi", "serve"),
        (["demo", "--serve"], "uvicorn", "serve"),
        (["mcp", "my.lance"], "mcp", "mcp"),
        (["mcp", "my.lance"], "fastapi", "mcp"),
    ],
)
def test_without_the_extra_the_command_says_how_to_install_it(typed: list[str], package: str, extra: str) -> None:
    hidden = f"import sys; sys.modules[{package!r}] = None"
    script = f"{hidden}; from esens.cli.main import main; sys.exit(main({typed!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 4
    assert f'pip install "esens[{extra}]"' in done.stderr
