"""Run what concerns Milvus against a real server of it: ``python tests/milvus_server.py``, on Linux.

The server comes as a package, in an environment of its own (.venv-milvus), because it wants an old client beside
it. It listens on all interfaces, so it and the tests run in a network of their own, where there is none but
loopback, and end with it. It asks for a password, as the tests of a wrong one need.
"""

import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
VENV = ROOT / ".venv-milvus"
# This build of the server does not start with newer ones of the last two.
PACKAGES = ("milvus==2.3.5", "pymilvus==2.3.7", "marshmallow<4", "setuptools<70")
URI = "http://root:Milvus@127.0.0.1:19530"
TESTS = ("-m", "pytest", "tests/contract", "tests/unit/index/test_milvus.py", "-k", "milvus", *sys.argv[2:])
HEALTH = "http://127.0.0.1:9091/healthz"
INSIDE = "inside"
SECONDS_TO_START = 180


def main() -> int:
    """Install the server, and run the tests beside it."""
    installed = VENV / ".installed"
    if not installed.exists():
        venv.create(VENV, with_pip=True)
        subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        installed.touch()
    alone = ["unshare", "--net", "--pid", "--fork", "--kill-child"]
    as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    command = [*alone, *as_root, sys.executable, __file__, INSIDE, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def inside() -> int:
    """Start the server, run the tests when it answers, and stop it."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command: list[str | Path] = [
            VENV / "bin/milvus-server",
            "--data",
            f"{folder}/data",
            "--proxy-port",
            "19530",
        ]
        with log.open("w") as output:
            server = subprocess.Popen(
                [*command, "--authorization-enabled", "true"], stdout=output, stderr=subprocess.STDOUT
            )
        try:
            _wait(server, log)
            environment = os.environ | {"ESENS_TEST_MILVUS_URI": URI}
            return subprocess.run([sys.executable, *TESTS], cwd=ROOT, env=environment, check=False).returncode
        finally:
            server.terminate()
            server.wait(30)


def _wait(server: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while server.poll() is None and time.monotonic() < until:
        try:
            with urlopen(HEALTH, timeout=5) as answer:
                if answer.read() == b"OK":
                    return
        except OSError:
            time.sleep(1)
    sys.exit(f"the server did not start:\n{log.read_text()}")


if __name__ == "__main__":
    sys.exit(inside() if sys.argv[1:2] == [INSIDE] else main())
