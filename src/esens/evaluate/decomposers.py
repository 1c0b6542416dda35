"""The quality of a decomposer: exclusions found, false positives, and the effect on a search.

The judgements of a benchmark decide what is measured:

- the title of what is excluded: it is compared with the trap
- the answer and the excluded document: both are ranked, by the methods of ``esens evaluate``
- queries that exclude nothing: every trap is a false positive
- how a person split a query: whether the same is excluded, and nothing is where nothing should be
- recorded decompositions: they are measured on the same queries as the decomposer
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import NamedTuple

import numpy as np

from esens.arrays.unit import unit_rows
from esens.decompose import Decomposer, decompose_all
from esens.embed import Embedder
from esens.embed.corpus import Progress, embed_corpus, embed_texts
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.evaluation import measure
from esens.evaluate.experiment import RECORDED, Experiment
from esens.evaluate.measures import AVG_RECALL, AVG_VIOLATION
from esens.evaluate.methods import methods_of
from esens.evaluate.methods.base import Method
from esens.evaluate.statistics import Interval, interval
from esens.types import RELATIONS, Decomposition

METHODS = "baseline-minus-trap:0.2,baseline-minus-trap:0.3,esens"
PLAIN = "plain retrieval"
ORACLE = "oracle titles"
BUILTIN_NEGATIVES = "not_exclusions"
ALL = "all"
_WORD = re.compile(r"\w+")
_ARTICLE = re.compile(r"^(?:the|an?|any) ")


class Quality(NamedTuple):
    """How well the traps of one decomposer name what is excluded."""

    benchmark: str
    decomposer: str
    queries: int
    detected: Interval
    """The share of the queries that got a trap."""
    token_f1: Interval
    f1_of_detected: Interval | None
    """Over the queries that got a trap; None if there is none."""
    similarity: Interval | None


class FalsePositives(NamedTuple):
    """The queries that exclude nothing and got a trap nevertheless."""

    benchmark: str
    decomposer: str
    queries: int
    traps: tuple[str, ...]


class SplitAgreement(NamedTuple):
    """How well the splits of a decomposer agree with those of a person, over one group of queries."""

    benchmark: str
    decomposer: str
    group: str
    excluding: int
    """Queries that exclude something; of them:"""
    found: Interval | None
    exact: Interval | None
    """The share whose traps are the person's, but for case and articles."""
    trap_f1: Interval | None
    """The token F1 of the traps, where any was found."""
    target_f1: Interval | None
    plain: int
    """Queries that exclude nothing; of them:"""
    invented: Interval | None


class EndToEnd(NamedTuple):
    """What a decomposer does to a search: Avg. R and Avg. V by one method."""

    benchmark: str
    decomposer: str
    queries: int
    method: str
    recall: Interval
    violation: Interval


def builtin_negatives() -> Dataset:
    """Return the built-in queries, claims and names that contain a word of exclusion and exclude nothing."""
    text = (resources.files("esens.evaluate") / "data" / f"{BUILTIN_NEGATIVES}.jsonl").read_text(encoding="utf-8")
    lines = enumerate(text.splitlines())
    return Dataset(
        "built-in negatives", tuple(Query(str(number), json.loads(line)["text"]) for number, line in lines)
    )


def splits_of(
    benchmark: Dataset, decomposers: Mapping[str, Decomposer], progress: Progress | None = None
) -> dict[str, list[Decomposition]]:
    """Return the decompositions of the queries by each decomposer."""
    return {name: decompose_all(benchmark.texts, each, progress) for name, each in decomposers.items()}


def quality(
    benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]], embedder: Embedder | None
) -> list[Quality]:
    """Compare the traps with the titles of what is excluded; recorded ones too, on the queries that have them."""
    titles = benchmark.excluded_titles
    if titles is None:
        return []
    rows = [_quality(benchmark.name, name, split, titles, embedder) for name, split in splits.items()]
    for record, recorded in benchmark.recorded.items():
        numbers = [number for number, split in enumerate(recorded) if split is not None]
        part, part_titles = f"{benchmark.name}, with a record", [titles[number] for number in numbers]
        for name, split in splits.items():
            rows.append(_quality(part, name, [split[number] for number in numbers], part_titles, embedder))
        rows.append(_quality(part, record, [split for split in recorded if split], part_titles, embedder))
    return rows


