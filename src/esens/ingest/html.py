"""What a page of HTML says to a reader: its title and its text, without menus and scripts."""

import re
from html.parser import HTMLParser

_UNSEEN = frozenset({"script", "style", "title"})
_MENUS = frozenset({"nav", "template", "noscript"})
_NEVER_IN_A_MENU = frozenset({"main", "article"})
_BLOCKS = """
address article aside blockquote body details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
header hr main ol p pre section summary table ul
"""
_PARAGRAPHS = frozenset(_BLOCKS.split())
_LINES = frozenset({"br", "caption", "dd", "dt", "legend", "li", "option", "tr"})
_CELLS = frozenset({"td", "th"})
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_PARAGRAPH = "\f"  # between two paragraphs, until the text is tidied; white space of the source is a space
_HEAD = 4096  # bytes; browsers look no further than the first thousand


def read_html(page: str) -> tuple[str, str]:
    r"""Return the title and the text of a page.

    >>> read_html("<title>Tea</title><h1>Green tea</h1><p>Steam it &amp;<br>dry it.<script>x()</script>")
    ('Tea', 'Green tea\n\nSteam it &\ndry it.')
    """
    reader = _PageReader()
    reader.feed(page)
    reader.close()
    return _tidy("".join(reader.title)) or _tidy("".join(reader.heading)), _tidy("".join(reader.text))


def declared_charset(content: bytes) -> str | None:
    """Return the charset that a page says it is written in, if it does."""
    match = _CHARSET.search(content[:_HEAD])
    name = match[1].decode("ascii").lower() if match else None
    # Where this can be read at all, it is not two bytes a sign: browsers take it for UTF-8, too.
    return "utf-8" if name and name.startswith("utf-16") else name


class _PageReader(HTMLParser):
    """Collects what is seen. A line break in it is one that is seen, too; one in the source is a space.

    The text of a menu is collected, too, and dropped when the menu ends. Where the end is missing, as in a page
    that was cut off, it is unknown where the menu stops and the text begins, so all of it stays.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.heading: list[str] = []
        self.text: list[str] = []
        self._unseen: list[str] = []
        self._menus: list[tuple[str, int]] = []
        """Open menus, templates and so on: the tag, and how many pieces of text came before it."""
        self._in_heading = False
        self._has_title = self._has_heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag in _MENUS and not self._unseen:
            self._menus.append((tag, len(self.text)))
        elif not self._unseen:
            if tag in _NEVER_IN_A_MENU:
                self._end_menu("nav")
            can_be_heading = tag == "h1" and not self._has_heading and not self._menus
            self._in_heading = self._in_heading or can_be_heading
            self.text.append(_gap(tag))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            while self._unseen.pop() != tag:  # what was not closed ends with what it stands in
                pass
            self._has_title = self._has_title or (tag == "title" and bool("".join(self.title).strip()))
        elif not self._unseen and tag in _MENUS:
            self._end_menu(tag)
        elif not self._unseen:
            if tag == "h1" and self._in_heading:
                self._in_heading, self._has_heading = False, bool("".join(self.heading).strip())
            self.text.append(_gap(tag))

    def handle_data(self, data: str) -> None:
        seen = re.sub(r"\s+", " ", data)
        if self._unseen == ["title"] and not self._has_title:
            self.title.append(seen)
        elif not self._unseen:
            self.text.append(seen)
            if self._in_heading:
                self.heading.append(seen)

    def _end_menu(self, tag: str) -> None:
        """Throw away what was collected since a menu of this tag began, if one is open."""
        if any(tag == open_tag for open_tag, _ in self._menus):
            while self._menus[-1][0] != tag:
                self._menus.pop()
            _, before = self._menus.pop()
            del self.text[before:]


def _gap(tag: str) -> str:
    if tag in _PARAGRAPHS:
        return _PARAGRAPH
    if tag in _LINES:
        return "\n"
    return " " if tag in _CELLS else ""


def _tidy(text: str) -> str:
    return re.sub(r"\s+", _widest, text).strip()


def _widest(gaps: re.Match[str]) -> str:
    if _PARAGRAPH in gaps[0]:
        return "\n\n"
    return "\n" if "\n" in gaps[0] else " "
