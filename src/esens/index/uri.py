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
from esens.messages import mask_spec

_TORN = re.compile(r"[a-z+]+://[^?#]*[?#][^?=&]*@")


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
        if "\0" in spec:
            raise ArgumentError("index", f"{mask_spec(spec)}: no path or name holds a null character")
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
        if _is_cut(rest):
            raise ArgumentError("index", f"{mask_spec(spec)}: write a / in a user's name or password as %2F")
        try:
            parts = urlsplit(head)
        except ValueError:  # its words may hold a part of the password
            raise ArgumentError("index", f"{mask_spec(spec)} is no address") from None
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
        return mask_spec(self.spec)

    def __repr__(self) -> str:
        return f"IndexURI({str(self)!r})"


def _is_cut(rest: str) -> bool:
    """Whether a / in a password ends what looks like host and port."""
    server, _, path = rest.removeprefix("//").partition("/")
    _, colon, port = server.rpartition(":")
    return "@" in path and "@" not in server and bool(colon) and not port.isdecimal() and not port.endswith("]")