def false_positives(benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]]) -> list[FalsePositives]:
    """Return the queries that exclude nothing and got a trap all the same."""
    return [
        FalsePositives(
            benchmark.name,
            name,
            len(split),
            tuple(text for text, result in zip(benchmark.texts, split, strict=True) if result.traps),
        )
        for name, split in splits.items()
    ]


def agreement(benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]]) -> list[SplitAgreement]:
    """Compare splits with a person's: over all queries, by their group, and by the relation that was told."""
    by_hand = [query.split for query in benchmark.queries]
    rows: list[SplitAgreement] = []
    for name, split in splits.items():
        pairs = [
            _Pair(query.group, mine, hand)
            for query, mine, hand in zip(benchmark.queries, split, by_hand, strict=True)
            if hand is not None
        ]
        if not pairs:
            continue
        groups = {ALL: pairs}
        for pair in sorted(pairs, key=lambda pair: pair.group):
            if pair.group:
                groups.setdefault(pair.group, []).append(pair)
        for relation in RELATIONS:
            told = [pair for pair in pairs if any(e.relation == relation for e in pair.split.exclusions)]
            groups |= {f"relation {relation}": told} if told else {}
        rows += [_agreement(benchmark.name, name, group, part) for group, part in groups.items()]
    return rows


class _Pair(NamedTuple):
    group: str
    split: Decomposition
    by_hand: Decomposition


def _agreement(benchmark: str, name: str, group: str, pairs: Sequence[_Pair]) -> SplitAgreement:
    excluding = [pair for pair in pairs if pair.by_hand.traps]
    found = [pair for pair in excluding if pair.split.traps]
    plain = [pair for pair in pairs if not pair.by_hand.traps]

    def mean(values: list[float]) -> Interval | None:
        return interval(values) if values else None

    return SplitAgreement(
        benchmark,
        name,
        group,
        excluding=len(excluding),
        found=mean([bool(pair.split.traps) for pair in excluding]),
        exact=mean([_bare(pair.split.traps) == _bare(pair.by_hand.traps) for pair in excluding]),
        trap_f1=mean([token_f1(" ".join(p.split.traps), " ".join(p.by_hand.traps)) for p in found]),
        target_f1=mean([token_f1(pair.split.target, pair.by_hand.target) for pair in found]),
        plain=len(plain),
        invented=mean([bool(pair.split.traps) for pair in plain]),
    )


def _bare(traps: Sequence[str]) -> list[str]:
    return sorted(_ARTICLE.sub("", trap.lower().strip()) for trap in traps)


def end_to_end(
    benchmark: Dataset,
    splits: Mapping[str, Sequence[Decomposition]],
    embedder: Embedder,
    *,
    methods: str = METHODS,
    progress: Progress | None = None,
) -> list[EndToEnd]:
    """Rank the answer and the excluded document of every query, by the paper's main variant and by default.

    ``methods`` are specs of :mod:`esens.evaluate.methods`. Where decompositions are recorded, all are measured on
    the queries that have one, so that they compare.
    """
    if not benchmark.corpus or not any(query.relevant and query.excluded for query in benchmark.queries):
        return []
    part, candidates = _comparable(benchmark, splits)
    documents = embed_corpus(benchmark.corpus, embedder, progress)
    rows: list[EndToEnd] = []
    for name, split in candidates.items():
        dataset = _with_record(part, name, split)
        experiment = Experiment.prepare(
            dataset, embedder=embedder, decomposer=f"{RECORDED}{name}", documents=documents
        )
        rows += _search(name, experiment, methods_of("plain" if name == PLAIN else methods))
    return rows


