"""The tools of ``esens mcp`` for language models: search, rerank and decompose, over stdio or HTTP.

A tool takes the request of an address of the service and gives its answer. What they may hold, how they are
checked and what runs at a time is the service's (``server/``); here is only how the Model Context Protocol calls
it.
"""

import asyncio
import contextlib
import json
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from fastapi.exceptions import RequestValidationError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from esens import __version__, strict_json
from esens.messages import message
from esens.server import run
from esens.server.app import surround
from esens.server.limits import too_large, too_slow
from esens.server.observe import LOG, log_problem
from esens.server.problems import Problem, problem_of
from esens.server.schemas import (
    DecomposeRequest,
    RerankAnswer,
    RerankRequest,
    SearchAnswer,
    SearchRequest,
    SplitAnswer,
)
from esens.server.service import Service
from esens.server.settings import Settings

PATH = "/mcp"
"""Where the tools are called over HTTP."""
_TO_ANSWER = 5.0  # seconds: a call that took too long still has to say so
_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INSTRUCTIONS = (
    'Search that respects "but not". Write a query as a person would say it, with what is not wanted in it '
    '("salad dressings, but nothing with vinegar"); documents that are about the excluded, or have it, are ranked '
    'down, or left out with mode "hard". Every hit says why it stands where it stands.'
)


@dataclass(frozen=True)
class _ServiceTool:
    """A tool: the types of what goes in and comes out, and which method of the service answers."""

    title: str
    description: str
    request: type[BaseModel]
    answer: type[BaseModel]
    call: Callable[[Service, Any, str], Awaitable[str]]
    """Takes the service, the request and its id; returns the answer as JSON."""


_TOOLS = {
    "search": _ServiceTool(
        "Search documents",
        "Search a collection of documents by meaning. What the query excludes in words ('without …', 'but not …', "
        "'other than …') is ranked down, or left out with mode 'hard'; `exclude` names more of it.",
        SearchRequest,
        SearchAnswer,
        lambda service, request, _: service.search(request),
    ),
    "rerank": _ServiceTool(
        "Rerank candidates",
        "Put texts that you have already into the order in which they answer a query, with what the query "
        "excludes ranked down. The answer names texts by their positions, from 0.",
        RerankRequest,
        RerankAnswer,
        lambda service, request, id_: service.rerank(request, id_),
    ),
    "decompose": _ServiceTool(
        "Split a query",
        "Split a query into what is wanted (target) and what is excluded (exclusions), without searching.",
        DecomposeRequest,
        SplitAnswer,
        lambda service, request, _: service.decompose(request.query),
    ),
}


def create_server(service: Service) -> Server[Any]:
    """Return the tools of a service as a server of the protocol. When it ends, it closes the service."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            service.close()

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_described(name, tool, service) for name, tool in _TOOLS.items()])

    async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        return await _call(service, params.name, params.arguments or {})

    return Server(
        "esens",
        version=__version__,
        instructions=_INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def create_mcp_app(service: Service) -> ASGIApp:
    """Return the tools over streamable HTTP, with the layers of the service around them."""
    settings = replace(service.settings, timeout=service.settings.timeout + _TO_ANSWER)
    # Nothing is said but answers, so there are no sessions to keep and no streams to hold open.
    manager = StreamableHTTPSessionManager(
        create_server(service),
        json_response=True,
        stateless=True,
        max_request_body_size=settings.max_body_bytes,
    )
    route = Route(PATH, StreamableHTTPASGIApp(manager), methods=["POST"])
    app = Starlette(routes=[route], lifespan=lambda _: manager.run())
    return surround(app, settings, service.metrics, for_own_pages_only=True)


def serve_http(settings: Settings) -> None:
    """Open the collections and serve the tools over HTTP until somebody stops the process."""
    run.serve(settings, create_mcp_app, PATH)


def serve_stdio(settings: Settings) -> None:
    """Open the collections and serve the tools to the process that started this one, until it has enough."""
    with contextlib.redirect_stdout(sys.stderr):  # standard output is for the protocol alone
        service = Service.open(settings)
    run.write_log()
    # Whoever tries it in a terminal presses Ctrl-C: the thread that waits for a line would hold up any other end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve_stdio(create_server(service)))


async def _serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        # That turned the descriptor away, but what Python holds back would be written when it has turned back.
        with contextlib.redirect_stdout(sys.stderr):
            await server.run(incoming, outgoing, server.create_initialization_options())


def _described(name: str, tool: _ServiceTool, service: Service) -> Tool:
    """Return a tool as clients see it; with the names of the collections, which no type knows."""
    schema = tool.request.model_json_schema()
    if (collection := schema["properties"].get("collection")) is not None:
        schema["properties"]["collection"] = {
            "type": "string",
            "enum": list(service.searchers),
            "description": collection["description"],
        }
    return Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=schema,
        output_schema=tool.answer.model_json_schema(mode="serialization"),
        annotations=_READ_ONLY,
    )


async def _call(service: Service, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """Return the answer of a tool; what went wrong is an answer too, so that a model can mend its call."""
    if name not in _TOOLS:
        raise MCPError(INVALID_PARAMS, f"there is no tool of this name; tools are: {', '.join(_TOOLS)}")
    call_id = uuid4().hex
    started, code = time.perf_counter(), "cancelled"
    try:
        text = await _answer(service, _TOOLS[name], arguments, call_id)
        code = "ok"
    except Exception as error:  # noqa: BLE001 - the last line of defence: nobody gets a traceback
        problem = problem_of(error, "the tool's input schema")
        log_problem(problem, error, call_id)
        code = problem.code
        return CallToolResult(content=[TextContent(text=_sentence(problem, call_id))], is_error=True)
    finally:
        _note(service, name, arguments, call_id, code, time.perf_counter() - started)
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))


async def _answer(service: Service, tool: _ServiceTool, arguments: dict[str, Any], call_id: str) -> str:
    most, seconds = service.settings.max_body_bytes, service.settings.timeout
    if len(strict_json.dumps(arguments).encode("utf-8", "surrogatepass")) > most:  # over stdio nobody has counted
        raise too_large(most)
    try:
        request = tool.request.model_validate(arguments)
    except ValidationError as error:
        problems = [{**problem, "loc": ("body", *problem["loc"])} for problem in error.errors()]
        raise RequestValidationError(problems) from None
    try:
        async with asyncio.timeout(seconds):
            return await tool.call(service, request, call_id)
    except TimeoutError:
        raise too_slow(seconds) from None


def _sentence(problem: Problem, call_id: str) -> str:
    """Return what went wrong, where, and what to do, for a model to read."""
    where = f"{problem.argument}: " if problem.argument else ""
    return message(f"{where}{problem.message}; {problem.remedy} ({problem.code}, request {call_id})")


def _note(service: Service, name: str, arguments: dict[str, Any], call_id: str, code: str, seconds: float) -> None:
    fields = {"request_id": call_id, "tool": name, "code": code, "ms": round(seconds * 1000, 1)}
    if service.settings.log_queries:
        fields["query"] = arguments.get("query")
    LOG.info("call", extra={"fields": fields})
