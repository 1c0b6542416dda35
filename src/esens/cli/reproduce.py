"""``esens reproduce``: the paper's experiments, with a retriever of yours."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import console, notify, typed_command, write_file
from esens.cli.setup import add_experiment, prepare_experiment
from esens.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from esens.cli.parsing import Commands

_FOLDERS = {
    "excluir": ("excluir", "ExcluIR", "excluir-23k"),
    "boolquestions-not": ("boolquestions-not", "boolquestions", "BoolQuestions"),
}


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "reproduce",
        help="run the paper's experiments with a retriever of yours",
        description="Run the paper's experiments, both variants at every beta, with any embedder and decomposer, "
        "and print its main table and the grids of its appendix for your retriever; where the paper has that "
        "retriever, beside the published figures, with the differences. "
        "Datasets that are not given are looked for in the folder that ESENS_DATA names, else in ./data.",
    )
    parser.add_argument("--excluir", type=Path, metavar="FOLDER", help="ExcluIR, as published or a part of it")
    parser.add_argument(
        "--boolquestions", type=Path, metavar="PATH", help="BoolQuestions: its part with not, or all of it"
    )
    parser.add_argument(
        "--compare-to",
        dest="retriever",
        metavar="RETRIEVER",
        help="retriever of the paper whose figures stand beside yours (default: your own, if the paper has it)",
    )
    add_experiment(parser)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file as well")
    parser.add_argument("--latex", type=Path, metavar="FILE", help="write them for booktabs, as in the paper")
    return parser


def run(options: argparse.Namespace) -> None:
    """Run what is at hand, say where to get the rest."""
    from esens.evaluate.datasets import read_dataset
    from esens.evaluate.report.reproduction import latex, markdown, terminal
    from esens.evaluate.reproduction import reproduce

    at_hand = {name: path for name in _FOLDERS if (path := _path(options, name)) is not None}
    for name in _FOLDERS.keys() - at_hand.keys():
        notify(f"{name} is not at hand: {_where(name)}")
    if not at_hand:
        raise InputError(_data(), "none of the paper's datasets is at hand; see above where to get them")
    if len(at_hand) > 1 and (options.vectors or options.query_vectors):
        raise ArgumentError("--vectors", "are those of one dataset; give one at a time")
    datasets = {name: read_dataset(path) for name, path in at_hand.items()}
    reproductions = []
    for name, dataset in datasets.items():
        reproductions.append(reproduce(prepare_experiment(options, dataset), name, options.retriever))
        if options.write:
            write_file(options.write, markdown(reproductions, typed_command(options)))
        if options.latex:
            write_file(options.latex, latex(reproductions))
        console().print(terminal(reproductions[-1]))


def _where(name: str) -> str:
    from esens.evaluate.reproduction import SOURCES

    return f"get it from {SOURCES[name]} and give it with --{name.removesuffix('-not')}"


def _path(options: argparse.Namespace, name: str) -> Path | None:
    typed: Path | None = getattr(options, name.removesuffix("-not"))
    return typed or next((path for folder in _FOLDERS[name] if (path := _data() / folder).exists()), None)


def _data() -> Path:
    return Path(os.environ.get("ESENS_DATA") or "data")
