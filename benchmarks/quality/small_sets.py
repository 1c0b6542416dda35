"""Does it hold in ten documents, as a new user or a reranker has them?

.venv/bin/python benchmarks/quality/small_sets.py ../shared/data --write

Each query that the rules split is asked of a small set of its own. Subjects, of excluir-23k: the answer, the
excluded document and those of the corpus that are nearest to the query, as the corpus has them, and as lines:
the first sentence of each, without a title. Properties, of the everyday sets: as many wanted as excluded
documents, the nearest to what is wanted.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from setting import EXCLUIR, arguments, markdown, publish, searcher_over

from esens import Decomposition, Document, Searcher, decompose
from esens.embed.cache import CachedEmbedder
from esens.evaluate import read_dataset
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.statistics import interval
from esens.text.sentences import sentences_of

EVERYDAY = "everyday"
SIZES = (5, 10, 20, 50)
MEASURES = (
    "wanted first ↑",
    "excluded first ↓",
    "excluded above wanted ↓",
    "`hard` keeps excluded ↓",
    "drops wanted ↓",
)
METHODS = {"plain": None, "target-only": None, "paper's linear": "linear", "esens": "relational"}
ABOUT = """\
Queries that the rules split (half {fold} of 2), each asked of a small set of its own. Subjects, of
excluir-23k: the answer, the excluded document, and those of the corpus that are nearest to the
query; “texts” are as the corpus has them, with a title, “lines” are their first sentences, without
one, as somebody's own file of lines. Properties, of the everyday sets: as many wanted as excluded
documents, at most half of the size each, the nearest to what is wanted. In the same set: plain
search, search for the target alone, the paper's score, and the default. “Excluded above wanted” is
of all pairs, ties count. `hard` leaves out what is excluded: the share of the excluded that it
kept, and of the wanted that it dropped. {embedder}, 95 % bootstrap intervals. Half 1 chose
([decision 33](../../docs/decisions/0033-few-documents.md))."""


class SmallSet(NamedTuple):
    """A query, how it is split, and the few documents it is asked of."""

    text: str
    split: Decomposition
    documents: Sequence[Document]
    wanted: Sequence[str]
    excluded: Sequence[str]


SetsOfSize = Callable[[int], Iterator[SmallSet]]


def main() -> None:
    parser = arguments()
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument(
        "--fold", type=int, choices=(1, 2), default=2, help="the first half chose, the second reports"
    )
    options = parser.parse_args()
    name = "small_sets.md" if options.embedder == "minilm" else f"small_sets-{options.embedder}.md"
    publish(page(options.folder, options.embedder, options.fold), name, write=options.write)


def page(folder: Path, embedder: str, fold: int) -> Iterator[str]:
    yield "# Few documents"
    yield ""
    yield ABOUT.format(fold=fold, embedder=embedder).replace("\n", " ")
    yield ""
    kinds: dict[str, SetsOfSize] = {
        "Subjects, texts": lambda size: subjects(folder, embedder, fold, size),
        "Subjects, lines": lambda size: map(_as_lines, subjects(folder, embedder, fold, size)),
        "Properties": lambda size: properties(folder, embedder, fold, size),
    }
    for kind, sets_of_size in kinds.items():
        for size in SIZES:
            sets = list(sets_of_size(size))
            yield f"## {kind}: {size} documents, {len(sets)} queries"
            yield ""
            yield from markdown(("method", *MEASURES), _rows(sets, embedder))
    options = f"--embedder {embedder} --fold {fold} --write"
    yield f"Command: `.venv/bin/python benchmarks/quality/small_sets.py {folder} {options}`"
    yield ""


def subjects(folder: Path, embedder: str, fold: int, size: int) -> Iterator[SmallSet]:
    """Yield the answer and the excluded document of a query among their neighbours, in the corpus's order."""
    dataset = read_dataset(folder / EXCLUIR)
    searcher = searcher_over(embedder, dataset.corpus)
    for query, split in _split_queries(dataset, fold):
        near = searcher.search(query.text, k=size, decomposition=Decomposition(query.text))
        wanted, excluded = tuple(query.relevant), tuple(query.excluded)
        ids = list(dict.fromkeys((*wanted, *excluded, *(hit.id for hit in near))))[:size]
        yield SmallSet(query.text, split, _in_order(dataset, ids), wanted, excluded)


def properties(folder: Path, embedder: str, fold: int, size: int) -> Iterator[SmallSet]:
    """Yield wanted and excluded documents of a query, the nearest to what a person says is wanted."""
    for path in sorted((folder / EVERYDAY).iterdir()):
        dataset = read_dataset(path)
        searcher = searcher_over(embedder, dataset.corpus)
        for query, split in _split_queries(dataset, fold):
            assert query.split is not None
            target = query.split.target
            near = searcher.search(target, k=len(dataset.corpus), decomposition=Decomposition(target))
            wanted = [hit.id for hit in near if hit.id in query.relevant][: size // 2]
            excluded = [hit.id for hit in near if hit.id in query.excluded][: size // 2]
            yield SmallSet(query.text, split, _in_order(dataset, wanted + excluded), wanted, excluded)


def _split_queries(dataset: Dataset, fold: int) -> Iterator[tuple[Query, Decomposition]]:
    """Yield the queries of one half that the rules split."""
    queries = [query for at, query in enumerate(dataset.queries) if at % 2 == fold - 1]
    splits = decompose([query.text for query in queries])
    return ((query, split) for query, split in zip(queries, splits, strict=True) if split.exclusions)


def _in_order(dataset: Dataset, ids: Sequence[str]) -> list[Document]:
    chosen = frozenset(ids)
    return [document for document in dataset.corpus if document.id in chosen]


def _as_lines(each: SmallSet) -> SmallSet:
    lines = [Document(document.id, sentences_of(document.text)[0]) for document in each.documents]
    return each._replace(documents=lines)


def _rows(sets: Sequence[SmallSet], embedder: str) -> Iterator[list[str]]:
    model = CachedEmbedder(embedder)
    searchers = [Searcher.from_documents(each.documents, embedder=model) for each in sets]
    for name in METHODS:
        pairs = zip(sets, searchers, strict=True)
        values = np.array([_orders(name, each, searcher) for each, searcher in pairs])
        if name == "esens":
            left_out = [_left_out(each, searcher) for each, searcher in zip(sets, searchers, strict=True)]
            values = np.concatenate([values, left_out], axis=1)
        cells = [str(interval(column)) for column in values.T]
        yield [name, *cells, *["–"] * (len(MEASURES) - len(cells))]


def _orders(method: str, each: SmallSet, searcher: Searcher) -> list[float]:
    """Return who is first, and how many pairs are in the wrong order."""
    text = each.split.target if method == "target-only" else each.text
    split = each.split if METHODS[method] else Decomposition(text)
    hits = searcher.search(text, k=len(each.documents), decomposition=split, score=METHODS[method])
    rank = {hit.id: hit.rank for hit in hits}
    wanted, excluded = (np.array([rank[id_] for id_ in ids]) for ids in (each.wanted, each.excluded))
    is_wrong = excluded[:, None] <= wanted
    return [float(wanted.min() == 1), float(excluded.min() == 1), float(is_wrong.mean())]


def _left_out(each: SmallSet, searcher: Searcher) -> list[float]:
    hits = searcher.search(each.text, k=len(each.documents), decomposition=each.split, mode="hard")
    kept = {hit.id for hit in hits}
    return [
        float(np.mean([id_ in kept for id_ in each.excluded])),
        float(np.mean([id_ not in kept for id_ in each.wanted])),
    ]


if __name__ == "__main__":
    main()
