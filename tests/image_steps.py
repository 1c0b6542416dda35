"""Do what the Dockerfile says without Docker: ``python -m tests.image_steps``, on Linux, as root.

The files that ``.dockerignore`` lets through are installed into an empty environment. What is there then runs as
the image's user, without a network but loopback: it indexes documents, serves them, and the command of HEALTHCHECK
says that it lives, and when it has been stopped, that it does not.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from esens.server.keys import new_key
from tests.docs.test_deploy import COPIED, EXTRAS, environment, last
from tests.server.running import DOCUMENTS

ROOT = Path(__file__).parents[1]
INSIDE = "inside"
SECONDS_TO_START = 60
NOBODYS = 0o755


def main() -> int:
    """Install, as the first stage does; then go on without a network."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        sys.exit("this needs root and unshare: it runs as another user, in a network of its own")
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(NOBODYS)
        _install(Path(place, "build"), Path(place, "opt"))
        alone = ["unshare", "--net", "--pid", "--fork", "--kill-child"]
        command = [*alone, sys.executable, "-m", "tests.image_steps", INSIDE, place]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


def _install(build: Path, target: Path) -> None:
    build.mkdir()
    for path in COPIED:
        source = ROOT / path
        shutil.copytree(source, build / path) if source.is_dir() else shutil.copy(source, build / path)
    venv.create(target, with_pip=True)
    pip: list[str | Path] = [
        target / "bin/pip",
        "install",
        "--quiet",
        "--no-cache-dir",
        "--disable-pip-version-check",
    ]
    subprocess.run([*pip, f".[{EXTRAS}]"], cwd=build, check=True)


def inside(place: Path) -> int:
    """Index, serve and ask, as the user of the image."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    data = place / "data"
    data.mkdir()
    (data / "docs.jsonl").write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    user, group = map(int, last("USER").split(":"))
    os.chown(data, user, group)
    _, key = new_key(["read"])
    # Of this machine's variables it gets none.
    variables = environment() | {"PATH": f"{place}/opt/bin:/usr/bin:/bin", "ESENS_SERVE_KEYS": str(key)}
    as_user = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs"]

    def start(*typed: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([*as_user, *typed], cwd=data, env=variables)

    check = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert start("esens", "index", "docs.jsonl", "--to", "my.lance").wait() == 0
    assert start(*check).wait() != 0, "nothing is served yet, and the health check says that it lives"
    service = start("esens", *json.loads(last("CMD")))
    until = time.monotonic() + SECONDS_TO_START
    while start(*check).wait() != 0:
        assert service.poll() is None, "the service ended"
        assert time.monotonic() < until, "the health check never succeeded"
    service.terminate()
    service.wait(60)
    assert start(*check).wait() != 0, "the service was stopped, and the health check says that it lives"
    sys.stderr.write("installed, indexed, served and healthy, as the image's user and without a network\n")
    return 0


if __name__ == "__main__":
    sys.exit(inside(Path(sys.argv[2])) if sys.argv[1:2] == [INSIDE] else main())
