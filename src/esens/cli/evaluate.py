"""``esens evaluate``: methods side by side on a benchmark, with intervals, in every form a report may take."""

import argparse
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import console, notify, typed_command, write_file, write_json
from esens.cli.second_stage import add_stage, open_stage
from esens.cli.setup import add_dataset, add_experiment, prepare_experiment, read_benchmark
from esens.errors import ArgumentError, InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from esens.cli.parsing import Commands
    from esens.evaluate.dataset import Dataset
    from esens.evaluate.experiment import Experiment
    from esens.evaluate.methods.base import Method
    from esens.evaluate.ranks.rank_cache import Ranks
    from esens.evaluate.results import Evaluation
    from esens.search.second_stage import SecondStage

RUN_DEPTH = 100


def add_to(commands: "Commands") -> argparse.ArgumentParser:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "evaluate",
        help="measure recall and violation of methods on a benchmark of yours",
        description="Rank a benchmark's documents by every method and at every beta, and print recall and "
        "violation with 95 % bootstrap intervals. With --qrels and --run, only measure rankings made elsewhere.",
    )
    add_dataset(parser, nargs="*")
    parser.add_argument("--methods", metavar="LIST", help="such as plain,subtract:0.4,deo (default: all)")
    parser.add_argument(
        "--k",
        type=_place_ks,
        dest="place_ks",
        metavar="LIST",
        help="how many first places to look at, where queries have several wanted and excluded documents "
        "(default: 5,10)",
    )
    add_experiment(parser)
    add_stage(parser)
    trec = parser.add_argument_group("rankings made elsewhere")
    trec.add_argument(
        "--run", type=Path, action="append", default=[], dest="runs", metavar="FILE", help="TREC run; repeatable"
    )
    trec.add_argument("--qrels", type=Path, metavar="FILE", help="TREC qrels of the answers, instead of a dataset")
    written = parser.add_argument_group("reports")
    for name, what in (
        ("json", "every figure and interval"),
        ("markdown", "the tables"),
        ("latex", "the tables for booktabs, in the paper's layout"),
        ("csv", "a line a method and measure; the curves go to FILE-curves.csv"),
        ("html", "tables and plots in one self-contained page"),
    ):
        written.add_argument(f"--{name}", type=Path, metavar="FILE", help=what)
    written.add_argument(
        "--write-runs",
        type=Path,
        metavar="FOLDER",
        help=f"every method's first {RUN_DEPTH} documents as a TREC run, and relevant.qrels and excluded.qrels",
    )
    written.add_argument("--plots", type=Path, metavar="FOLDER", help="curves and frontier, as PNG and SVG")
    return parser


def run(options: argparse.Namespace) -> None:
    """Read, measure, print, write."""
    from esens.evaluate.report import terminal

    _check(options)
    with open_stage(options) as stage:
        evaluation = _of_runs(options) if options.qrels else _of_dataset(options, stage)
    # Before printing, which ends the command where a reader such as `head` has had enough.
    _write(options, evaluation)
    console().print(terminal(evaluation))


def _check(options: argparse.Namespace) -> None:
    """Say before the work what would be missing, or lost, after it."""
    paths = [path for path in (options.json, options.markdown, options.latex, options.csv, options.html) if path]
    if len(set(paths)) < len(paths):
        raise ArgumentError("reports", "two of them have the same file; give each its own")
    if (options.html or options.plots) and find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "evaluate")


def _of_dataset(options: argparse.Namespace, stage: "SecondStage") -> "Evaluation":
    from esens.evaluate.evaluation import evaluation_of, evaluation_of_sets
    from esens.evaluate.methods import DEFAULT_METHODS, methods_of
    from esens.evaluate.methods.base import FusesWords, Method, ReadsTexts
    from esens.evaluate.methods.staged import StagedSearch

    if not options.dataset:
        raise ArgumentError("DATASET", "give a benchmark, or --qrels FILE with --run FILE")
    datasets = [read_benchmark(options, path) for path in options.dataset]
    methods: tuple[Method, ...] = methods_of(options.methods or ",".join(DEFAULT_METHODS))
    staged = StagedSearch(stage)
    if stage.name:  # a row of its own, below the search without these models
        methods += (staged,)
    for method in methods:
        if isinstance(method, (ReadsTexts, FusesWords)):
            _ = method.library  # says at once what is not installed
    if len(datasets) > 1:
        _check_several(options, datasets)
        evaluation = evaluation_of_sets((prepare_experiment(options, dataset) for dataset in datasets), methods)
    else:
        experiment = prepare_experiment(options, datasets[0])
        runs = _runs(options, experiment.dataset, {method.name for method in methods})
        evaluation = evaluation_of(experiment, methods, runs=runs)
        if options.write_runs:
            _write_runs(options, experiment, methods)
    if staged.notes:
        notify(
            f"{staged.name}: models failed for {len(staged.notes)} queries, the last time so: {staged.notes[-1]}"
        )
    return evaluation


