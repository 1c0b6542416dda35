"""What the words of what is wanted bring beside vectors: paired, on queries that chose nothing.

.venv/bin/python benchmarks/quality/wanted_words.py ../shared/data --write

How much they count was chosen on the first half of each set's queries; all is reported on the second.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from setting import BOOLQUESTIONS, EXCLUIR, MEASURES, arguments, by_search, markdown, publish, signed

from esens import Relational
from esens.embed.cache import CachedEmbedder
from esens.evaluate import Experiment, methods_of, read_dataset
from esens.evaluate.statistics import Values, compare_over_sets, intervals_over_sets

PLACES = ("excluded@10", "wanted@10", "excluded@1")
HEADS = {MEASURES: ("Avg. R ↑", "Avg. V ↓", "R@1 ↑"), PLACES: ("E@10 ↓", "W@10 ↑", "E first ↓")}


BEFORE = "without words"
SCORES = {
    BEFORE: Relational(words=0.0),
    "words .1": Relational(words=0.1),
    "words .2: the default": Relational(),
    "words .3": Relational(words=0.3),
    "the default, hard": Relational(mode="hard"),
}


def main() -> None:
    parser = arguments()
    parser.add_argument("--fold", default="2/2", metavar="I/N")
    options = parser.parse_args()
    publish(page(options), "wanted_words.md", write=options.write)


def page(options: argparse.Namespace) -> Iterator[str]:
    yield from (
        "# The words of what is wanted",
        "",
        f"Fold {options.fold} of the queries of each set; how much words count was chosen on the other. "
        f"Differences are paired, from “{BEFORE}”, with 95 % bootstrap intervals and the p of a "
        "randomisation test.",
        "",
    )
    everyday = [f"everyday/{path.name}" for path in sorted((options.folder / "everyday").iterdir())]
    for title, names, embedder, decomposer, measures in (
        (EXCLUIR, [EXCLUIR], "minilm", "rules", MEASURES),
        (BOOLQUESTIONS, [BOOLQUESTIONS], "minilm", "rules", MEASURES),
        (EXCLUIR, [EXCLUIR], "wordllama", "rules", MEASURES),
        ("Everyday sets", everyday, "wordllama", "rules", PLACES),
        ("Everyday sets, a person's splits", everyday, "wordllama", "recorded:gold", PLACES),
    ):
        tables = _measured(options, names, embedder, decomposer, measures)
        yield from (f"## {title}: {sum(map(len, tables[BEFORE]))} queries; {embedder}", "")
        yield from markdown(("", *HEADS[measures]), _rows(tables))
    yield f"Command: `.venv/bin/python benchmarks/quality/wanted_words.py {options.folder} --write`"
    yield ""


def _measured(
    options: argparse.Namespace, names: Sequence[str], embedder: str, decomposer: str, measures: Sequence[str]
) -> Mapping[str, list[Values]]:
    """Return, by the name of each row, a table a set: a row a query, a column a measure."""
    methods = methods_of("plain,target-only,itlr")
    tables: dict[str, list[Values]] = {name: [] for name in (*(method.name for method in methods), *SCORES)}
    for name in names:
        dataset = read_dataset(options.folder / name).fold(*map(int, options.fold.split("/")))
        experiment = Experiment.prepare(dataset, embedder=CachedEmbedder(embedder), decomposer=decomposer)
        found = experiment.ranks(methods)
        found |= {name: by_search(experiment, embedder, score) for name, score in SCORES.items()}
        for method, ranks in found.items():
            measured = experiment.measures.all(ranks)
            tables[method].append(np.concatenate([measured[each] for each in measures], axis=1))
    return tables


def _rows(tables: Mapping[str, list[Values]]) -> Iterator[list[str]]:
    for name, sets in tables.items():
        means, against = intervals_over_sets(sets), compare_over_sets(sets, tables[BEFORE])
        cells = [str(means.at(column)) for column in range(len(against))]
        if name in SCORES and name != BEFORE:
            cells = [
                f"{cell}, {signed(each.difference.mean)} ({signed(each.difference.low)} to "
                f"{signed(each.difference.high)}), p {each.p:.3f}"
                for cell, each in zip(cells, against, strict=True)
            ]
        yield [name, *cells]


if __name__ == "__main__":
    main()
