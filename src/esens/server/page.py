"""The page at ``/``: a few files of the package, held in memory; a browser loads them and nothing else."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

INDEX = "index.html"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing from elsewhere, no script or style inside the markup, no text that becomes markup."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    # A browser asks whether it has the newest each time, so that page and service are of one version.
    "Cache-Control": "no-cache",
}
# What a system's own table says of them differs.
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
page = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page."""

    content: bytes
    media_type: str
    etag: str


@cache
def load_assets() -> dict[str, Asset]:
    """Return the files of the page by name."""
    entries = files(__package__).joinpath("static").iterdir()
    return {entry.name: _asset(entry.name, entry.read_bytes()) for entry in entries if entry.is_file()}


def _asset(name: str, content: bytes) -> Asset:
    suffix = name[name.rfind(".") :]
    return Asset(content, _TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:32]}"')


@page.api_route("/", methods=["GET", "HEAD"])
async def index(request: Request) -> Response:
    """Give the page."""
    return _answer(request, INDEX)


@page.api_route("/static/{name}", methods=["GET", "HEAD"])
async def asset(request: Request, name: str) -> Response:
    """Give a file that the page needs."""
    return _answer(request, name)


def _answer(request: Request, name: str) -> Response:
    asset = load_assets().get(name)
    if asset is None:
        raise HTTPException(404)
    headers = {**_HEADERS, "ETag": asset.etag}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
