"""``esens reproduce``: the paper's tables for a retriever of yours, beside the published ones."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.experiment import add_making, command, prepared, write
from esens.cli.options import console
from esens.errors import InputError

if TYPE_CHECKING:
    from esens.cli.options import Commands
    from esens.evaluate.reproduction import Reproduction

_FOLDERS = {
    "excluir": ("excluir", "ExcluIR", "excluir-23k"),
    "boolquestions-not": ("boolquestions-not", "boolquestions", "BoolQuestions"),
}


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "reproduce",
        help="the paper's tables for a retriever of yours, beside the published ones",
        description="Run the paper's experiments, both variants at every beta, with any embedder and decomposer, "
        "and print the main table and the appendix grids beside the published figures, with the differences. "
        "Datasets that are not given are looked for in the folder that ESENS_DATA names, else in ./data.",
    )
    parser.add_argument("--excluir", type=Path, metavar="FOLDER", help="ExcluIR, as published or a part of it")
    parser.add_argument("--boolquestions", type=Path, metavar="PATH", help="BoolQuestions, its not part or all")
    parser.add_argument(
        "--beside",
        metavar="RETRIEVER",
        help="whose published figures to show (default: your embedder's, if known)",
    )
    add_making(parser)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file as well")
    return parser


def run(options: argparse.Namespace) -> None:
    """Run what is at hand, say where to get the rest."""
    from esens.evaluate.report.reproduction import markdown, terminal

    found = [one for name in _FOLDERS if (one := _reproduced(options, name)) is not None]
    if not found:
        raise InputError(_data(), "none of the paper's datasets is at hand; see above where to get them")
    if options.write:
        write(options.write, markdown(found, command(options)))
    out = console()
    for one in found:
        out.print(terminal(one))


def _reproduced(options: argparse.Namespace, name: str) -> "Reproduction | None":
    from esens.evaluate.datasets import read_dataset
    from esens.evaluate.reproduction import SOURCES, reproduce

    path = _path(options, name)
    if path is None:
        option = f"--{name.removesuffix('-not')}"
        print(f"{name} is not at hand: get it from {SOURCES[name]} and give it with {option}", file=sys.stderr)
        return None
    experiment = prepared(options, read_dataset(path))
    return reproduce(experiment, name, options.beside)


def _path(options: argparse.Namespace, name: str) -> Path | None:
    given: Path | None = getattr(options, name.removesuffix("-not"))
    return given or next((path for folder in _FOLDERS[name] if (path := _data() / folder).exists()), None)


def _data() -> Path:
    return Path(os.environ.get("ESENS_DATA") or "data")
