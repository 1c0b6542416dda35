"""``esens mcp``: searches as tools for language models."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.serve import ABOUT_SETTINGS, add_settings, settings_of
from esens.errors import MissingExtraError
from esens.server.settings import LOOPBACK

if TYPE_CHECKING:
    from esens.cli.parsing import Commands

_STDIO, _HTTP = "stdio", "http"


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "mcp",
        help="give a language model searches as tools (MCP)",
        description="Serve one or several indexes by the Model Context Protocol: the tools search, rerank and "
        "decompose, which change nothing. The program that starts this calls them over standard input and output.",
        epilog=ABOUT_SETTINGS,
    )
    parser.add_argument(
        "--transport",
        choices=(_STDIO, _HTTP),
        default=_STDIO,
        help="how it is called: over standard input and output, or over HTTP at /mcp (default: stdio)",
    )
    add_settings(parser)
    return parser


def run(options: argparse.Namespace) -> None:
    """Read the settings, and serve the tools."""
    if options.transport == _STDIO:  # nothing listens, so it does not matter where it would
        options.host = LOOPBACK
    settings = settings_of(options)
    try:
        from esens.integrations import mcp
    except ImportError as error:
        raise MissingExtraError(error.name or "mcp", "mcp") from None
    (mcp.serve_http if options.transport == _HTTP else mcp.serve_stdio)(settings)
