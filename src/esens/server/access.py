"""Who may call: by a name that is this server's, and with a key where there are keys."""

import ipaddress
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from esens.server.keys import READ, WRITE, scopes_of
from esens.server.problems import Problem, RefusedError
from esens.server.settings import Settings

PUBLIC = frozenset({"/health", "/ready"})
"""What needs no key: whoever watches a service has none."""
_PAGE = "/static/"
_READING = ("GET", "HEAD", "OPTIONS")
_COLLECTIONS = "/v1/collections"


class Guarded:
    """Refuses, before its body is read, a request whose Host is another's, and one without the key it needs."""

    def __init__(self, app: ASGIApp, settings: Settings, *, for_own_pages_only: bool = False) -> None:
        """Take whether to refuse what a page of another origin sends, whatever it declares its body as."""
        self._app = app
        self._origins = frozenset(settings.allowed_origins) if for_own_pages_only else None
        self._keys = settings.access_keys
        self._names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.allowed_hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request that may be; say why not where it is refused, here or further inside."""
        try:
            if scope["type"] == "http":
                self._check(scope)
            await self._app(scope, receive, send)
        except RefusedError as refused:
            await refused.problem.response()(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._check_host(headers.get("host", ""))
        self._check_origin(headers)
        needed = needed_scope(scope["method"], scope["path"])
        if self._keys and needed is not None:
            self._check_key(headers, needed)

    def _check_host(self, host: str) -> None:
        """Raise where a browser was led here by a name that somebody else owns (DNS rebinding).

        That takes a name, so a plain address is always right.
        """
        name = _without_port(host.strip().lower())
        if name in self._names or "*" in self._names or _is_address(name):
            return
        remedy = "call it by its address, or start it with --allowed-hosts and this name"
        raise RefusedError(Problem(421, "wrong_host", "this server does not go by the name in Host", remedy))

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        """Raise where a browser says that the page of another server sent this. Programs say nothing of it."""
        origin = headers.get("origin")
        if self._origins is None or origin is None or {origin, "*"} & self._origins:
            return
        if origin.partition("://")[2].lower() != headers.get("host", "").strip().lower():
            remedy = "start the server with --allowed-origins and this page's origin"
            raise RefusedError(Problem(403, "wrong_origin", "pages of this origin may not call this", remedy))

    def _check_key(self, headers: Mapping[str, str], needed: str) -> None:
        kind, _, presented = headers.get("authorization", "").partition(" ")
        allowed = scopes_of(presented.strip(), self._keys) if kind.lower() == "bearer" else frozenset()
        if needed in allowed:
            return
        if allowed:
            problem, remedy = f"this key does not allow to {needed}", f"use a key with the scope {needed}"
            raise RefusedError(Problem(403, "forbidden", problem, remedy))
        problem, remedy = "this needs a key, and there is none that fits", "send Authorization: Bearer KEY"
        raise RefusedError(
            Problem(401, "unauthorized", problem, remedy, headers={"WWW-Authenticate": 'Bearer realm="esens"'})
        )


def needed_scope(method: str, path: str) -> str | None:
    """Return what a key must allow for a request: whatever may change a collection is writing.

    The page needs none, since a browser cannot send one with it; what it shows does.
    """
    if path in PUBLIC or (method in _READING and (path == "/" or path.startswith(_PAGE))):
        return None
    return WRITE if path.startswith(_COLLECTIONS) and method not in _READING else READ


def _without_port(host: str) -> str:
    if host.startswith("["):  # an address of IP version 6
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
