"""Without its extra, an integration says how to install it; and nothing else needs any of them."""

import subprocess
import sys
from pathlib import Path

import pytest

import esens

HOSTS = {
    "langchain": "langchain_core",
    "llama_index": "llama_index",
    "haystack": "haystack",
    "pyterrier": "pyterrier",
    "mteb": "mteb",
}
PROGRAMS = ("langchain_core", "llama_index", "haystack", "pyterrier", "mteb", "rerankers")


def _run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("host", HOSTS)
def test_without_the_extra_the_error_is_the_line_to_type(host: str) -> None:
    done = _run(f"import sys; sys.modules[{HOSTS[host]!r}] = None; import esens.integrations.{host}")
    extra = host.replace("_", "-")
    assert done.returncode
    assert done.stderr.endswith(f'is not installed. Install it with: pip install "esens[{extra}]"\n')


def test_every_integration_with_an_extra_is_tried_here() -> None:
    folder = Path(esens.__file__).parent / "integrations"
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    # tests/server tries the tools for language models, which are the service's.
    assert modules - {"explained", "rerankers", "mcp"} == set(HOSTS)


def test_nothing_else_imports_another_program() -> None:
    done = _run(
        "import sys, esens, esens.cli.main, esens.integrations.rerankers;"
        f"sys.exit(bool(set(sys.modules) & set({PROGRAMS!r})))"
    )
    assert done.returncode == 0, done.stderr
