"""Who may call a service: keys of which only the hash is stored, each with what it allows.

A key is 256 random bits, so a plain SHA-256 of it cannot be guessed back: the slow hashes that passwords need
would protect nothing here, and cost every request.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from esens.errors import ArgumentError

READ, WRITE = "read", "write"
SCOPES = (READ, WRITE)
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AccessKey:
    """The hash of a key, and what who has the key may do."""

    scopes: frozenset[str]
    digest: str

    @classmethod
    def parse(cls, text: str) -> "AccessKey":
        """Read ``read:HASH``, ``write:HASH`` or ``read+write:HASH``."""
        names, _, digest = text.partition(":")
        scopes = frozenset(names.split("+"))
        if not scopes <= set(SCOPES) or not _DIGEST.fullmatch(digest):
            # It may be a key itself, so it is not quoted.
            raise ArgumentError("keys", "each must be SCOPES:HASH, as esens serve-key prints it; one is not")
        return cls(scopes, digest)

    def __str__(self) -> str:
        names = "+".join(scope for scope in SCOPES if scope in self.scopes)
        return f"{names}:{self.digest}"


def new_key(scopes: Iterable[str]) -> tuple[str, AccessKey]:
    """Return a new key, which is stored nowhere, and what a service stores of it."""
    key = f"esens_{secrets.token_urlsafe(32)}"
    return key, AccessKey(frozenset(scopes), _digest(key))


def scopes_of(presented: str, keys: Iterable[AccessKey]) -> frozenset[str]:
    """Return what a key allows; nothing where it is none of these. How long that takes tells nothing of them."""
    digest = _digest(presented)
    allowed: frozenset[str] = frozenset()
    for key in keys:
        if hmac.compare_digest(key.digest, digest):
            allowed |= key.scopes
    return allowed


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
