"""What a page of HTML says to a reader: its title and its text, without menus and scripts.

Pages are written by anybody, so the time for one grows with its length and with nothing else: no sign is read more
than a few times. docs/decisions/0013-reading-html.md says why no library reads them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

_RAW = frozenset({"script", "style"})
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
# Where something begins that is no text: a tag, a comment, a declaration.
_MARKUP = re.compile(r"<(?:(?P<slash>/?)(?P<name>[A-Za-z][^\s/>]*)|(?P<comment>!--)|[!?/])")
# The rest of a tag: a > between quotes does not end it. Each second + gives nothing back: no sign is read twice.
_TAG_END = re.compile(r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+>""")
_RAW_END = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE) for tag in _RAW}
_COMMENT_END = re.compile(r"--!?>")
_NO_SIGN = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")  # Python reads no number of thousands of digits


def read_html(page: str) -> tuple[str, str]:
    r"""Return the title and the text of a page.

    >>> read_html("<title>Tea</title><h1>Green tea</h1><p>Steam it &amp;<br>dry it.<script>x()</script>")
    ('Tea', 'Green tea\n\nSteam it &\ndry it.')
    """
    reader = _PageReader()
    read = {"start": reader.start, "end": reader.end, "text": reader.add}
    for kind, value in _tokens(page):
        read[kind](value)
    return _tidy("".join(reader.title)) or _tidy("".join(reader.heading)), _tidy("".join(reader.text))


def declared_charset(content: bytes) -> str | None:
    """Return the charset that a page says it is written in, if it does."""
    match = _CHARSET.search(content[:_HEAD])
    name = match[1].decode("ascii").lower() if match else None
    # Where this can be read at all, it is not two bytes a sign: browsers take it for UTF-8, too.
    return "utf-8" if name and name.startswith("utf-16") else name


def _tokens(page: str) -> Iterator[tuple[str, str]]:
    """Yield the start and the end of each element, by its name, and the texts between them.

    As in a browser, a comment or a script that never ends hides the rest of the page. A tag that never ends is
    text: it may be a < of the text.
    """
    at, last = 0, page.rfind(">")
    while markup := _MARKUP.search(page, at):
        yield "text", page[at : markup.start()]
        at = markup.start()
        if markup["comment"]:
            end = _COMMENT_END.search(page, at + 2)  # <!--> is a comment, too
            at = end.end() if end else len(page)
            continue
        closing = _TAG_END.match(page, markup.end()) if at < last else None
        if closing is None:
            break
        at, tag = closing.end(), (markup["name"] or "").lower()
        if not tag:  # a declaration
            continue
        yield "end" if markup["slash"] else "start", tag
        if page[at - 2] == "/":
            yield "end", tag
        elif tag in _RAW and not markup["slash"]:
            at = _raw_end(page, tag, at)
    yield "text", page[at:]


def _raw_end(page: str, tag: str, begin: int) -> int:
    """Return where the end tag of a script stands: at the end of the page if there is none."""
    end = _RAW_END[tag].search(page, begin)
    return end.start() if end else len(page)


class _PageReader:
    """Collects what is seen. A line break in it is one that is seen, too; one in the source is a space.

    The text of a menu is collected, too, and dropped when the menu ends. Where the end is missing, as in a page
    that was cut off, it is unknown where the menu stops and the text begins, so all of it stays.
    """

    def __init__(self) -> None:
        self.title: list[str] = []
        self.heading: list[str] = []
        self.text: list[str] = []
        self._titles = 0
        """How many are open, one in another."""
        self._menus: list[tuple[str, int]] = []
        """Open menus, templates and so on: the tag, and how many pieces of text came before it."""
        self._open_menus = Counter[str]()
        self._in_heading = False
        self._has_title = self._has_heading = False

    def start(self, tag: str) -> None:
        """Begin an element."""
        if tag == "title":
            self._titles += 1
        elif not self._titles:
            if tag in _NEVER_IN_A_MENU:
                self._end_menu("nav")
            if tag in _MENUS:
                self._menus.append((tag, len(self.text)))
                self._open_menus[tag] += 1
            elif tag == "h1" and not self._has_heading and not self._menus:
                self._in_heading = True
            self.text.append(_gap(tag))

    def end(self, tag: str) -> None:
        """End an element, if it has begun."""
        if self._titles:
            self._titles -= tag == "title"
            self._has_title = bool(self.title)
            return
        if tag == "h1" and self._in_heading:
            self._in_heading, self._has_heading = False, bool(self.heading)
        self._end_menu(tag)
        self.text.append(_gap(tag))

    def add(self, text: str) -> None:
        """Add what stands between two tags."""
        seen = re.sub(r"\s+", " ", unescape(_NO_SIGN.sub("\ufffd", text)))
        if self._titles:
            self._collect(self.title, seen, wanted=self._titles == 1 and not self._has_title)
            return
        self.text.append(seen)
        self._collect(self.heading, seen, wanted=self._in_heading)

    def _collect(self, pieces: list[str], text: str, *, wanted: bool) -> None:
        """Add a piece of the title or the heading, which begins with something that is seen."""
        if wanted and (pieces or text.strip()):
            pieces.append(text)

    def _end_menu(self, tag: str) -> None:
        """Throw away what was collected since a menu of this tag began, if one is open."""
        if not self._open_menus[tag]:
            return
        open_tag, before = "", 0
        while open_tag != tag:  # what was not closed ends with what it stands in
            open_tag, before = self._menus.pop()
            self._open_menus[open_tag] -= 1
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
