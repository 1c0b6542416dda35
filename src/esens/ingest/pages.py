"""One page, as a text with a title: .txt, .md and .html."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from esens.errors import InputError

ENDINGS = (".txt", ".md", ".html", ".htm")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=#|[\w-]+:|---)(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_SETTING = re.compile(r"^(\w[\w-]*):[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Page:
    """What a file says."""

    title: str
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)


def page_of(file: Path) -> Page:
    """Read a page; without a title of its own, the file's name is its title."""
    suffix = file.suffix.lower()
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(file, error.strerror or "cannot be read") from None
    page = _READERS[suffix](file, content)
    if not page.text.strip():
        raise InputError(file, "holds no text" if content.strip() else "is empty")
    return replace(page, title=page.title or file.stem, text=page.text.strip())


def _text(file: Path, content: bytes) -> Page:
    return Page("", _decoded(file, content))


def _html(file: Path, content: bytes) -> Page:
    from esens.ingest.html import declared_charset, read_html  # its table of signs is large

    try:
        return Page(*read_html(_decoded(file, content, declared_charset(content))))
    except AssertionError as error:  # how html.parser says that it gives up on a declaration
        raise InputError(file, f"is not HTML that can be read ({error})") from None


def _decoded(file: Path, content: bytes, declared: str | None = None) -> str:
    marked = next((name for mark, name in _BOMS if content.startswith(mark)), None)
    encoding = marked or declared or "utf-8"
    try:
        return content.decode(encoding).replace("\r\n", "\n")
    except LookupError:
        problem = f"says that its charset is {encoding!r}, which is unknown; save it as UTF-8 and try again"
    except UnicodeError:
        claim = ", though it says so" if encoding != "utf-8" else ""
        problem = f"is not {encoding.upper()}{claim}; save it as UTF-8 and try again"
    raise InputError(file, problem)


def _markdown(file: Path, content: bytes) -> Page:
    """Markdown as it is written, without the front matter: settings above it between two ``---``."""
    text = _decoded(file, content)
    settings: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        settings = {name: value.strip("\"'") for name, value in _SETTING.findall(front[1] or "")}
        text = text[front.end() :]
    return Page(settings.pop("title", "") or _first_heading(text), text, settings)


def _first_heading(text: str) -> str:
    fence = ""
    for line in text.split("\n"):
        if mark := _FENCE.match(line):  # in a block of code, # begins a comment
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (heading := _HEADING.match(line)) and heading[1]:
            return heading[1]
    return ""


_READERS = {".txt": _text, ".md": _markdown, ".html": _html, ".htm": _html}
