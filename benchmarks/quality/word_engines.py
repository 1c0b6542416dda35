"""The words of each engine: whether its own search by words finds as much as BM25 in memory, alone and fused.

.venv/bin/python benchmarks/quality/word_engines.py ../shared/data --write

The same documents and vectors in each index. PostgreSQL and Qdrant's local mode read the words of all documents
for every query: over abstracts only with ``--all``, which takes an hour. A server of your own joins by its
spec, as in ``--also qdrant://localhost:6333/words``.
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

import numpy as np
from setting import BOOLQUESTIONS, arguments, markdown, publish

from esens import Hybrid, MemoryIndex, Searcher
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.evaluate import Experiment, read_dataset
from esens.evaluate.ranks.ranking import run_ranks
from esens.evaluate.report.methods import stars
from esens.evaluate.statistics import Values, compare, holm, intervals
from esens.index import prepare_index
from esens.index.base import Index

SCIFACT = "scifact"
EMBEDDER = "wordllama"
MEMORY = "memory, bm25s"
DEPTH, FEW = 10, 1000
FOLD = 2, 2
COLUMNS = {
    SCIFACT: {"R@1 ↑": "recall@1", "R@3 ↑": "recall@3", "R@9 ↑": "recall@9"},
    BOOLQUESTIONS: {"Avg. R ↑": "avg_recall", "Avg. V ↓": "avg_violation", "R@1 ↑": "recall@1"},
}
WAYS = {"words alone": Hybrid(words=1.0), "hybrid": Hybrid()}


def main() -> None:
    parser = arguments()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--also", metavar="SPEC", action="append", default=[])
    options = parser.parse_args()
    publish(page(options), "word_engines.md", write=options.write)


def page(options: argparse.Namespace) -> Iterator[str]:
    yield from (
        "# The words of each engine",
        "",
        f"Search by words alone, and fused with vectors ({EMBEDDER}), over the same documents in each index; the "
        "rules' splits. Exclusions are as they are in the product, so that words alone respect them, too. `same`: "
        f"the share of the first {DEPTH} that are those of the first row. 95 % bootstrap intervals; stars: paired "
        "tests against the first row, corrected for the number of engines (Holm).",
        "",
    )
    for name, columns in COLUMNS.items():
        dataset = read_dataset(options.folder / name).fold(*FOLD)
        experiment = Experiment.prepare(dataset, embedder=CachedEmbedder(EMBEDDER))
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            by_engine = {
                engine: _runs(experiment, index) for engine, index in _indexes(experiment, folder, stack, options)
            }
        for way in WAYS:
            yield from (f"## {name}, {way}: {len(dataset.queries)} queries", "")
            yield from _table(experiment, {engine: runs[way] for engine, runs in by_engine.items()}, columns)
    yield f"Command: `.venv/bin/python benchmarks/quality/word_engines.py {options.folder} --write`"
    yield ""


Run = Mapping[str, Sequence[tuple[str, float]]]


def _indexes(
    experiment: Experiment, folder: str, stack: ExitStack, options: argparse.Namespace
) -> Iterator[tuple[str, Index]]:
    """Yield the indexes that can be had here, with the same documents."""
    from tests.postgres import postgres_server, programs

    corpus = experiment.dataset.corpus
    vectors = embed_corpus(corpus, CachedEmbedder(EMBEDDER))
    yield MEMORY, MemoryIndex(corpus, vectors)
    specs = {"Lance, its index of words": f"{folder}/x.lance?search=approximate"}
    if options.all or len(corpus) <= FEW:
        specs["Qdrant, local mode"] = f"qdrant:{folder}/qdrant?collection=words"
        if (found := programs()) is not None:
            specs["PostgreSQL"] = f"{stack.enter_context(postgres_server(found))}?table=words"
    specs |= {spec: spec for spec in options.also}
    for name, spec in specs.items():
        index = prepare_index(spec, dimension=vectors.shape[1])
        stack.callback(index.close)
        for start in range(0, len(corpus), 1000):
            part = slice(start, start + 1000)
            index.upsert(corpus[part], vectors[part])
        if hasattr(index, "optimise"):
            index.optimise()
        yield name, index


def _runs(experiment: Experiment, index: Index) -> dict[str, Run]:
    """Return what is found by each way."""
    searcher = Searcher(index, embedder=CachedEmbedder(EMBEDDER))
    ids, texts = [query.id for query in experiment.dataset.queries], list(experiment.dataset.texts)
    runs: dict[str, Run] = {}
    for way, hybrid in WAYS.items():
        found = searcher.search(texts, decomposition=list(experiment.decompositions), k=DEPTH, hybrid=hybrid)
        runs[way] = {
            id_: [(hit.id, hit.score) for hit in results] for id_, results in zip(ids, found, strict=True)
        }
    return runs


def _table(experiment: Experiment, runs: Mapping[str, Run], columns: Mapping[str, str]) -> Iterator[str]:
    tables: dict[str, Values] = {}
    for engine, run in runs.items():
        measured = experiment.measures.all(run_ranks(run, experiment.dataset))
        tables[engine] = np.concatenate([measured[each] for each in columns.values()], axis=1)
    against = {engine: compare(table, tables[MEMORY]) for engine, table in tables.items() if engine != MEMORY}
    corrected = [holm([each[column].p for each in against.values()]) for column in range(len(columns))]
    marks = {engine: [stars(p[at]) for p in corrected] for at, engine in enumerate(against)}
    rows = []
    for engine, table in tables.items():
        means = intervals(table)
        cells = [f"{means.at(at)}{marks.get(engine, [''] * len(columns))[at]}" for at in range(len(columns))]
        rows.append([engine, *cells, f"{_same(runs[engine], runs[MEMORY]):.2f}"])
    yield from markdown(("engine", *columns, "same"), rows)


def _same(run: Run, other: Run) -> float:
    return float(np.mean([len(dict(run[id_]).keys() & dict(other[id_]).keys()) / DEPTH for id_ in run]))


if __name__ == "__main__":
    main()
