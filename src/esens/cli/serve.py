"""``esens serve``: answer searches over HTTP."""

import argparse
import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from esens.errors import MissingExtraError
from esens.index import INDEX_SPECS
from esens.server.settings import CONFIG, PREFIX, Settings, named_specs, read_settings

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


ABOUT_SETTINGS = (
    f"Every option can stand in the environment, too ({PREFIX}MAX_K for --max-k), or in the file of --config "
    f"(max_k = 100). An index is named by its spec: {', '.join(INDEX_SPECS)}."
)


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser: an option for every setting, of the same name."""
    parser = commands.add_parser(
        "serve",
        help="answer searches over HTTP",
        description="Serve one or several indexes over HTTP: search, rerank, decompose, write.",
        epilog=ABOUT_SETTINGS,
    )
    add_settings(parser)
    return parser


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add an option for every setting of a service."""
    parser.add_argument(
        "collections",
        nargs="*",
        metavar="[NAME=]INDEX",
        help="indexes to serve, the first of which is the default",
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with settings")
    for setting in fields(Settings):
        if setting.name != "collections":
            _add_option(parser, setting.name, setting.default, setting.metadata)


def _add_option(parser: argparse.ArgumentParser, name: str, default: Any, about: Any) -> None:
    option = f"--{name.replace('_', '-')}"
    what = about["what"]
    if isinstance(default, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=what)
    elif isinstance(default, tuple):
        parser.add_argument(option, action="append", metavar=about["metavar"], help=f"{what}; repeatable")
    else:
        usual = f" (default: {default})" if default != "" else ""
        parser.add_argument(
            option, type=type(default), default=None, metavar=about["metavar"], help=f"{what}{usual}"
        )


def run(options: argparse.Namespace) -> None:
    """Read the settings, and serve."""
    settings = settings_of(options)
    try:
        from esens.server.run import serve
    except ImportError as error:
        raise MissingExtraError(error.name or "fastapi", "serve") from None
    serve(settings)


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of a service, from what was typed, the environment and the file."""
    names = [setting.name for setting in fields(Settings)]
    typed = {name: value for name in (*names, CONFIG) if (value := getattr(options, name)) not in (None, [])}
    if "collections" in typed:
        typed["collections"] = named_specs(typed["collections"])
    typed |= {name: tuple(value) for name, value in typed.items() if isinstance(value, list)}
    return read_settings(typed, os.environ)
