"""``esens check``: see whether an index is what was written."""

import argparse
from typing import TYPE_CHECKING

from esens.index import INDEX_SPECS

if TYPE_CHECKING:
    from esens.cli.parsing import Commands


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help="see whether an index is what was written",
        description="Look at all of an index, and say what is damaged, which documents, and what to do. Of one in "
        "a folder everything is compared with what was written; of others, what their engine can tell.",
    )
    parser.add_argument("index", metavar="INDEX", help=" or ".join(INDEX_SPECS))
    parser.add_argument(
        "--repair",
        action="store_true",
        help="remove damaged documents from an index in a folder, so that esens index writes them anew",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="keep the hashes of files of faiss or usearch as they are now: from then on they are compared "
        "whenever the files are opened",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def run(options: argparse.Namespace) -> None:
    """Open, look, say what was found; damage is an error."""
    from esens.cli.output import print_json, print_line
    from esens.errors import EngineError
    from esens.index import check_index

    report = check_index(options.index, repair=options.repair, record=options.record)
    if options.json:
        print_json(report.to_dict())
    else:
        for line in str(report).splitlines():
            print_line(line)
    if not report.is_sound:
        count = len(report.problems)
        raise EngineError(report.index, f"{count} thing{'' if count == 1 else 's'} wrong with it, listed above")
