"""Run the protocol's own conformance suite against ``esens mcp``: ``python -m tests.server.conformance``.

The suite comes from npm, and so does a newer node where the one that is here is too old for it. It asks every
server for tools, prompts and resources of its own making; ``conformance.yml`` lists those, which no other server
has. Whatever fails and is not on the list fails this run, and so does a name on it that fails no more.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.server.running import ROOT, ChildService

import esens
from esens.demo import load_corpus
from esens.integrations.mcp import PATH

SUITE, NODE = "@modelcontextprotocol/conformance@0.1.16", "node@22"
OLDEST_NODE = 22
EXPECTED = Path(__file__).with_name("conformance.yml")
INSTALLED = ROOT / ".venv" / "mcp-conformance"


def main() -> int:
    """Install the suite, serve the demo's corpus, and try it."""
    if shutil.which("npm") is None:
        sys.stderr.write("npm is not installed, so the conformance suite of the protocol was not run\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder, "demo.lance")
        esens.build_index(load_corpus(), index)
        service = ChildService(str(index), "--transport", "http", command="mcp")
        try:
            return _try(service.url)
        finally:
            service.stop()


def _try(url: str) -> int:
    assert url.endswith(PATH)
    packages = [SUITE] if _node_version() >= OLDEST_NODE else [SUITE, NODE]
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(INSTALLED), *packages]
    subprocess.run(install, check=True)
    programs = INSTALLED / "node_modules" / ".bin"
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    suite: list[str | Path] = [programs / "conformance", "server", "--url", url, "--expected-failures", EXPECTED]
    return subprocess.run(suite, env=environment, check=False).returncode


def _node_version() -> int:
    shown = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(shown.removeprefix("v").partition(".")[0])


if __name__ == "__main__":
    sys.exit(main())
