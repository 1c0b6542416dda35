"""One page, as a text with a title: .txt, .md and .html."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from esens.errors import InputError
from esens.ingest.limits import Limits
from esens.ingest.lines import open_file

ENDINGS = (".txt", ".md", ".html", ".htm")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=#|[\w-]+:|---)(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_SETTING_NAME = re.compile(r"\w[\w-]*")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Page:
    """What a file says."""

    title: str
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)


def page_of(file: Path, limits: Limits = Limits()) -> Page:  # noqa: B008 - frozen
    """Read a page; without a title of its own, the file's name is its title."""
    suffix = file.suffix.lower()
    try:
        with open_file(file) as stream:
            content = stream.read(limits.row_bytes + 1)
    except OSError as error:
        raise InputError(file, error.strerror or "cannot be read") from None
    if len(content) > limits.row_bytes:
        raise InputError(file, limits.too_long("is a page of", limits.row_bytes))
    page = _READERS[suffix](file, content)
    if not page.text.strip():
        raise InputError(file, "holds no text" if content.strip() else "is empty")
    return replace(page, title=page.title or file.stem, text=page.text.strip())


def _text(file: Path, content: bytes) -> Page:
    return Page("", _decoded(file, content))


def _html(file: Path, content: bytes) -> Page:
    from esens.ingest.html import declared_charset, read_html  # its table of signs is large

    return Page(*read_html(_decoded(file, content, declared_charset(content))))


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
        settings = dict(filter(None, map(_setting, (front[1] or "").split("\n"))))
        text = text[front.end() :]
    return Page(settings.pop("title", "") or _first_heading(text), text, settings)


def _setting(line: str) -> tuple[str, str] | None:
    name, _, rest = line.partition(":")
    value = rest.strip(" \t")
    is_setting = _SETTING_NAME.fullmatch(name) and rest[:1] in (" ", "\t") and value
    return (name, value.strip("\"'")) if is_setting else None


def _first_heading(text: str) -> str:
    fence = ""
    for line in text.split("\n"):
        if mark := _FENCE.match(line):  # in a block of code, # begins a comment
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (heading := _heading(line)):
            return heading
    return ""


def _heading(line: str) -> str:
    mark = _HEADING.match(line)
    return line[mark.end() :].strip(" \t").rstrip("#").rstrip(" \t") if mark else ""


_READERS = {".txt": _text, ".md": _markdown, ".html": _html, ".htm": _html}
