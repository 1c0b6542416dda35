"""The service as an ASGI application: routes, and around them limits, access and observation."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from esens import __version__
from esens.errors import EsensError
from esens.server.access import Guarded
from esens.server.limits import Limited
from esens.server.metrics import Metrics
from esens.server.observe import Observed, log_problem
from esens.server.page import page
from esens.server.problems import RefusedError, problem_of
from esens.server.routes import public, router
from esens.server.service import Service
from esens.server.settings import Settings

_DESCRIPTION = 'Search that respects "but not". Every error has the same shape, with a code, words and a remedy.'


def create_api(service: Service) -> FastAPI:
    """Return the routes with their description, as if everybody might call them."""
    # No page that loads scripts from elsewhere describes them; /openapi.json does.
    api = FastAPI(
        title="esens",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        # An address has one form; another is refused in words, which a redirect has none of.
        redirect_slashes=False,
    )
    api.state.service = service
    api.include_router(page)
    api.include_router(public)
    api.include_router(router)
    kinds: tuple[Any, ...] = (RefusedError, EsensError, RequestValidationError, HTTPException, Exception)
    for kind in kinds:
        api.add_exception_handler(kind, _answer)
    return api


def create_app(service: Service) -> ASGIApp:
    """Return the whole service."""
    return surround(create_api(service), service.settings, service.metrics)


def surround(inner: ASGIApp, settings: Settings, metrics: Metrics, *, for_own_pages_only: bool = False) -> ASGIApp:
    """Return an application in its layers. From outside to inside: observed, guarded, limited."""
    limited = Limited(inner, settings)
    metrics.watch("esens_requests_under_way", "Requests under way.", lambda: limited.count)
    app: ASGIApp = Guarded(limited, settings, for_own_pages_only=for_own_pages_only)
    if settings.allowed_origins:
        # Around the guard, because a browser asks for permission without a key.
        app = CORSMiddleware(
            app,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-Request-ID"],
        )
    return Observed(app, metrics)


@asynccontextmanager
async def _lifespan(api: FastAPI) -> AsyncIterator[None]:
    yield
    api.state.service.close()


async def _answer(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if isinstance(error, EsensError):  # any other goes on to the outermost layer, which writes it into the log
        log_problem(problem, error, request.state.request_id)
    return problem.response()
