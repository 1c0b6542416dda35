"""What a message may show: no password, no sign that steers a terminal, and not a megabyte.

Every error passes through here when it is made, and so does every line that a command says. What they quote (names
of files and fields, ids, specs, the words of a server) is written by others.
"""

import re
from urllib.parse import unquote

LONGEST_MESSAGE = 2000
"""Signs of a message; of a longer one the middle is left out, for what to do stands at the end."""
_LAST_PART = 500
_LONGEST_VALUE = 200
# Beside C0: DEL and C1, the soft hyphen, marks that turn the direction of writing, signs without a width, line
# ends of Unicode, halves of surrogate pairs, and tags that nobody sees.
_UNSEEN = (
    "\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f"
)
_STEERING = re.compile(f"[\x00-\x1f{_UNSEEN}]")
_UNSEEN_IN_JSON = re.compile(f"[{_UNSEEN}]")
# A scheme and what should be :// behind it, also mistyped.
_LEAD = re.compile(r"(?:[A-Za-z][\w+.-]*)?(?::/*|//+)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/](?![\\/])")
_OPTIONS = re.compile(r"\?(?=[^?=&@]*=)")
_SECRET_OPTION = re.compile(r"pass|pwd|token|key|secret|auth|credential|\bsig", re.IGNORECASE)
_SECRET_SETTING = re.compile(
    r"""((?:password|passwd|pass|pwd|token|secret|api[-_]?key)\s*=\s*)('[^']*'|"[^"]*"|[^\s&'"]+)""", re.IGNORECASE
)


def printable(text: str) -> str:
    r"""Return a text in which signs that would steer a terminal, or are not seen, are written as escapes.

    >>> print(printable("tea\x1b[2J.csv\nmilk"))
    tea\x1b[2J.csv\nmilk
    """
    return _STEERING.sub(_escaped, text)


def message(text: str) -> str:
    """Return a text as a message shows it: printable, and of bounded length."""
    if len(text) <= LONGEST_MESSAGE:
        return printable(text)
    first, last = text[: LONGEST_MESSAGE - _LAST_PART], text[-_LAST_PART:]
    return f"{printable(first)} … ({len(text) - LONGEST_MESSAGE:,} signs left out) … {printable(last)}"


def quoted(value: object) -> str:
    """Return how a value looks, shortened; one that cannot be shown, such as a list within itself, by its type.

    >>> quoted("tea"), quoted(10**5000)
    ("'tea'", 'int')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever the value's own code raises; this is for an error about it
        return type(value).__name__
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def escape_json(text: str) -> str:
    """Return JSON that says the same without a sign that steers a terminal: within texts it has escapes."""
    return _UNSEEN_IN_JSON.sub(_json_escaped, text)


def mask_spec(spec: str) -> str:
    """Return an address without its passwords and keys, however wrongly it is written.

    >>> mask_spec("postgresql://me:secret@db/shop?table=docs&password=secret")
    'postgresql://me:***@db/shop?table=docs&password=***'
    >>> mask_spec("postgresql:/me:secret@db/shop"), mask_spec("host=db password=secret")
    ('postgresql:/me:***@db/shop', 'host=db password=***')
    """
    mark = _OPTIONS.search(spec)
    head, query = (spec[: mark.start()], spec[mark.end() :]) if mark else (spec, "")
    if "@" in query and "@" not in head:  # a password may hold a ? or a =, and then there is more of it
        head, query = spec, ""
    masked = "&".join(map(_masked_option, query.split("&")))
    return _SECRET_SETTING.sub(r"\1***", _without_login(head)) + (f"?{masked}" if query else "")


def mask_words(text: str) -> str:
    """Return a text in which every word that is an address with a password is masked."""
    return " ".join(map(mask_spec, text.split(" ")))


def _without_login(head: str) -> str:
    """Mask what stands before the last @: a password may hold an @, too, and a name alone may be a token."""
    login, at, rest = head.rpartition("@")
    if not at or (_DRIVE.match(head) and login.count(":") == 1):
        return head
    lead = _LEAD.match(login)
    start = lead.end() if lead else 0
    user, colon, _ = login[start:].partition(":")
    if not colon and not lead:  # a path with an @ in it
        return head
    shown = f"{user}:" if colon and not re.search(r"[/@?]", user) else ""
    return f"{login[:start]}{shown}***@{rest}"


def _masked_option(option: str) -> str:
    name, sign, value = option.partition("=")
    return f"{name}{sign}***" if value and _SECRET_OPTION.search(unquote(name)) else option


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")


def _json_escaped(sign: re.Match[str]) -> str:
    units = sign[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
