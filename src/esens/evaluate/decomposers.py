"""How well a decomposer splits: exclusions found, exclusions invented, and what that does to a search.

A benchmark is a folder with ``queries.jsonl``. What its rows know decides what is measured:

- ``excluded_title``, or ``trap`` with a ``corpus.jsonl``: the title of what is excluded, against the trap found
- ``target`` and ``trap``: ids of the answer and of the excluded document, ranked at a beta
- ``relevant`` and no ``trap``: nothing is excluded, so every trap found is a false one
- any field that is an object with ``target`` and ``trap``: a recorded decomposition, measured beside the others
"""

import html
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from esens.decompose import Decomposer, decomposed
from esens.embed import Embedder
from esens.errors import InputError
from esens.evaluate.intervals import Interval, interval
from esens.index.memory import scan
from esens.index.vectors import unit_rows
from esens.ingest import read_documents, read_jsonl
from esens.score.linear import Weights, linear
from esens.score.rank import ranks_of
from esens.search import Progress, embed_corpus, embed_texts
from esens.types import Decomposition, Document

KS = (3, 5, 7, 9)
BETAS = (0.2, 0.3)
PLAIN = "plain retrieval"
ORACLE = "oracle titles"
WRITTEN_HERE = "not_exclusions"
_WORD = re.compile(r"\w+")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """The rows of a folder, and its documents where it has any."""

    name: str
    queries: tuple[Row, ...]
    corpus: tuple[Document, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The queries themselves."""
        return [row["text"] for row in self.queries]

    @property
    def titles(self) -> list[str] | None:
        """The title of what each query excludes, if that is known of all of them."""
        named = {document.id: document.title for document in self.corpus}
        titles = [row.get("excluded_title") or named.get(str(row.get("trap")), "") for row in self.queries]
        return [html.unescape(title) for title in titles] if all(titles) else None

    @property
    def excludes(self) -> bool:
        """Whether its queries exclude something."""
        return any("trap" in row or "excluded_title" in row for row in self.queries)

    @property
    def has_gold(self) -> bool:
        """Whether the answer and the excluded document of each query are known and at hand."""
        ids = {document.id for document in self.corpus}
        return bool(ids) and all({str(row.get("target")), str(row.get("trap"))} <= ids for row in self.queries)

    def recorded(self) -> dict[str, list[Decomposition | None]]:
        """Return the decompositions that the rows bring along, by the name of their field."""
        names = sorted({name for row in self.queries for name, value in row.items() if _is_split(value)})
        return {name: [_split(row.get(name)) for row in self.queries] for name in names}


class Quality(NamedTuple):
    """How well the traps of one decomposer name what is excluded."""

    benchmark: str
    decomposer: str
    queries: int
    found: Interval
    token_f1: Interval
    f1_where_found: Interval | None
    similarity: Interval | None


class Invented(NamedTuple):
    """How many queries that exclude nothing got a trap."""

    benchmark: str
    decomposer: str
    queries: int
    traps: tuple[str, ...]


class EndToEnd(NamedTuple):
    """What a decomposer does to a search: Avg. R and Avg. V at one beta."""

    benchmark: str
    decomposer: str
    queries: int
    beta: float
    recall: Interval
    violation: Interval


def read_benchmark(folder: str | Path) -> Benchmark:
    """Read a folder with ``queries.jsonl`` and, where it has one, ``corpus.jsonl``."""
    path = Path(folder)
    corpus = path / "corpus.jsonl"
    documents = tuple(read_documents(corpus)) if corpus.exists() else ()
    return Benchmark(path.name, tuple(_rows(path / "queries.jsonl")), documents)


def written_here() -> Benchmark:
    """Return the list of queries, claims and names that hold a word of exclusion and exclude nothing."""
    text = (resources.files("esens.evaluate") / "data" / f"{WRITTEN_HERE}.jsonl").read_text(encoding="utf-8")
    return Benchmark("written here", tuple(json.loads(line) for line in text.splitlines()))


def splits_of(
    benchmark: Benchmark, decomposers: Mapping[str, Decomposer], progress: Progress | None = None
) -> dict[str, list[Decomposition]]:
    """Return what each decomposer makes of the queries."""
    return {name: decomposed(benchmark.texts, each, progress) for name, each in decomposers.items()}


def quality(
    benchmark: Benchmark, splits: Mapping[str, Sequence[Decomposition]], embedder: Embedder | None
) -> list[Quality]:
    """Compare the traps with the titles of what is excluded, and recorded ones beside them on the same queries."""
    titles = benchmark.titles
    if titles is None:
        return []
    found = [_quality(benchmark.name, name, split, titles, embedder) for name, split in splits.items()]
    for record, recorded in benchmark.recorded().items():
        kept = [i for i, split in enumerate(recorded) if split is not None]
        where, theirs = f"{benchmark.name}, with a record", [titles[i] for i in kept]
        for name, split in splits.items():
            found.append(_quality(where, name, [split[i] for i in kept], theirs, embedder))
        found.append(_quality(where, record, [split for split in recorded if split], theirs, embedder))
    return found


def invented(benchmark: Benchmark, splits: Mapping[str, Sequence[Decomposition]]) -> list[Invented]:
    """Return the queries that exclude nothing and got a trap all the same."""
    return [
        Invented(
            benchmark.name,
            name,
            len(split),
            tuple(text for text, one in zip(benchmark.texts, split, strict=True) if one.traps),
        )
        for name, split in splits.items()
    ]


def end_to_end(
    benchmark: Benchmark,
    splits: Mapping[str, Sequence[Decomposition]],
    embedder: Embedder,
    *,
    betas: Sequence[float] = BETAS,
    progress: Progress | None = None,
) -> list[EndToEnd]:
    """Rank the answer and the excluded document of every query, by the paper's main variant.

    Where decompositions are recorded, all are measured on the queries that have one, so that they compare.
    """
    recorded = {name: split for name, split in benchmark.recorded().items() if any(split)}
    kept = [i for i in range(len(benchmark.queries)) if all(split[i] for split in recorded.values())]
    contestants: dict[str, list[Decomposition]] = {PLAIN: [Decomposition(t) for t in benchmark.texts]}
    contestants |= {name: list(split) for name, split in splits.items()}
    contestants |= {name: [one or Decomposition("-") for one in split] for name, split in recorded.items()}
    if benchmark.titles is not None:
        contestants[ORACLE] = [
            Decomposition(text, (title,)) for text, title in zip(benchmark.texts, benchmark.titles, strict=True)
        ]
    chosen = {name: [split[i] for i in kept] for name, split in contestants.items()}
    gold = gold_positions(benchmark, kept)
    matrix = embed_corpus(benchmark.corpus, embedder, progress)
    queries = [benchmark.texts[i] for i in kept]
    return [
        one
        for name, split in chosen.items()
        for one in _ranked(
            benchmark.name, name, queries, split, gold, matrix, embedder, (0.0,) if name == PLAIN else betas
        )
    ]


def gold_ranks(
    queries: Sequence[str],
    split: Sequence[Decomposition],
    gold: np.ndarray,
    matrix: np.ndarray,
    embedder: Embedder,
    betas: Sequence[float],
) -> np.ndarray:
    """Return the ranks of the answer and of the excluded document of each query: betas × queries × 2."""
    ranks = np.empty((len(betas), len(queries), 2), int)
    for number, (query, one) in enumerate(zip(queries, split, strict=True)):
        raw = scan(matrix, unit_rows(embed_texts([query, *one.traps], embedder)))
        for row, beta in enumerate(betas):
            score = linear(Weights(1, 0, beta), query=raw[0], target=None, traps=raw[1:]) if one.traps else raw[0]
            ranks[row, number] = ranks_of(gold[number], score)
    return ranks


def averages(ranks: np.ndarray) -> np.ndarray:
    """Return whether a rank is within k, averaged over k: Avg. R and Avg. V where the ranks are those of gold."""
    average: np.ndarray = np.mean([ranks <= k for k in KS], axis=0)
    return average


def gold_positions(benchmark: Benchmark, kept: Sequence[int]) -> np.ndarray:
    """Return where the answer and the excluded document of these queries stand in the corpus."""
    position = {document.id: number for number, document in enumerate(benchmark.corpus)}
    rows = [benchmark.queries[i] for i in kept]
    return np.array([[position[str(row["target"])], position[str(row["trap"])]] for row in rows])


def milliseconds(decomposer: Decomposer, queries: Sequence[str]) -> float:
    """Return the median time that a decomposer takes for a query, after it has seen one."""
    decomposer(queries[0])
    return float(np.median([_seconds(decomposer, query) for query in queries]) * 1e3)


def token_f1(found: str, title: str) -> float:
    """Return the F1 of the words in common, each counted as often as it stands there.

    >>> round(token_f1("the singer Nate Ruess", "Nate Ruess"), 2)
    0.67
    """
    one, two = (Counter(_WORD.findall(text.lower())) for text in (found, title))
    common = (one & two).total()
    return 2 * common / (one.total() + two.total()) if common else 0.0


def _quality(
    benchmark: str, name: str, split: Sequence[Decomposition], titles: Sequence[str], embedder: Embedder | None
) -> Quality:
    pairs = list(zip(split, titles, strict=True))
    f1 = [token_f1(" ".join(one.traps), title) for one, title in pairs]
    found = interval([bool(one.traps) for one in split])
    near = interval(_similarities(pairs, embedder)) if embedder is not None else None
    of_found = [score for score, one in zip(f1, split, strict=True) if one.traps]
    where_found = interval(of_found) if of_found else None
    return Quality(benchmark, name, len(pairs), found, interval(f1), where_found, near)


def _similarities(pairs: Iterable[tuple[Decomposition, str]], embedder: Embedder) -> list[float]:
    """Return the cosine of the nearest trap and the title; 0 where no trap was found."""
    pairs = list(pairs)
    texts = list(dict.fromkeys(text for one, title in pairs for text in (*one.traps, title)))
    vectors = dict(zip(texts, unit_rows(embed_texts(texts, embedder)), strict=True))
    return [max((float(vectors[t] @ vectors[title]) for t in one.traps), default=0.0) for one, title in pairs]


def _ranked(
    benchmark: str,
    name: str,
    queries: Sequence[str],
    split: Sequence[Decomposition],
    gold: np.ndarray,
    matrix: np.ndarray,
    embedder: Embedder,
    betas: Sequence[float],
) -> list[EndToEnd]:
    average = averages(gold_ranks(queries, split, gold, matrix, embedder, betas))
    return [
        EndToEnd(benchmark, name, len(queries), beta, interval(average[row, :, 0]), interval(average[row, :, 1]))
        for row, beta in enumerate(betas)
    ]


def _seconds(decomposer: Callable[[str], object], query: str) -> float:
    start = time.perf_counter()
    decomposer(query)
    return time.perf_counter() - start


def _rows(path: Path) -> list[Row]:
    rows: list[Row] = []
    for number, row in read_jsonl(path):
        if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not row["text"].strip():
            raise InputError(path, "needs an object with the query under 'text'", line=number)
        rows.append(row)
    if not rows:
        raise InputError(path, "holds no queries")
    return rows


def _is_split(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("target"), str) and isinstance(value.get("trap"), str)


def _split(value: Any) -> Decomposition | None:
    if not _is_split(value):
        return None
    trap = value["trap"].strip()
    return Decomposition(value["target"].strip() or "-", (trap,) if trap else ())
