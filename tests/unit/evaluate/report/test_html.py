"""The page is whole and needs nothing else."""

import re
import warnings
from html.parser import HTMLParser

from tests.evaluations import (
    EVALUATION,
    NAMED_BY_ENEMIES,
    WITH_DEFAULT,
    every_evaluation,
    needs_matplotlib,
)

from esens.evaluate.report import (
    evaluation_tables,
    html_page,
    plots,
)
from esens.evaluate.results import Evaluation

COMMAND = "esens evaluate data/excluir --html 'a b.html'"


class Checked(HTMLParser):
    """Keeps the stack of open elements, and all that a page could load or run."""

    VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "srcset", "action", "data", "xlink:href"}:
                self.references.append(value or "")
            self.references += re.findall(r"url\((.*?)\)", value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: str) -> Checked:
    checked = Checked()
    checked.feed(page)
    checked.close()
    assert not checked.open
    return checked


@needs_matplotlib
@every_evaluation
def test_the_page_is_whole_and_stands_alone(evaluation: Evaluation) -> None:
    page = html_page(evaluation, COMMAND)
    checked = parsed(page)
    assert page.startswith("<!DOCTYPE html>")
    assert not {"script", "link", "img", "iframe", "image", "metadata"} & set(checked.tags)
    assert "http" not in page
    assert "@import" not in page
    assert all(one.startswith("#") and one[1:] in checked.ids for one in checked.references)
    assert len(checked.ids) == len(set(checked.ids))
    assert checked.tags.count("svg") == len(plots(evaluation))
    assert checked.tags.count("table") == len(evaluation_tables(evaluation))
    assert evaluation.setup.dataset in checked.text
    assert COMMAND in checked.text
    for one in evaluation.methods:
        assert one.method in checked.text


@needs_matplotlib
def test_the_page_follows_light_and_dark() -> None:
    page = html_page(EVALUATION, COMMAND)
    assert "prefers-color-scheme: dark" in page
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawn)) == set()
    assert {f"--series-{number}" in page for number in range(4)} == {True}


@needs_matplotlib
def test_the_page_marks_the_default_and_says_what_methods_do() -> None:
    page = html_page(WITH_DEFAULT, COMMAND)
    assert page.count('<tr class="marked"><td class="text">esens (default)</td>') == 2
    assert "<dt>esens (default)</dt><dd>The default search.</dd>" in page
    assert "What the methods do" not in html_page(EVALUATION, COMMAND)


@needs_matplotlib
def test_no_format_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html_page(NAMED_BY_ENEMIES, COMMAND)
