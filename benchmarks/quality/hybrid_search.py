"""Words beside vectors: hybrid search against either leg alone, with what is excluded in both legs or in one.

.venv/bin/python benchmarks/quality/hybrid_search.py ../shared/data --write

"esens, then fused" is what a program does that fuses our ranking with a search by words of its own: reciprocal
ranks of the default search and of BM25 of the whole query, the first 100 of each.
"""

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from setting import BOOLQUESTIONS, EXCLUIR, RESULTS, markdown, searcher_over

from esens.arrays.rank import top_k
from esens.embed.cache import CachedEmbedder
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment, methods_of, read_dataset
from esens.evaluate.dataset import Dataset
from esens.evaluate.methods.base import FUSION_K
from esens.evaluate.ranks.ranking import Ranks, run_ranks
from esens.evaluate.report.methods import stars
from esens.evaluate.statistics import Values, compare_over_sets, holm, intervals_over_sets, short
from esens.index.words import WordIndex

METHODS = "plain,bm25,hybrid,hybrid-rrf,target-only,esens,esens-hybrid,esens-hybrid-rrf"
ONE_LEG, OURS = "esens, then fused", "esens-hybrid"
LEGS = ("plain", "bm25")
DEEPEST = 100
SMALL_P = 0.001
SCIFACT, EVERYDAY = "scifact", "everyday"
SETS = (EXCLUIR, BOOLQUESTIONS, EVERYDAY, SCIFACT)
SECTION = "\n## "
EMBEDDERS = {
    EXCLUIR: ("minilm",),
    BOOLQUESTIONS: ("minilm",),
    EVERYDAY: ("wordllama",),
    SCIFACT: ("minilm", "wordllama"),
}
"""As on the pages of these sets; of SciFact with a strong and a weak one."""
SUBJECTS = {"Avg. R ↑": "avg_recall", "Avg. V ↓": "avg_violation", "R@1 ↑": "recall@1"}
PLACES = {"E@10 ↓": "excluded@10", "W@10 ↑": "wanted@10", "E first ↓": "excluded@1"}
RECALL = {"R@1 ↑": "recall@1", "R@3 ↑": "recall@3", "R@9 ↑": "recall@9"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--fold", default="2/2", metavar="I/N", help="every N-th query, beginning with the I-th")
    parser.add_argument("--only", choices=SETS)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TruncatedTextWarning)
    text = "\n".join(page(options))
    print(text)
    if options.write:
        path = RESULTS / "hybrid_search.md"
        kept = path.read_text(encoding="utf-8") if options.only else ""
        path.write_text(_spliced(kept, text), encoding="utf-8")


def _spliced(kept: str, text: str) -> str:
    """Return a page whose sections are new where they were measured, and as they were elsewhere."""
    intro, *fresh = text.split(SECTION)
    measured = {_set_of(section) for section in fresh}
    others = [section for section in kept.split(SECTION)[1:] if _set_of(section) not in measured]
    return SECTION.join([intro, *sorted([*others, *fresh], key=lambda section: SETS.index(_set_of(section)))])


def _set_of(section: str) -> str:
    return section.partition(":")[0]


def page(options: argparse.Namespace) -> Iterator[str]:
    yield from (
        "# Words beside vectors",
        "",
        f"BM25 by bm25s, the rules' splits, fold {options.fold} of the queries of each set; how much words count "
        f"was chosen on the other half, and on no query of SciFact, of which all are asked. `{ONE_LEG}` has the "
        "exclusion in one leg only: ranks of the default search and of BM25 of the whole query, fused. 95 % "
        f"bootstrap intervals; stars: paired tests against `{OURS}`, corrected for the number of methods (Holm).",
        "",
        f"Command: `.venv/bin/python benchmarks/quality/hybrid_search.py {options.folder} --write`; with "
        "`--only SET` one set is measured anew.",
        "",
    )
    for name, columns in zip(SETS, (SUBJECTS, SUBJECTS, PLACES, RECALL), strict=True):
        if options.only in (None, name):
            datasets = list(_datasets(options, name))
            queries = sum(len(dataset.queries) for dataset in datasets)
            sets = f"{len(datasets)} sets, each counting the same, " if len(datasets) > 1 else ""
            excludes = ", none of which excludes anything" if name == SCIFACT else ""
            for embedder in EMBEDDERS[name]:
                yield from (f"## {name}: {sets}{queries} queries{excludes}; {embedder}", "")
                tables = _measured(options, datasets, columns, embedder)
                yield from _table(tables, columns)
                if name == SCIFACT:
                    yield from _against_each_leg(tables, columns, queries)


