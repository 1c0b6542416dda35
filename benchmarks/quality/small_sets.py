"""Does it hold in ten documents, as a new user or a reranker has them?

.venv/bin/python benchmarks/quality/small_sets.py ../shared/data --write

Each query of excluir-23k that the rules split is asked of a small set of its own: the answer, the excluded document
and those of the corpus that are nearest to the query. Once as the corpus has them, and once as lines: the first
sentence of each, without a title.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from setting import EXCLUIR, arguments, markdown, publish, searcher_over

from esens import Decomposition, Document, Searcher, decompose
from esens.embed.cache import CachedEmbedder
from esens.evaluate import read_dataset
from esens.evaluate.dataset import Query
from esens.evaluate.statistics import interval
from esens.text.sentences import sentences_of

SIZES = (5, 10, 20, 50)
MEASURES = (
    "answer first ↑",
    "excluded first ↓",
    "excluded above the answer ↓",
    "`hard` keeps it ↓",
    "drops the answer ↓",
)


class SmallSet(NamedTuple):
    """A query, how it is split, and the few documents it is asked of."""

    query: Query
    split: Decomposition
    documents: Sequence[Document]


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
    yield from (
        "# Few documents",
        "",
        f"Queries of excluir-23k (half {fold} of 2) that the rules split, each asked of a set of its own: the answer, the "
        "excluded document, and those of the corpus that are nearest to the query. “Texts” are as the corpus has them, with "
        "a title; “lines” are their first sentences, without one, as somebody's own file of lines. In the same set: plain "
        "search, search for the target alone, and the default. `hard` leaves out what is excluded: how often it kept the "
        f"excluded document, and how often it dropped the answer. {embedder}, splits by rules, 95 % bootstrap intervals.",
        "",
    )
    for form, as_form in FORMS.items():
        for size in SIZES:
            sets = list(small_sets(folder, embedder, fold, size, as_form))
            yield f"## {size} {form}, {len(sets)} queries"
            yield ""
            yield from markdown(("method", *MEASURES), _rows(sets, embedder))
    yield f"Command: `.venv/bin/python benchmarks/quality/small_sets.py {folder} --embedder {embedder} --fold {fold} --write`"
    yield ""


def small_sets(
    folder: Path, embedder: str, fold: int, size: int, as_form: Callable[[Document], Document]
) -> Iterator[SmallSet]:
    """Yield the small sets of one half, in the corpus's order."""
    dataset = read_dataset(folder / EXCLUIR)
    place = {document.id: at for at, document in enumerate(dataset.corpus)}
    queries = [query for at, query in enumerate(dataset.queries) if at % 2 == fold - 1]
    searcher = searcher_over(embedder, dataset.corpus)
    for query, split in zip(queries, decompose([query.text for query in queries]), strict=True):
        if not split.exclusions:
            continue
        near = searcher.search(query.text, k=size, decomposition=Decomposition(query.text))
        ids = list(dict.fromkeys((*query.relevant, *query.excluded, *(hit.id for hit in near))))[:size]
        documents = [as_form(dataset.corpus[at]) for at in sorted(place[id_] for id_ in ids)]
        yield SmallSet(query, split, documents)


def _as_line(document: Document) -> Document:
    return Document(document.id, sentences_of(document.text)[0])


FORMS: dict[str, Callable[[Document], Document]] = {"texts": lambda document: document, "lines": _as_line}


def _rows(sets: Sequence[SmallSet], embedder: str) -> Iterator[list[str]]:
    model = CachedEmbedder(embedder)
    searchers = [Searcher.from_documents(each.documents, embedder=model) for each in sets]
    pairs = list(zip(sets, searchers, strict=True))
    for name, split_of in (("plain", _nothing), ("target-only", _target), ("esens", _split)):
        values = np.array([_soft(each, searcher, split_of) for each, searcher in pairs])
        hard = np.array([_hard(each, searcher) for each, searcher in pairs]) if name == "esens" else None
        table = values if hard is None else np.concatenate([values, hard], axis=1)
        cells = [str(interval(column)) for column in table.T]
        yield [name, *cells, *["–"] * (len(MEASURES) - len(cells))]


def _nothing(each: SmallSet) -> Decomposition:
    return Decomposition(each.query.text)


def _target(each: SmallSet) -> Decomposition:
    return Decomposition(each.split.target)


def _split(each: SmallSet) -> Decomposition:
    return each.split


def _soft(each: SmallSet, searcher: Searcher, split_of: Callable[[SmallSet], Decomposition]) -> list[float]:
    answer, excluded = next(iter(each.query.relevant)), each.query.excluded[0]
    split = split_of(each)
    text = each.query.text if split.exclusions else split.target
    hits = searcher.search(text, k=len(each.documents), decomposition=split)
    rank = {hit.id: hit.rank for hit in hits}
    return [float(rank[answer] == 1), float(rank[excluded] == 1), float(rank[excluded] <= rank[answer])]


def _hard(each: SmallSet, searcher: Searcher) -> list[float]:
    hits = searcher.search(each.query.text, k=len(each.documents), decomposition=each.split, mode="hard")
    found = {hit.id for hit in hits}
    return [float(each.query.excluded[0] in found), float(next(iter(each.query.relevant)) not in found)]


if __name__ == "__main__":
    main()