def milliseconds(decomposer: Decomposer, queries: Sequence[str]) -> float:
    """Return the median time that a decomposer takes for a query, after it has seen one."""
    decomposer(queries[0])
    return float(np.median([_seconds(decomposer, query) for query in queries]) * 1e3)


def token_f1(trap: str, title: str) -> float:
    """Return the F1 of the words in common, each counted as often as it occurs.

    >>> round(token_f1("the singer Nate Ruess", "Nate Ruess"), 2)
    0.67
    """
    trap_words, title_words = (Counter(_WORD.findall(text.lower())) for text in (trap, title))
    common = (trap_words & title_words).total()
    return 2 * common / (trap_words.total() + title_words.total()) if common else 0.0


def _comparable(
    benchmark: Dataset, splits: Mapping[str, Sequence[Decomposition]]
) -> tuple[Dataset, dict[str, list[Decomposition]]]:
    """Return the queries that every record has a decomposition of, and all decompositions of them by name."""
    recorded = {name: split for name, split in benchmark.recorded.items() if any(split)}
    numbers = [
        number for number in range(len(benchmark.queries)) if all(split[number] for split in recorded.values())
    ]
    part = replace(benchmark, queries=tuple(benchmark.queries[number] for number in numbers))
    decompositions = {PLAIN: [Decomposition(text) for text in part.texts]}
    for name, split in (*splits.items(), *recorded.items()):
        decompositions[name] = [split[number] or Decomposition("-") for number in numbers]
    titles = part.excluded_titles
    if titles is not None:
        pairs = zip(part.texts, titles, strict=True)
        decompositions[ORACLE] = [Decomposition(text, (title,)) for text, title in pairs]
    return part, decompositions


def _quality(
    benchmark: str, name: str, split: Sequence[Decomposition], titles: Sequence[str], embedder: Embedder | None
) -> Quality:
    pairs = list(zip(split, titles, strict=True))
    f1 = [token_f1(" ".join(decomposition.traps), title) for decomposition, title in pairs]
    f1_of_detected = [score for score, decomposition in zip(f1, split, strict=True) if decomposition.traps]
    return Quality(
        benchmark,
        name,
        len(pairs),
        detected=interval([bool(decomposition.traps) for decomposition in split]),
        token_f1=interval(f1),
        f1_of_detected=interval(f1_of_detected) if f1_of_detected else None,
        similarity=interval(_similarities(pairs, embedder)) if embedder is not None else None,
    )


def _similarities(pairs: Sequence[tuple[Decomposition, str]], embedder: Embedder) -> list[float]:
    """Return the cosine of the nearest trap and the title; 0 where there is no trap."""
    texts = list(dict.fromkeys(text for split, title in pairs for text in (*split.traps, title)))
    vectors = dict(zip(texts, unit_rows(embed_texts(texts, embedder)), strict=True))
    return [
        max((float(vectors[trap] @ vectors[title]) for trap in split.traps), default=0.0) for split, title in pairs
    ]


def _with_record(dataset: Dataset, name: str, split: Sequence[Decomposition]) -> Dataset:
    """Return the dataset with these decompositions as its only record."""
    pairs = zip(dataset.queries, split, strict=True)
    return replace(
        dataset, queries=tuple(replace(query, recorded={name: decomposition}) for query, decomposition in pairs)
    )


def _search(name: str, experiment: Experiment, methods: Sequence[Method]) -> Iterator[EndToEnd]:
    dataset = experiment.dataset
    for result in measure(experiment.ranks(methods), experiment.measures):
        recall, violation = result.measures[AVG_RECALL], result.measures[AVG_VIOLATION]
        yield EndToEnd(dataset.name, name, len(dataset.queries), result.method, recall, violation)


def _seconds(decomposer: Callable[[str], object], query: str) -> float:
    start = time.perf_counter()
    decomposer(query)
    return time.perf_counter() - start
