"""The documentation as ``make docs`` built it: every page in a browser, which asks nobody else for anything."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

SITE = Path(__file__).parents[2] / "site"
MAIN = (
    "index.html",
    "start.html",
    "how-it-works.html",
    "comparison.html",
    "commands.html",
    "api.html",
    "limits.html",
)
SEARCH = "[data-md-component=search-query]"
OPEN_SEARCH = "label.md-header__button[for=__search]"
FOUND = ".md-search-result__item a[href*='scores.html']"
LONG = 30_000  # the browser makes the index first

pytestmark = pytest.mark.skipif(not (SITE / "index.html").exists(), reason="the site is not built: make docs")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the parent's
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=[390, 1300])
def opened(request: pytest.FixtureRequest, browser: Any, site: str) -> Iterator[Any]:
    """A page whose search box has the focus, narrow and wide."""
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    page = context.new_page()
    page.goto(f"{site}/index.html")
    if page.is_visible(OPEN_SEARCH):
        page.click(OPEN_SEARCH)
    page.click(SEARCH)
    yield page
    context.close()


def test_what_is_typed_into_the_search_box_is_found(opened: Any) -> None:
    opened.keyboard.type("cut-off")
    opened.wait_for_selector(FOUND, timeout=LONG)


def test_what_is_pasted_into_it_is_found_too(opened: Any) -> None:
    opened.keyboard.type("xyzzy")
    opened.wait_for_selector("text=No matching documents", timeout=LONG)
    opened.fill(SEARCH, "cut-off")  # as pasting does: all at once, and no key
    opened.wait_for_selector(FOUND, timeout=LONG)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_the_main_pages_ask_nobody_and_fit(browser: Any, site: str, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    for name in MAIN:
        page.goto(f"{site}/{name}")
        page.wait_for_load_state("networkidle")
        # Wide tables and code scroll by themselves; the page does not.
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    context.close()
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert wrong == []
