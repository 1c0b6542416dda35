"""The addresses of the service: each takes a request of one type, calls the service, and gives an answer."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response, Security
from fastapi.security import HTTPBearer

from esens.index.base import writable
from esens.server import metrics
from esens.server.problems import Problem, RefusedError
from esens.server.schemas import (
    CollectionAnswer,
    CollectionsAnswer,
    DecomposeRequest,
    DeleteAnswer,
    ErrorAnswer,
    EvaluationAnswer,
    RerankAnswer,
    RerankRequest,
    SearchAnswer,
    SearchRequest,
    SplitAnswer,
    StateAnswer,
    WriteAnswer,
    WriteRequest,
)
from esens.server.service import Service

_WHY = {
    400: "The body is no JSON.",
    401: "The key is missing or wrong.",
    403: "The key does not allow it.",
    404: "There is no such collection or address.",
    405: "The address has no such method.",
    408: "The request arrived too slowly.",
    409: "The collection is only read.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    421: "The server does not go by the name in Host.",
    422: "A value makes no sense, or is more than the service allows.",
    500: "Something went wrong in the service.",
    501: "The service lacks a part that the request needs.",
    502: "The index or the embedder cannot be used at the moment.",
    503: "Too much is under way; Retry-After says when to try again.",
    504: "It took too long.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": why} for status, why in _WHY.items()
}
# The key is checked before a body is read, in access.py; this only says so in the description.
_KEY = [Security(HTTPBearer(auto_error=False, description="A key of esens serve-key, where the service has any."))]
public = APIRouter(responses=ERRORS, tags=["state"])
router = APIRouter(responses=ERRORS, dependencies=_KEY)


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    service: Service = request.app.state.service
    return service


Served = Annotated[Service, Depends(service_of)]


@router.post("/v1/search", response_model=SearchAnswer, tags=["search"])
async def search(body: SearchRequest, request: Request, service: Served) -> Response:
    """Search a collection, and rank down or leave out what the query excludes."""
    _log_query(request, service, body.query)
    return _json(await service.search(body))


@router.post("/v1/rerank", response_model=RerankAnswer, tags=["search"])
@router.post("/v2/rerank", response_model=RerankAnswer, tags=["search"])
async def rerank(body: RerankRequest, request: Request, service: Served) -> Response:
    """Rerank the candidates of another retriever, in the shape of Cohere's and Jina's endpoints."""
    _log_query(request, service, body.query)
    return _json(await service.rerank(body, request.state.request_id))


@router.post("/v1/decompose", response_model=SplitAnswer, tags=["search"])
async def decompose(body: DecomposeRequest, request: Request, service: Served) -> Response:
    """Split a query into what is wanted and what is excluded."""
    _log_query(request, service, body.query)
    return _json(await service.decompose(body.query))


@router.get("/v1/collections", tags=["collections"])
async def collections(service: Served) -> CollectionsAnswer:
    """List the collections."""
    entries = [
        CollectionAnswer(name=name, is_default=at == 0, is_writable=writable(searcher.index) is not None)
        for at, (name, searcher) in enumerate(service.searchers.items())
    ]
    settings = service.settings
    return CollectionsAnswer(
        collections=entries,
        examples=list(settings.examples),
        max_k=settings.max_k,
        has_evaluation=service.evaluation is not None,
    )


@router.get("/v1/evaluation", response_model=EvaluationAnswer, tags=["evaluation"])
async def evaluation(service: Served) -> Response:
    """Give the figures of an evaluation, where the service was told a file of them."""
    if service.evaluation is None:
        remedy = "start it with --evaluation FILE; esens evaluate --json writes one"
        raise RefusedError(Problem(404, "no_evaluation", "this service was told of no evaluation", remedy))
    return _json(service.evaluation)


@router.post("/v1/collections/{name}/documents", tags=["collections"])
async def write(name: str, body: WriteRequest, service: Served) -> WriteAnswer:
    """Add documents, in the place of those with the same id. When the answer comes, they are stored."""
    return WriteAnswer(written=await service.write(name, body))


@router.delete("/v1/collections/{name}/documents", tags=["collections"])
async def delete(
    name: str, service: Served, ids: Annotated[list[str], Query(alias="id", min_length=1, examples=[["ranch"]])]
) -> DeleteAnswer:
    """Remove documents, with their passages: ``?id=a&id=b``."""
    return DeleteAnswer(deleted=await service.delete(name, ids))


@public.get("/health")
async def health() -> StateAnswer:
    """Say that the process is alive."""
    return StateAnswer(status="ok")


@public.get("/ready")
async def ready(service: Served) -> StateAnswer:
    """Say whether requests can be served: every index answers, and no stop was called for."""
    await service.probe()
    return StateAnswer(status="ready")


@router.get("/metrics", tags=["state"], response_class=Response)
async def metrics_text(service: Served) -> Response:
    """Give counts in the format of Prometheus."""
    return Response(service.metrics.text(), media_type=metrics.CONTENT_TYPE)


def _json(content: str) -> Response:
    """Return JSON that was written on a worker: writing it here would hold up everybody."""
    return Response(content, media_type="application/json")


def _log_query(request: Request, service: Service, query: str) -> None:
    if service.settings.log_queries:
        request.state.log = {"query": query}
