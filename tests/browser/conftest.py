"""A real browser on a real service: Debian's Chromium, or the one that CHROMIUM names."""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
MISSING = [name for name in ("playwright", "axe_playwright_python", "fastapi", "httpx") if find_spec(name) is None]
# As root it needs to go without its sandbox, and offline without its own calls home.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
if MISSING:
    collect_ignore_glob = ["test_*.py"]
else:
    from tests.browser.opened import Opened
    from tests.server.running import Running, running

    from esens import Searcher
    from esens.cli.demo import EXAMPLES
    from esens.demo import load_corpus


@pytest.fixture(scope="session")
def demo_searcher() -> "Searcher":
    return Searcher.from_documents(load_corpus())


@pytest.fixture(scope="session")
def service(demo_searcher: "Searcher") -> "Iterator[Running]":
    texts = ["Tea with milk.", "Tea with lemon.", "Coffee from a moka pot.", "A bicycle for children."]
    other = Searcher.from_documents(texts, embedder=demo_searcher._embedder)
    with running({"demo": demo_searcher, "other": other}, examples=EXAMPLES) as state:
        yield state


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None or not Path(CHROMIUM).exists():
        what = "no Chromium is installed" if CHROMIUM is None else f"there is no {CHROMIUM}"
        pytest.skip(f"{what}: install Debian's package chromium, or name one with CHROMIUM=path")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any, service: "Running") -> "Iterator[Callable[..., Opened]]":
    """Give a function that opens the page; in the end, nothing may have gone wrong in any that it opened."""
    opened: list[Opened] = []

    def opens(address: str = "", *, url: str = service.url, width: int = 1200, **options: Any) -> Opened:
        settings = {"viewport": {"width": width, "height": 900}, "reduced_motion": "reduce", **options}
        opened.append(Opened(browser.new_context(**settings), url))
        opened[-1].go(address)
        return opened[-1]

    yield opens
    for each in opened:
        each.context.close()
    for each in opened:
        each.check()
