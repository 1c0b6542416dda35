"""Pages that somebody wrote to stop the reading, and what is read of odd ones."""

import time
from pathlib import Path

import pytest

from esens.ingest.html import declared_charset, read_html
from esens.ingest.pages import page_of

_SHAPES = {
    "menus and other ends": ("<nav>", "</p>"),
    "menus and other menus' ends": ("<nav>", "</template>"),
    "menus within texts": ("x<nav>y", "</nav>"),
    "empty headings": ("<h1> </h1>", ""),
    "headings that never end": ("<h1>x", ""),
    "empty titles": ("<title> </title>", ""),
    "titles in titles": ("<title>", "</title>"),
    "tags that never end": ("<a ", ""),
    "tags that never end, and one that does": ("<a ", ">"),
    "half tags": ("<p/", ""),
    "comments that never end": ("<!--", ""),
    "comments that nearly end": ("<!--", "--!"),
    "declarations": ("<!x", ">"),
    "ends of nothing": ("</", ">"),
    "quotes that never end": ('<a x="', ">"),
    "quotes of both kinds": ("<a x='\"", ">"),
    "equals signs": ("<a =", ">"),
    "blanks before quotes": ("<a = \n", ">"),
    "scripts": ("<script>", "</scrip>"),
    "scripts in scripts": ("<script>", "</script>"),
    "deep": ("<div>", "</div>"),
    "less than": ("<", ""),
    "references": ("&#", "9"),
    "half references": ("&am", ";"),
    "blanks": (" \n", ""),
}


def _seconds(page: str) -> float:
    def once() -> float:
        start = time.thread_time()
        read_html(page)
        return time.thread_time() - start

    return min(once(), once())


@pytest.mark.parametrize(("begin", "end"), _SHAPES.values(), ids=_SHAPES)
def test_a_page_four_times_as_long_takes_about_four_times_as_long(begin: str, end: str) -> None:
    small, large = (begin * n + end * n for n in (5_000, 20_000))  # a square would take sixteen times
    assert _seconds(large) <= 9 * max(_seconds(small), 0.003)


@pytest.mark.parametrize(
    "text",
    ["# a" + " " * 100_000 + "b", "---\na: b" + " " * 100_000 + "c\n---\nx", "# " + " #" * 50_000 + "b"],
    ids=["heading", "setting", "closing marks"],
)
def test_blanks_in_markdown_cost_no_more_than_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text)
    start = time.thread_time()
    page_of(tmp_path / "a.md")
    assert time.thread_time() - start < 5  # it was minutes


@pytest.mark.parametrize(
    ("page", "title", "text"),
    [
        ('<a title="1 > 0">x</a>', "", "x"),
        ("<a title=1>0'>x</a>", "", "0'>x"),
        ('<p class="x>y', "", 'y'),
        ("if a <b then c", "", "if a <b then c"),
        ("<p>a<b", "", "a<b"),
        ("a<!-->b<!--->c<!-- d --!>e<!-- f", "", "abce"),
        ("a<!DOCTYPE html>b<?xml x?>c</ d>e<![CDATA[f]]>g", "", "abceg"),
        ("<SCRIPT>1 < 2</scripted></ScRiPt >x", "", "x"),
        ("<script src=a />x", "", "x"),
        ("<style>a</style><p>b<style>c", "", "b"),
        ("<title>a <b>c</b></title>d", "a c", "d"),
        ("&#" + "9" * 5000 + ";&#x" + "f" * 5000 + ";&#65;", "", "\ufffd\ufffdA"),
        ("\x00<\x00p>a", "", "\x00<\x00p>a"),
    ],
)  # fmt: skip
def test_odd_pages_are_read_as_a_browser_reads_them(page: str, title: str, text: str) -> None:
    assert read_html(page) == (title, text)


def test_a_charset_is_looked_for_in_little_time() -> None:
    start = time.thread_time()
    assert declared_charset(b"<meta" * 1_000_000) is None
    assert time.thread_time() - start < 2
