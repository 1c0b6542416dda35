"""How well a decomposer splits: exclusions found, exclusions invented, and what that does to a search.

What a benchmark knows of its queries decides what is measured:

- the title of what is excluded: it is compared with the trap found
- the answer and the excluded document: both are ranked at a beta
- nothing that is excluded: every trap found is a false one
- recorded decompositions: they are measured beside the others
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import NamedTuple

import numpy as np

from esens.arrays.unit import unit_rows
from esens.decompose import Decomposer, decomposed
from esens.embed import Embedder
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION, Measures
from esens.evaluate.ranks.frontier import frontier
from esens.evaluate.ranks.matmul import Corpus
from esens.evaluate.ranks.query_vectors import query_vectors
from esens.evaluate.statistics import Interval, interval, intervals
from esens.search import Progress, embed_corpus, embed_texts
from esens.types import Decomposition

BETAS = (0.2, 0.3)
PLAIN = "plain retrieval"
ORACLE = "oracle titles"
BUILTIN_NEGATIVES = "not_exclusions"
_WORD = re.compile(r"\w+")


class Quality(NamedTuple):
    """How well the traps of one decomposer name what is excluded."""

    benchmark: str
    decomposer: str
    queries: int
    found: Interval
    token_f1: Interval
    f1_where_found: Interval | None
    similarity: Interval | None


class FalsePositives(NamedTuple):
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


def builtin_negatives() -> Dataset:
    """Return the list of queries, claims and names that hold a word of exclusion and exclude nothing."""
    text = (resources.files("esens.evaluate") / "data" / f"{BUILTIN_NEGATIVES}.jsonl").read_text(encoding="utf-8")
    lines = enumerate(text.splitlines())
    return Dataset("written here", tuple(Query(str(number), json.loads(line)["text"]) for number, line in lines))


def splits_of(
    benchmark: Dataset, decomposers: Mapping[str, Decomposer], progress: Progress | None = None
) -> dict[str, list[Decomposition]]:
    """Return what each decomposer makes of the queries."""
    return {name: decomposed(benchmark.texts, each, progress) for name, each in decomposers.items()}


def quality(
    benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]], embedder: Embedder | None
) -> list[Quality]:
    """Compare the traps with the titles of what is excluded, and recorded ones beside them on the same queries."""
    titles = benchmark.excluded_titles
    if titles is None:
        return []
    found = [_quality(benchmark.name, name, split, titles, embedder) for name, split in splits.items()]
    for record, recorded in benchmark.recorded.items():
        kept = [i for i, split in enumerate(recorded) if split is not None]
        where, theirs = f"{benchmark.name}, with a record", [titles[i] for i in kept]
        for name, split in splits.items():
            found.append(_quality(where, name, [split[i] for i in kept], theirs, embedder))
        found.append(_quality(where, record, [split for split in recorded if split], theirs, embedder))
    return found


def false_positives(benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]]) -> list[FalsePositives]:
    """Return the queries that exclude nothing and got a trap all the same."""
    return [
        FalsePositives(
            benchmark.name,
            name,
            len(split),
            tuple(text for text, one in zip(benchmark.texts, split, strict=True) if one.traps),
        )
        for name, split in splits.items()
    ]


def end_to_end(
    benchmark: Dataset,
    splits: Mapping[str, Sequence[Decomposition]],
    embedder: Embedder,
    *,
    betas: Sequence[float] = BETAS,
    progress: Progress | None = None,
) -> list[EndToEnd]:
    """Rank the answer and the excluded document of every query, by the paper's main variant.

    Where decompositions are recorded, all are measured on the queries that have one, so that they compare.
    """
    if not benchmark.corpus or not any(query.relevant and query.excluded for query in benchmark.queries):
        return []
    recorded = {name: split for name, split in benchmark.recorded.items() if any(split)}
    kept = [i for i in range(len(benchmark.queries)) if all(split[i] for split in recorded.values())]
    contestants: dict[str, list[Decomposition]] = {PLAIN: [Decomposition(t) for t in benchmark.texts]}
    contestants |= {name: list(split) for name, split in splits.items()}
    contestants |= {name: [one or Decomposition("-") for one in split] for name, split in recorded.items()}
    titles = benchmark.excluded_titles
    if titles is not None:
        contestants[ORACLE] = [
            Decomposition(text, (title,)) for text, title in zip(benchmark.texts, titles, strict=True)
        ]
    measured = replace(benchmark, queries=tuple(benchmark.queries[i] for i in kept))
    corpus = Corpus(embed_corpus(benchmark.corpus, embedder, progress))
    return [
        one
        for name, split in contestants.items()
        for one in _searched(
            name, measured, [split[i] for i in kept], corpus, embedder, (0.0,) if name == PLAIN else betas
        )
    ]


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


def _searched(
    name: str,
    benchmark: Dataset,
    split: Sequence[Decomposition],
    corpus: Corpus,
    embedder: Embedder,
    betas: Sequence[float],
) -> list[EndToEnd]:
    ranks = frontier(corpus, query_vectors(benchmark.texts, split, embedder), benchmark.gold, betas)
    values = Measures.of(benchmark).all(ranks)
    recall, violation = intervals(values[AVG_RECALL]), intervals(values[AVG_VIOLATION])
    return [
        EndToEnd(benchmark.name, name, len(split), beta, recall.at(number), violation.at(number))
        for number, beta in enumerate(betas)
    ]


def _seconds(decomposer: Callable[[str], object], query: str) -> float:
    start = time.perf_counter()
    decomposer(query)
    return time.perf_counter() - start
