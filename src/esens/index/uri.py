"""Where an index is, in one short spec, and how it is shown: never with a password.

>>> address = IndexURI.parse("qdrant://search.example:6333/docs?vector=body")
>>> address.scheme, address.path, address.options
('qdrant', 'docs', {'vector': 'body'})
>>> print(IndexURI.parse("postgresql://me:secret@db/shop?table=docs"))
postgresql://me:***@db/shop?table=docs
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from esens.errors import ArgumentError

# Up to the last @, for a password may hold signs that it should not; a name alone may be a token.
_PASSWORD = re.compile(r"://(?:([^:@/?]*:))?[^?]*@")
_TORN = re.compile(r"[a-z+]+://[^?#]*[?#][^?=&]*@")
_SECRET = re.compile(r"password|token|api[-_]?key|secret", re.IGNORECASE)


@dataclass(frozen=True, repr=False)
class IndexURI:
    """A spec, read: ``scheme://server/path?options``, or ``scheme:path?options`` for what is on this machine."""

    spec: str
    scheme: str
    server: str
    """Host and port, with what comes before an @; empty for a file."""
    path: str
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, spec: str) -> "IndexURI":
        """Read a spec. Without a scheme it is a path of this machine."""
        if _TORN.match(spec):
            raise ArgumentError("index", "write a ? or # in a user's name or password as %3F or %23")
        head, mark, query = spec.partition("?")
        scheme, colon, rest = head.partition(":")
        # A + stays one: these are paths and names, not forms.
        options = dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True)) if mark else {}
        if not colon or not re.fullmatch(r"[a-z][a-z+]+", scheme):
            return cls(spec, "", "", head, options)
        if not rest.startswith("//"):
            return cls(spec, scheme, "", rest, options)
        try:
            parts = urlsplit(head)
        except ValueError as error:
            raise ArgumentError("index", f"{_masked(spec)} is no address ({error})") from None
        return cls(spec, scheme, parts.netloc, unquote(parts.path.removeprefix("/")), options)

    def option(self, name: str, default: str = "") -> str:
        """Return an option of the spec."""
        return self.options.get(name) or default

    def seconds(self, name: str, default: int) -> int:
        """Return an option that is a number of seconds."""
        text = self.option(name, str(default))
        if not text.isdecimal() or int(text) < 1:
            raise ArgumentError("index", f"{self}: {name} must be whole seconds, at least 1; got {text!r}")
        return int(text)

    def check_options(self, valid: Iterable[str]) -> None:
        """Raise where the spec has an option that nobody reads."""
        names = tuple(valid)
        for name in self.options:
            if name not in names:
                raise ArgumentError("index", f"{self}: unknown option {name!r}; valid are: {', '.join(names)}")

    def __str__(self) -> str:
        return _masked(self.spec)

    def __repr__(self) -> str:
        return f"IndexURI({str(self)!r})"


def _masked(spec: str) -> str:
    head, mark, query = spec.partition("?")
    head = _PASSWORD.sub(lambda match: f"://{match[1] or ''}***@", head)
    return head + mark + "&".join(_masked_option(option) for option in query.split("&"))


def _masked_option(option: str) -> str:
    name, sign, value = option.partition("=")
    return f"{name}{sign}***" if value and _SECRET.search(unquote(name)) else option