def _check_several(options: argparse.Namespace, datasets: "Sequence[Dataset]") -> None:
    """Say what only one dataset can have, before anything is embedded."""
    given = {
        "--run": options.runs,
        "--write-runs": options.write_runs,
        "--vectors": options.vectors,
        "--query-vectors": options.query_vectors,
    }
    for name, value in given.items():
        if value:
            raise ArgumentError(name, "belongs to one dataset; evaluate one at a time")
    names = [dataset.name for dataset in datasets]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ArgumentError("DATASET", f"{len(names)} are given, and more than one is named {twice[0]!r}")


def _place_ks(text: str) -> tuple[int, ...]:
    """Read a list such as 5,10."""
    parts = text.split(",")
    if not all(part.strip().isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(f"wants whole numbers of at least 1, such as 5,10; got {text!r}")
    return tuple(sorted({int(part) for part in parts}))


def _of_runs(options: argparse.Namespace) -> "Evaluation":
    from esens.evaluate.datasets import dataset_of_qrels, read_qrels
    from esens.evaluate.evaluation import evaluation_of_runs

    if options.write_runs:
        raise ArgumentError("--write-runs", "writes what methods rank; with --qrels there are none")
    if options.dataset or options.methods or options.vectors or not options.runs:
        raise ArgumentError(
            "--qrels", "judges rankings made elsewhere: give --run FILE, no dataset and no methods"
        )
    excluded = read_qrels(options.excluded) if options.excluded else None
    dataset = dataset_of_qrels(read_qrels(options.qrels), excluded, name=options.qrels.name)
    return evaluation_of_runs(dataset, _runs(options, dataset, set()))


def _runs(options: argparse.Namespace, dataset: "Dataset", taken: set[str]) -> "dict[str, Ranks]":
    from esens.evaluate.datasets import read_run
    from esens.evaluate.ranks.ranking import run_ranks

    ranks: dict[str, Ranks] = {}
    for path in options.runs:
        if path.stem in taken | set(ranks):
            raise ArgumentError("--run", f"{path.stem!r} is the name of another row; rename the file {path}")
        run = read_run(path)
        if not any(query.id in run for query in dataset.queries):
            raise InputError(path, f"holds none of the queries of {dataset.name}")
        ranks[path.stem] = run_ranks(run, dataset)
    return ranks


def _write_runs(options: argparse.Namespace, experiment: "Experiment", methods: "Sequence[Method]") -> None:
    from esens.evaluate.datasets import qrels_lines, run_lines

    folder: Path = options.write_runs
    for name, run in experiment.runs(methods, RUN_DEPTH).items():
        file = re.sub(r"[^\w.+-]+", "-", name)
        write_file(folder / f"{file}.run", "".join(run_lines(run, name)))
    for name, excluded in (("relevant", False), ("excluded", True)):
        write_file(folder / f"{name}.qrels", "".join(qrels_lines(experiment.dataset, excluded=excluded)))


def _write(options: argparse.Namespace, evaluation: "Evaluation") -> None:
    from esens.evaluate import report

    write_json(options, evaluation)
    typed = typed_command(options)
    makers: list[tuple[Path | None, Callable[[], str]]] = [
        (options.markdown, lambda: report.markdown(evaluation, typed)),
        (options.latex, lambda: report.latex(evaluation)),
        (options.csv, lambda: report.methods_csv(evaluation)),
        (options.html, lambda: report.html_page(evaluation, typed)),
    ]
    for path, make in makers:
        if path is not None:
            write_file(path, make())
    if options.csv and evaluation.curves:
        write_file(options.csv.with_stem(f"{options.csv.stem}-curves"), report.curves_csv(evaluation))
    if options.plots:
        for name, figure in report.plots(evaluation).items():
            write_file(options.plots / f"{name}.png", report.png(figure))
            write_file(options.plots / f"{name}.svg", report.svg(figure))
