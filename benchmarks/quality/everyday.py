"""What people exclude in shops, kitchens and libraries: the first places by each method, over several sets.

.venv/bin/python benchmarks/quality/everyday.py ../shared/data/everyday --write
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from setting import arguments, markdown, publish

from esens.embed.cache import CachedEmbedder
from esens.evaluate import Experiment, methods_of, read_dataset
from esens.evaluate.dataset import Dataset
from esens.evaluate.evaluation import evaluation_of_sets
from esens.evaluate.methods.base import Method
from esens.evaluate.report.methods import stars
from esens.evaluate.results import Evaluation, MethodResult
from esens.evaluate.statistics import holm, short

DEFAULT = "wordllama"
ROWS = "plain,target-only,keyword-not,baseline-minus-trap,target-minus-trap,deo,itlr,contrast,esens,esens-hard"
SPLITS = {"rules": "the rules' splits", "recorded:gold": "a person's splits"}
COLUMNS = {
    "E@5 ↓": "excluded@5",
    "W@5 ↑": "wanted@5",
    "E@10 ↓": "excluded@10",
    "W@10 ↑": "wanted@10",
    "E first ↓": "excluded@1",
    "lost@10 ↓": "lost@10",
    "denied ↑": "denied_kept",
}
TITLES = {
    "programs": "# Programs of Debian\n\n"
    "Descriptions by packagers, labels by who tagged the packages (debian_programs.py): a domain on which nothing "
    "of the score was made. The queries are ours; none was tried before all were there, and none changed after."
}
IN_SHORT = ("excluded@10", "wanted@10", "excluded@1")


def main() -> None:
    parser = arguments()
    parser.add_argument("--embedder", default=DEFAULT)
    parser.add_argument("--methods", default=ROWS)
    parser.add_argument("--fold", metavar="I/N", help="only every N-th query of each set, beginning with the I-th")
    options = parser.parse_args()
    embedder = _name(options.embedder)
    of_embedder = "" if embedder == DEFAULT else f"-{embedder}"
    publish(page(options), f"{options.folder.name}{of_embedder}.md", write=options.write)


def page(options: argparse.Namespace) -> Iterator[str]:
    datasets = [
        _part(read_dataset(path), options.fold) for path in sorted(options.folder.iterdir()) if path.is_dir()
    ]
    chosen, embedder = methods_of(options.methods), CachedEmbedder(options.embedder)
    number = sum(len(dataset.queries) for dataset in datasets)
    part = f"fold {options.fold} of the queries" if options.fold else "all queries"
    yield from (
        TITLES.get(options.folder.name, "# Everyday exclusions"),
        "",
        f"{len(datasets)} {'sets' if datasets[1:] else 'set'}, {number} queries ({part}); "
        f"{_name(options.embedder)}. E and W: the shares of the first k places that excluded and wanted documents "
        "take; E first: how often an excluded one is first; lost: the share of the wanted ones in plain "
        "retrieval's first ten that are there no more; denied: of the documents that say that they lack the "
        "thing, those not below their plain place. Means over the sets, in which each counts the same, with 95 % "
        "bootstrap intervals; stars are paired tests against plain retrieval, corrected for the number "
        "of methods (Holm).",
        "",
    )
    for decomposer, name in SPLITS.items():
        yield from _tables(f"With {name}", _evaluation(datasets, chosen, embedder, decomposer))
    fold = f" --fold {options.fold}" if options.fold else ""
    methods = "" if options.methods == ROWS else f" --methods {options.methods}"
    embedder_named = options.embedder if ":" not in options.embedder else f"onnx:{_name(options.embedder)}"
    folder = options.folder if options.folder.parent.name == "data" else f"FOLDER/{options.folder.name}"
    typed = f"benchmarks/quality/everyday.py {folder} --embedder {embedder_named}{fold}{methods} --write"
    yield f"Command: `.venv/bin/python {typed}`"
    yield ""


def _evaluation(
    datasets: Sequence[Dataset], methods: Sequence[Method], embedder: CachedEmbedder, decomposer: str
) -> Evaluation:
    experiments = (Experiment.prepare(each, embedder=embedder, decomposer=decomposer) for each in datasets)
    return evaluation_of_sets(experiments, methods)


def _tables(title: str, mean: Evaluation) -> Iterator[str]:
    yield from (f"## {title}", "")
    marks = {measure: _marks(mean.methods, measure) for measure in COLUMNS.values()}
    rows = [
        [method.method, *(_figure(method, measure, marks[measure][number]) for measure in COLUMNS.values())]
        for number, method in enumerate(mean.methods)
    ]
    yield from markdown(("method", *COLUMNS), rows)
    yield from ("Each set: E@10 / W@10 / E first.", "")
    names = [part.setup.dataset for part in mean.parts]
    each = [
        [method.method, *(_in_short(part.methods[number]) for part in mean.parts)]
        for number, method in enumerate(mean.methods)
    ]
    yield from markdown(("method", *names), each)


def _marks(methods: Sequence[MethodResult], measure: str) -> list[str]:
    compared = [method.against_plain.get(measure) for method in methods]
    corrected = iter(holm([each.p for each in compared if each]))
    return [stars(next(corrected)) if each else "" for each in compared]


def _figure(method: MethodResult, measure: str, mark: str) -> str:
    value = method.measures.get(measure)
    if value is None:  # No document of these sets denies what is excluded.
        return "–"
    return f"{short(value.mean)}{mark} ({short(value.low)}–{short(value.high)})"


def _in_short(method: MethodResult) -> str:
    return " / ".join(short(method.measures[measure].mean) for measure in IN_SHORT)


def _name(embedder: str) -> str:
    """Return a model's own name: of a folder, without the way to it."""
    return Path(embedder.partition(":")[2] or embedder).name


def _part(dataset: Dataset, fold: str | None) -> Dataset:
    return dataset if fold is None else dataset.fold(*map(int, fold.split("/")))


if __name__ == "__main__":
    main()
