"""Check a built site: no page loads anything from elsewhere, and none is empty: ``python check_site.py site``.

Links that a reader may click lead anywhere. What a browser loads by itself must be of the site: scripts, styles,
images, fonts, frames, and what styles name.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Of these elements a browser loads what the attributes name, as soon as it shows the page.
LOADED = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "input": ("src",),
    "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
    "form": ("action",),
}
# Links of other kinds say something and load nothing.
LOADING_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "modulepreload",
    "preconnect",
    "dns-prefetch",
    "manifest",
}
_IN_STYLE = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


class Loads(HTMLParser):
    """Notes what a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in_style = tag == "style"
        self.found += in_style(values.get("style", ""))
        if tag == "link" and LOADING_LINKS & set(values.get("rel", "").split()):
            self.found.append(values.get("href", ""))
        for name in LOADED.get(tag, ()):
            places = values.get(name, "").split(",") if name == "srcset" else [values.get(name, "")]
            self.found += [place.split()[0] for place in places if place.split()]

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.found += in_style(data)


def in_style(text: str) -> list[str]:
    return [first or second for first, second in _IN_STYLE.findall(text)]


def loads_of(file: Path) -> list[str]:
    """Return what a browser loads for a page, a style or a drawing."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".css":
        return in_style(text)
    page = Loads()
    page.feed(text)
    return page.found


def problems(site: Path) -> Iterator[str]:
    """Yield what is wrong, a line each."""
    for file in sorted(path for path in site.rglob("*") if path.suffix in (".html", ".css", ".svg")):
        for place in loads_of(file):
            parts = urlsplit(place)
            if parts.scheme == "data" or place.startswith("#"):
                continue
            here = site if file.name == "404.html" and parts.path.startswith("/") else file.parent
            if parts.scheme or parts.netloc:
                yield f"{file.relative_to(site)} loads {place} from elsewhere"
            elif not (here / unquote(parts.path).lstrip("/")).exists():
                yield f"{file.relative_to(site)} loads {place}, which is not there"


if __name__ == "__main__":
    site = Path(sys.argv[1])
    pages = len(list(site.rglob("*.html")))
    wrong = list(problems(site))
    if not pages:
        sys.exit(f"{site} has no pages")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{pages} pages, none of which loads anything from elsewhere")
