"""``esens serve-key``: make a key for a service."""

import argparse
from typing import TYPE_CHECKING

from esens.cli.output import notify, print_line
from esens.server.keys import READ, SCOPES, new_key

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "serve-key",
        help="make a key for esens serve",
        description="Print a new key, which is stored nowhere, and what esens serve --keys takes to know it.",
    )
    parser.add_argument(
        "--scopes",
        nargs="+",
        choices=SCOPES,
        default=[READ],
        help="what the key allows: to search, to change collections (default: read)",
    )
    return parser


def run(options: argparse.Namespace) -> None:
    """Make a key, and print it once."""
    key, stored = new_key(options.scopes)
    print_line(f"key      {key}")
    print_line(f"setting  {stored}")
    notify("esens: give the key to the client and the setting to the service (--keys); the key is not stored")
