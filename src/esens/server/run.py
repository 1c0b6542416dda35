"""The process: a socket, a log, and uvicorn between them and the application."""

import logging
import socket
import sys
from collections.abc import Callable
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from esens.errors import ArgumentError
from esens.server.app import create_app
from esens.server.connections import TimedConnection
from esens.server.observe import LOG, JsonFormatter
from esens.server.service import Service
from esens.server.settings import Settings

_HEADER_BYTES = 32_768
_BACKLOG = 512


def serve(settings: Settings, create: Callable[[Service], ASGIApp] = create_app, path: str = "") -> None:
    """Open the collections and serve them until somebody stops the process; then finish what was accepted."""
    service = Service.open(settings)
    listener = listen(settings)
    write_log()
    fields = {"url": f"{url_of(listener)}{path}", "collections": list(service.searchers)}
    LOG.info("listening", extra={"fields": fields})
    server_of(service, create).run(sockets=[listener])


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens where the settings say."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        problem = f"{settings.host}:{settings.port} cannot be listened on ({error.strerror or error})"
        raise ArgumentError("port", f"{problem}; choose another, or stop what uses it") from None


def url_of(listener: socket.socket) -> str:
    """Return the address of a socket as a client writes it."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server_of(service: Service, create: Callable[[Service], ASGIApp] = create_app) -> uvicorn.Server:
    """Return uvicorn around a service."""
    settings = service.settings
    config = uvicorn.Config(
        create(service),
        http=partial(TimedConnection, seconds=settings.timeout),  # type: ignore[arg-type] # makes one
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        # What a proxy says of the client is not believed, since nothing depends on it.
        proxy_headers=False,
        server_header=False,
        limit_concurrency=4 * settings.max_requests,
        timeout_graceful_shutdown=settings.stop_timeout,
        h11_max_incomplete_event_size=_HEADER_BYTES,
    )
    return uvicorn.Server(config)


def write_log() -> None:
    """Write the log to standard error, a JSON object a line: the service's, its libraries', and warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.captureWarnings(True)
    libraries = [(logging.getLogger(name), logging.WARNING) for name in ("uvicorn", "mcp", "py.warnings")]
    for logger, level in ((LOG, logging.INFO), *libraries):
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