def _datasets(options: argparse.Namespace, name: str) -> Iterator[Dataset]:
    folder = options.folder / name
    paths = sorted(path for path in folder.iterdir() if path.is_dir()) if name == EVERYDAY else [folder]
    for path in paths:
        dataset = read_dataset(path)
        yield dataset if name == SCIFACT else dataset.fold(*map(int, options.fold.split("/")))


def _measured(
    options: argparse.Namespace, datasets: Sequence[Dataset], columns: Mapping[str, str], embedder: str
) -> Mapping[str, list[Values]]:
    """Return, by the name of each method, a table a set: a row a query, a column a measure."""
    methods, model = methods_of(options.methods), CachedEmbedder(embedder)
    tables: dict[str, list[Values]] = {name: [] for name in (*(method.name for method in methods), ONE_LEG)}
    for dataset in datasets:
        experiment = Experiment.prepare(dataset, embedder=model)
        every = {**experiment.ranks(methods), ONE_LEG: _one_leg(experiment, embedder)}
        for name, ranks in every.items():
            measured = experiment.measures.all(ranks)
            tables[name].append(np.concatenate([measured[each] for each in columns.values()], axis=1))
    return tables


def _one_leg(experiment: Experiment, embedder: str) -> Ranks:
    """Return the ranks by the default search fused with BM25, which knows of no exclusion."""
    corpus, texts = experiment.dataset.corpus, list(experiment.dataset.texts)
    words = WordIndex([document.content for document in corpus])
    searcher = searcher_over(embedder, corpus)
    found = searcher.search(texts, decomposition=list(experiment.decompositions), k=DEEPEST)
    run: dict[str, list[tuple[str, float]]] = {}
    for query, results in zip(experiment.dataset.queries, found, strict=True):
        scores = words.scores(query.text)
        by_words = [corpus[at].id for at in top_k(scores, DEEPEST) if scores[at] > 0]
        fused: dict[str, float] = {}
        for leg in (results.ids, by_words):
            for place, id_ in enumerate(leg, start=1):
                fused[id_] = fused.get(id_, 0.0) + 1.0 / (FUSION_K + place)
        run[query.id] = sorted(fused.items(), key=lambda item: -item[1])
    return run_ranks(run, experiment.dataset)


def _table(tables: Mapping[str, list[Values]], columns: Mapping[str, str]) -> Iterator[str]:
    against = {name: compare_over_sets(sets, tables[OURS]) for name, sets in tables.items() if name != OURS}
    marks = {name: [""] * len(columns) for name in tables}
    for column in range(len(columns)):
        corrected = holm([each[column].p for each in against.values()])
        for name, p in zip(against, corrected, strict=True):
            marks[name][column] = stars(p)
    rows = []
    for name, sets in tables.items():
        means = intervals_over_sets(sets)
        cells = [f"{means.at(column)}{marks[name][column]}" for column in range(len(columns))]
        rows.append([name, *cells])
    yield from markdown(("method", *columns), rows)


def _against_each_leg(
    tables: Mapping[str, list[Values]], columns: Mapping[str, str], queries: int
) -> Iterator[str]:
    """Yield what the two legs together bring beyond each alone."""
    yield from (f"`hybrid` beyond either leg alone, of {queries} queries each: difference, interval, p (Holm)", "")
    legs = {leg: compare_over_sets(tables["hybrid"], tables[leg]) for leg in LEGS}
    rows = [[f"{leg}"] for leg in legs]
    for column in range(len(columns)):
        corrected = holm([each[column].p for each in legs.values()])
        for row, each, p in zip(rows, legs.values(), corrected, strict=True):
            row.append(f"{each[column].difference}, {'p < .001' if p < SMALL_P else f'p = {short(p)}'}")
    yield from markdown(("against", *columns), rows)


if __name__ == "__main__":
    main()
