"""The settings of a server, checked before anything is sent. Imports no client."""

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict
from urllib.parse import parse_qsl, urlsplit

from esens.errors import ArgumentError, MissingExtraError
from esens.types import check_text


class ServerLimits(TypedDict, total=False):
    """How patient the client of a server is: the same keyword arguments for every kind of client."""

    timeout: float
    """Seconds for every try."""
    deadline: float | None
    """Seconds for all tries together; None is twice the timeout."""
    retries: int
    """Tries after the first."""
    concurrency: int
    """Calls at a time."""
    max_failures: int
    """Calls in a row without a reply, or one if the server is gone, after which none goes out; 0 never stops."""
    pause: float
    """Seconds for which none goes out then."""
    max_reply_bytes: int
    """The longest reply that is read."""


LANGUAGE_MODEL_LIMITS: ServerLimits = {
    "timeout": 15.0,
    "retries": 2,
    "concurrency": 8,
    "max_failures": 3,
    "pause": 60.0,
    "max_reply_bytes": 4 * 2**20,  # a hundred times what the longest answer takes
}
_READ_AS = {name: int if isinstance(value, int) else float for name, value in LANGUAGE_MODEL_LIMITS.items()}
_READ_AS["deadline"] = float


class Provider(NamedTuple):
    """Where servers of one kind are, unless somebody names another, and what the environment says of them."""

    url: str
    url_variable: str
    key_variable: str


OPENAI = Provider("https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's address and key, and its client's :class:`ServerLimits`."""

    base_url: str
    api_key: str = field(repr=False)
    timeout: float
    deadline: float
    retries: int
    concurrency: int
    max_failures: int
    pause: float
    max_reply_bytes: int
    provider: Provider = OPENAI

    @classmethod
    def of(
        cls,
        base_url: str | None,
        api_key: str | None,
        limits: ServerLimits,
        *,
        defaults: ServerLimits,
        provider: Provider = OPENAI,
    ) -> "ServerSettings":
        """Check what a user gave; address and key come from the environment where none was given."""
        _require_client()
        for name in limits:
            if name not in _READ_AS:
                raise ArgumentError(name, f"is no option. Limits of a server are: {', '.join(_READ_AS)}")
        chosen: ServerLimits = {**defaults, **limits}
        timeout, deadline = at_least("timeout", chosen["timeout"], 0.001), chosen.get("deadline")
        address = _checked_url(base_url or os.environ.get(provider.url_variable) or provider.url, provider)
        return cls(
            address,
            _checked_key(api_key or os.environ.get(provider.key_variable) or "", address, provider),
            timeout=timeout,
            deadline=at_least("deadline", 2 * timeout if deadline is None else deadline, 0.001),
            retries=int(at_least("retries", chosen["retries"], 0)),
            concurrency=int(at_least("concurrency", chosen["concurrency"], 1)),
            max_failures=int(at_least("max_failures", chosen["max_failures"], 0)),
            pause=at_least("pause", chosen["pause"], 0),
            max_reply_bytes=int(at_least("max_reply_bytes", chosen["max_reply_bytes"], 1)),
            provider=provider,
        )


def model_and_limits(named: str, *, argument: str) -> tuple[str, dict[str, Any]]:
    """Return the model and the limits that a spec names after its scheme.

    >>> model_and_limits("gpt-4o-mini?timeout=5&retries=0", argument="decomposer")
    ('gpt-4o-mini', {'timeout': 5.0, 'retries': 0})
    """
    model, _, options = named.partition("?")
    limits: dict[str, Any] = {}
    for name, value in parse_qsl(options, keep_blank_values=True):
        if name not in _READ_AS:
            raise ArgumentError(
                argument, f"unknown option {name!r} after the model; valid are: {', '.join(_READ_AS)}"
            )
        try:
            limits[name] = _READ_AS[name](value)
        except ValueError:
            raise ArgumentError(argument, f"{name} must be a number, got {value!r}") from None
    return model, limits


def checked_model(model: str, *, example: str) -> str:
    """Return the model's name if it is one."""
    check_text("model", model)
    if not model.strip():
        raise ArgumentError("model", f"is empty; name one, as in {example}")
    return model


def token_count(value: Any) -> int:
    """Return how many tokens a server says that it used: none if it does not say, and never beyond all measure."""
    return min(max(int(value or 0), 0), 2**53)


def at_least(argument: str, value: float, least: float) -> float:
    """Return a number if it is one, finite, and not below the least that makes sense."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value < float("inf"):
        raise ArgumentError(argument, f"must be a number of at least {least:g}, got {value!r}")
    return value


def _require_client() -> None:
    try:
        import openai  # noqa: F401
    except ImportError:
        raise MissingExtraError("openai", "openai") from None


def _checked_url(url: str, provider: Provider) -> str:
    # The address lands in logs and in the caches, so nothing secret may stand in it.
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ArgumentError("base_url", "must be an address such as http://localhost:11434/v1")
    if parts.username is not None or parts.password is not None:
        raise ArgumentError(
            "base_url", f"holds a user name or password; give a key with {provider.key_variable} instead"
        )
    if parts.query or parts.fragment:
        raise ArgumentError("base_url", "must end with its path, such as /v1; leave out what follows ? or #")
    return parts.geturl().rstrip("/")


def _checked_key(key: str, base_url: str, provider: Provider) -> str:
    key = key.strip()
    if not key and base_url == provider.url:
        raise ArgumentError(
            "api_key",
            f"is missing; set {provider.key_variable}, or name a server of your own with base_url "
            f"({provider.url_variable})",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ArgumentError("api_key", "holds a blank, a line end or a sign that no key has")
    return key or "no-key-needed"  # the client insists on one, and a server that needs none does not look at it
