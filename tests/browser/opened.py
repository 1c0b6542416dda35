"""The page as it is open in a browser, and what a person does with it."""

from typing import Any
from urllib.parse import quote


class Opened:
    """A tab with the page, which notes what goes wrong in it and where it sends requests."""

    def __init__(self, context: Any, url: str) -> None:
        self.context, self.url = context, url
        self.expects_errors = False
        self.requests: list[str] = []
        self.searches: list[str] = []
        self.problems: list[str] = []
        self.page = context.new_page()
        self.page.on("request", self._note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._hear)

    def _note(self, request: Any) -> None:
        self.requests.append(request.url)
        if request.url.endswith("/v1/search"):
            self.searches.append(request.post_data)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def check(self) -> None:
        # A browser writes every refused request into the console, which no page can help.
        refused = "Failed to load" if self.expects_errors else "nothing that"
        problems = [problem for problem in self.problems if not problem.startswith(refused)]
        assert problems == [], problems
        elsewhere = [url for url in self.requests if not url.startswith(f"{self.url}/")]
        assert elsewhere == [], elsewhere

    def go(self, address: str) -> None:
        self.page.goto(f"{self.url}/{address}")
        self.settle()

    def search(self, text: str) -> None:
        """Type a query and wait for its answer."""
        self.page.fill("#query", text)
        with self.answer():
            self.page.press("#query", "Enter")
        self.settle()

    def answer(self) -> Any:
        return self.page.expect_response(lambda response: response.url.endswith("/v1/search"))

    def settle(self) -> None:
        self.page.wait_for_selector("#search[aria-busy=false]", state="attached")

    def ids(self, side: str = "esens") -> list[str]:
        cards: list[str] = self.page.eval_on_selector_all(f"#{side} .card", "all => all.map(e => e.dataset.id)")
        return cards

    def set_beta(self, beta: float) -> None:
        """Move the slider, as a hand does: events while it moves, and one when it rests."""
        move = "(e, v) => { e.value = v; for (const t of ['input', 'change']) e.dispatchEvent(new Event(t)); }"
        self.page.eval_on_selector("#beta", move, beta)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))


def asking(query: str, **more: str) -> str:
    """The address of a question."""
    return "#" + "&".join(f"{name}={quote(value)}" for name, value in {"q": query, **more}.items())
